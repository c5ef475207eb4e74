import { isIP } from 'node:net';
import tlds from 'tlds' with { type: 'json' };
import { readDuration } from '../../duration.ts';
import type { Argument } from '../argument.ts';
import { readDomain, readSite } from '../language/domain.ts';
import type { Word } from '../language/line.ts';
import { readSince } from '../language/since.ts';
import { isNumberWord } from './vocabulary.ts';

/** What is there to be spoken of, as far as it is known when a line is read. Nothing is asked of an appliance for it. */
export interface KnownThings {
  /** The appliances that somebody may name here, in small letters, and the tags of some, with what `--on` takes for each. */
  readonly appliances: ReadonlyMap<string, string>;
  /** What an appliance listed last, in small letters: the words and the names, by the list that has them. */
  readonly listed: ReadonlyMap<List, ReadonlySet<string>>;
  /** What the people of the workspace are called, in small letters. */
  readonly people: ReadonlySet<string>;
  /** Those of the lists that are of people, who log on to what the appliance guards. */
  readonly users: ReadonlySet<List>;
}

type List = NonNullable<Argument['list']>;

export const nothingKnown: KnownThings = {
  appliances: new Map(),
  listed: new Map(),
  people: new Set(),
  users: new Set(),
};

/** How well a word fits an argument, from 0 to 1, and the word as the argument reads it. */
export interface Fit {
  readonly fit: number;
  readonly word: string;
  /** Something there is called so. */
  readonly isKnown?: true;
}

/** What is not as sure as this is offered, and never run by itself. */
export const sure = 0.5;

/**
 * How well a word is a value of an argument: known by its name, by its looks, or just not impossible.
 * @param isNamed whether the whole line says it just so: "what did <by> do", "why is <domain> blocked"
 */
