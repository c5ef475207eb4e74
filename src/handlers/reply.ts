import type { MovedEnd, Part } from './part.ts';
import type { Text } from './text.ts';

export * from './part.ts';
export * from './text.ts';

/**
 * The answer of a command, without any Slack in it. Every value is plain JSON, so that the journal can keep it
 * and show it after a restart.
 */
export interface Reply {
  /** One complete sentence: the line in the channel and the notification. */
  readonly headline: Text;
  /** A shorter headline for the row among several appliances. */
  readonly brief?: Text;
  /** Shown below the headline; in a channel, in the thread. */
  readonly details?: readonly Part[];
}

/** The result of something that the bot did itself. */
export interface Acted extends Reply {
  /** Something is different now. */
  readonly changed?: true;
}

/**
 * An offer to take, a line to run, a page (from 0) of a kept answer to show, or an act of the bot with its
 * answer.
 */
export type Next =
  | { readonly offer: string }
  | {
      readonly line: string;
      readonly moves?: MovedEnd | undefined;
      /** The words may mean something else, so its card asks first. */
      readonly asks?: boolean;
    }
  | { readonly result: string; readonly page: number }
  | { readonly act: () => Promise<Acted> };

/** An answer of the bot to one person. */
export interface InfoReply extends Reply {
  /**
   * An act to do instead of the answer, as if its button was pressed or its line typed. The answer is used if
   * the command was a guess, or if others must approve.
   */
  readonly next?: Next;
}
