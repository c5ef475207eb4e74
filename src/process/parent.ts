import type { Environment } from '../config/secret.ts';

/** How often the parent is checked, in milliseconds. */
const interval = 500;

/**
 * Sends this process SIGTERM when its parent is gone. npm passes on SIGTERM and SIGINT, but dies of a SIGHUP or
 * a SIGKILL without notice, and would leave its children running unsupervised. So would the parent of a child
 * with a channel. Other starts, such as `nohup` or a service, decide on the lifetime themselves.
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
