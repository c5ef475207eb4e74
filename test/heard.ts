import type { Sandbox } from '../sandbox/sandbox.ts';

/** A screen reader reads the message's `text`. Compares it with the words of the blocks. */
export interface Heard {
  readonly text: string;
  /** Words that are seen. */
  readonly seen: number;
  /** The words that are in the text, each as often as it is seen. */
  readonly heard: number;
}

const telling = ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'response_url'];

/** One entry for each message that was sent so far. */
export const heardOf = ({ workspace }: Pick<Sandbox, 'workspace'>): readonly Heard[] =>
  telling.flatMap((method) =>
    workspace.log.calls(method).flatMap(({ args }): Heard[] => {
      const { text, blocks } = args;
      const parsed: unknown = typeof blocks === 'string' ? JSON.parse(blocks) : blocks;
      if (typeof text !== 'string' || !Array.isArray(parsed)) return [];
      const left = Map.groupBy(wordsIn(text), (word) => word);
      const seen = parsed.flatMap(seenIn).flatMap(wordsIn);
      return [
        { text, seen: seen.length, heard: seen.filter((word) => left.get(word)?.pop() !== undefined).length },
      ];
    }),
  );

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** All text in a block, except the labels of its elements, which are read out there. */
function seenIn(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(seenIn);
  if (typeof part !== 'object' || part === null) return [];
  const { type, text, user_id: user, range, ...rest } = part as Readonly<Record<string, unknown>>;
  if (type === 'actions' || type === 'button' || type === 'emoji' || type === 'date') return [];
  const own = typeof text === 'string' ? [text] : typeof text === 'object' ? seenIn(text) : [];
  return [...own, ...(typeof user === 'string' ? [user] : []), ...Object.values(rest).flatMap(seenIn)];
}
