import type { Environment } from '../config/secret.ts';

/** How often it is looked for, in milliseconds. */
const interval = 500;

/**
 * Sends this process SIGTERM when the program that it belongs to is gone. npm hands on SIGTERM and SIGINT by itself, and
 * dies of a SIGHUP or a SIGKILL without a word: what it has started would go on with nobody to stop it. So would a child with a
 * channel to its parent. Who starts it in another way, such as with `nohup` or as a service, decides himself how long it lives.
 */
export function endWithParent(environment: Environment): void {
  const belongs =
    environment.npm_lifecycle_event ?? environment.NODE_RUN_SCRIPT_NAME ?? process.channel ?? undefined;
  if (belongs === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, interval).unref();
}
