import { plainText } from '../reply.ts';
import type { PlannedThing } from './list.ts';

/** The changes with this name; for "mine", those of the asker; all without a name. */
export function meantBy(all: readonly PlannedThing[], typed: string, asker: string): readonly PlannedThing[] {
  const isMine = typed.split(/\s+/).some((word) => /^(?:mine|my)$/i.test(word));
  return namedBy(all, typed).filter(({ person }) => !isMine || person === asker);
}

/** Whether the words identify it uniquely: its number in the list, or its action. */
export function isExact(typed: string, { reference }: PlannedThing): boolean {
  const [word, ...others] = wordsIn(typed);
  return (
    word !== undefined && others.length === 0 && (/^\d+$/.test(word) || word === reference.toLowerCase())
  );
}

export const namesNone = (typed: string): boolean => wordsIn(typed).length === 0;

/** By all words; if none match, by each of several names: "1 and 2". */
function namedBy(all: readonly PlannedThing[], typed: string): readonly PlannedThing[] {
  const parts = typed.split(/,|\band\b/i).map(wordsIn);
  const each = parts.map((words) => calledBy(all, words));
  const isList = parts.every((words) => words.length === 1 && /^\d+$/.test(words[0] ?? ''));
  const named = parts.length > 1 && isList ? [] : calledBy(all, wordsIn(typed));
  if (named.length > 0 || parts.some((words) => words.length === 0)) return named;
  return each.some((some) => some.length === 0) ? [] : [...new Set(each.flat())];
}

const wordsIn = (typed: string): readonly string[] =>
  typed
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((word) => word !== '' && !ofAll.has(word))
    .map((word) => word.replace(/^#/, ''));

/** By the number in the list, or by each of the words. */
function calledBy(all: readonly PlannedThing[], words: readonly string[]): readonly PlannedThing[] {
  const called = all.filter((one) => {
    const names = namesOf(one);
    return words.every((word) =>
      names.some((name) => name === word || (isWord(word) && name.includes(word))),
    );
  });
  const [number, ...others] = words;
  const numbered = others.length === 0 && /^\d+$/.test(number ?? '') ? all[Number(number) - 1] : undefined;
  return numbered === undefined || called.includes(numbered) ? called : [numbered, ...called];
}

const namesOf = ({ what, line, lines, reference, appliances }: PlannedThing): readonly string[] =>
  `${plainText(what)} ${[line, ...lines].map(withoutOptions).join(' ')} ${appliances.join(' ')} ${reference}`
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((name) => name !== '');

/** A plan names its lines behind its options. */
const withoutOptions = (line: string): string => line.replaceAll(/ --[a-z-]+[= ](?:"[^"]*"|\S+)/g, '');

/** Numbers and short words such as "to" occur in many lines. */
const isWord = (word: string): boolean => word.length > 3 && /[a-z]{3}/.test(word);

const ofAll: ReadonlySet<string> = new Set(
  'it that this the planned change changes number all everything of mine my'.split(' '),
);
