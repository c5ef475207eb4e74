import { parseArgs } from 'node:util';
import { endWithParent } from '../../src/process/parent.ts';
import { pageAssets } from './page/bundle.ts';
import { startWorkspace } from './server.ts';
import type { Workspace } from './workspace.ts';

const usage = `npm run sandbox:workspace                 starts a Slack-compatible workspace with its page, for a bot of your own

  --port PORT        the port of the page (a free one)

It prints what the bot needs to connect, and the IDs for its policy file.
`;

/** What is given to a shell, and what stands in a policy file. */
function introduction({ url, apiUrl, botToken, appToken, channels, userGroups, people }: Workspace): string {
  const ids = (all: readonly (readonly [string, string])[]) =>
    all.map(([id, name]) => `    ${id.padEnd(12)}${name}`).join('\n');
  return `
  Workspace:  ${url}

  For the terminal in which the bot starts:

    export SLACK_API_URL=${apiUrl}
    export SLACK_BOT_TOKEN=${botToken}
    export SLACK_APP_TOKEN=${appToken}

  For its policy file:

${ids(channels.filter(({ isIm }) => !isIm).map(({ id, name }) => [id, `#${name}`]))}
${ids(userGroups.map(({ id, handle }) => [id, `@${handle}`]))}
${ids(people.filter(({ isBot }) => !isBot).map(({ id, name }) => [id, `@${name}`]))}

  Ctrl+C ends it. Nothing leaves this machine.
`;
}

async function run(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { port: { type: 'string', default: '0' }, help: { type: 'boolean' } },
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new TypeError(`--port ${values.port} is not a port number.`);
  const workspace = await startWorkspace({ port, page: pageAssets() });
  process.stdout.write(introduction(workspace));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void workspace.stop().then(() => process.exit(0)));
  }
}

endWithParent(process.env);
try {
  await run(process.argv.slice(2));
} catch (error) {
  const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (!isTaken && !(error instanceof TypeError)) throw error;
  process.stderr.write(
    `${isTaken ? 'That port is taken. Choose another one with --port.' : error.message}\n\n${usage}`,
  );
  process.exitCode = 2;
}
