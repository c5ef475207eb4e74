import type { AskedAppliance } from '../api/index.ts';
import { readDuration } from '../duration.ts';
import { isStoredText } from '../stored-text.ts';
import { readSite } from './language/domain.ts';
import { hasEnding, type PostedFile } from './lists/posted-file.ts';
import { plural } from './reply.ts';

/** Why a word does not fit an argument; `action/` has the words for each code. */
export type ArgumentProblem =
  | { readonly code: 'not_a_domain' }
  /** The target of this address is unreadable; only `outer`, the site in it, is known. */
  | { readonly code: 'target_unknown'; readonly outer: string; readonly by: string }
  /** This address contains others: each of these sites may be meant. */
  | { readonly code: 'which_site'; readonly outer: string; readonly inner: readonly string[] }
  | { readonly code: 'not_a_number' }
  | { readonly code: 'out_of_range'; readonly min: number; readonly max: number }
  | { readonly code: 'not_among'; readonly among: readonly string[] }
  | { readonly code: 'not_a_duration' }
  /** A line of a list for another program that is no entry. `is`: "an exception" */
  | { readonly code: 'other_rule'; readonly is: string }
  /** A line of a table with an empty cell in the selected column. */
  | { readonly code: 'nothing_in_column'; readonly column: string }
  | { readonly code: 'too_long'; readonly most: number; readonly given: number }
  /** The shape is wrong; `wanted` completes "it must be …". */
  | { readonly code: 'malformed'; readonly wanted: string };

type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: ArgumentProblem };

/** An entry that the appliance lists. People type its ID or its name, or pick it. */
export interface Listed<Value> {
  /** The word for exactly this entry in a line, usually its ID. */
  readonly word: string;
  readonly name: string;
  readonly value: Value;
  readonly hint?: string;
}

/** A kind of argument: how to read and describe it. */
export interface Argument<Value = unknown> {
  /** A description for people: "a session number". */
  readonly what: string;
  readonly example: string;
  /** The most different values at once, if the phrase takes several; unlimited when absent. */
  readonly most?: number;
  /** Set if the shape of a word identifies this kind. A bare word then suggests the commands about it. */
  readonly recognisable?: true;
  /** Its words are read as sites if they are addresses. Addresses that stand for others are resolved. */
  readonly holdsSites?: true;
  /** A file may hold the values of a list (`lists/`). */
  readonly fromFile?: true;
  /** The field in a form; a line of text when absent. Only a form takes a `secret` or a `file`, never a line. */
  readonly input?: 'text' | 'secret' | 'file' | 'flag';
  readonly among?: readonly string[];
  /** The most words that the option takes without quotes, as long as they can be read; one when absent. */
  readonly words?: number;
  /** It is a word that commands are written with. */
  readonly isTopic?: true;
  /** The value is a line: of a command, or of any words. It takes everything that follows as typed, also options. */
  readonly isLine?: 'command' | 'words';
  /**
   * A general verb takes it ("end …", "show …"). It matches the names of everything that can be temporary, that
   * can be planned, or that is an action. Words of other commands are left to them.
   */
  readonly namesAny?: 'temporary' | 'planned' | 'action';
  /** A number identifies it, whatever its name. */
  readonly numbered?: true;
  /**
   * A person: their ID in the chat, or a name that is looked up before the command runs. Only a command that
   * changes nothing may take one.
   */
  readonly isPerson?: true;
  /** A person's user name on the systems behind the appliance. */
  readonly isUser?: true;
  /**
   * Only narrows the list of a later argument. Policy rules cannot name it, because the same value may be meant
   * without it.
   */
  readonly narrows?: true;
  /** The allowed endings of a file's name. */
  readonly endings?: readonly string[];
  /** Checks a file that somebody posted. */
  readonly take?: (posted: PostedFile) => Reading<Value>;
  /** Checks a word. For things that the appliance lists, checks only whether the word may be an ID or a name. */
  readonly read: (word: string) => Reading<Value>;
  /**
   * The current entries on the appliance. A typed word is looked up by `word`, then by `name`. Forms search in
   * the entries. The command gets the `value` of the chosen one. `earlier` holds the earlier arguments, as far
   * as they are known.
   */
  readonly list?: (
    appliance: AskedAppliance,
    earlier: Readonly<Record<string, unknown>>,
  ) => Promise<readonly Listed<Value>[]>;
  /** Set if listing takes many requests. Then a form lists only on demand. */
  readonly isCostly?: true;
}

/** A domain name; also reads the domain of a URL or an address. */
export const domain: Argument<string> = {
  what: 'a domain',
  example: 'example.com',
  recognisable: true,
  holdsSites: true,
  read: readSiteWord,
};

/** Reads the target of an address that stands for another one, or reports that it is unreadable. */
export function readSiteWord(word: string): Reading<string> {
  const found = readSite(word);
  if (found?.kind === 'site') return good(found.site);
  if (found?.kind === 'sealed') return bad({ code: 'target_unknown', outer: found.outer, by: found.by });
  if (found?.kind === 'either') return bad({ code: 'which_site', outer: found.outer, inner: found.inner });
  const wanted = whyNoSite(word);
  return bad(wanted === undefined ? { code: 'not_a_domain' } : { code: 'malformed', wanted });
}

