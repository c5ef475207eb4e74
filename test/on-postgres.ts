import pg from 'pg';
import { expect } from 'vitest';
import { newId } from '../src/journal/id.ts';
import { createLog } from '../src/telemetry/log.ts';
import { type Conversation, converse } from './conversation.ts';
import type { PostgresServer } from './postgres.ts';
import { steadyNow } from './steady-clock.ts';

export const unavailable = 'The journal’s database does not answer';

export interface Logged extends Conversation {
  readonly server: PostgresServer;
  /** The bot's log, line by line. */
  readonly logged: readonly string[];
}

/** With a database of its own on this server. */
export async function converseOnPostgres(
  server: PostgresServer,
  over = async (url: string) => url,
): Promise<Logged> {
  const name = newId();
  const client = new pg.Client(server.urlOf('postgres'));
  await client.connect();
  await client.query(`create database "${name}"`).finally(() => client.end());
  const logged: string[] = [];
  const log = createLog('info', { write: (line: string) => void logged.push(line) });
  const conversation = await converse({
    environment: { DATABASE_URL: await over(server.urlOf(name)) },
    world: { log },
  });
  return Object.assign(conversation, { server, logged });
}

/** How long it takes to get an answer, in milliseconds. */
export async function timed<Value>(does: () => Promise<Value>): Promise<{ value: Value; took: number }> {
  const began = steadyNow();
  return { value: await does(), took: steadyNow() - began };
}

export const isBack = (conversation: Logged) =>
  expect
    .poll(() => conversation.logged.filter((line) => line.includes('The journal is available again')).length)
    .toBeGreaterThan(0);
