import { isIP } from 'node:net';
import tlds from 'tlds' with { type: 'json' };
import { readDuration } from '../../duration.ts';
import type { Argument } from '../argument.ts';
import { readDomain, readSite } from '../language/domain.ts';
import type { Word } from '../language/line.ts';
import { readSince } from '../language/since.ts';
import { isNumberWord, slipsOf } from './vocabulary.ts';

/** The things that a line may name, as known when it is read. No appliance is asked. */
export interface KnownThings {
  /** The appliances that may be named here in lower case, and tags, with the value for `--on`. */
  readonly appliances: ReadonlyMap<string, string>;
  /** The words and names that an appliance listed last, in lower case, by list. */
  readonly listed: ReadonlyMap<List, ReadonlySet<string>>;
  readonly people: ReadonlySet<string>;
  /** The lists of user names on the systems behind the appliance. */
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
  readonly isKnown?: true;
  /** Something of another kind has the same name. */
  readonly isShared?: true;
}

/** Below this, a match is offered and never run by itself. */
export const sure = 0.5;

/**
 * How well a word is a value of an argument: by its name, by its looks, or because it is possible.
 * @param isNamed whether a phrasing matches the line exactly: "what did <by> do", "why is <domain> blocked"
 */
export function fitOf(
  argument: Argument,
  { text, isQuoted }: Word,
  known: KnownThings,
  isNamed = false,
): Fit | undefined {
  if (argument.input === 'secret' || argument.input === 'file' || argument.input === 'flag') return undefined;
  // A line inside the line contains no other command's words.
  if (argument.isLine === 'command') return undefined;
  const fits = (fit: number, word = text): Fit => ({ fit, word });
  if (argument.isPerson && !isMention.test(text)) {
    if (known.people.has(text.toLowerCase())) return fits(0.7);
    const isThing = isNameOfSomething(text, known) && !isIn(known.users, text, known);
    if (isThing || !calledLikePeople.test(text) || looksLikeSite(text)) return undefined;
    // An unknown name is looked up later, if only a person can be meant.
    return looksLikeName(text) ? fits(0.7) : isNamed ? fits(sure) : undefined;
  }
  if (argument.isUser && argument.list === undefined) {
    if (isIn(known.users, text, known)) return { ...fits(1), isKnown: true };
    if (!isNamed && !looksLikeUser(text)) return undefined;
  }
  // "the last 14 days" counts days; an argument for times reads it as "14d".
  const days = /^(\d+)d$/.exec(text)?.[1];
  if (days !== undefined && argument.what.endsWith('days') && argument.read(days).ok) return fits(1, days);
  if (!argument.read(text).ok) {
    // The target of such an address is read when the command is known.
    if (argument.holdsSites && readSite(text) !== undefined) return fits(1);
    // People leave out the ending of a well-known name if only a site can be meant.
    const guess = `${text.toLowerCase()}.com`;
    const isBareName =
      isNamed && argument.recognisable && /^[a-z][a-z0-9-]{2,}$/i.test(text) && !isNumberWord(text);
    return isBareName && argument.read(guess).ok ? fits(0.3, guess) : undefined;
  }
  // "bob.miller" looks like a domain, but is a person. A site is the object of a request rather than its
  // person.
  if (argument.recognisable) {
    if (isNameOfSomething(text, known)) return fits(0.4);
    if (looksLikeFile(text)) return undefined;
    return fits(looksLikePerson(text) ? 0.5 : isIP(text) === 0 ? 1 : 0.9);
  }
  if (argument.among !== undefined) return fits(1);
  const isNumber = /^#?[0-9]+$/.test(text);
  // A time is no name.
  const isMoment = !isNumber && (readDuration(text) !== undefined || readSince(text) !== undefined);
  if (isMoment && argument.read('x').ok) return undefined;
  if (argument.list !== undefined) {
    const names = known.listed.get(argument.list);
    if (names?.has(text.toLowerCase().replace(/^#/, ''))) {
      if (isNumber) return fits(1);
      // A person has one name on all systems.
      const having = argument.isUser
        ? []
        : [...known.listed.values()].filter((some) => some.has(text.toLowerCase()));
      return { ...fits(1), isKnown: true, ...(having.length > 1 && { isShared: true }) };
    }
    if (isNumber) return argument.numbered ? fits(0.7) : undefined;
    // A user without a session is still a user.
    if (argument.isUser && isIn(known.users, text, known)) return fits(0.55);
    // A name of something else does not fit, as far as the lists are known.
    if (isNameOfSomething(text, known)) {
      if (names !== undefined) return undefined;
      if (argument.isCostly) return fits(0.2);
    }
    if (!isQuoted && readDomain(text) !== undefined && !/\d$/.test(text))
      return names !== undefined && looksLikeSite(text) ? undefined : fits(0.2);
    if (isQuoted || looksLikeName(text)) return fits(0.55);
    // "block it for the kids": a word of the sentence is no name where all names are known and none is like it.
    return names === undefined || isLike(text, names) ? fits(0.3) : undefined;
  }
  if (isNumber) return fits(0.7);
  if (isMoment) return fits(1);
  return fits(isQuoted || looksLikeName(text) ? 0.6 : 0.3);
}

/** A slip of the fingers, or a part of a name. */
function isLike(text: string, names: ReadonlySet<string>): boolean {
  const lower = text.toLowerCase();
  const prepared = likeness.get(names) ?? prepare(names);
  const before = prepared.answers.get(lower);
  if (before !== undefined) return before;
  const found =
    (lower.length > 3 && prepared.all.includes(lower)) ||
    slipsOf(lower, prepared.byLetter.get(lower[0] ?? '') ?? []).length > 0;
  prepared.answers.set(lower, found);
  return found;
}

/** Names as `isLike` looks through them. A list may have tens of thousands, and each command with that list asks again. */
interface Prepared {
  /** All names in one text, a line each. */
  readonly all: string;
  /** By each of their first two letters: of a slip, one of them is right. */
  readonly byLetter: ReadonlyMap<string, readonly string[]>;
  readonly answers: Map<string, boolean>;
}
const likeness = new WeakMap<ReadonlySet<string>, Prepared>();

function prepare(names: ReadonlySet<string>): Prepared {
  const byLetter = new Map<string, string[]>();
  for (const name of names)
    for (const letter of new Set(name.slice(0, 2).split('')))
      byLetter
        .set(letter, byLetter.get(letter) ?? [])
        .get(letter)
        ?.push(name);
  const prepared = { all: [...names].join('\n'), byLetter, answers: new Map() };
  likeness.set(names, prepared);
  return prepared;
}

const isMention = /^(?:<?@|[UW][A-Z0-9]{5,}$)/;
const calledLikePeople = /^\p{L}[\p{L}\p{N}._' -]*$/u;

/** `srv-hr-01`, `google_sni`, `bob.miller`, `6.1`, `@bob`: no ordinary word looks like this. */
const looksLikeName = (text: string): boolean => /[0-9_@]|\w[.:/-]\w/.test(text);

/** Includes names reserved for examples, tests and private networks (RFC 6761, 6762, 9476). */
const reserved = ['example', 'test', 'invalid', 'localhost', 'local', 'internal', 'alt', 'arpa'];
const topLevel: ReadonlySet<string> = new Set([...tlds, ...reserved]);

/** `report.pdf`: none of these is a top-level domain. */
const looksLikeFile = (text: string): boolean =>
  /^[^/:]+\.(?:pdf|docx?|xlsx?|pptx?|csv|txt|exe|msi|dmg|png|jpe?g|gif|log|json|ya?ml|conf|cfg|tgz|gz|tar|rar|7z|iso|bat|ps1)$/i.test(
    text,
  );

/** `p.novak`: "novak" is no top-level domain. */
function looksLikePerson(text: string): boolean {
  const last = /^\p{L}+\.(\p{L}[\p{L}-]+)$/u.exec(text)?.[1];
  return last !== undefined && !topLevel.has(last.toLowerCase());
}

/** `shop.example.net`, `10.1.2.3`: no user name ends in a top-level domain. */
export function looksLikeSite(text: string): boolean {
  const site = readDomain(text);
  return site !== undefined && (isIP(site) !== 0 || topLevel.has(site.split('.').at(-1) ?? ''));
}

/** `p.novak`, `m_lopez`, `tbecker2`: no ordinary word, and no address. */
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

/** The thing that several words name together; undefined for none or for several things. */
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
