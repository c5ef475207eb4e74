import { inspect } from 'node:util';
import type { Environment } from './config/secret.ts';
import { inOwnFiles } from './own-files.ts';
import { CannotStart } from './problem.ts';
import { endWithParent } from './process/parent.ts';
import { createSupervisor } from './process/supervisor.ts';
import { type Bot, start } from './start.ts';
import { hideSecrets } from './telemetry/log.ts';

/** How long the orderly stop after an unhandled error may take, in milliseconds. */
const crashTimeout = 10_000;

/** The bot as a process: starts, stops at a signal, and says what is in the way instead of a stack trace. */
export async function run(environment: Environment): Promise<void> {
  let bot: Bot | undefined;
  endWithParent(environment);
  const supervisor = createSupervisor(environment, (text) => process.stderr.write(text));
  // Sent while it starts, it would end the process; a file that is changed meanwhile is read again anyway.
  process.on('SIGHUP', () => {
    if (bot === undefined) return;
    supervisor.reloading();
    void bot.reload().then(supervisor.ready);
  });
  // Whoever supervises the process starts it again.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error) => {
      if (bot === undefined) {
        printError(error);
        process.exit(1);
      }
      process.exitCode = 1;
      const exit = () => process.exit();
      setTimeout(exit, crashTimeout).unref();
      void Promise.all([supervisor.stopping(), bot.crash(error)]).then(exit, exit);
    });
  }
  try {
    const started = await start(environment);
    bot = started;
    const stop = async () => {
      await Promise.all([supervisor.stopping(), started.stop()]);
      process.exit();
    };
    void started.lost.then(() => {
      process.exitCode = 1;
      return stop();
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // Each time, and it stops once: Ctrl+C in `npm start` comes from the terminal and from npm, and the second one must not
      // cut short what is under way.
      process.on(signal, () => void stop());
    }
    supervisor.ready();
  } catch (error) {
    if (error instanceof CannotStart) {
      // The examples are ours: with what looks like a secret in them hidden, they would be none.
      const shown = error.problems.map((one) => ({
        ...one,
        key: hideSecrets(one.key),
        wrong: hideSecrets(one.wrong),
      }));
      process.stderr.write(`${new CannotStart(shown).message}\n`);
      process.exitCode = 1;
      return;
    }
    printError(error);
    process.exit(1);
  }
}

/** Node would print an error with all that it carries: headers, the address of a database. */
function printError(error: unknown): void {
  process.stderr.write(`${hideSecrets(inOwnFiles(inspect(error)))}\n`);
}
