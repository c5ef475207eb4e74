import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../config/secret.ts';

/** What systemd is told of this process, where it wants to know: a unit with `Type=notify`. Elsewhere all of it does nothing. */
export interface Supervisor {
  /** The start is over. From then on it is told, if it wants to, that we are alive. */
  readonly ready: () => void;
  /** From the order to stop on: what still takes time is no hang. Resolves when it was told, for the process must not end before. */
  readonly stopping: () => Promise<void>;
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
  let told: Promise<void> = Promise.resolve();
  const send = async (state: readonly string[]) => {
    try {
      await run(helper, state, { timeout: patience, env: environment });
    } catch (error) {
      const { code, signal } = error as ExecFileException;
      complain(`systemd could not be told ${state[0]}: ${helper} failed (${code ?? signal}).\n`);
    }
  };
  const tell = (...state: readonly string[]): Promise<void> => {
    // One after the other: that a reload is over must not come before that it began.
    if (socket) told = told.then(() => send(state));
    return told;
  };
  // Half of what is allowed, as its manual says; a pulse that comes late once is no reason to be killed.
  const pulse = watched === undefined || watched === String(process.pid) ? Number(limit ?? 0) / 2_000 : 0;
  let isWatched = false;
  let isPulsing = false;
  return {
    ready: () => {
      void tell('READY=1');
      if (pulse === 0 || isWatched) return;
      isWatched = true;
      setInterval(() => {
        // Where the machine is too busy to send one in time, they must not pile up before what else there is to tell.
        if (isPulsing) return;
        isPulsing = true;
        void tell('WATCHDOG=1').then(() => {
          isPulsing = false;
        });
      }, pulse).unref();
    },
    stopping: () => tell('STOPPING=1'),
    reloading: () => void tell('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
  };
}
