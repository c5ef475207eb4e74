import { inspect } from 'node:util';
import type { Environment } from './config/secret.ts';
import { hideSecrets } from './log.ts';
import { endWithParent } from './parent.ts';
import { CannotStart } from './problem.ts';
import { type Bot, start } from './start.ts';

/** The bot as a process: starts, stops at a signal, and says what is in the way instead of a stack trace. */
export async function run(environment: Environment): Promise<void> {
  let bot: Bot | undefined;
  endWithParent(environment);
  // Sent while it starts, it would end the process; the start ends with a look at the file anyway.
  process.on('SIGHUP', () => bot?.reload());
  try {
    const started = await start(environment);
    bot = started;
    // A Slack connection that could not be renewed ends here: whoever supervises the process starts it again.
    process.once('unhandledRejection', (error) => {
      process.stderr.write(`${hideSecrets(String(error))}\n`);
      process.exit(1);
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      // Each time, and it stops once: Ctrl+C in `npm start` comes from the terminal and from npm, and the second one must not
      // cut short what is under way.
      process.on(signal, () => void started.stop().then(() => process.exit(0)));
    }
  } catch (error) {
    const isTold = error instanceof CannotStart;
    // Node would print an error with all that it carries: headers, the address of a database.
    process.stderr.write(`${hideSecrets(isTold ? error.message : inspect(error))}\n`);
    if (!isTold) process.exit(1);
    process.exitCode = 1;
  }
}
