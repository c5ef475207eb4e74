import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../config/secret.ts';

/** What systemd is told of this process, where it wants to know: a unit with `Type=notify`. Elsewhere all of it does nothing. */
export interface Supervisor {
  /** The start is over. From then on it is told, if it wants to, that we are alive. */
  readonly ready: () => void;
  /** From the order to stop on: what still takes time is no hang. */
  readonly stopping: () => void;
  /** The policy file is read again; `ready` says that it was. */
  readonly reloading: () => void;
}

/**
 * Node has no datagram sockets of this kind, so what belongs to systemd and is there wherever it is sends for us. It waits
 * until systemd has read it, for whose message it is systemd can tell only while the sender lives. `NotifyAccess=all` lets it.
 */
const helper = 'systemd-notify';

/** The helper waits for systemd at most this long, in milliseconds. */
const patience = 10_000;

const run = promisify(execFile);

/** `complain` is for whoever reads the journal of the unit. */
export function createSupervisor(environment: Environment, complain: (text: string) => void): Supervisor {
  const { NOTIFY_SOCKET: socket, WATCHDOG_USEC: limit, WATCHDOG_PID: watched } = environment;
  let told: Promise<unknown> = Promise.resolve();
  const tell = (...state: readonly string[]) => {
    if (!socket) return;
    // One after the other: that a reload is over must not come before that it began.
    told = told
      .then(() => run(helper, state, { timeout: patience, env: environment }))
      .catch(({ code, signal }: ExecFileException) =>
        complain(`systemd could not be told ${state[0]}: ${helper} failed (${code ?? signal}).\n`),
      );
  };
  // Half of what is allowed, as its manual says; a pulse that comes late once is no reason to be killed.
  const pulse = watched === undefined || watched === String(process.pid) ? Number(limit ?? 0) / 2_000 : 0;
  let isWatched = false;
  return {
    ready: () => {
      tell('READY=1');
      if (pulse === 0 || isWatched) return;
      isWatched = true;
      setInterval(() => tell('WATCHDOG=1'), pulse).unref();
    },
    stopping: () => tell('STOPPING=1'),
    reloading: () => tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
  };
}
