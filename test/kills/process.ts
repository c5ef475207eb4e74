import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { machine } from '../../sandbox/machine.ts';
import type { Facts } from './ends.ts';

/** A request to the process: become idle, move the clock by `pass` milliseconds, or say when it is alone. */
export interface Question {
  readonly id: number;
  readonly pass?: number;
  readonly isAlone?: true;
}

/** A report of the process; without `id` it answers no request. */
export interface Answer {
  readonly id?: number;
  /** How far its clock is before the real one, in milliseconds. */
  readonly ahead: number;
  /** How often it has written to its journal. */
  readonly writes: number;
  readonly facts?: Facts;
}

/** A bot in a process that can be killed. */
export interface Mortal {
  readonly isDead: () => boolean;
  /** Resolves to its report when it is idle; undefined when it is dead. */
  readonly rest: (asked?: Omit<Question, 'id'>) => Promise<Answer | undefined>;
  readonly kill: () => void;
  /** Freezes it for so many milliseconds. */
  readonly freeze: (milliseconds: number) => void;
  /** Resolves when it is dead. */
  readonly dead: Promise<void>;
}

const program = fileURLToPath(new URL('child.ts', import.meta.url));

/**
 * Starts one; resolves when it is connected and has picked up what was left, or is dead. `listen` hears all it says, `born`
 * gets it at once.
 */
export async function startMortal(
  environment: Readonly<Record<string, string | undefined>>,
  listen: (answer: Answer) => void,
  born: (bot: Mortal) => void,
): Promise<Mortal> {
  const child: ChildProcess = spawn(process.execPath, [program], {
    env: { ...machine(), ...environment },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  child.on('message', (answer: Answer) => {
    listen(answer);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let isDead = false;
  const dead = once(child, 'exit').then(() => {
    isDead = true;
  });
  let questions = 0;
  const answerTo = (id: number) =>
    Promise.race([new Promise<Answer>((resolve) => waiting.set(id, resolve)), dead.then(() => undefined)]);
  const bot: Mortal = {
    isDead: () => isDead,
    dead,
    kill: () => child.kill('SIGKILL'),
    freeze: (milliseconds) => {
      child.kill('SIGSTOP');
      setTimeout(() => child.kill('SIGCONT'), milliseconds);
    },
    rest: async (asked) => {
      if (isDead) return undefined;
      questions += 1;
      const answer = answerTo(questions);
      // The request may kill it.
      child.send({ ...asked, id: questions } satisfies Question, () => undefined);
      return answer;
    },
  };
  born(bot);
  await answerTo(0);
  return bot;
}
