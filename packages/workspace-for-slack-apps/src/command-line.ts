import { existsSync } from 'node:fs';
import { runWorkspace } from '../../../sandbox/workspace/program.ts';
import { startWorkspace as startInside } from '../../../sandbox/workspace/server.ts';
import { page } from './page.ts';
import { readOptions } from './read-options.ts';

const usage = `workspace-for-slack-apps                  starts a workspace for a Slack app, with its page

It prints what the app needs to connect.

  --manifest FILE     the app's manifest, JSON or YAML (manifest.json, manifest.yaml or manifest.yml of this folder)
`;

const usual = ['manifest.json', 'manifest.yaml', 'manifest.yml'];

/** Resolves to the exit code, or to undefined while the workspace is open. */
export function run(words: readonly string[], terminal: NodeJS.Process): Promise<number | undefined> {
  return runWorkspace(
    words,
    {
      usage,
      start: ({ manifest = usual.find((name) => existsSync(name)), ...asked }) => {
        if (manifest === undefined)
          throw new TypeError('There is no manifest in this folder. Add --manifest FILE.');
        return startInside({ ...readOptions({ ...asked, manifest }), page });
      },
    },
    terminal,
  );
}
