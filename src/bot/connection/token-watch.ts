import { WebClient, type WebClientOptions } from '@slack/web-api';
import { botTokenBack, botTokenRefused } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTokenRefused } from '../codes.ts';

/** Notices when Slack no longer takes the bot's token, and when it does again: each is one line in the log. */
export interface TokenWatch {
  readonly taken: () => void;
  readonly refused: (error: unknown) => void;
}

export function createTokenWatch(log: Log): TokenWatch {
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

/** A client whose calls are watched. */
export class WatchedClient extends WebClient {
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
