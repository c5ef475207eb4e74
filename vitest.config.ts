import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Debian's Chromium; the browser tests drive a real one or are named, in one line, as not run. */
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** Debian's promtool, of the package prometheus. */
const promtool = process.env.PROMTOOL ?? '/usr/bin/promtool';
const browserTests = 'test/**/browser/**/*.test.ts';
const promtoolTests = 'test/promtool/*.test.ts';
const without = [
  ...(existsSync(chromium) ? [] : [browserTests]),
  ...(existsSync(promtool) ? [] : [promtoolTests]),
];

for (const [pattern, what, path, named] of [
  [browserTests, 'Browser tests', `Chromium at ${chromium}`, process.env.CHROMIUM],
  [promtoolTests, 'Tests of alert rules', `promtool at ${promtool}`, process.env.PROMTOOL],
] as const) {
  if (!without.includes(pattern)) continue;
  const missing = `${what} (${pattern}) are not run: no ${path}.`;
  // Whoever names one wants them to be run.
  if (named !== undefined) throw new Error(missing);
  process.stdout.write(`${missing}\n`);
}

const longTests = 'test/{long,attacks,packed}/**/*.test.ts';
/** Those that measure how long something takes, or kill processes at moments: beside others they would tell of the others. */
const alone =
  'test/long/{frozen,hostile-replies,large-answers,outage,random-kills,replicas,temporary-replicas}.test.ts';
/** It boots a systemd beside the one of the machine: nothing that should happen to whoever runs tests. */
const systemd = 'test/systemd/*.test.ts';
/** Also those of the client that a test generates (`test/generated-client`), which has packages of its own. */
const packages = '**/node_modules/**';

export default defineConfig({
  test: {
    // Nothing is waited for that long where all is well; a machine at half the speed, with other work, is still well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    // Some tests start the bot as a process of its own.
    globalSetup: 'test/setup.ts',
    env: { CHROMIUM: chromium, PROMTOOL: promtool },
    // Files start and stop all they need and leave their process as it was: they share it, and load the modules once.
    isolate: false,
    // Node loads the files itself, as it does for whoever runs the bot: a module is then what it is there (the order of its
    // exports, for one), and nothing is translated first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // More than there are cores: some files wait most of the time, for a replica to be missed or a server to be back.
    maxWorkers: availableParallelism() + 2,
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
          // Those beside `longTests` try a number of random cases that only run here.
          include: [longTests, '{src,test}/**/*.property.test.ts'],
          exclude: [packages, alone, ...without],
          env: { LONG_TESTS: 'true' },
          testTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: [alone],
          env: { LONG_TESTS: 'true' },
          testTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      { extends: true, test: { name: 'systemd', include: [systemd] } },
    ],
  },
});
