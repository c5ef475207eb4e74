import { setTimeout as sleep } from 'node:timers/promises';
import { SocketModeReceiver } from '@slack/bolt';
import { WebAPIPlatformError, type WebClientOptions } from '@slack/web-api';
import { appTokenRefused, socketAway, socketBack } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTrouble } from '../codes.ts';
import type { Network } from '../network.ts';
import type { Inlet, OpenInlet } from './inlet.ts';
import { quietLogger } from './sdk-log.ts';

/** In milliseconds: before the first try to connect again, the second … and every one after those; and how long one may take. */
export const usualReconnecting = {
  pauses: [0, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000],
  deadline: 30_000,
};

/** Two connections: while Slack renews one of them, the other takes what comes (slack-facts.md §5). */
export const socketInlets = (
  settings: Extract<Inlet, { kind: 'socket' }>,
  clientOptions: WebClientOptions,
  network: Network,
  log: Log,
  reconnecting: typeof usualReconnecting,
): readonly OpenInlet[] => [1, 2].map(() => socketInlet(settings, clientOptions, network, log, reconnecting));

/**
 * One connection. What is lost is opened again, for as long as the process lives: it has more to do than to listen, such as to
 * end an emergency mode. The SDK would end the process at some errors, and wait longer and longer, without bound, at others
 * (slack-facts.md §11).
 */
function socketInlet(
  { appToken }: Extract<Inlet, { kind: 'socket' }>,
  clientOptions: WebClientOptions,
  network: Network,
  log: Log,
  { pauses, deadline }: typeof usualReconnecting,
): OpenInlet {
  const dispatcher = network.forWebSockets();
  const receiver = new SocketModeReceiver({
    appToken,
    ...(dispatcher && { dispatcher }),
    autoReconnectEnabled: false,
    // Its own copy of the options: Socket Mode writes into the object it is given (slack-facts.md §4).
    installerOptions: {
      clientOptions: {
        ...clientOptions,
        ...{ retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, timeout: deadline },
      },
    },
    logger: quietLogger(log),
  });
  const { client } = receiver;
  const stopping = new AbortController();
  let isConnecting = false;
  let isOpen = false;

  client.on('connected', () => {
    isOpen = true;
  });
  client.on('disconnected', () => {
    isOpen = false;
    // Of a try that came to nothing whoever has made it hears.
    if (!isConnecting && !stopping.signal.aborted) void goOnTrying();
  });

  return {
    receiver,
    isOpen: () => isOpen,
    start: async () => {
      try {
        await connect();
      } catch (error) {
        if (isFinal(error)) throw error;
        await goOnTrying(error);
      }
    },
    stop: async () => {
      stopping.abort();
      await client.disconnect();
    },
  };

  async function connect(): Promise<void> {
    isConnecting = true;
    const late = setTimeout(() => void client.disconnect(), deadline);
    try {
      await receiver.start();
    } finally {
      clearTimeout(late);
      isConnecting = false;
    }
  }

  /** Resolves when it is connected again, or is not to be any more. Never rejects. */
  async function goOnTrying(because?: unknown): Promise<void> {
    let failure = because;
    const since = new Date().toISOString();
    for (let tries = failure === undefined ? 0 : 1; !stopping.signal.aborted; tries += 1) {
      if (failure !== undefined) tell(failure, { tries, since });
      const pause = pauses[tries] ?? pauses.at(-1) ?? 0;
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      try {
        await connect();
        if (failure !== undefined) log.tell(socketBack, { tries, since });
        return;
      } catch (error) {
        failure = error ?? new Error('closed');
      }
    }
  }

  /** `since`: when the connection was lost. */
  function tell(failure: unknown, trying: { readonly tries: number; readonly since: string }): void {
    const told = { code: codeOf(failure), ...trying };
    if (isFinal(failure)) log.tell(appTokenRefused, told);
    else log.tell(socketAway, told);
  }
}

/** Slack's own word, and not its trouble: no later try can succeed as long as the settings are what they are. */
const isFinal = (error: unknown): boolean => error instanceof WebAPIPlatformError && !isTrouble(error);
