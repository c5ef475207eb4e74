import { expect, onTestFinished, test } from 'vitest';
import { createLog } from '../src/telemetry/log.ts';
import { startBranches } from './branch.ts';
import { type SandboxOptions, startSandbox } from './sandbox.ts';

/** A sandbox, and the appliances that its bot knows, as the log tells them. */
async function sandboxWith(options: SandboxOptions) {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const sandbox = await startSandbox({ ...options, world: { log } });
  onTestFinished(() => sandbox.stop());
  const connected = lines.find((line) => line.includes('is connected')) ?? '{}';
  return { sandbox, known: JSON.parse(connected).appliances };
}

test('the bot of a sandbox knows the branches that were asked for', async () => {
  const { sandbox, known } = await sandboxWith({ branches: 2 });
  expect([...sandbox.branches.keys()]).toEqual(['branch-2', 'branch-3']);
  expect(known).toEqual(['hq', 'branch-2', 'branch-3']);
});

test('a sandbox has no branch unless it is asked for', async () => {
  const { sandbox, known } = await sandboxWith({});
  expect(sandbox.branches.size).toBe(0);
  expect(known).toEqual(['hq']);
});

test('a branch is another appliance: a release behind, with sessions of its own', async () => {
  const branch = (await startBranches(1, { key: 'key' })).get('branch-2');
  onTestFinished(() => branch?.close());
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${branch?.url}${path}`, { headers: { 'x-auth-token': 'key' } })).json();
  expect(JSON.stringify(await get('/appliance_version'))).toContain('4.50 Service Pack 4');
  const sessions = JSON.stringify(await get('/rdpproxy/sessions'));
  expect(sessions).toContain('jonas.weber');
  expect(sessions).not.toContain('bob.miller');
});
