import { setTimeout as sleep } from 'node:timers/promises';
import { App } from '@slack/bolt';
import { WebAPIPlatformError, type WebClient, type WebClientOptions } from '@slack/web-api';
import { CannotStart } from '../../problem.ts';
import {
  listenerFailed,
  scopesMissing,
  secondSocketFailed,
  slackUnreachable,
} from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTrouble } from '../codes.ts';
import { type Network, openNetwork, type ProxySettings } from '../network.ts';
import { problemIn } from '../proxy-failure.ts';
import { holdEvents } from './held-events.ts';
import { httpInlet } from './http-inlet.ts';
import type { Inlet } from './inlet.ts';
import { missingScopes } from './scopes.ts';
import { quietLogger } from './sdk-log.ts';
import { socketInlets, usualReconnecting } from './socket-inlet.ts';
import { timeAcknowledgements } from './timed-acknowledgements.ts';
import { createTokenWatch, WatchedClient } from './token-watch.ts';

export interface SlackSettings {
  readonly botToken: string;
  readonly inlet: Inlet;
  /** Another Slack-compatible server; ends in `/api/`. */
  readonly apiUrl: string | undefined;
  /** What stands between this network and Slack. */
  readonly proxy?: ProxySettings | undefined;
  /** How many calls of each kind, and how many requests of Slack's, may be under way at once. */
  readonly sockets?: { readonly toSlack: number; readonly fromSlack: number };
}

export interface SlackConnection {
  readonly app: App;
  readonly team: string;
  /** The bot itself; undefined when Slack does not say. */
  readonly user: string | undefined;
  /** Scopes that the workspace has not granted. */
  readonly missingScopes: readonly string[];
  /** Where the workspace opens, such as `https://acme.slack.com/`; undefined when Slack does not say. */
  readonly url: string | undefined;
  /** For messages: never retries by itself, because a message that may be out must not go out again. */
  readonly posting: WebClient;
  /** For questions on the way to a decision: short deadline, not held up by messages. */
  readonly asking: WebClient;
  /** For Slack's other addresses: files, and private answers. */
  readonly fetch: Network['fetch'];
  /** Whether Slack reaches the bot: over a socket, or by a port that is open. */
  readonly isConnected: () => boolean;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * In milliseconds: how long a call and a private answer may take, and how long after the first Socket Mode connection the second one opens,
 * so that Slack does not renew both at the same time.
 */
export const usualTiming = {
  ...{ posting: 10_000, asking: 3_000, answering: 5_000, secondSocket: 60_000 },
  reconnecting: usualReconnecting,
};

/** How long connections may take to close, in milliseconds. */
const closeTimeout = 4_000;

/** Finds out which workspace the token belongs to, and prepares the app; nothing comes in before `start`. */
export async function connectSlack(
  settings: SlackSettings,
  log: Log,
  timing: typeof usualTiming = usualTiming,
): Promise<SlackConnection> {
  const network = openNetwork(settings.proxy, ({ key, wrong }) =>
    log.tell(slackUnreachable, { problem: `${key} ${wrong}` }),
  );
  const common: WebClientOptions = {
    logger: quietLogger(log),
    allowAbsoluteUrls: false,
    fetch: network.fetch,
    ...(settings.sockets && { maxRequestConcurrency: settings.sockets.toSlack }),
    ...(settings.apiUrl === undefined ? {} : { slackApiUrl: settings.apiUrl }),
  };
  const watch = createTokenWatch(log);
  const client = (options: WebClientOptions) =>
    new WatchedClient(settings.botToken, { ...common, rejectRateLimitedCalls: true, ...options }, watch);
  const posting = client({ retryConfig: { retries: 0 }, timeout: timing.posting });
  // Waiting for as long as Slack says would leave the person without an answer; a failed look-up is one.
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

  const inlets =
    settings.inlet.kind === 'socket'
      ? socketInlets(settings.inlet, common, network, log, timing.reconnecting)
      : [httpInlet(settings.inlet, log, settings.sockets?.fromSlack)];
  const [first, ...others] = inlets;
  if (first === undefined) throw new Error('At least one inlet is required');
  const app = new App({
    receiver: first.receiver,
    // The token was tried above; Bolt would ask again at its own pace.
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
      // Whoever is at the other end may have gone without a word.
      await Promise.race([closed, sleep(closeTimeout, undefined, { ref: false })]);
    },
  };
}

const examples = {
  SLACK_BOT_TOKEN: 'SLACK_BOT_TOKEN=xoxb-…',
  SLACK_APP_TOKEN: 'SLACK_APP_TOKEN=xapp-…',
  PORT: 'PORT=3000',
};

/** Such a token is for many workspaces, and whoever is asked for would be of another one. */
const forOrganisation = {
  key: 'SLACK_BOT_TOKEN',
  wrong:
    'belongs to an Enterprise organization. Install the app in a single workspace, and use the token of that workspace.',
  example: examples.SLACK_BOT_TOKEN,
};

/** Why the first word with Slack went wrong, as a setting to mend. */
function cannotConnect(
  key: keyof typeof examples,
  { apiUrl, proxy }: SlackSettings,
  error: unknown,
): CannotStart {
  const problem = (wrong: string) => new CannotStart([{ key, wrong, example: examples[key] }]);
  const isAnswer = error instanceof WebAPIPlatformError;
  if (isAnswer && !isTrouble(error)) return problem(`was rejected by Slack (${codeOf(error)}).`);
  if (key === 'PORT') return problem(`could not be opened (${systemCodeOf(error)}).`);
  const network = problemIn(error);
  if (network !== undefined) return new CannotStart([network]);
  const through = proxy === undefined ? '' : ` through the proxy ${proxy.address} (HTTPS_PROXY)`;
  const answer = isAnswer ? `returned an error (${codeOf(error)})` : `did not respond${through}`;
  const wrong =
    apiUrl === undefined
      ? `is not set, and slack.com ${answer}. Check the network connection and the proxy.`
      : `is set to ${apiUrl}, which ${answer}.`;
  return new CannotStart([{ key: 'SLACK_API_URL', wrong, example: 'SLACK_API_URL=https://slack.com/api/' }]);
}

const systemCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
