import type { AskedAppliance } from '../api/index.ts';
import { readSite } from './language/domain.ts';
import { hasEnding, type PostedFile, readPosted } from './lists/posted-file.ts';

/** Why a word does not fit an argument; the words for each stand in `action/`. */
export type ArgumentProblem =
  | { readonly code: 'not_a_domain' }
  /** An address whose target cannot be read from it: only `outer`, which is in it, is known. */
  | { readonly code: 'target_unknown'; readonly outer: string; readonly by: string }
  /** An address that holds other addresses: each of these sites may be meant. */
  | { readonly code: 'which_site'; readonly outer: string; readonly inner: readonly string[] }
  | { readonly code: 'not_a_number' }
  | { readonly code: 'out_of_range'; readonly min: number; readonly max: number }
  /** Not one of a fixed few. */
  | { readonly code: 'not_among'; readonly among: readonly string[] }
  | { readonly code: 'not_a_duration' }
  /** Of a list for another program, a line that is no entry. `is`: "an exception" */
  | { readonly code: 'other_rule'; readonly is: string }
  /** Of a line of a table, in the column that is read. */
  | { readonly code: 'nothing_in_column'; readonly column: string }
  | { readonly code: 'too_long'; readonly most: number; readonly given: number }
  /** Does not look like what is wanted; `wanted` goes on after "it must be". */
  | { readonly code: 'malformed'; readonly wanted: string };

type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ArgumentProblem };

/** Something that the appliance itself lists: a person types its ID or its name, or picks it. */
export interface Listed<Value> {
  /** What stands in a typed line for exactly this one: its ID, as a rule. */
  readonly word: string;
  /** What people call it. Several may have the same. */
  readonly name: string;
  readonly value: Value;
  /** What tells it from others of the same name. */
  readonly hint?: string;
}

/** One kind of argument: how to read it from a typed word, and how to speak of it. */
export interface Argument<Value = unknown> {
  /** What is wanted, for people: "a session number". */
  readonly what: string;
  readonly example: string;
  /** How many different ones a command takes at once, where its phrase takes several; any number when absent. */
  readonly most?: number;
  /** Set when a word of this kind is known by its looks, so that a bare one suggests the commands that ask about it. */
  readonly recognisable?: true;
  /** Its words are read as sites where they are addresses, and as the targets of those that stand for other addresses. */
  readonly holdsSites?: true;
  /** Where several are taken, they may come in a file as well (`lists/`). */
  readonly fromFile?: true;
  /** How a form asks for it; a line of text when absent. A `secret` and a `file` come by form only, never in a line. */
  readonly input?: 'text' | 'secret' | 'file' | 'flag';
  /** The few words that it may be. */
  readonly among?: readonly string[];
  /** As an option without quotes, so many words at most, as long as they can be read; one when absent. */
  readonly words?: number;
  /** It is a word that commands are written with. */
  readonly isTopic?: true;
  /** It is said in words of which each counts, as a time is: none is taken for one that says nothing. */
  readonly everyWord?: true;
  /** It is a line of its own, of a command or of whatever words: all that follows belongs to it as it was typed, options too. */
  readonly isLine?: 'command' | 'words';
  /**
   * A general verb takes it ("end …", "show …"): it is called by the words of whatever can be temporary, can be planned, or is an
   * action. What only other commands speak of is left to them.
   */
  readonly namesAny?: 'temporary' | 'planned' | 'action';
  /** It is known by a number, whatever else it is called. */
  readonly numbered?: true;
  /** It is somebody: their ID in the chat, or a name that is looked up before the command sees it. Only what changes nothing takes one. */
  readonly isPerson?: true;
  /** It is somebody who logs on to what the appliance guards, by their user name there. */
  readonly isUser?: true;
  /**
   * It only says among what a later argument is looked up. No rule of a policy can name it: whoever leaves it out may mean the same.
   */
  readonly narrows?: true;
  /** Of a file: those that its name may have. */
  readonly endings?: readonly string[];
  /** Checks a word. For what the appliance lists, only whether it could be the word or the name of one. */
  readonly read: (word: string) => Reading<Value>;
  /**
   * What the appliance has of it, now. A typed word is looked up in it (by `word`, then by `name`), forms search in it,
   * and the command gets the `value` of the one that was meant. `earlier` holds the arguments before this one, as far
   * as they are known.
   */
  readonly list?: (
    appliance: AskedAppliance,
    earlier: Readonly<Record<string, unknown>>,
  ) => Promise<readonly Listed<Value>[]>;
  /** Set where to list them takes many questions, so that it is done only for whoever asks for one of them. */
  readonly isCostly?: true;
}

