import { expect, onTestFinished } from 'vitest';
import { createLog } from '../src/log.ts';
import { type Conversation, converse } from './conversation.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

export const unavailable = 'I cannot write down what I do right now';

export interface Logged extends Conversation {
  readonly server: PostgresServer;
  /** What the bot has logged, one line each. */
  readonly logged: readonly string[];
}

export async function converseOnPostgres(over = async (url: string) => url): Promise<Logged> {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const logged: string[] = [];
  const log = createLog('info', { write: (line: string) => void logged.push(line) });
  const conversation = await converse({
    environment: { DATABASE_URL: await over(server.urlOf('postgres')) },
    world: { log },
  });
  return Object.assign(conversation, { server, logged });
}

/** How long it takes to get an answer, in milliseconds. */
export async function timed<Value>(does: () => Promise<Value>): Promise<{ value: Value; took: number }> {
  const began = performance.now();
  return { value: await does(), took: performance.now() - began };
}

export const isBack = (conversation: Logged) =>
  expect
    .poll(() => conversation.logged.filter((line) => line.includes('of the journal is back')).length)
    .toBeGreaterThan(0);
