import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { machine } from '../../../sandbox/machine.ts';

/** A bot in a process of its own, which is started again whenever it has ended. */
export interface Supervised {
  /** Resolves when its process of this moment, or the next one, is connected. */
  readonly connected: () => Promise<void>;
  readonly kill: () => void;
  readonly freeze: () => void;
  readonly wake: () => void;
  /** Its machine's clock is so many milliseconds ahead of ours from now on, for later processes as well. */
  readonly setClock: (ahead: number) => void;
  /** So much time goes by at once, for good. */
  readonly pass: (milliseconds: number) => void;
  /** No file that it writes grows beyond so many bytes; undefined lets them grow again. Needs no rights, but util-linux. */
  readonly limitFiles: (bytes: number | undefined) => void;
  /** Ends it for good. */
  readonly end: () => Promise<void>;
}

const clock = fileURLToPath(new URL('clock.ts', import.meta.url));

/** Starts it. `pause` says how many milliseconds go by before it is started again. */
export function supervise(
  program: string,
  environment: Readonly<Record<string, string | undefined>>,
  pause: () => number,
): Supervised {
  let ahead = 0;
  let passed = 0;
  let isOver = false;
  let child: ChildProcess | undefined;
  let isConnected = false;
  let connected = Promise.withResolvers<void>();
  const running = run();
  return {
    connected: () => connected.promise,
    kill: () => {
      child?.kill('SIGKILL');
      forget();
    },
    freeze: () => void child?.kill('SIGSTOP'),
    wake: () => void child?.kill('SIGCONT'),
    setClock: (milliseconds) => {
      ahead = milliseconds;
      tellTime();
    },
    pass: (milliseconds) => {
      passed += milliseconds;
      tellTime();
    },
    limitFiles: (bytes) => {
      try {
        execFileSync('prlimit', [`--pid=${child?.pid}`, `--fsize=${bytes ?? 'unlimited'}:unlimited`], {
          stdio: 'ignore',
        });
      } catch {
        // The process has ended already.
      }
    },
    end: async () => {
      isOver = true;
      child?.kill('SIGKILL');
      await running;
    },
  };

  /** The process may be dying. */
  function tellTime(): void {
    if (child?.connected) child.send({ ahead: ahead + passed }, () => undefined);
  }

  /** A caller that waits for a dead process waits for the next one. */
  function forget(): void {
    if (isConnected) connected = Promise.withResolvers<void>();
    isConnected = false;
  }

  async function run(): Promise<void> {
    while (!isOver) {
      child = spawn(process.execPath, ['--import', clock, program], {
        env: { ...machine(), ...environment, CLOCK_AHEAD: String(ahead + passed) },
        stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      });
      child.stdout?.on('data', (text: Buffer) => {
        if (!String(text).includes('Appliance Bot is connected')) return;
        isConnected = true;
        connected.resolve();
      });
      await once(child, 'exit');
      forget();
      if (!isOver) await sleep(pause());
    }
  }
}
