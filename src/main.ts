import { inspect } from 'node:util';
import type { Environment } from './config/secret.ts';
import { inOwnFiles } from './own-files.ts';
import { CannotStart } from './problem.ts';
import { endWithParent } from './process/parent.ts';
import { createSupervisor } from './process/supervisor.ts';
import { type Bot, start } from './start.ts';
import { hideSecrets } from './telemetry/log.ts';

/** The time limit of a graceful shutdown after an unhandled error, in milliseconds. */
const crashTimeout = 10_000;

/** Runs the bot as a process: starts, stops at a signal, and reports problems instead of a stack trace. */
export async function run(environment: Environment): Promise<void> {
  let bot: Bot | undefined;
  endWithParent(environment);
  const supervisor = createSupervisor(environment, (text) => process.stderr.write(text));
  // During the start the signal would end the process; a changed file is then read anyway.
  process.on('SIGHUP', () => {
    if (bot === undefined) return;
    supervisor.reloading();
    void bot.reload().then(supervisor.ready);
  });
  // The supervisor restarts the process.
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
      // Handles every signal but stops once: Ctrl+C in `npm start` arrives from the terminal and from npm, and
      // the second must not interrupt running work.
      process.on(signal, () => void stop());
    }
    supervisor.ready();
  } catch (error) {
    if (error instanceof CannotStart) {
      // The examples are the bot's own, and hiding apparent secrets would break them.
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

/** Node would print everything that an error carries: headers, the address of a database. */
function printError(error: unknown): void {
  process.stderr.write(`${hideSecrets(inOwnFiles(inspect(error)))}\n`);
}
