import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { matchesGlob } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Debian's Chromium; the browser tests drive a real one or are named, in one line, as not run. */
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Debian's promtool, of the package prometheus. */
const promtool = process.env.PROMTOOL ?? '/usr/bin/promtool';
/** Debian's PgBouncer, of the package of that name. */
const pgbouncer = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer';
const browserTests = 'test/**/browser/**/*.test.ts';
const promtoolTests = 'test/promtool/*.test.ts';
const pgbouncerTests = 'test/pgbouncer/*.test.ts';
const without = [
  ...(existsSync(chromium) ? [] : [browserTests]),
  ...(existsSync(promtool) ? [] : [promtoolTests]),
  ...(existsSync(pgbouncer) ? [] : [pgbouncerTests]),
];

for (const [pattern, what, path, named] of [
  [browserTests, 'Browser tests', `Chromium at ${chromium}`, process.env.CHROMIUM],
  [promtoolTests, 'Tests of alert rules', `promtool at ${promtool}`, process.env.PROMTOOL],
  [pgbouncerTests, 'Tests behind PgBouncer', `PgBouncer at ${pgbouncer}`, process.env.PGBOUNCER],
] as const) {
  if (!without.includes(pattern)) continue;
  const missing = `${what} (${pattern}) are not run: no ${path}.`;
  // A configured path must exist, because somebody wants these tests to run.
  if (named !== undefined) throw new Error(missing);
  process.stdout.write(`${missing}\n`);
}

const longTests = 'test/{long,attacks,packed}/**/*.test.ts';
/** What they try by samples, they try whole with `LONG_TESTS=all`. */
const { LONG_TESTS = 'true' } = process.env;
/** Tests that load the machine as much as it bears, or kill processes at moments: others beside them would falsify their results. */
const alone = 'test/long/{outage,random-kills,replicas}.test.ts';
/** Vitest begins with the largest files. These are small and take minutes: begun last, they would be waited for. */
const longest =
  '**/{agreement,bad-days,bulk,emergency-kill,frozen,kills,kills-postgres,led-astray,real-kills,shared-undo.property,temporary-crash,temporary-every,timed-changes.property,truth,watches}.test.ts';
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((isLongest) =>
      sorted.filter(({ moduleId }) => matchesGlob(moduleId, longest) === isLongest),
    );
  }
}
/** Boots a systemd beside the machine's own, so it runs only on request. */
const systemd = 'test/systemd/*.test.ts';
/** Also those of the client that a test generates (`test/generated-client`), which has packages of its own. */
const packages = '**/node_modules/**';

export default defineConfig({
  test: {
    // Healthy tests wait much less; a machine at half the speed, with other work, still passes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Reports keep only the message: it shows what differs.
    chaiConfig: { truncateThreshold: 2_000 },
    // Some tests start the bot as a process of its own.
    globalSetup: 'test/setup.ts',
    env: { CHROMIUM: chromium, PROMTOOL: promtool, PGBOUNCER: pgbouncer },
    // Files start and stop all they need and leave their process as it was: they share it, and load the modules once.
    isolate: false,
    // Node loads the files itself, as in production, so that modules keep their real form (the order of their exports,
    // for one), and nothing is translated first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than there are cores: some files wait most of the time, for a replica to be missed or a server to be back.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'quick',
          include: ['{src,sandbox,bench,test}/**/*.test.ts'],
          exclude: [longTests, systemd, packages, ...without],
        },
      },
      {
        extends: true,
        test: {
          name: 'long',
          // Property tests try more random cases only here.
          include: [longTests, '{src,test}/**/*.property.test.ts'],
          exclude: [packages, alone, ...without],
          env: { LONG_TESTS },
          testTimeout: 600_000,
          // Several processes of one test may start at the same time on a busy machine.
          expect: { poll: { timeout: 90_000 } },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [alone],
          env: { LONG_TESTS },
          testTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'systemd', include: [systemd] } },
    ],
  },
});
