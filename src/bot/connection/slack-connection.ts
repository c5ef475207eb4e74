import { setTimeout as sleep } from 'node:timers/promises';
import { App } from '@slack/bolt';
import { WebAPIPlatformError, WebClient, type WebClientOptions } from '@slack/web-api';
import { CannotStart } from '../../problem.ts';
import {
  acknowledged,
  acknowledgedLate,
  botTokenBack,
  botTokenRefused,
  listenerFailed,
  scopesMissing,
  secondSocketFailed,
  slackUnreachable,
} from '../../telemetry/events/slack.ts';
import { type Log, onceIn, seldom } from '../../telemetry/log.ts';
import { codeOf, isTokenRefused, isTrouble } from '../codes.ts';
import { type Network, openNetwork, type ProxySettings, problemIn } from '../network.ts';
import { holdEvents } from './held-events.ts';
import { httpInlet } from './http-inlet.ts';
import { type Inlet, quietLogger } from './inlet.ts';
import {
  type CountedConnections,
  type Reconnecting,
  socketInlets,
  usualReconnecting,
} from './socket-inlet.ts';

export interface SlackSettings {
  readonly botToken: string;
  readonly inlet: Inlet;
  /** Another Slack-compatible server; ends in `/api/`. */
  readonly apiUrl: string | undefined;
  /** The proxy between this network and Slack. */
  readonly proxy?: ProxySettings | undefined;
  /** The most parallel calls of each kind, and the most parallel requests from Slack. */
  readonly sockets?: { readonly toSlack: number; readonly fromSlack: number };
}