export function fitOf(
  argument: Argument,
  { text, isQuoted }: Word,
  known: KnownThings,
  isNamed = false,
): Fit | undefined {
  if (argument.input === 'secret' || argument.input === 'file' || argument.input === 'flag') return undefined;
  // A line in the line is none that somebody else's words stand in.
  if (argument.isLine === 'command') return undefined;
  const fits = (fit: number, word = text): Fit => ({ fit, word });
  if (argument.isPerson && !isMention.test(text)) {
    if (known.people.has(text.toLowerCase())) return fits(0.7);
    const isThing = isNameOfSomething(text, known) && !isIn(known.users, text, known);
    if (isThing || !calledLikePeople.test(text) || looksLikeSite(text)) return undefined;
    // Whoever is not known by it is looked up when it is asked, where nobody else can be meant.
    return looksLikeName(text) ? fits(0.7) : isNamed ? fits(sure) : undefined;
  }
  if (argument.isUser && argument.list === undefined) {
    if (isIn(known.users, text, known)) return { ...fits(1), isKnown: true };
    if (!isNamed && !looksLikeUser(text)) return undefined;
  }
  // "the last 14 days" is said of days, and read as a time ("14d") where a time is wanted.
  const days = /^(\d+)d$/.exec(text)?.[1];
  if (days !== undefined && argument.what.endsWith('days') && argument.read(days).ok) return fits(1, days);
  if (!argument.read(text).ok) {
    // Which site an address stands for is asked once it is known what is wanted with it.
    if (argument.holdsSites && readSite(text) !== undefined) return fits(1);
    // People leave out the end of a well-known name, where they ask about nothing but a site.
    const guess = `${text.toLowerCase()}.com`;
    const isBareName =
      isNamed && argument.recognisable && /^[a-z][a-z0-9-]{2,}$/i.test(text) && !isNumberWord(text);
    return isBareName && argument.read(guess).ok ? fits(0.3, guess) : undefined;
  }
  // "bob.miller" looks like a domain, and is somebody. A site is asked for rather than who asks for it.
  if (argument.recognisable) {
    if (isNameOfSomething(text, known)) return fits(0.4);
    if (looksLikeFile(text)) return undefined;
    return fits(looksLikePerson(text) ? 0.5 : isIP(text) === 0 ? 1 : 0.9);
  }
  if (argument.among !== undefined) return fits(1);
  const isNumber = /^#?[0-9]+$/.test(text);
  // What says when is no name.
  const isMoment = !isNumber && (readDuration(text) !== undefined || readSince(text) !== undefined);
  if (isMoment && argument.read('x').ok) return undefined;
  if (argument.list !== undefined) {
    const names = known.listed.get(argument.list);
    if (names?.has(text.toLowerCase().replace(/^#/, ''))) {
      return isNumber ? fits(1) : { ...fits(1), isKnown: true };
    }
    if (isNumber) return argument.numbered ? fits(0.7) : undefined;
    // Who has no session now is somebody still.
    if (argument.isUser && isIn(known.users, text, known)) return fits(0.55);
    // What is known to be something else is none of these, as far as these are known.
    if (isNameOfSomething(text, known)) {
      if (names !== undefined) return undefined;
      if (argument.isCostly) return fits(0.2);
    }
    if (!isQuoted && readDomain(text) !== undefined && !/\d$/.test(text))
      return names !== undefined && looksLikeSite(text) ? undefined : fits(0.2);
    return fits(isQuoted || looksLikeName(text) ? 0.55 : 0.3);
  }
  if (isNumber) return fits(0.7);
  if (isMoment) return fits(1);
  return fits(isQuoted || looksLikeName(text) ? 0.6 : 0.3);
}

const isMention = /^(?:<?@|[UW][A-Z0-9]{5,}$)/;
const calledLikePeople = /^\p{L}[\p{L}\p{N}._' -]*$/u;

/** `srv-hr-01`, `google_sni`, `bob.miller`, `6.1`, `@bob`: no word of a sentence looks like it. */
const looksLikeName = (text: string): boolean => /[0-9_@]|\w[.:/-]\w/.test(text);

/** With those that are kept for examples, tests and networks of one's own (RFC 6761, 6762, 9476). */
const reserved = ['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'alt', 'arpa'];
const topLevel: ReadonlySet<string> = new Set([...tlds, ...reserved]);

/** `report.pdf`: none of these is a top-level domain. */
const looksLikeFile = (text: string): boolean =>
  /^[^/:]+\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|exe|msi|dmg|png|jpe?g|gif|log|json|ya?ml|conf|cfg|tgz|gz|tar|rar|7z|iso|bat|ps1)$/i.test(
    text,
  );

/** `p.novak`: no top-level domain is called "novak". */
function looksLikePerson(text: string): boolean {
  const last = /^\p{L}+\.(\p{L}[\p{L}-]+)$/u.exec(text)?.[1];
  return last !== undefined && !topLevel.has(last.toLowerCase());
}

/** `shop.example.net`, `10.1.2.3`: somebody's name ends in no top-level domain. */
export function looksLikeSite(text: string): boolean {
  const site = readDomain(text);
  return site !== undefined && (isIP(site) !== 0 || topLevel.has(site.split('.').at(-1) ?? ''));
}

/** `p.novak`, `m_lopez`, `tbecker2`: no word of a sentence, and no address. */
const looksLikeUser = (text: string): boolean =>
  looksLikeName(text) && calledLikePeople.test(text) && !looksLikeSite(text);

const isNameOfSomething = (text: string, { listed }: KnownThings): boolean =>
  [...listed.values()].some((names) => names.has(text.toLowerCase()));

const isIn = (lists: Iterable<List>, text: string, { listed }: KnownThings): boolean =>
  [...lists].some((list) => listed.get(list)?.has(text.toLowerCase()));

/** Word by word in plain letters: "María López" is maria.lopez, and "windows update" is windows_update. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const byLetters = new WeakMap<KnownThings, ReadonlyMap<string, string | undefined>>();

/** What is called by some words together; undefined where nothing is, or where several things could be. */
export function nameOfWords(words: readonly string[], known: KnownThings): string | undefined {
  const together = words.join(' ');
  const names = [...known.listed.values(), known.appliances, known.people];
  if (names.some((some) => some.has(together.toLowerCase()))) return together;
  const index = byLetters.get(known) ?? indexOf(known);
  byLetters.set(known, index);
  // "google_sni += a.example" names google_sni alone.
  return words.every((word) => folded(word) !== '') ? index.get(folded(together)) : undefined;
}

function indexOf({ listed }: KnownThings): ReadonlyMap<string, string | undefined> {
  const names = new Set(
    [...listed.values()].flatMap((some) => [...some]).filter((name) => /\p{L}/u.test(name)),
  );
  const index = new Map<string, string | undefined>();
  for (const name of names) index.set(folded(name), index.has(folded(name)) ? undefined : name);
  return index;
}
