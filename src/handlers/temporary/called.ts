import { enumerate, person, plainText, say, type Text } from '../reply.ts';
import type { TemporaryThing } from './list.ts';

/** By all of the words, or the number in the list; where that is none, each of several that are named: "a.example and b.example". */
function namedIn(
  all: readonly TemporaryThing[],
  words: string,
  wanted: readonly string[],
): readonly TemporaryThing[] {
  const called = all.filter((one) => isCalled(one, wanted));
  const numbered = isNumber(words) ? all[Number(words.replace('#', '')) - 1] : undefined;
  const named = called.length > 0 || numbered === undefined ? called : [numbered];
  const parts = words.split(/,| and /i).map(splitIn);
  if (named.length > 0 || parts.length < 2 || !parts.every((part) => part.some(isWord))) return named;
  const isKnown = parts.every((part) => all.some((one) => isCalled(one, part)));
  return isKnown ? all.filter((one) => parts.some((part) => isCalled(one, part))) : [];
}

/** The words by which it is meant, without those for all of it. */
function wantedIn(typed: string): {
  readonly isAll: boolean;
  readonly isMine: boolean;
  readonly wanted: readonly string[];
} {
  const words = splitIn(typed);
  const isMine = words.some((one) => one === 'mine' || one === 'my');
  const isAll = isMine || words.some((one) => one === 'all' || one === 'everything');
  return { isAll, isMine, wanted: isAll ? words.filter((one) => !ofAll.has(one)) : words };
}

/** What is meant by words, and how they were read. */
interface MeantThings {
  readonly found: readonly TemporaryThing[];
  readonly words: string;
  readonly isAll: boolean;
  readonly wanted: readonly string[];
  /** `of yours`, `of @bob`, where it is said whose it is. */
  readonly whose: Text | undefined;
}

/** By words, or by whose it is: "shop.example.net", "all of mine", "all of bob"; a name alone is that of a thing before it is somebody’s. */
export async function thingsMeant(
  all: readonly TemporaryThing[],
  typed: string,
  asker: string,
  called: (name: string) => Promise<readonly string[]>,
): Promise<MeantThings> {
  const { words, by } = await ofWhom(typed, called);
  const { isAll, isMine, wanted } = wantedIn(words);
  const whose = isMine ? [asker] : by;
  const own = all.filter(({ person: one }) => whose === undefined || whose.includes(one));
  const found = namedIn(own, words, wanted);
  const bare = whose === undefined && found.length === 0 && !/\s/.test(typed) ? await called(typed) : [];
  if (bare.length > 0)
    return {
      found: all.filter(({ person: one }) => bare.includes(one)),
      ...{ words: '', isAll: false, wanted: [], whose: of(bare) },
    };
  return { found, words, isAll, wanted, whose: isMine ? say`of yours` : by && of(by) };
}

const of = (ids: readonly string[]): Text => say`of ${enumerate(ids.map(person), 'or')}`;

/** What is left of the words when it is said whose it is: "all of bob", "@bob", "bob’s"; their IDs. */
async function ofWhom(
  typed: string,
  called: (name: string) => Promise<readonly string[]>,
): Promise<{ readonly words: string; readonly by: readonly string[] | undefined }> {
  for (const owner of owners) {
    const [said, id = '', name = ''] = owner.exec(typed) ?? [];
    if (said === undefined) continue;
    const by = id === '' ? await called(name) : [id];
    if (by.length > 0) return { words: typed.replace(said, ' ').trim(), by };
  }
  return { words: typed, by: undefined };
}

/** With the ID that the chat gives, or a name. */
const owners: readonly RegExp[] = [
  /(?:^| )(?:(?:of|by|from) )?<@([UW][A-Z0-9]{2,})(?:\|[^>]*)?>(?:['’]s)?(?= |$)/,
  /(?:^| )(?:(?:of|by|from) )?()@(\p{L}[^\s<>@’']*)(?:['’]s)?(?= |$)/u,
  /(?:^| )(?:of|by|from) ()(\p{L}[^\s<>@’']*)(?:['’]s)?$/u,
  /(?:^| )()(\p{L}[^\s<>@’']*)['’]s(?= |$)/u,
];

export const ofAll: ReadonlySet<string> = new Set(
  'all everything of mine my the temporary change changes exception exceptions here that is'.split(' '),
);

/** A row of the list. */
export const isNumber = (words: string): boolean => /^#?\d{1,4}$/.test(words);

/** "", "it", "this change", "the exception": nothing is named. */
export const saysNothing = (typed: string): boolean =>
  splitIn(typed).every((one) => /^(?:it|this|that|the|temporary|change|exception)$/.test(one));

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

/** What names it: the words of what it is, of its line without its options, of its appliance, of its action and of its plan. */
const namesIn = ({ what, line, appliance, reference, plan }: TemporaryThing): readonly string[] =>
  splitIn(
    `${plainText(what)} ${line.replace(/ --.*$/, '')} ${appliance} ${reference} ${plan === undefined ? '' : `plan ${plan}`}`,
  );

const splitIn = (words: string): readonly string[] =>
  words
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((name) => name !== '');

/** Whether it says what is meant, be it only a part of the name: a number, or a word like "to", stands in many lines. */
export const isWord = (part: string): boolean => part.length > 3 && /[a-z]{3}/.test(part);
