import { type Conversation, converse } from '../conversation.ts';
import { freePort } from '../free-port.ts';
import { type Family, readExposition } from './exposition.ts';

/** A line of the log. */
type Line = Readonly<Record<string, unknown>> & { readonly event: string; readonly level: string };

export interface Watched extends Conversation {
  /** Of the health port. */
  readonly url: string;
  /** As they can be read now, checked against the format. */
  readonly metrics: () => Promise<ReadonlyMap<string, Family>>;
  readonly metricsText: () => Promise<string>;
  /** All that the log has said so far. */
  readonly lines: readonly Line[];
  /** Of one event. */
  readonly linesOf: (event: string) => readonly Line[];
}

/** A conversation with a bot that is watched, as whoever runs it would: by its log and its health port. */
export async function watched(options: Parameters<typeof converse>[0] = {}): Promise<Watched> {
  const lines: Line[] = [];
  const port = await freePort();
  const conversation = await converse({
    ...options,
    environment: { HEALTH_PORT: String(port), LOG_LEVEL: 'debug', ...options.environment },
    // Its own, as a process would write it.
    world: {
      log: undefined,
      logTo: { write: (line) => void lines.push(JSON.parse(line)) },
      ...options.world,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  const metricsText = async () => (await fetch(`${url}/metrics`)).text();
  return {
    ...conversation,
    get bot() {
      return conversation.bot;
    },
    url,
    metricsText,
    metrics: async () => {
      // What is over is recorded, and counted, at the next look at the clock.
      await conversation.pass(0);
      return readExposition(await metricsText());
    },
    lines,
    linesOf: (event) => lines.filter((line) => line.event === event),
  };
}
