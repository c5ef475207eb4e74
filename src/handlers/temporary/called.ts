import { enumerate, person, plainText, say, type Text } from '../reply.ts';
import type { TemporaryThing } from './list.ts';

/** By all words, or by the number in the list; if none match, by each of several names: "a.example and b.example". */
function namedIn(
  all: readonly TemporaryThing[],
  words: string,
  wanted: readonly string[],
): readonly TemporaryThing[] {
  const called = all.filter((one) => isCalled(one, wanted) && !isContrary(one, words));
  const numbered = isNumber(words) ? all[Number(words.replace('#', '')) - 1] : undefined;
  const named = called.length > 0 || numbered === undefined ? called : [numbered];
  const parts = words.split(/,| and /i).map(splitIn);
  if (named.length > 0 || parts.length < 2 || !parts.every((part) => part.some(isWord))) return named;
  const isKnown = parts.every((part) => all.some((one) => isCalled(one, part)));
  return isKnown ? all.filter((one) => parts.some((part) => isCalled(one, part))) : [];
}

const isContrary = ({ what }: TemporaryThing, words: string): boolean =>
  splitIn(words).some((word) => states.get(word)?.test(plainText(what).toLowerCase()));

/** The distinguishing words, without words for all. */
function wantedIn(typed: string): {
  readonly isAll: boolean;
  readonly isMine: boolean;
  readonly wanted: readonly string[];
} {
  const words = splitIn(typed);
  const isMine = words.some((one) => one === 'mine' || one === 'my');
  const isAll = isMine || words.some((one) => one === 'all' || one === 'everything');
  if (isAll) return { isAll, isMine, wanted: words.filter((one) => !ofAll.has(one)) };
  const names = words.filter((one) => !states.has(one) && !joins.has(one));
  return { isAll, isMine, wanted: names.length === 0 ? words : names };
}

/** State words ("google_sni off", "the disabling of google_sni"), each with the summaries that it rules out. */
const states: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      [/\benabled\b|\blinked\b/, 'off down disabled disabling disablement unlinked removed removal lockout'],
      [/\bdisabled\b|\bunlinked\b/, 'on up enabled enabling linked online'],
      [/\bdisabled\b|_blocked\b/, 'open allowed unblocked allowing'],
      [/\benabled\b|_allowed\b/, 'blocked closed'],
    ] as const
  ).flatMap(([contrary, words]) => words.split(' ').map((word) => [word, contrary] as const)),
);
const joins: ReadonlySet<string> = new Set(['for', 'to', 'as', 'with']);

/** The selected things, and how the words were read. */
interface MeantThings {
  readonly found: readonly TemporaryThing[];
  readonly words: string;
  readonly isAll: boolean;
  readonly wanted: readonly string[];
  /** `of yours`, `of @bob`, if the words name an owner. */
  readonly whose: Text | undefined;
  /** Is called so, and is the opposite of what was said of it: "keep google_sni on" while it is disabled. */
  readonly contrary?: TemporaryThing | undefined;
}

/**
 * Selects by name or owner: "shop.example.net", "all of mine", "all of bob". A name alone means a thing first,
 * and then a person.
 */
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
      words: '',
      isAll: false,
      wanted: [],
      whose: of(bare),
    };
  const contrary =
    found.length > 0 ? undefined : own.find((one) => isCalled(one, wanted) && isContrary(one, words));
  return { found, words, isAll, wanted, whose: isMine ? say`of yours` : by && of(by), contrary };
}

const of = (ids: readonly string[]): Text => say`of ${enumerate(ids.map(person), 'or')}`;

/** The words without the owner, and the owner's IDs: "all of bob", "@bob", "bob’s". */
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

/** By the chat's ID, or by name. */
const owners: readonly RegExp[] = [
  /(?:^| )(?:(?:of|by|from) )?<@([UW][A-Z0-9]{2,})(?:\|[^>]*)?>(?:['’]s)?(?= |$)/,
  /(?:^| )(?:(?:of|by|from) )?()@(\p{L}[^\s<>@’']*)(?:['’]s)?(?= |$)/u,
  /(?:^| )(?:of|by|from) ()(\p{L}[^\s<>@’']*)(?:['’]s)?$/u,
  /(?:^| )()(\p{L}[^\s<>@’']*)['’]s(?= |$)/u,
];

export const ofAll: ReadonlySet<string> = new Set(
  'all everything of mine my the temporary change changes exception exceptions here that this it is'.split(
    ' ',
  ),
);

/** A row of the list. */
export const isNumber = (words: string): boolean => /^#?\d{1,4}$/.test(words);

/** Words that name nothing: "", "it", "this change", "the exception". */
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

/** The words that name it: its description, its line without options, its appliance, action and plan. */
const namesIn = ({ what, line, appliance, reference, plan }: TemporaryThing): readonly string[] =>
  splitIn(
    `${plainText(what)} ${line.replace(/ --.*$/, '')} ${appliance} ${reference} ${plan === undefined ? '' : `plan ${plan}`}`,
  );

const splitIn = (words: string): readonly string[] =>
  words
    .toLowerCase()
    .split(/[\s,;()"“”]+/)
    .filter((name) => name !== '');

/** Whether a word, or part of a name, is distinctive: numbers and short words such as "to" occur in many lines. */
export const isWord = (part: string): boolean => part.length > 3 && /[a-z]{3}/.test(part);
