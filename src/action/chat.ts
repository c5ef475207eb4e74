import type { Part, Reply, Text } from '../handlers/reply.ts';
import type { State } from '../journal/states.ts';

/** One person asking for something in one channel, however it arrived. */
export interface Invocation {
  readonly team: string;
  readonly channel: string;
  readonly person: string;
  /** What was typed after the slash command, as it was typed. */
  readonly line: string;
  /** Where only this person reads. Short-lived and secret: never stored, never logged. */
  readonly replyTo?: string | undefined;
}

/** A click on a button of a card. */
export interface Press {
  readonly channel: string;
  readonly person: string;
  readonly button: 'confirm' | 'cancel';
  /** What the button carried: opaque, and the only thing it carries. */
  readonly token: string;
  /** The message the button stands in. */
  readonly card: string;
  readonly replyTo?: string | undefined;
}

/** Whom a whisper is for. */
export type Listener = Pick<Invocation, 'channel' | 'person' | 'replyTo'>;

/** The message of an action: asked, running, finished. One message in the channel, changed as the action moves on. */
export interface Card {
  readonly kind: 'lookup' | 'change';
  readonly action: string;
  readonly channel: string;
  /** The message's timestamp once it stands. */
  readonly card: string | undefined;
  readonly state: State;
  readonly asker: string;
  readonly line: string;
  readonly appliance: string | undefined;
  readonly headline: Text;
  readonly parts: readonly Part[];
  /** Something that happened to the card itself: what was shown has changed, a try that did nothing. */
  readonly notice?: Text | undefined;
  /** Only while it waits for a click. */
  readonly question?:
    | { readonly token: string; readonly verb: string; readonly expiresAt: number }
    | undefined;
}

/**
 * How an action speaks to people. Nothing on this side knows Slack.
 * `show` and `tell` reject with `ChatRefused` when the channel cannot be written to.
 */
export interface Chat {
  /** Posts a card, or changes it where it stands; resolves to the timestamp of its message. */
  readonly show: (card: Card) => Promise<string>;
  /** Adds to the thread of a card. */
  readonly tell: (thread: { readonly channel: string; readonly card: string }, reply: Reply) => Promise<void>;
  /** Says something to one person only. Never rejects: there is nobody else to tell. */
  readonly whisper: (to: Listener, reply: Reply) => Promise<void>;
}

/** The channel cannot be written to, and trying again will not help; `code` is the chat's own. */
export class ChatRefused extends Error {
  override readonly name = 'ChatRefused';
  readonly code: string;

  constructor(code: string) {
    super(`The chat refused the message: ${code}`);
    this.code = code;
  }
}

/** Whether something could be said. For where a refusal changes nothing: the chat has logged it. */
export async function gotOut(said: Promise<unknown>): Promise<boolean> {
  try {
    await said;
    return true;
  } catch (error) {
    if (!(error instanceof ChatRefused)) throw error;
    return false;
  }
}
