import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A program in a process of its own that answers every message with one. */
export interface Program {
  readonly ask: (message: number) => Promise<unknown>;
  /** The program's first message, sent when it was ready. */
  readonly greeting: unknown;
  readonly stop: () => void;
}

/** Starts one of the programs of this folder. @throws when it ends before it is ready, or before it answers */
export async function startProgram(
  file: string,
  given: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<Program> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), given, { execArgv: [...nodeFlags] });
  const greeting = await answerOf(child, file);
  return {
    greeting,
    ask: (message) => {
      const answer = answerOf(child, file);
      child.send(message);
      return answer;
    },
    stop: () => void child.kill(),
  };
}

async function answerOf(child: ChildProcess, file: string): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(() =>
        Promise.reject(new Error(`${file} ended without an answer.`)),
      ),
    ]);
  } finally {
    over.abort();
  }
}

/** The local appliance that all of them call. */
export async function startServer(): Promise<Program & { readonly url: string }> {
  const program = await startProgram('./server.ts');
  if (typeof program.greeting !== 'string') throw new Error('The server did not say where it is.');
  return { ...program, url: program.greeting };
}
