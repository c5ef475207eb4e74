import { nearest } from '../auth/nearest.ts';
import type { Vocabulary } from '../auth/rule.ts';
import { entriesOf, listOf } from './cross-check.ts';
import { type Finding, hint } from './findings.ts';

/** Areas, phrases and arguments in the file's rules that no command has. */
export function unknownWords(content: unknown, words: Vocabulary): readonly Finding[] {
  return rulesIn(content).flatMap(({ path, rule }) => {
    const { area, phrase, where } = rule;
    const args = typeof phrase === 'string' ? words.phrases.get(phrase) : undefined;
    return [
      ...unknown([...path, 'area'], area, words.areas, 'is not the first word of any command'),
      ...unknown([...path, 'phrase'], phrase, [...words.phrases.keys()], 'is not a command'),
      ...(args === undefined
        ? []
        : Object.keys(entriesOf(where)).flatMap((name) => {
            const among = args.length === 0 ? 'has none' : `has ${args.join(', ')}`;
            return unknown(
              [...path, 'where', name],
              name,
              args,
              `is not an argument of ${phrase}, which ${among}`,
            );
          })),
    ];
  });
}

interface Found {
  readonly path: readonly PropertyKey[];
  readonly rule: Readonly<Record<string, unknown>>;
}

function rulesIn(content: unknown): readonly Found[] {
  const at = (path: readonly PropertyKey[], holder: unknown): readonly Found[] =>
    listOf(entriesOf(holder).commands).map((rule, index) => ({
      path: [...path, 'commands', index],
      rule: entriesOf(rule),
    }));
  return [
    ...Object.entries(entriesOf(content, 'roles')).flatMap(([name, role]) => at(['roles', name], role)),
    ...listOf(entriesOf(content).approvals).flatMap((approval, index) => at(['approvals', index], approval)),
  ];
}

function unknown(
  path: readonly PropertyKey[],
  word: unknown,
  known: readonly string[],
  wrong: string,
): readonly Finding[] {
  if (typeof word !== 'string' || known.includes(word)) return [];
  const [meant] = nearest(word, known);
  return [{ path, wrong: `${wrong}.${hint(meant)}` }];
}
