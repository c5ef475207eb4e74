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
  /** Who was named besides. */
  readonly others: readonly string[];
  /** The span, in the words that it was said with. */
  readonly when: string;
}

export function readDoneThen(typed: readonly string[]): DoneThen {
  const words = typed.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  const named = words.findIndex(
    (word, index) => isSomebody(word) || /^(?:by|of)$/i.test(words[index - 1] ?? ''),
  );
  const rest = words.filter((word, index) => index !== named && !isFiller.test(word));
  const by = asNamed(words[named]);
  const others = rest.flatMap((word) => (isSomebody(word) ? [asNamed(word) ?? ''] : []));
  return {
    by,
    others: [...new Set(others)].filter((one) => one !== by),
    when: rest.filter((word) => !isSomebody(word)).join(' '),
  };
}

const asNamed = (word: string | undefined): string | undefined =>
  word !== undefined && isMe.test(word) ? 'me' : word;

const isMe = /^(?:me|i|my)$/i;
const isSomebody = (word: string): boolean => isMe.test(word) || /^(?:<?@\S+|[UW][A-Z0-9]{5,})$/.test(word);

/** "everything @bob did yesterday" */
const isFiller =
  /^(?:everything|all|what|whatever|changes?|things|that|was|were|has|have|been|did|done|changed|made|by|of)$/i;
