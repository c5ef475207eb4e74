import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Environment } from '../../src/config/secret.ts';
import { type Conversation, converse } from '../conversation.ts';
import { type Family, readExposition } from './exposition.ts';

/** A line of the log. */
export type Line = Readonly<Record<string, unknown>> & { readonly event: string; readonly level: string };

export interface Watched extends Conversation {
  /** The address of the health port. */
  readonly url: string;
  /** As they can be read now, checked against the format. */
  readonly metrics: () => Promise<ReadonlyMap<string, Family>>;
  readonly metricsText: () => Promise<string>;
  /** All that the log has said so far. */
  readonly lines: readonly Line[];
  /** Log lines of one event. */
  readonly linesOf: (event: string) => readonly Line[];
  /** Edits the policy file, and has the bot read it. */
  readonly savePolicy: (edit: (text: string) => string) => Promise<void>;
  /** The health ports of other replicas that a test has started. */
  readonly beside: string[];
  /** Settings that it was started with beside the sandbox's. */
  readonly environment: Environment;
  /** The next line of this event cannot be written. */
  readonly breakLine: (event: string) => void;
  /** Changes the database behind the bot's back. */
  readonly inJournal: (sql: string) => void;
}

/** A conversation with a bot, and an operator's view: its log and its health port. */
export async function watched(options: Parameters<typeof converse>[0] = {}): Promise<Watched> {
  const lines: Line[] = [];
  let broken: string | undefined;
  const write = (text: string) => {
    const line = JSON.parse(text);
    if (line.event === broken) {
      broken = undefined;
      throw new Error('EPIPE');
    }
    lines.push(line);
  };
  const environment = { HEALTH_PORT: '0', LOG_LEVEL: 'debug', ...options.environment };
  const conversation = await converse({
    ...options,
    environment,
    // Its own, as a process would write it.
    world: {
      log: undefined,
      logTo: { write },
      ...options.world,
    },
  });
  // Every process has a port of its own.
  const url = () => String(lines.findLast(({ event }) => event === 'started')?.health);
  const metricsText = async () => (await fetch(`${url()}/metrics`)).text();
  return {
    ...conversation,
    get bot() {
      return conversation.bot;
    },
    get url() {
      return url();
    },
    metricsText,
    metrics: async () => {
      // The bot records and counts finished actions at the next look at the clock.
      await conversation.pass(0);
      return readExposition(await metricsText());
    },
    beside: [],
    environment,
    breakLine: (event) => {
      broken = event;
    },
    savePolicy: async (edit) => {
      const file = join(dirname(conversation.data), 'appliance-bot.yml');
      writeFileSync(file, edit(readFileSync(file, 'utf8')));
      await conversation.bot.reload();
      await conversation.bot.idle();
    },
    inJournal: (sql) => {
      const database = new DatabaseSync(join(conversation.data, 'journal.sqlite'), { timeout: 5_000 });
      database.exec(sql);
      database.close();
    },
    lines,
    linesOf: (event) => lines.filter((line) => line.event === event),
  };
}
