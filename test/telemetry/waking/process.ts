import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { freePort } from '../../free-port.ts';
import { inOwnProcess } from '../../own-process.ts';
import type { Line } from '../watched.ts';
import { expectSeen } from './scene.ts';

const linesOf = (logged: readonly string[], event: string): readonly Line[] =>
  logged.map((line): Line => JSON.parse(line)).filter((line) => line.event === event);

/** A bot in a process of its own with these settings, whose metrics are read. */
async function watchedProcess(more: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const { start } = await inOwnProcess();
  const environment = { HEALTH_PORT: String(port), ...more };
  const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return { start: () => start(environment), metrics };
}

/** Events that end a process. */
export const ofProcess = {
  crashed: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fault-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const fault = join(folder, 'fault.mjs');
    writeFileSync(fault, `process.on('SIGUSR2', () => { throw new Error('A bug'); });\n`);
    const { start, metrics } = await watchedProcess({ NODE_OPTIONS: `--import=${fault}` });
    const first = await start();
    const before = await metrics();
    first.child.kill('SIGUSR2');
    expect(await first.exited).toBe(1);
    await expect(metrics()).rejects.toThrow();
    const seen = { lines: linesOf(first.logged, 'crashed'), before };
    const line = { err: { message: 'A bug', stack: expect.stringContaining('fault.mjs') } };
    // Not started again, and started again.
    expectSeen('crashed', { ...seen, after: '' }, line);
    const second = await start();
    await expect.poll(() => linesOf(second.logged, 'earlier_run_cut_off')).toHaveLength(1);
    expectSeen('crashed', { ...seen, after: await metrics() }, line);
  },
};
