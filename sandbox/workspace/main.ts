import { endWithParent } from '../../src/process/parent.ts';
import { startHarbour } from '../harbour.ts';
import { pageAssets } from './page/bundle.ts';
import { runWorkspace } from './program.ts';

const usage = `npm run sandbox:workspace                 starts a Slack-compatible workspace with its page, for a bot of your own

It prints what the bot needs to connect, and the IDs for its policy file.

  --manifest FILE     the manifest of another app (that of this bot)
`;

endWithParent(process.env);
const code = await runWorkspace(
  process.argv.slice(2),
  { usage, start: (asked) => startHarbour({ ...asked, page: pageAssets() }) },
  process,
);
if (code !== undefined) process.exitCode = code;
