import { isIP } from 'node:net';
import tlds from 'tlds' with { type: 'json' };
import { readDuration } from '../../duration.ts';
import type { Argument } from '../argument.ts';
import { readDomain, readSite } from '../language/domain.ts';
import type { Word } from '../language/line.ts';
import { readSince } from '../language/since.ts';

/** What is there to be spoken of, as far as it is known when a line is read. Nothing is asked of an appliance for it. */
export interface KnownThings {
  /** The appliances that somebody may name here, in small letters, and the tags of some, with what `--on` takes for each. */
  readonly appliances: ReadonlyMap<string, string>;
  /** What an appliance listed last, in small letters: the words and the names, by the list that has them. */
  readonly listed: ReadonlyMap<List, ReadonlySet<string>>;
}

type List = NonNullable<Argument['list']>;

export const nothingKnown: KnownThings = { appliances: new Map(), listed: new Map() };

/** How well a word fits an argument, from 0 to 1, and the word as the argument reads it. */
export interface Fit {
  readonly fit: number;
  readonly word: string;
  /** Something there is called so. */
  readonly isKnown?: true;
}

/** What is not as sure as this is offered, and never run by itself. */
export const sure = 0.5;

/** How well a word is a value of an argument: known by its name, by its looks, or just not impossible. */
export function fitOf(argument: Argument, { text, isQuoted }: Word, known: KnownThings): Fit | undefined {
  if (argument.input === 'secret' || argument.input === 'file' || argument.input === 'flag') return undefined;
  // A line in the line is none that somebody else's words stand in.
  if (argument.isLine === 'command') return undefined;
  const fits = (fit: number, word = text): Fit => ({ fit, word });
  // Whoever is called so is looked up when it is asked; in the place of a person a word is somebody.
  if (argument.isPerson && !isMention.test(text))
    return calledLikePeople.test(text) && !looksLikeSite(text)
      ? fits(looksLikeName(text) ? 0.7 : sure)
      : undefined;
  // "the last 14 days" is said of days, and read as a time ("14d") where a time is wanted.
  const days = /^(\d+)d$/.exec(text)?.[1];
  if (days !== undefined && argument.what.endsWith('days') && argument.read(days).ok) return fits(1, days);
  if (!argument.read(text).ok) {
    // Which site an address stands for is asked once it is known what is wanted with it.
    if (argument.recognisable && readSite(text) !== undefined) return fits(1);
    // People leave out the end of a well-known name.
    const guess = `${text.toLowerCase()}.com`;
    const isBareName = argument.recognisable && /^[a-z][a-z0-9-]{2,}$/i.test(text);
    return isBareName && argument.read(guess).ok ? fits(0.3, guess) : undefined;
  }
  // "bob.miller" looks like a domain, and is somebody. A site is asked for rather than who asks for it.
  if (argument.recognisable) {
    if (isNameOfSomething(text, known)) return fits(0.4);
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
    if (!isQuoted && readDomain(text) !== undefined && !/\d$/.test(text)) return fits(0.2);
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

const topLevel: ReadonlySet<string> = new Set(tlds);

/** `p.novak`: no top-level domain is called "novak". */
function looksLikePerson(text: string): boolean {
  const last = /^\p{L}+\.(\p{L}[\p{L}-]+)$/u.exec(text)?.[1];
  return last !== undefined && !topLevel.has(last.toLowerCase());
}

/** `shop.example.net`: somebody's name ends in no top-level domain. */
const looksLikeSite = (text: string): boolean =>
  readDomain(text) !== undefined && topLevel.has(text.split('.').at(-1)?.toLowerCase() ?? '');

const isNameOfSomething = (text: string, { listed }: KnownThings): boolean =>
  [...listed.values()].some((names) => names.has(text.toLowerCase()));
