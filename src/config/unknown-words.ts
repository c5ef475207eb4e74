import { nearest } from '../auth/nearest.ts';
import type { Vocabulary } from '../auth/rule.ts';
import { type RuleFound, rulesIn } from './cross-check.ts';
import { entriesOf, listOf } from './entries.ts';
import { type ConfigFinding, hint } from './findings.ts';

/** Areas, phrases, arguments and values in the file's rules that no command has, and contradicting rules. */
export function unknownWords(content: unknown, words: Vocabulary): readonly ConfigFinding[] {
  return [...inOwnWords(content, words), ...inRules(content, words)];
}

/** A team's own words: each must mean a command, hide none, and be defined once. */
function inOwnWords(content: unknown, { phrases }: Vocabulary): readonly ConfigFinding[] {
  const names = [...phrases.keys()];
  const seen = new Map<string, string>();
  return Object.entries(entriesOf(content, 'words')).flatMap(([said, meaning]) => {
    if (typeof meaning !== 'string') return [];
    const path = ['words', said];
    const slots = (text: string) => Array.from(text.matchAll(/<[^<>]+>/g), ([slot]) => slot.toLowerCase());
    const literal = (text: string) => text.split('<', 1)[0]?.trim().toLowerCase().replace(/\s+/g, ' ') ?? '';
    const word = literal(said);
    const means = literal(meaning);
    const isCommand = names.some((name) => `${means} `.startsWith(`${name} `));
    const clash = names.find(
      (name) => `${name} `.startsWith(`${word} `) || `${word} `.startsWith(`${name} `),
    );
    const key = said
      .toLowerCase()
      .replace(/<[^<>]+>/g, '<>')
      .replace(/\s+/g, ' ')
      .trim();
    const twin = seen.get(key);
    seen.set(key, said);
    const lost = slots(said).filter((slot) => !slots(meaning).includes(slot));
    const made = slots(meaning).filter((slot) => !slots(said).includes(slot));
    return [
      ...(word === '' ? [{ path, wrong: 'must start with a word, not with a <slot>.' }] : []),
      ...(isCommand
        ? []
        : [{ path, wrong: `means ${meaning}, which is not a command.${hint(nearest(means, names)[0])}` }]),
      ...(word !== '' && clash !== undefined
        ? [{ path, wrong: `conflicts with the command ${clash}.` }]
        : []),
      ...(twin === undefined ? [] : [{ path, wrong: `is the same as ${twin}.` }]),
      ...(lost.length === 0 ? [] : [{ path, wrong: `has ${lost.join(', ')}, but its command does not.` }]),
      ...(made.length === 0
        ? []
        : [{ path, wrong: `does not have ${made.join(', ')}, but its command does.` }]),
    ];
  });
}

function inRules(content: unknown, words: Vocabulary): readonly ConfigFinding[] {
  return rulesIn(content).flatMap(({ path, rule }) => {
    const { area, phrase, where } = rule;
    const args = typeof phrase === 'string' ? words.phrases.get(phrase) : undefined;
    return [
      ...unknown([...path, 'area'], area, words.areas, 'is not the first word of any command'),
      ...unknown([...path, 'phrase'], phrase, [...words.phrases.keys()], 'is not a command'),
      ...(args === undefined
        ? []
        : Object.entries(entriesOf(where)).flatMap(([name, values]) => {
            const at = [...path, 'where', name];
            const among = args.length === 0 ? 'It has none' : `Its arguments: ${args.join(', ')}`;
            return args.includes(name)
              ? neverMet(at, String(phrase), name, values, words)
              : unknown(at, name, args, `is not an argument of ${phrase}. ${among}`);
          })),
      ...contradicting(path, rule, words),
    ];
  });
}

/** Values that no line can have: an approval rule that never matches would let everything pass. */
function neverMet(
  path: readonly PropertyKey[],
  phrase: string,
  name: string,
  values: unknown,
  { compared }: Vocabulary,
): readonly ConfigFinding[] {
  return listOf(values).flatMap((value, index) => {
    if (typeof value !== 'string' && typeof value !== 'number') return [];
    const at = [...path, index];
    const is = compared(phrase, name, String(value));
    if (is === String(value)) return [];
    return is !== undefined && compared(phrase, name, is) === is
      ? [{ path: at, wrong: `never matches as written.${hint(is)}` }]
      : [
          {
            path: at,
            wrong: `is not a valid value for ${name} of ${phrase}. For anything that an appliance lists, use its ID.`,
          },
        ];
  });
}

/** A rule that names a command, and contradicts it otherwise. */
function contradicting(
  path: readonly PropertyKey[],
  { area, effect, phrase }: RuleFound['rule'],
  { subjects }: Vocabulary,
): readonly ConfigFinding[] {
  const meant = subjects.filter(({ name }) => name === phrase);
  const [one] = meant;
  const isMet = meant.some(
    (subject) =>
      (area === undefined || area === subject.area) && (effect === undefined || effect === subject.effect),
  );
  if (one === undefined || isMet) return [];
  const wrong = `matches no command: ${one.name} has the area ${one.area} and the effect ${one.effect}.`;
  return [{ path, wrong }];
}

function unknown(
  path: readonly PropertyKey[],
  word: unknown,
  known: readonly string[],
  wrong: string,
): readonly ConfigFinding[] {
  if (typeof word !== 'string' || known.includes(word)) return [];
  const lowered = word.toLowerCase();
  // More words than the command's name, as in its line.
  const within = known.filter((one) => ` ${lowered} `.includes(` ${one} `));
  const [meant] = [...nearest(lowered, known), ...within.toSorted((one, other) => other.length - one.length)];
  return [{ path, wrong: `${wrong}.${hint(meant)}` }];
}
