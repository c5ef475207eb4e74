import type { State } from '../../journal/actions/states.ts';

/**
 * What the bot notes on a message that it may repeat or change later. People do not see it, and other apps can read it: it
 * only tells what belongs together.
 */
export interface Stamp {
  /** By which it is found again. */
  readonly key?: string | undefined;
  /** The generation of the journal that knew what the message says; absent where it did not know all of it yet. */
  readonly journal?: string | undefined;
  /** The newest moment of what the message says: milliseconds since the epoch. */
  readonly at?: number | undefined;
  /** Of a card: of what, and how that stood. */
  readonly action?: string | undefined;
  readonly state?: State | undefined;
  readonly isChange?: boolean | undefined;
}

/** A message of the bot's own, and what is noted on it. */
export interface Stamped {
  readonly ts: string;
  readonly stamp: Stamp;
}

export type Stamps =
  | { readonly kind: 'read'; readonly messages: readonly Stamped[] }
  /** The chat does not let the bot read there. */
  | { readonly kind: 'cannot_look' }
  /** The chat does not answer now. */
  | { readonly kind: 'try_later' };

/** Whether a message stands that may have got out. */
export type MessageSearch =
  | { readonly kind: 'stands'; readonly ts: string }
  | { readonly kind: 'not_there' }
  /** The chat does not let the bot read there. */
  | { readonly kind: 'cannot_look' }
  /** The chat does not answer now. */
  | { readonly kind: 'try_later' };