export interface SlackConnection {
  readonly app: App;
  readonly team: string;
  /** The bot's own user; undefined if Slack does not say. */
  readonly user: string | undefined;
  readonly missingScopes: readonly string[];
  /** The workspace's address, such as `https://acme.slack.com/`; undefined if Slack does not say. */
  readonly url: string | undefined;
  /** For messages: never retries by itself, because a message that may have been posted must not be posted again. */
  readonly posting: WebClient;
  /** For questions before a decision: short timeout, and not delayed by messages. */
  readonly asking: WebClient;
  /** For Slack's other addresses: files, and private answers. */
  readonly fetch: Network['fetch'];
  /** Whether Slack reaches the bot: by an open socket or an open port. */
  readonly isConnected: () => boolean;
  /** Receives Slack's count of the app's connections, with each that opens. */
  readonly onCounted: (hear: (connections: CountedConnections) => void) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * In milliseconds: timeouts of a call and of a private answer, and the delay of the second Socket Mode
 * connection, so that Slack does not renew both at the same time.
 */
export const usualTiming = {
  posting: 10_000,
  asking: 3_000,
  answering: 5_000,
  secondSocket: 60_000,
  reconnecting: usualReconnecting as Reconnecting,
};

/** How long connections may take to close, in milliseconds. */
const closeTimeout = 4_000;

/** Identifies the token's workspace, and prepares the app; nothing is received before `start`. */
export async function connectSlack(
  settings: SlackSettings,
  log: Log,
  timing: typeof usualTiming = usualTiming,
  /** Called with the `Date` of every answer: milliseconds since the epoch. */
  heardTime: (time: number) => void = () => undefined,
): Promise<SlackConnection> {
  const network = openNetwork(
    settings.proxy,
    ({ key, wrong }) => log.tell(slackUnreachable, { problem: `${key} ${wrong}` }),
    ({ headers }) => {
      const time = Date.parse(headers.get('date') ?? '');
      if (!Number.isNaN(time)) heardTime(time);
    },
  );
  const common: WebClientOptions = {
    logger: quietLogger(log),
    allowAbsoluteUrls: false,
    fetch: withRetryAfter(network.fetch),
    ...(settings.sockets && { maxRequestConcurrency: settings.sockets.toSlack }),
    ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
  };
  const watch = createTokenWatch(log);
  const client = (options: WebClientOptions) =>
    new WatchedClient(settings.botToken, { ...common, rejectRateLimitedCalls: true, ...options }, watch);
  const posting = client({ retryConfig: { retries: 0 }, timeout: timing.posting });
  const asking = client({ retryConfig: { retries: 1 }, timeout: timing.asking });
  const identity = await asking.auth.test().catch((error: unknown) => {
    throw cannotConnect('SLACK_BOT_TOKEN', settings, error);
  });
  if (identity.is_enterprise_install === true) throw new CannotStart([forOrganisation]);
  const missing = missingScopes(identity.response_metadata?.scopes);
  if (missing.length > 0) {
    log.tell(scopesMissing, { missing });
  }
  const team = identity.team_id ?? '';

  let hearCounted = (_: CountedConnections): void => undefined;
  const inlets =
    settings.inlet.kind === 'socket'
      ? socketInlets(settings.inlet, common, network, log, timing.reconnecting, (connections) =>
          hearCounted(connections),
        )
      : [httpInlet(settings.inlet, log, settings.sockets?.fromSlack)];
  const [first, ...others] = inlets;
  if (first === undefined) throw new Error('At least one inlet is required');
  const app = new App({
    receiver: first.receiver,
    // The token was tested above; Bolt would test again at its own pace.
    authorize: async () => ({
      botToken: settings.botToken,
      ...(identity.bot_id === undefined ? {} : { botId: identity.bot_id }),
      ...(identity.user_id === undefined ? {} : { botUserId: identity.user_id }),
    }),
    convoStore: false,
    clientOptions: { ...common, retryConfig: { retries: 0 } },
    logger: quietLogger(log),
  });
  holdEvents(app);
  timeAcknowledgements(app, log);
  for (const { receiver } of others) receiver.init(app);
  app.error(async (error) =>
    log.tell(listenerFailed, { code: error.code, error: error.original?.message ?? error.message }),
  );

  let later: NodeJS.Timeout | undefined;
  return {
    app,
    team,
    user: identity.user_id,
    missingScopes: missing,
    url: URL.canParse(identity.url ?? '') ? identity.url : undefined,
    posting,
    asking,
    fetch: network.fetch,
    isConnected: () => inlets.some((inlet) => inlet.isOpen()),
    onCounted: (hear) => {
      hearCounted = hear;
    },
    start: async () => {
      await first.start().catch((error: unknown) => {
        throw cannotConnect(settings.inlet.kind === 'socket' ? 'SLACK_APP_TOKEN' : 'PORT', settings, error);
      });
      if (others.length === 0) return;
      later = setTimeout(() => {
        Promise.all(others.map((inlet) => inlet.start())).catch((error: unknown) =>
          log.tell(secondSocketFailed, { error: String(error) }),
        );
      }, timing.secondSocket).unref();
    },
    stop: async () => {
      clearTimeout(later);
      const closed = Promise.all(inlets.map((inlet) => inlet.stop()));
      // The other end may have gone silently.
      await Promise.race([closed, sleep(closeTimeout, undefined, { ref: false })]);
    },
  };
}

const examples = {
  SLACK_BOT_TOKEN: 'SLACK_BOT_TOKEN=xoxb-…',
  SLACK_APP_TOKEN: 'SLACK_APP_TOKEN=xapp-…',
  PORT: 'PORT=3000',
};

const remedies: Readonly<Record<keyof typeof examples, string>> = {
  SLACK_BOT_TOKEN: 'Copy the Bot User OAuth Token again, under "OAuth & Permissions" of the app.',
  SLACK_APP_TOKEN:
    'Use an app-level token with the scope connections:write, under "Basic Information", and turn Socket Mode on.',
  PORT: 'Use a free port.',
};

/** Such a token covers many workspaces, and a person may belong to another one. */
const forOrganisation = {
  key: 'SLACK_BOT_TOKEN',
  wrong:
    'belongs to an Enterprise organization. Install the app in a single workspace, and use the token of that workspace.',
  example: examples.SLACK_BOT_TOKEN,
};

/** Turns the failure of the first call into a setting to correct. */
function cannotConnect(
  key: keyof typeof examples,
  { apiUrl, proxy }: SlackSettings,
  error: unknown,
): CannotStart {
  const problem = (wrong: string) => new CannotStart([{ key, wrong, example: examples[key] }]);
  const isAnswer = error instanceof WebAPIPlatformError;
  if (isAnswer && !isTrouble(error))
    return problem(`was rejected by Slack (${codeOf(error)}). ${remedies[key]}`);
  if (key === 'PORT') return problem(`could not be opened (${systemCodeOf(error)}). ${remedies.PORT}`);
  const network = problemIn(error);
  if (network !== undefined) return new CannotStart([network]);
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.address} (HTTPS_PROXY)`;
  const answer = isAnswer ? `returned an error (${codeOf(error)})` : `did not respond${through}`;
  const wrong =
    apiUrl === undefined
      ? `is not set, and slack.com ${answer}. Check the network connection and the proxy.`
      : `is set to ${apiUrl}, which ${answer}. Check the address and the network connection.`;
  return new CannotStart([{ key: 'SLACK_API_URL', wrong, example: 'SLACK_API_URL=https://slack.com/api/' }]);
}

const systemCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';

/** In milliseconds, of Slack's 3,000. */
const late = 2_000;
const minute = 60_000;

/** Measures when each event is acknowledged after its arrival. All inlets end in `processEvent`. */
function timeAcknowledgements(app: App, log: Log): void {
  const process = app.processEvent.bind(app);
  const tellLate = seldom(log, onceIn(minute));
  app.processEvent = (event) => {
    const since = performance.now();
    return process({
      ...event,
      ack: async (...given) => {
        await event.ack(...given);
        const durationMs = Math.round(performance.now() - since);
        log.tell(acknowledged, { durationMs });
        if (durationMs > late) tellLate(acknowledgedLate, { durationMs });
      },
    });
  };
}

/** Notices when Slack stops accepting the bot's token, and when it accepts it again: each is one line in the log. */
interface TokenWatch {
  readonly taken: () => void;
  readonly refused: (error: unknown) => void;
}

function createTokenWatch(log: Log): TokenWatch {
  let since: number | undefined;
  return {
    taken: () => {
      if (since === undefined) return;
      log.tell(botTokenBack, { since: new Date(since).toISOString() });
      since = undefined;
    },
    refused: (error) => {
      if (since !== undefined) return;
      since = Date.now();
      log.tell(botTokenRefused, { code: codeOf(error) });
    },
  };
}

class WatchedClient extends WebClient {
  readonly #watch: TokenWatch;

  constructor(token: string, options: WebClientOptions, watch: TokenWatch) {
    super(token, options);
    this.#watch = watch;
  }

  override async apiCall(...call: Parameters<WebClient['apiCall']>): ReturnType<WebClient['apiCall']> {
    try {
      const answer = await super.apiCall(...call);
      this.#watch.taken();
      return answer;
    } catch (error) {
      if (isTokenRefused(error)) this.#watch.refused(error);
      throw error;
    }
  }
}

/**
 * Repairs `Retry-After`. Slack may leave it out, and a proxy with its own limits may send a date. The SDK ends
 * such a call with an unrelated error, and reads 0 as "at once".
 */
export function withRetryAfter(hasty: typeof fetch): typeof fetch {
  return async (...given) => {
    const answer = await hasty(...given);
    if (answer.status !== 429) return answer;
    const headers = new Headers(answer.headers);
    const { status, statusText, body } = answer;
    headers.set('retry-after', String(secondsIn(headers.get('retry-after'))));
    return new Response(body, { status, statusText, headers });
  };
}

/** In seconds: the next attempt may give the value. */
const usual = 1;

function secondsIn(said: string | null): number {
  const text = said?.trim() ?? '';
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Math.max(usual, Math.ceil(Number.isNaN(seconds) ? usual : seconds));
}

/** The scopes that the app needs. manifest.yml has the same list, with reasons. */
const scopes = [
  'commands',
  'app_mentions:read',
  'chat:write',
  'files:read',
  'files:write',
  'users:read',
  'usergroups:read',
  'channels:read',
  'groups:read',
  'im:read',
  'mpim:read',
  'channels:history',
  'groups:history',
  'im:history',
  'mpim:history',
] as const;

/**
 * Scopes without a grant: additions to a manifest are granted only when the app is installed again. Empty if
 * Slack did not report its grants.
 */
export const missingScopes = (granted: readonly string[] | undefined): readonly string[] =>
  granted === undefined ? [] : scopes.filter((scope) => !granted.includes(scope));
