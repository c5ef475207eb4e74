import type { MovedEnd, Part } from './part.ts';
import type { Text } from './text.ts';

export * from './part.ts';
export * from './text.ts';

/**
 * What a command answers, without any Slack in it. Every value here is plain JSON, so the journal can keep it and show it
 * again after a restart.
 */
export interface Reply {
  /** One sentence that stands alone: the line in the channel and the notification. */
  readonly headline: Text;
  /** The same in fewer words, for its row among the answers of several appliances. */
  readonly brief?: Text;
  /** Everything below it; for an answer in a channel this goes to the thread. */
  readonly details?: readonly Part[];
}

/** What came of something that the bot itself was to do. */
export interface Acted extends Reply {
  /** It was done: something is otherwise than before. */
  readonly changed?: true;
}

/** An offer to take, a line to run, a page (from 0) of a kept answer to show, or something that the bot itself does, with its answer. */
export type Next =
  | { readonly offer: string }
  | {
      readonly line: string;
      readonly moves?: MovedEnd | undefined;
      /** It was named by words that can mean something else: its card says what is meant, and asks. */
      readonly asks?: boolean;
    }
  | { readonly result: string; readonly page: number }
  | { readonly act: () => Promise<Acted> };

/** What the bot answers by itself to one person. */
export interface InfoReply extends Reply {
  /**
   * What is done at once in the place of the answer, as if its button had been pressed or its line typed. The answer is for
   * where that cannot be: it was guessed that this is meant, or others had to agree.
   */
  readonly next?: Next;
}
