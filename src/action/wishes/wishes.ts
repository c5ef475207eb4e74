import { isNamed } from '../../handlers/argument.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readPattern } from '../../handlers/language/pattern.ts';
import { enumerate, say, type Text } from '../../handlers/reply.ts';
import type { FieldParts } from '../../handlers/temporary/field-parts.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { argsOn, changeOf, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';

/**
 * Several people can want the same, or the same part of a list, for different times. It belongs to the longest: whoever undoes it
 * first leaves what somebody else wants for longer, and hands on what takes it back.
 */
export interface SharedWish {
  readonly action: Action;
  /** Undefined: it is wanted for good. */
  readonly row: TimedChangeRow | undefined;
  /** What of a list is wanted, of what is none `whole`. */
  readonly parts: readonly string[];
}

/** The only part of what is no list. */
const whole = '';

type WishParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;

/** What was asked for: the same on each side of `same`, of which these are the parts. */
export interface AskedParts {
  readonly same: string;
  readonly parts: readonly string[];
  /** Of fields, the part that each is set to, by its name: whoever sets one otherwise takes that away. */
  readonly byField: ReadonlyMap<string, string>;
}

export function askedParts(command: AnyChange, args: Readonly<Record<string, unknown>>): AskedParts {
  const { each, fields, phrase } = command;
  // Of a list, options say how each of it is done, and not what; fields are set by them.
  const { options } = readPattern(phrase, command);
  const isOfMany = each !== undefined || fields !== undefined;
  const others = Object.entries(args)
    .filter(([name, value]) => name !== each && value !== undefined && !(isOfMany && options.has(name)))
    .map(([name, value]) => [name, wordOf(value)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const many = each === undefined ? undefined : args[each];
  const same = JSON.stringify([phrase, others]);
  if (fields === undefined) {
    const parts = Array.isArray(many) ? many.map((one) => String(listedId(one) ?? one)) : [whole];
    return { same, parts, byField: new Map() };
  }
  const byField = new Map(
    pairsIn(fields, args).map(([name, value]) => [name.toLowerCase(), fields.called(name, value)]),
  );
  return { same, parts: [...byField.values()], byField };
}

/** What was asked for, part by part, each with the word that names it in a line. */
export function askedWords(
  command: AnyCommand,
  args: Readonly<Record<string, unknown>>,
): readonly (readonly [part: string, word: string])[] {
  if (command.kind !== 'change') return [];
  const { fields } = command;
  return fields === undefined
    ? askedParts(command, args).parts.map((part) => [part, part])
    : pairsIn(fields, args).map(([name, value]) => [fields.called(name, value), `${name}=${value}`]);
}

/** The arguments are those of its own command. */
const pairsIn = (fields: FieldParts<never>, args: unknown): readonly (readonly [string, string])[] =>
  Object.entries(fields.asked(args as never));

/** What is listed goes by its number. */
const listedId = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;

/** As a line says it, whose words nobody has looked up: what is listed goes by its number. */
const wordOf = (value: unknown): unknown =>
  isNamed(value) ? String(value.id) : typeof value === 'number' ? String(value) : value;

/** What a line takes back, part by part, and the words that name these in it. */
export interface Undone {
  readonly parts: readonly string[];
  readonly words: (parts: readonly string[]) => readonly string[];
  readonly partsOf: (words: readonly string[]) => readonly string[];
  readonly without: (parts: readonly string[]) => string;
}

/** Undefined where nobody knows. `left`: what its preview shows, where its words are not what people call the parts. */
export function undoneBy(
  match: Parts['match'],
  { undoLine: line, left = {} }: Partial<Pick<TimedChangeRow, 'undoLine' | 'left'>>,
): Undone | undefined {
  const found = line === undefined ? undefined : match(line);
  if (line === undefined || found?.kind !== 'command' || found.command.kind !== 'change') return undefined;
  const words = wordsIn(found);
  if (words === undefined)
    return { parts: [whole], words: () => [], partsOf: () => [whole], without: () => line };
  const { called, fields } = found.command;
  const names = called?.(left);
  const partOf = (word: string): string => {
    if (fields === undefined) return names?.get(word) ?? word;
    // It is known by what is there now, and not by what it goes back to.
    const name = word.slice(0, word.indexOf('='));
    const is = fields.before(left, name);
    return is === undefined ? word : fields.called(name, is);
  };
  return {
    parts: words.map(partOf),
    words: (parts) => words.filter((word) => parts.includes(partOf(word))),
    partsOf: (some) => some.map(partOf),
    without: (parts) =>
      lineOf(
        naming(
          found,
          words.filter((word) => !parts.includes(partOf(word))),
        ),
      ),
  };
}

/** The words by which a line names each part of what it does; undefined where it is one. */
export function wordsIn({ command, typed, args }: Line): readonly string[] | undefined {
  if (command.kind !== 'change') return undefined;
  const { each, fields } = command;
  if (fields !== undefined) return askedWords(command, args).map(([, word]) => word);
  return each === undefined ? undefined : (typed[each] ?? []);
}

/** The same line, with these words for its parts. */
export function naming<Found extends Asked>(found: Found, words: readonly string[]): Found {
  const { each, fields } = found.command.kind === 'change' ? found.command : {};
  const [name, all] = fields === undefined ? [each, words] : [fields.option, [words.join(', ')]];
  return name === undefined ? found : { ...found, typed: { ...found.typed, [name]: all } };
}

type Line = Extract<Match, { kind: 'command' }>;

/** A line that takes back what these words name, too. Undefined where it is another kind of line. */
export function withWords(match: Parts['match'], line: string, words: readonly string[]): string | undefined {
  const found = match(line);
  if (found.kind !== 'command' || found.command.kind !== 'change') return undefined;
  const own = wordsIn(found);
  return own === undefined ? line : lineOf(naming(found, [...new Set([...own, ...words])]));
}

/** What else is on for a time there by the same command, of which some part is asked for as well. */
export async function sameForATime(
  { commandByPhrase, journal }: Pick<WishParts, 'commandByPhrase' | 'journal'>,
  { appliance, action: own }: { readonly appliance: string; readonly action: string | undefined },
  asked: AskedParts,
  state: TimedChangeRow['state'] = 'on',
): Promise<readonly (SharedWish & { readonly row: TimedChangeRow })[]> {
  const rows = (await journal.timedChanges()).filter(
    (row) => isPutBack(row) && row.appliance === appliance && row.action !== own && row.state === state,
  );
  const found = rows.map(async (row) => {
    const action = await journal.byId(row.action);
    const parts = action === undefined ? [] : shared(commandByPhrase, action, appliance, asked);
    return action === undefined || parts.length === 0 ? [] : [{ action, row, parts }];
  });
  return (await Promise.all(found)).flat();
}

/** Of what was done there, what was asked for good by the same command and is wanted still. */
export async function sameForGood(
  { commandByPhrase, journal }: Pick<WishParts, 'commandByPhrase' | 'journal'>,
  { appliance, action: own }: { readonly appliance: string; readonly action: string },
  done: readonly Action[],
  asked: AskedParts,
): Promise<readonly SharedWish[]> {
  const others = done.filter((action) => action.id !== own && action.undoes === undefined);
  const found = others.map(async (action): Promise<readonly SharedWish[]> => {
    const parts = shared(commandByPhrase, action, appliance, asked);
    if (parts.length === 0 || !(await isForGood(journal, action, appliance))) return [];
    if (await isTakenBack(journal, action)) return [];
    return [{ action, row: undefined, parts }];
  });
  return (await Promise.all(found)).flat();
}

/** The longest first. */
export const longestFirst = (one: SharedWish, other: SharedWish): number =>
  (other.row?.endsAt ?? Number.POSITIVE_INFINITY) - (one.row?.endsAt ?? Number.POSITIVE_INFINITY) || 0;

function shared(
  commandByPhrase: Parts['commandByPhrase'],
  action: Action,
  appliance: string,
  asked: AskedParts,
): readonly string[] {
  const command = changeOf(commandByPhrase, action);
  if (command === undefined) return [];
  const theirs = askedParts(command, argsOn(action, appliance));
  const own = new Set(asked.parts);
  return theirs.same === asked.same ? theirs.parts.filter((part) => own.has(part)) : [];
}

/** It was asked for without an end, or was kept. */
async function isForGood(
  journal: Pick<Parts['journal'], 'timedChangesOf'>,
  action: Action,
  appliance: string,
): Promise<boolean> {
  const { temporary: { extends: of, lasts, until } = {} } = shownOf(action) ?? {};
  if (of !== undefined) return false;
  if (lasts === undefined && until === undefined) return true;
  const rows = await journal.timedChangesOf(action.id);
  return rows.some((row) => row.appliance === appliance && row.ended?.how === 'kept');
}

/** Its undo has taken it back, and was not taken back itself. */
export async function isTakenBack(
  journal: Pick<Parts['journal'], 'undosSince'>,
  action: Action,
): Promise<boolean> {
  const undos = (await journal.undosSince(action.channel, action.createdAt)).filter(
    ({ state }) => state === 'done',
  );
  const isUndone = (id: string): boolean => undos.some((undo) => undo.undoes === id && !isUndone(undo.id));
  return isUndone(action.id);
}

export const isWhole = (parts: readonly string[]): boolean => parts.length === 1 && parts[0] === whole;

/** "d0.example, d1.example and 3 more" */
export function partsText(parts: readonly string[]): Text {
  if (isWhole(parts)) return say`it`;
  const more = parts.length - mostNamed;
  return more <= 0
    ? enumerate(parts)
    : enumerate([...parts.slice(0, mostNamed), `${more.toLocaleString('en')} more`]);
}

const mostNamed = 5;
