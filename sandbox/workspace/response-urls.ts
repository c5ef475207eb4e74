import { randomBytes } from 'node:crypto';
import { newContent, parseJson } from './content.ts';
import type { Content, Messages, Stored } from './messages.ts';
import { botUserId, team } from './people.ts';
import { Refusal } from './refusal.ts';

/** A response URL takes five messages within thirty minutes (slack-facts.md §1). */
const responseUrlLimits = { posts: 5, lifetimeMs: 30 * 60_000 } as const;

/** The origin of a response URL: a typed command, or a message whose button or shortcut was used. */
export interface Origin {
  readonly user: string;
  readonly channel: string;
  readonly message?: Stored | undefined;
}

interface ResponseUrl extends Origin {
  readonly made: number;
  left: number;
}

const remembered = 20_000;

/** Hands out response URLs and takes posts to them. Needs no scope, no token and no membership. */
export class ResponseUrls {
  readonly #now: () => number;
  readonly #messages: Messages;
  readonly #urls = new Map<string, ResponseUrl>();

  constructor(now: () => number, messages: Messages) {
    this.#now = now;
    this.#messages = messages;
  }

  /** The path of a new URL. */
  make(kind: 'commands' | 'actions', origin: Origin): string {
    const path = `/${kind}/${team.id}/${randomBytes(6).readUIntBE(0, 6)}/${randomBytes(18).toString('base64url')}`;
    this.#urls.set(path, { ...origin, made: this.#now(), left: responseUrlLimits.posts });
    const oldest = this.#urls.keys().next().value;
    if (this.#urls.size > remembered && oldest !== undefined) this.#urls.delete(oldest);
    return path;
  }

  knows(path: string): boolean {
    return this.#urls.has(path);
  }

  /** The author of the line or click; undefined for an unknown URL. */
  ownerOf(path: string): string | undefined {
    return this.#urls.get(path)?.user;
  }

  /** Carries out a post. Refuses with expired_url or used_url (a dead URL), or with the mistake in the message. */
  take(path: string, args: Readonly<Record<string, unknown>>): void {
    const url = this.#urls.get(path);
    if (url === undefined || this.#now() - url.made > responseUrlLimits.lifetimeMs)
      throw new Refusal('expired_url');
    if (url.left <= 0) throw new Refusal('used_url');
    answer(this.#messages, url, args);
    url.left -= 1;
  }
}

/**
 * Posts, replaces or deletes as an answer to `origin`; also what the body of a command's acknowledgement goes through.
 * Replacing keeps who sees the message; the typed line of a command cannot be replaced or deleted.
 */
export function answer(messages: Messages, origin: Origin, args: Readonly<Record<string, unknown>>): void {
  const { message } = origin;
  if (isTrue(args.delete_original)) {
    if (message?.isApp) messages.remove(message);
    return;
  }
  if (isTrue(args.replace_original) && message !== undefined) {
    if (!message.isApp) throw new Refusal('cant_update_message');
    const content = newContent(args);
    messages.rewrite(message, {
      text: content.text,
      blocks: content.blocks ?? null,
      attachments: content.attachments ?? null,
    });
    return;
  }
  const threadTs = message !== undefined && typeof args.thread_ts === 'string' ? args.thread_ts : undefined;
  const content: Content = newContent(args);
  const draft = { ...content, channel: origin.channel, user: botUserId, isApp: true, threadTs };
  if (args.response_type === 'in_channel') messages.post(draft);
  else messages.whisper(draft, origin.user);
}

/** The body of a post to a response URL: JSON, or a form whose `payload` is JSON. */
export function readAnswer(body: string, contentType: string): Readonly<Record<string, unknown>> {
  const form = contentType.includes('x-www-form-urlencoded') ? new URLSearchParams(body) : undefined;
  const value = parseJson(form === undefined ? body : (form.get('payload') ?? '{}'), 'invalid_payload');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('invalid_payload');
  return value as Readonly<Record<string, unknown>>;
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
