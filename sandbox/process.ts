import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../src/config/secret.ts';
import { machine } from './machine.ts';
import type { Workspace } from './workspace/workspace.ts';

/** A bot in a process of its own, which can be killed. */
export interface BotProcess {
  readonly child: ChildProcess;
  /** Which of `workspace.sockets.ids` is its; another one once it has connected again. */
  readonly connection: string;
  /** Ends it at once, in the middle of whatever it does; resolves when Slack knows that it is gone. */
  readonly kill: () => Promise<void>;
  /** Stops the process, as in a paused container: its connections stay, and it does nothing until it is woken. */
  readonly freeze: () => void;
  readonly wake: () => void;
  /** Asks it to stop, as a supervisor does; resolves when it is gone. */
  readonly stop: () => Promise<void>;
}

/** The bot as `npm run build` has made it; tests make one of their own, and leave the checkout as it is (`test/setup.ts`). */
export const program =
  process.env.APPLIANCE_BOT_PROGRAM ?? fileURLToPath(new URL('../bin/appliance-bot.js', import.meta.url));

/**
 * Starts the built bot as `npm start` does, or another entry of it. Resolves when it is connected, and rejects when it ends before. Start one
 * after the other: the order of connections tells them apart.
 */
export async function spawnBot(
  environment: Environment,
  workspace: Workspace,
  entry: string = program,
): Promise<BotProcess> {
  const before = workspace.sockets.ids;
  const child = spawn(process.execPath, [entry], {
    env: { ...machine(), ...environment },
    // By the channel it knows that it belongs to us, and ends when we are gone.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exited = once(child, 'exit');
  const newcomer = () => workspace.sockets.ids.find((id) => !before.includes(id));
  const connection = await Promise.race([until(workspace, newcomer), exited.then(() => undefined)]);
  if (connection === undefined) throw new Error('The bot ended before it was connected');
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await exited;
    await until(workspace, () => !workspace.sockets.ids.includes(connection) || undefined);
  };
  return {
    ...{ child, connection },
    freeze: () => void child.kill('SIGSTOP'),
    wake: () => void child.kill('SIGCONT'),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** Looks after every change in the workspace; resolves to the first result. */
function until<Seen>(workspace: Workspace, look: () => Seen | undefined): Promise<Seen> {
  return new Promise((resolve) => {
    const settle = () => {
      const seen = look();
      if (seen === undefined) return;
      stop();
      resolve(seen);
    };
    const stop = workspace.onChange(settle);
    settle();
  });
}
