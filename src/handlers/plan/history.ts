import type { Argument } from '../argument.ts';

/** Who did it, and when: `@bob 14:00-15:00`. */
export const doneThen: Argument<string> = {
  what: 'when it was done, perhaps after by whom',
  example: '14:00-15:00',
  input: 'text',
  everyWord: true,
  read: (word) => ({ ok: true, value: word }),
};

/** What was meant by it. */
export interface DoneThen {
  /** As it was typed; of everybody where nobody was named. */
  readonly by: string | undefined;
  /** The span, in the words that it was said with. */
  readonly when: string;
}

export function readDoneThen(typed: readonly string[]): DoneThen {
  const words = typed.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  const named = words.findIndex(
    (word, index) => isSomebody(word) || /^(?:by|of)$/i.test(words[index - 1] ?? ''),
  );
  const rest = words.filter((word, index) => index !== named && !isFiller.test(word));
  const by = words[named];
  return { by: by !== undefined && isMe.test(by) ? 'me' : by, when: rest.join(' ') };
}

const isMe = /^(?:me|i|my)$/i;
const isSomebody = (word: string): boolean => isMe.test(word) || /^(?:<?@\S+|[UW][A-Z0-9]{5,})$/.test(word);

/** "everything @bob did yesterday" */
const isFiller =
  /^(?:everything|all|what|whatever|changes?|things|that|was|were|has|have|been|did|done|changed|made|by|of)$/i;