/** A domain name, or a URL or an address where a domain is meant. */
export const domain: Argument<string> = {
  what: 'a domain',
  example: 'example.com',
  recognisable: true,
  holdsSites: true,
  read: readSiteWord,
};

/** Where an address stands for another one, that is read, or it is said that it cannot be. */
export function readSiteWord(word: string): Reading<string> {
  const found = readSite(word);
  if (found?.kind === 'site') return good(found.site);
  if (found?.kind === 'sealed') return bad({ code: 'target_unknown', outer: found.outer, by: found.by });
  if (found?.kind === 'either') return bad({ code: 'which_site', outer: found.outer, inner: found.inner });
  const wanted = whyNoSite(word);
  return bad(wanted === undefined ? { code: 'not_a_domain' } : { code: 'malformed', wanted });
}

/** What people write for more than one site, and what to write instead. */
function whyNoSite(word: string): string | undefined {
  if (/^[0-9a-f.:]+\/\d{1,3}$/i.test(word)) return 'one domain or address, and this is a range of addresses';
  if (/^\*?\.[a-z-]{2,}$/i.test(word)) return 'one domain, and this is a whole top-level domain';
  return undefined;
}

/** A whole number that identifies something on the appliance. `what` speaks of it: "a session number". */
export function identifier(what: string, example: string): Argument<number> {
  return numeric(what, example, /^#?([0-9]+)$/, 1, largestId);
}

/** Identifiers are unsigned 32-bit at most in the appliance's database; more is a typing slip, not an ID. */
export const largestId = 4_294_967_295;

/** A whole number between two bounds, such as "how many days". */
export function count(what: string, example: string, min: number, max: number): Argument<number> {
  return numeric(what, example, /^([0-9]+)$/, min, max);
}

function numeric(what: string, example: string, shape: RegExp, min: number, max: number): Argument<number> {
  return {
    what,
    example,
    read: (word) => {
      const digits = shape.exec(word)?.[1];
      if (digits === undefined) return bad({ code: 'not_a_number' });
      const value = Number(digits);
      return value < min || value > max ? bad({ code: 'out_of_range', min, max }) : good(value);
    },
  };
}

/** Any word, taken as it stands, or one of a shape; `wanted` says which: "a name of letters and digits". */
export function word(
  what: string,
  example: string,
  shape?: { readonly test: RegExp; readonly wanted: string },
): Argument<string> {
  return {
    what,
    example,
    read: (value) =>
      shape === undefined || shape.test.test(value)
        ? within(value, longestWord)
        : bad({ code: 'malformed', wanted: shape.wanted }),
  };
}

/** Free text. As an option it takes all words up to the next option, with or without quotes around them. */
export function text(what: string, example: string, most = 500): Argument<string> {
  return { what, example, input: 'text', read: (value) => within(value, most) };
}

/** A command as people type it, which is only spoken of. The words come one by one; `lineOf` in `language/` writes them. */
export function commandLine(): Argument<string> {
  return { ...word('a command', 'rdp disconnect'), isLine: 'command' };
}

/** Somebody, by a mention, by their Slack ID, or by what they are called, which is read as `@` and the name. */
export const somebody: Argument<string> = {
  what: 'a person',
  example: '@bob',
  isPerson: true,
  read: (typed) => {
    const id =
      /^<@([UW][A-Z0-9]{2,})(?:\|[^>]*)?>$/.exec(typed)?.[1] ?? /^[UW][A-Z0-9]{5,}$/.exec(typed)?.[0];
    if (id !== undefined) return good(id);
    const name = /^@?([\p{L}\p{N}][^<>@]{0,79})$/u.exec(typed)?.[1];
    return name === undefined
      ? bad({ code: 'malformed', wanted: 'a person in this workspace, as @ and their name' })
      : good(`@${name}`);
  },
};

/** What `somebody` reads where nobody is known so far. */
export const isCalled = ({ isPerson }: Argument, value: unknown): value is `@${string}` =>
  isPerson === true && typeof value === 'string' && value.startsWith('@');

/** One of a few fixed words. */
export function oneOf<const Word extends string>(
  what: string,
  among: readonly [Word, ...Word[]],
): Argument<Word> {
  return {
    what,
    example: among[0],
    among,
    read: (typed) => {
      const value = among.find((one) => one === typed.toLowerCase());
      return value === undefined ? bad({ code: 'not_among', among }) : good(value);
    },
  };
}

/** An option that is there or not. */
export function flag(what: string): Argument<true> {
  return { what, example: '', input: 'flag', read: () => good(true) };
}

/** A password. It comes by form only, and is never stored, shown or logged. */
export function secret(what: string): Argument<string> {
  return { what, example: '', input: 'secret', read: (value) => within(value, 200) };
}

/** A file. It comes by form, or by the shortcut of a message that it was posted in; `endings` are those it may have. */
export function file(
  what: string,
  endings: readonly string[],
): Argument<PostedFile> & { readonly endings: readonly string[] } {
  return {
    what,
    example: '',
    input: 'file',
    endings,
    read: (written) => {
      const posted = readPosted(written);
      return posted !== undefined && hasEnding(posted, endings)
        ? good(posted)
        : bad({ code: 'malformed', wanted: `a file that ends in ${endings.join(' or ')}` });
    },
  };
}

/** Something of the appliance's with a number and, as a rule, a name. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

export const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.name === 'string';

/** Something that the appliance lists, typed by its number or its name, or picked. */
export function named(
  what: string,
  example: string,
  list: (appliance: AskedAppliance) => Promise<readonly (Named & { readonly hint?: string })[]>,
): Argument<Named> {
  const values: Argument<Named>['list'] = async (appliance) => {
    const all = await list(appliance);
    const made = all.map(({ id, name, hint }) => ({
      word: String(id),
      name,
      value: { id, name },
      ...(hint === undefined ? {} : { hint }),
    }));
    return lacking(made, lackIn(all));
  };
  return { ...listed(what, example, values), numbered: true };
}

/** Why a list does not show that there is nothing else, as it goes on after the appliance's name. */
const lacks = new WeakMap<readonly unknown[], string>();

export const lackIn = (listed: readonly unknown[]): string | undefined => lacks.get(listed);

/** Keeps it for a list that was made of another one. */
export function lacking<Made>(made: readonly Made[], lack: string | undefined): readonly Made[] {
  if (lack !== undefined) lacks.set(made, lack);
  return made;
}

/** Something that the appliance lists, under whatever words it has for it. */
export function listed<Value>(
  what: string,
  example: string,
  list: NonNullable<Argument<Value>['list']>,
): Argument<Value> {
  return {
    what,
    example,
    list,
    read: (typed) => {
      const number = /^[#+-]?[0-9][0-9.,]*$/.test(typed) ? identifier(what, example).read(typed) : undefined;
      if (number?.ok === false) return number;
      if (typed.length > longestWord)
        return bad({ code: 'too_long', most: longestWord, given: typed.length });
      // Stands in for the value until the appliance was asked (`resolve.ts` in `action/`), which is before any command sees it.
      return good(typed.replace(/^#(?=[0-9]+$)/, '') as Value);
    },
  };
}

/** Longer words name nothing. */
const longestWord = 255;

const good = <Value>(value: Value): Reading<Value> => ({ ok: true, value });
const bad = (problem: ArgumentProblem): Reading<never> => ({ ok: false, problem });
const within = (value: string, most: number): Reading<string> =>
  value.length > most ? bad({ code: 'too_long', most, given: value.length }) : good(value);
