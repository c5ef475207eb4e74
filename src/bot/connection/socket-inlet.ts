import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError, type WebClientOptions } from '@slack/web-api';
import {
  appTokenRefused,
  socketAway,
  socketBack,
  socketBrief,
  socketLasts,
  socketModeOff,
} from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTrouble } from '../codes.ts';
import type { Network } from '../network.ts';
import { type Inlet, type OpenInlet, quietLogger } from './inlet.ts';

/** All in milliseconds. */
export interface Reconnecting {
  /** Before the first retry, the second … and every one after those. */
  readonly pauses: readonly number[];
  /** The time limit of one attempt. */
  readonly deadline: number;
  /** How long a connection must be open to count as lasting. */
  readonly lasting?: number;
}

export const usualReconnecting = {
  pauses: [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  deadline: 30_000,
  lasting: 60_000,
};

/** A failed attempt, or a connection that did not last. */
interface Trouble {
  readonly tries: number;
  /** Milliseconds until the next attempt. */
  readonly pause: number;
  /** Another connection has just had the same problem, which was counted and logged there. */
  readonly isKnown: boolean;
}

/**
 * Decides when to dial Slack again. All connections of the process share one pace: a common interruption counts
 * once. Pauses grow with every failed attempt and every short connection, and only a lasting connection resets
 * them. Otherwise a server that says hello and hangs up would be dialed endlessly.
 */
interface Pace {
  /** The pause after a normal connection. */
  readonly usual: number;
  readonly trouble: () => Trouble;
  readonly tries: () => number;
  /** A connection has lasted. Returns whether that ends an earlier problem. */
  readonly lasted: () => boolean;
  /** Whether Slack may renew a short connection that was opened at this moment: once, and not repeatedly. */
  readonly mayRenew: (openedAt: number) => boolean;
}

export function createPace(
  { pauses, lasting = usualReconnecting.lasting }: Reconnecting,
  elapsed: () => number = () => performance.now(),
  random: () => number = Math.random,
): Pace {
  let tries = 0;
  let next = Number.NEGATIVE_INFINITY;
  let renewed = Number.NEGATIVE_INFINITY;
  const pauseAfter = (count: number) => pauses[count] ?? pauses.at(-1) ?? 0;

  return {
    usual: pauseAfter(0),
    trouble: () => {
      const at = elapsed();
      const isKnown = at < next;
      if (!isKnown) {
        tries += 1;
        // Bots that were cut off together should not return together.
        next = at + pauseAfter(tries) * (0.5 + random() / 2);
      }
      return { tries, pause: next - at, isKnown };
    },
    tries: () => tries,
    lasted: () => {
      const was = tries > 0;
      tries = 0;
      return was;
    },
    mayRenew: (openedAt) => {
      const at = elapsed();
      if (tries > 0) return false;
      // Connections that are renewed together were open before.
      if (openedAt <= renewed) return true;
      if (at - renewed < lasting) return false;
      renewed = at;
      return true;
    },
  };
}

/** Two connections: while Slack renews one, the other receives (slack-facts.md §5). */
export const connectionsEach = 2;

/** Slack's count of the app's connections. */
export interface CountedConnections {
  readonly all: number;
  readonly open: number;
  /** Just lost ones, which Slack may still count. */
  readonly closing: number;
}

/** How long Slack may count a lost connection, in milliseconds, after a goodbye and without one. */
const forgetting = { closed: 30_000, broken: 10 * 60_000 };

export function socketInlets(
  settings: Extract<Inlet, { kind: 'socket' }>,
  clientOptions: WebClientOptions,
  network: Network,
  log: Log,
  reconnecting: Reconnecting,
  counted: (connections: CountedConnections) => void,
): readonly OpenInlet[] {
  const pace = createPace(reconnecting);
  const state = { isAway: false };
  let counting: number[] = [];
  const shared = { settings, clientOptions, network, log, reconnecting, pace, state };
  const inlets: readonly OpenInlet[] = Array.from({ length: connectionsEach }, () =>
    socketInlet({
      ...shared,
      counted: (all) =>
        counted({ all, open: inlets.filter((one) => one.isOpen()).length, closing: closing() }),
      lost: (how) => counting.push(performance.now() + forgetting[how]),
    }),
  );
  function closing(): number {
    counting = counting.filter((until) => performance.now() < until);
    return counting.length;
  }
  return inlets;
}

interface SocketParts {
  readonly settings: Extract<Inlet, { kind: 'socket' }>;
  readonly clientOptions: WebClientOptions;
  readonly network: Network;
  readonly log: Log;
  readonly reconnecting: Reconnecting;
  readonly pace: Pace;
  /** Whether the log was told that Slack is unreachable, once for all connections. */
  readonly state: { isAway: boolean };
  readonly counted: (all: number) => void;
  /** An open connection was lost. */
  readonly lost: (how: keyof typeof forgetting) => void;
}

interface Connection {
  readonly closed: PromiseWithResolvers<void>;
  /** By the monotonic clock, in milliseconds. */
  openedAt: number;
  /** Slack's reason for closing it, if any (slack-facts.md §5). */
  goodbye: string | undefined;
  /** The close code of the WebSocket. */
  code: number | undefined;
}

/** Slack renews a connection with these: every few hours, or when a server stops. */
const renewals: ReadonlySet<string | undefined> = new Set(['warning', 'refresh_requested']);

/**
 * One connection, reopened as long as the process lives, because the process has other work too, such as ending
 * an emergency mode. The SDK would end the process at some errors, and wait ever longer without bound at others
 * (slack-facts.md §11).
 */
function socketInlet(parts: SocketParts): OpenInlet {
  const { settings, clientOptions, network, log, reconnecting, pace, state, counted } = parts;
  const { deadline, lasting = usualReconnecting.lasting } = reconnecting;
  const way = network.forWebSockets();
  const receiver = new SocketModeReceiver({
    appToken: settings.appToken,
    dispatcher: way.dispatcher,
    autoReconnectEnabled: false,
    // A copy, because Socket Mode changes the object it is given (slack-facts.md §4).
    installerOptions: {
      clientOptions: {
        ...clientOptions,
        retryConfig: { retries: 0 },
        rejectRateLimitedCalls: true,
        timeout: deadline,
      },
    },
    logger: quietLogger(log),
  });
  const { client } = receiver;
  const stopping = new AbortController();
  let current: Connection | undefined;
  let address: string | undefined;
  let isOpen = false;

  client.on('authenticated', ({ url }: { readonly url?: string }) => {
    address = url && URL.parse(url)?.href;
  });
  client.on('connected', () => {
    isOpen = true;
  });
  client.on('disconnected', () => {
    const [connection, wasOpen] = [current, isOpen];
    isOpen = false;
    way.end();
    // undici reports the close code right afterwards.
    queueMicrotask(() => {
      if (wasOpen) parts.lost((connection?.code ?? 1006) === 1006 ? 'broken' : 'closed');
      connection?.closed.resolve();
    });
  });
  client.on('ws_message', (data: unknown) => {
    const said = controlIn(data);
    if (said?.type === 'disconnect' && current !== undefined) current.goodbye = String(said.reason);
    if (said?.type === 'hello' && Number.isInteger(said.num_connections))
      counted(Number(said.num_connections));
  });
  const hearClose = (message: unknown) => {
    const { websocket, code } = Object(message);
    if (current !== undefined && websocket?.url === address) current.code = code;
  };

  return {
    receiver,
    isOpen: () => isOpen,
    start: () => {
      subscribe(closeChannel, hearClose);
      const opened = Promise.withResolvers<void>();
      keepOpen(opened.resolve).then(opened.resolve, opened.reject);
      return opened.promise;
    },
    stop: async () => {
      stopping.abort();
      unsubscribe(closeChannel, hearClose);
      await client.disconnect();
    },
  };

  /** Resolves when it should no longer be open. Rejects if Slack refuses the token at the first attempt. */
  async function keepOpen(opened: () => void): Promise<void> {
    let lostAt = new Date().toISOString();
    for (let isFirst = true, pause = 0; ; isFirst = false) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      const connection = await open().catch((error: unknown) => {
        if (isFirst && isFinal(error)) throw error;
        pause = triedInVain(error, lostAt);
      });
      if (connection === undefined) continue;
      opened();
      if (state.isAway) log.tell(socketBack, { tries: pace.tries(), since: lostAt });
      state.isAway = false;
      await closeOf(connection);
      lostAt = new Date().toISOString();
      if (!stopping.signal.aborted) pause = lost(connection, lostAt);
    }
  }

  async function open(): Promise<Connection> {
    const connection: Connection = {
      closed: Promise.withResolvers<void>(),
      openedAt: 0,
      goodbye: undefined,
      code: undefined,
    };
    current = connection;
    const late = setTimeout(() => void client.disconnect(), deadline);
    try {
      await receiver.start();
    } catch (error) {
      if (error !== undefined) throw error;
      await connection.closed.promise;
      throw new Closed(connection);
    } finally {
      clearTimeout(late);
    }
    connection.openedAt = performance.now();
    return connection;
  }

  async function closeOf(connection: Connection): Promise<void> {
    const lasts = setTimeout(() => {
      if (pace.lasted()) log.tell(socketLasts);
    }, lasting).unref();
    await connection.closed.promise;
    clearTimeout(lasts);
  }

  /** @returns the pause until the next attempt */
  function triedInVain(error: unknown, since: string): number {
    const { tries, pause, isKnown } = pace.trouble();
    if (!isKnown) {
      const told = { code: error instanceof Closed ? error.code : codeOf(error), tries, since };
      if (isFinal(error)) log.tell(appTokenRefused, told);
      else log.tell(socketAway, told);
      state.isAway = true;
    }
    return pause;
  }

  /** @returns the pause until the next attempt */
  function lost(connection: Connection, since: string): number {
    const { goodbye, openedAt } = connection;
    const isOff = goodbye === 'link_disabled';
    const open = performance.now() - openedAt;
    const isUsual = open >= lasting || (renewals.has(goodbye) && pace.mayRenew(openedAt));
    if (isUsual && !isOff) return pace.usual;
    const { tries, pause, isKnown } = pace.trouble();
    if (!isKnown) {
      const told = { code: closeCodeOf(connection), seconds: Math.round(open / 1_000), tries, since };
      log.tell(isOff ? socketModeOff : socketBrief, { ...told, pause: Math.round(pause) });
    }
    return pause;
  }
}

/** Closed before Slack said hello. */
class Closed extends Error {
  readonly code: string;

  constructor(connection: Connection) {
    const code = closeCodeOf(connection);
    super(code);
    this.code = code;
  }
}

/** Slack's own word, or else the close code of the WebSocket: 1006 if it broke silently. */
const closeCodeOf = ({ goodbye, code }: Connection): string => goodbye ?? `websocket_${code ?? 1006}`;

/** Slack's verdict, and no transient trouble: no retry can succeed with these settings. */
const isFinal = (error: unknown): boolean => error instanceof WebAPIPlatformError && !isTrouble(error);

/** undici publishes closed WebSockets here; the SDK uses it for pings. */
const closeChannel = 'undici:websocket:close';

/** Slack's messages about the connection itself. Others are for the app, may be long, and are read elsewhere. */
function controlIn(data: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof data !== 'string' || !/"type"\s*:\s*"(?:hello|disconnect)"/.test(data)) return undefined;
  try {
    return Object(JSON.parse(data));
  } catch {
    return undefined;
  }
}
