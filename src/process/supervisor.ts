import { type ExecFileException, execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Environment } from '../config/secret.ts';

/** Notifies systemd about this process, if the unit has `Type=notify`. Otherwise it does nothing. */
export interface Supervisor {
  /** The start is complete. From then on systemd gets heartbeats if it wants them. */
  readonly ready: () => void;
  /**
   * A shutdown is in progress, so slowness is no hang. Resolves when systemd has read it, because the process
   * must not end before.
   */
  readonly stopping: () => Promise<void>;
  /** The policy file is being read again; `ready` reports the end. */
  readonly reloading: () => void;
}

/**
 * Node has no sockets of this kind, so systemd's own tool sends the message. It waits until systemd has read
 * it, because systemd can identify the sender only while it lives. `NotifyAccess=all` permits this.
 */
const helper = 'systemd-notify';

/** The helper waits for systemd at most this long, in milliseconds. */
const patience = 10_000;

const run = promisify(execFile);

/** `complain` writes to the journal of the unit. */
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
    // In sequence: the end of a reload must not overtake its beginning.
    if (socket) told = told.then(() => send(state));
    return told;
  };
  // Half of the allowed time, as the manual recommends, so that one late heartbeat does not end the process.
  const pulse = watched === undefined || watched === String(process.pid) ? Number(limit ?? 0) / 2_000 : 0;
  let isWatched = false;
  let isPulsing = false;
  return {
    ready: () => {
      void tell('READY=1');
      if (pulse === 0 || isWatched) return;
      isWatched = true;
      setInterval(() => {
        // On a busy machine heartbeats must not pile up before other messages.
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
