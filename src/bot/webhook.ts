import type { PostWebhook, WebhookOptions } from '../action/outbox/webhook-dispatcher.ts';
import { NotConnected } from '../dial.ts';
import { say, type Text } from '../handlers/reply.ts';
import type { Journal } from '../journal/journal.ts';
import { openNetwork, type ProxySettings } from './network.ts';

/** The receiver of changes, and the selected changes. */
export interface WebhookSettings {
  readonly url: string;
  /** Any of these verifies a delivery; the first is the newest. Secret. */
  readonly keys: readonly Buffer[];
  readonly changes: 'ticketed' | 'all';
}

type ReadAgain =
  | { readonly ok: true; readonly webhook: WebhookSettings | undefined }
  | { readonly ok: false };

export interface Webhook extends Omit<WebhookOptions, 'tellAdmins'> {
  /** Applies a valid policy file, and adds notices about the change, for people. */
  readonly taking: <Read extends ReadAgain>(read: Read) => Read & { readonly notices?: readonly Text[] };
}

export function createWebhook(
  first: WebhookSettings | undefined,
  proxy: ProxySettings | undefined,
  journal: Pick<Journal, 'announced'>,
): Webhook {
  let current: WebhookSettings | undefined;
  const take = (next: WebhookSettings | undefined): readonly Text[] => {
    const before = inWords(current);
    // Keeps the object while its settings stay equal.
    if (!isSame(current, next)) current = next;
    journal.announced.changes = next?.changes ?? 'none';
    return before === inWords(next) ? [] : [say`Webhooks: ${inWords(next)} now; it was: ${before}.`];
  };
  take(first);
  // Uses the company's proxy as for Slack.
  const way = openNetwork(proxy, () => undefined);
  return {
    receiver: () => current,
    post: createPost(way.fetch),
    taking: (read) => (read.ok ? { ...read, notices: take(read.webhook) } : read),
  };
}

const isSame = (one: WebhookSettings | undefined, other: WebhookSettings | undefined): boolean =>
  one?.url === other?.url &&
  one?.changes === other?.changes &&
  one?.keys.length === other?.keys.length &&
  (one?.keys ?? []).every((key, at) => other?.keys[at]?.equals(key));

const inWords = (settings: WebhookSettings | undefined): string =>
  settings === undefined
    ? 'nobody is told'
    : `${settings.url} is told of ${settings.changes === 'all' ? 'all changes' : 'changes with a ticket'}`;

/** In milliseconds. A receiver accepts a delivery first, and processes it afterwards. */
const timeout = 10_000;
/** A receiver may not ask for a longer pause. */
const longestRetryAfter = 60 * 60_000;

function createPost(way: typeof fetch): PostWebhook {
  return async (url, headers, body) => {
    try {
      const signal = AbortSignal.timeout(timeout);
      const answer = await way(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      // The body is not read, whatever its size.
      await answer.body?.cancel().catch(() => undefined);
      return { kind: 'answered', status: answer.status, retryAfter: retryAfterIn(answer.headers) };
    } catch (error) {
      return { kind: 'no_answer', reason: reasonIn(error) };
    }
  };
}

function retryAfterIn(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1_000, longestRetryAfter) : undefined;
}

/** fetch's own message is always the same; its cause has the system's. */
function reasonIn(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${timeout / 1_000} s`;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'no connection';
  if (cause instanceof NotConnected || cause.cause instanceof NotConnected) return cause.message;
  return 'code' in cause ? `no connection (${String(cause.code)})` : `no connection (${cause.message})`;
}
