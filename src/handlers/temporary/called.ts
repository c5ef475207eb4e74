import { plainText } from '../reply.ts';
import type { TemporaryThing } from './list.ts';

/** By all of the words; where that is none, each of several that are named: "a.example and b.example". */
export function namedIn(
  all: readonly TemporaryThing[],
  words: string,
  wanted: readonly string[],
): readonly TemporaryThing[] {
  const named = all.filter((one) => isCalled(one, wanted));
  const parts = words.split(/,| and /i).map(splitIn);
  if (named.length > 0 || parts.length < 2 || !parts.every((part) => part.some(isWord))) return named;
  const isKnown = parts.every((part) => all.some((one) => isCalled(one, part)));
  return isKnown ? all.filter((one) => parts.some((part) => isCalled(one, part))) : [];
}

/** The words by which it is meant, without those for all of it. */
export function wantedIn(typed: string): {
  readonly isAll: boolean;
  readonly isMine: boolean;
  readonly wanted: readonly string[];
} {
  const words = splitIn(typed);
  const isMine = words.some((one) => one === 'mine' || one === 'my');
  const isAll = isMine || words.some((one) => one === 'all' || one === 'everything');
  return { isAll, isMine, wanted: isAll ? words.filter((one) => !ofAll.has(one)) : words };
}

export const ofAll: ReadonlySet<string> = new Set(
  'all everything of mine my the temporary change changes exception exceptions here that is'.split(' '),
);

export const isOn = ({ appliance }: TemporaryThing, on: string | undefined): boolean =>
  on === undefined || on === 'all' || on.split(',').includes(appliance);

function isCalled(one: TemporaryThing, wanted: readonly string[]): boolean {
  const names = namesIn(one);
  const parts = new Set(one.list?.parts.map((part) => part.toLowerCase()));
  const isNamed = (part: string) =>
    parts.has(part) ||
    names.some(
      (name) => name === part || (isWord(part) && name.includes(part.replace(/(?<=[a-z]{3})s$/, ''))),
    );
  return wanted.every((part) => ofAll.has(part) || isNamed(part));
}

/** What names it: the words of what it is, of its line without its options, of its appliance and of its plan. */
const namesIn = ({ what, line, appliance, plan }: TemporaryThing): readonly string[] =>
  splitIn(
    `${plainText(what)} ${line.replace(/ --.*$/, '')} ${appliance} ${plan === undefined ? '' : `plan ${plan}`}`,
  );

const splitIn = (words: string): readonly string[] =>
  words
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((name) => name !== '');

/** Whether it says what is meant, be it only a part of the name: a number, or a word like "to", stands in many lines. */
export const isWord = (part: string): boolean => part.length > 3 && /[a-z]{3}/.test(part);
