import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import packageJson from '../../package.json' with { type: 'json' };
import { personIn } from '../../sandbox/person.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { lines, made } from './lines.ts';

/**
 * Makes the journal that this version leaves behind, for the versions to come: `node test/journals/make.ts`, once with each
 * release. What stands in the folder already is never made again.
 */
const file = join(import.meta.dirname, `${packageJson.version}.sqlite.gz`);
const copy = join(tmpdir(), `journal-${process.pid}.sqlite`);
const began = performance.now();
const now = () => Math.round(made + performance.now() - began);
const sandbox = await startSandbox({ world: { now, log: createLog('silent') } });
try {
  for (const { by, line, press } of lines) {
    const person = personIn(sandbox.workspace, sandbox.bot, by);
    await person.type('helpdesk', line);
    if (press !== undefined) await person.press('helpdesk', press);
  }
  await sandbox.bot.idle();
  const journal = new DatabaseSync(join(sandbox.data, 'journal.sqlite'));
  journal.prepare('vacuum into ?').run(copy);
  journal.close();
  writeFileSync(file, gzipSync(readFileSync(copy), { level: 9 }), { flag: 'wx' });
} finally {
  await sandbox.stop();
  rmSync(copy, { force: true });
}