/** The correct way to write a pattern that means more than one site. */
function whyNoSite(word: string): string | undefined {
  if (/^[0-9a-f.:]+\/\d{1,3}$/i.test(word)) return 'one domain or address, and this is a range of addresses';
  if (/^\*?\.[a-z-]{2,}$/i.test(word)) return 'one domain, and this is a whole top-level domain';
  return undefined;
}

/** A whole number that identifies something on the appliance. `what` describes it: "a session number". */
export function identifier(what: string, example: string): Argument<number> {
  return numeric(what, example, /^#?([0-9]+)$/, 1, largestId);
}

/** The appliance's database keeps unsigned 32-bit identifiers, so a larger number is a typing mistake. */
export const largestId = 4_294_967_295;

/** A whole number within bounds, such as a number of days. */
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

/** Any word, or a word of one shape that `wanted` describes: "a name of letters and digits". */
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

/** Free text. As an option it takes all words up to the next option, quoted or not. */
export function text(what: string, example: string, most = 500): Argument<string> {
  return { what, example, input: 'text', read: (value) => within(value, most) };
}

/** A command as a topic, not to be run. The words come one by one; `lineOf` in `language/` writes them. */
export function commandLine(): Argument<string> {
  return { ...word('a command', 'rdp disconnect'), isLine: 'command' };
}

/** A person, by a mention, a Slack ID, or a name that is read as `@` and the name. */
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

/** Whether `somebody` has read a name that still needs a lookup. */
export const isCalled = ({ isPerson }: Argument, value: unknown): value is `@${string}` =>
  isPerson === true && typeof value === 'string' && value.startsWith('@');

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

export function flag(what: string): Argument<true> {
  return { what, example: '', input: 'flag', read: () => good(true) };
}

/** Comes by form only, and is never stored, shown or logged. */
export function secret(what: string): Argument<string> {
  return { what, example: '', input: 'secret', read: (value) => within(value, 200) };
}

/** Comes by form, or by the shortcut of a message with the file. `endings` are the allowed ones. */
export function file(
  what: string,
  endings: readonly string[],
): Argument<PostedFile> & { readonly endings: readonly string[] } {
  const wanted = { code: 'malformed', wanted: `a file that ends in ${endings.join(' or ')}` } as const;
  return {
    what,
    example: '',
    input: 'file',
    endings,
    read: () => bad(wanted),
    take: (posted) => (hasEnding(posted, endings) ? good(posted) : bad(wanted)),
  };
}

/** Something on the appliance with a number and usually a name. */
export interface Named {
  readonly id: number;
  readonly name: string;
}

/** Its name, or else its number; never empty. */
export const nameOrNumber = ({
  id,
  name,
}: {
  readonly id: number;
  readonly name?: string | undefined;
}): string => (name === undefined || name === '' ? `number ${id}` : name);

export const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  'name' in value &&
  typeof value.name === 'string';

/** An entry of the appliance, typed by number or name, or picked. */
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

/** Why a list may be incomplete, in words that follow the appliance's name. */
const lacks = new WeakMap<readonly unknown[], string>();

export const lackIn = (listed: readonly unknown[]): string | undefined => lacks.get(listed);

/** Copies the note to a list that was made from another one. */
export function lacking<Made>(made: readonly Made[], lack: string | undefined): readonly Made[] {
  if (lack !== undefined) lacks.set(made, lack);
  return made;
}

/** An entry of the appliance, by the appliance's own words for it. */
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
      // Placeholder until the appliance is asked (`resolve.ts` in `action/`). Commands never see it.
      return good(typed.replace(/^#(?=[0-9]+$)/, '') as Value);
    },
  };
}

/** Storing would change such a word, so the click would send a different one. */
export const readWord = <Value>(argument: Pick<Argument<Value>, 'read'>, word: string): Reading<Value> =>
  isStoredText(word)
    ? argument.read(word)
    : bad({ code: 'malformed', wanted: 'text without broken characters' });

/** No longer word is a name. */
const longestWord = 255;

const good = <Value>(value: Value): Reading<Value> => ({ ok: true, value });
const bad = (problem: ArgumentProblem): Reading<never> => ({ ok: false, problem });
const within = (value: string, most: number): Reading<string> =>
  value.length > most ? bad({ code: 'too_long', most, given: value.length }) : good(value);

/**
 * A duration argument with bounds in milliseconds, which it states as "from 1 minute to 7 days". Reads `30m`,
 * `2h`, `90s`, `1h30m`, `1 d`. A bare number is minutes.
 */
export function span(
  what: string,
  example: string,
  { minutes, days }: { readonly minutes: number; readonly days: number },
): Argument<number> {
  const wanted = `from ${plural(minutes, 'minute')} to ${plural(days, 'day')}`;
  return {
    what,
    example,
    read: (word) => {
      const value = readDuration(word);
      if (value === undefined) return bad({ code: 'not_a_duration' });
      return value >= minutes * 60_000 && value <= days * 86_400_000
        ? good(value)
        : bad({ code: 'malformed', wanted });
    },
  };
}
