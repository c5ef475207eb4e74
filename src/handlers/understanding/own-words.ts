import { spelled, type Word, withoutManners, wordsIn } from '../language/line.ts';

/**
 * A team's own words for commands from its policy file: `kick: rdp disconnect`, `freischalten: why`, or with
 * slots of one word each: `throw <session> out: rdp disconnect <session>`. They are other names only.
 * Authorization and confirmation are those of the command.
 */
export type OwnWords = Readonly<Record<string, string>>;

interface OwnPhrase {
  readonly words: readonly string[];
  readonly hasSlots: boolean;
  readonly meaning: string;
}

const isSlot = (word: string): boolean => /^<[^<>]+>$/.test(word);

/** Translates a cleaned line that uses a team's word or phrase into the line of the command. */
export function ownWords(own: OwnWords): (line: string) => string | undefined {
  const phrases = Object.entries(own)
    .map(([said, meaning]): OwnPhrase => {
      const words = said.toLowerCase().split(/\s+/).filter(Boolean);
      return { words, hasSlots: words.some(isSlot), meaning };
    })
    // The longer phrase wins.
    .toSorted((one, other) => other.words.length - one.words.length);
  return (line) => {
    const typed = wordsIn(withoutManners(line));
    for (const phrase of phrases) {
      const meant = phrase.hasSlots ? filled(phrase, typed) : continued(phrase, typed);
      if (meant !== undefined) return meant;
    }
    return undefined;
  };
}

/** Words after the team's word follow the command. */
function continued({ words, meaning }: OwnPhrase, typed: readonly Word[]): string | undefined {
  const begins = words.every((word, index) => isWord(typed[index], word));
  return begins ? [meaning, ...typed.slice(words.length).map(spelled)].join(' ') : undefined;
}

/** Options may follow a phrase with slots. */
function filled({ words, meaning }: OwnPhrase, typed: readonly Word[]): string | undefined {
  const end = typed.findIndex(({ text, isQuoted }) => !isQuoted && text.startsWith('--'));
  const [said, options] = end === -1 ? [typed, []] : [typed.slice(0, end), typed.slice(end)];
  if (said.length !== words.length) return undefined;
  const slots = new Map<string, string>();
  for (const [index, word] of words.entries()) {
    const one = said[index] as Word;
    if (isSlot(word)) slots.set(word, spelled(one));
    else if (!isWord(one, word)) return undefined;
  }
  const line = meaning.replace(/<[^<>]+>/g, (slot) => slots.get(slot.toLowerCase()) ?? slot);
  return [line, ...options.map(spelled)].join(' ');
}

const isWord = (typed: Word | undefined, word: string): boolean =>
  typed?.isQuoted === false && typed.text.toLowerCase() === word;
