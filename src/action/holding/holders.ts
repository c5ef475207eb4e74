import { isNamed } from '../../handlers/argument.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readPattern } from '../../handlers/language/pattern.ts';
import { wordsAmong } from '../../handlers/lists/posted-file.ts';
import { code, enumerate, type Field, type Offer, person, say, type Text } from '../../handlers/reply.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import type { FieldParts } from '../../handlers/temporary/field-parts.ts';
import { standsAs } from '../../handlers/temporary/stands-as.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, JsonObject, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import {
  appliancesOf,
  argsOn,
  changeOf,
  lineNow,
  type Shown,
  shownOf,
  type Target,
  type Temporary,
  targetsIn,
} from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { timedName } from '../showing/timed-card.ts';
import type { TargetPreview } from '../target/target.ts';
import type { Fault } from '../wording/faults.ts';
import { endsOf } from '../wording/timed.ts';

type HeldParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;

/** What an action has on for a time, and others ask for as well. */
interface Held {
  readonly action: Action;
  readonly command: AnyChange;
  readonly row: TimedChangeRow;
  readonly parts: readonly string[];
}

/** What something was made with on one appliance, or is to be. */
export type MadeOn = Pick<Target, 'appliance' | 'args'>;

/** The same change, of which only the end moves: what was asked for is on already. */
export interface EndMoved {
  readonly command: AnyChange;
  readonly temporary: Temporary;
}

interface OnAlready extends EndMoved {
  /** Since when it is on, and when it ends so far, in milliseconds since the epoch. */
  readonly since: number;
  readonly ends: number;
}

/** Others have it on: until when, and what whoever asks is told. */
export interface HeldByOthers {
  readonly fault: Fault;
  /** When the first of it ends, in milliseconds since the epoch. */
  readonly ends: number;
}

/**
 * There is nothing to do because what is asked for is on for a time. Where the same person has made the very same, its end moves, or goes.
 * What somebody else has on stays theirs: a fault says until when, and offers to extend it; without a `person` it is anybody's. Undefined
 * where none of it is on for a time.
 */
export async function onAlready(
  parts: HeldParts,
  command: AnyChange,
  { until, person: by }: { readonly until: number | undefined; readonly person: string | undefined },
  wanted: readonly MadeOn[],
): Promise<OnAlready | HeldByOthers | undefined> {
  if (command.undo === undefined) return undefined;
  const begun = await beganIt(parts, command, by, wanted);
  if (begun === undefined) return heldByOthers(parts, command, until, wanted);
  const { of, shown, since, ends } = begun;
  return {
    command: extending(command, { of, shown, until }),
    temporary: { extends: of, ...(until !== undefined && { until }) },
    since,
    ends,
  };
}

/** A fault that says until when it is on, with what extends it; undefined where none of it is. */
export async function heldByOthers(
  parts: HeldParts,
  command: AnyChange,
  until: number | undefined,
  wanted: readonly MadeOn[],
): Promise<HeldByOthers | undefined> {
  const each = await Promise.all(
    wanted.map(({ appliance, args }) => heldOf(parts, appliance, askedParts(command, args))),
  );
  const held = each.flat();
  if (held.length === 0) return undefined;
  const offers = longerOffers(held, until, parts.now());
  const isLater = held.some(({ row }) => until === undefined || until > row.endsAt);
  const earlier = isLater ? [] : say` Yours would not end later.`;
  const why = say`${heldInWords(held, parts.now())}.${earlier}`;
  const ends = Math.min(...held.map(({ row }) => row.endsAt));
  return { fault: { code: 'nothing_to_act_on', why, offers }, ends };
}

/** What is on for a time on an appliance of what is asked for. What ends first comes first. */
async function heldOf(
  { commandByPhrase, journal, match }: HeldParts,
  appliance: string,
  asked: AskedParts,
): Promise<readonly Held[]> {
  const live = (await journal.timedChanges()).filter(
    (row) => isPutBack(row) && row.appliance === appliance && row.state !== 'over',
  );
  const found = live.map(async (row): Promise<readonly Held[]> => {
    const action = await journal.byId(row.action);
    const command = changeOf(commandByPhrase, action);
    if (action === undefined || command === undefined) return [];
    const theirs = askedParts(command, argsOn(action, appliance));
    if (theirs.same !== asked.same) return [];
    // A list may have ten thousand entries.
    const [made, undone] = [new Set(theirs.parts), new Set(undoneBy(match, row)?.parts)];
    const parts = asked.parts.filter((part) => made.has(part) && undone.has(part));
    return parts.length === 0 ? [] : [{ action, command, row, parts }];
  });
  return (await Promise.all(found)).flat().toSorted((one, other) => one.row.endsAt - other.row.endsAt);
}

/** What a change takes away of what is on for a time, as the line that takes it back says. */
async function heldAgainst(
  parts: HeldParts,
  command: AnyChange,
  { resolved, preview }: Extract<TargetPreview, { kind: 'ready' }>,
): Promise<readonly Held[]> {
  const back = parts.match(command.undo?.(resolved.args as never, preview.fingerprint) ?? '');
  return back.kind === 'command' && back.command.kind === 'change'
    ? heldOf(parts, resolved.appliance.name, askedParts(back.command, back.args))
    : [];
}

/**
 * Why a change cannot be made for a time that takes away what is on for a time: its own end would bring that back, whatever has become of
 * it by then.
 */
export async function whyNotOnTop(
  parts: HeldParts,
  command: AnyChange,
  look: Extract<TargetPreview, { kind: 'ready' }>,
): Promise<Fault | undefined> {
  const held = await heldAgainst(parts, command, look);
  if (held.length === 0) return undefined;
  const now = parts.now();
  return {
    code: 'nothing_to_act_on',
    why: say`${heldInWords(held, now)}. The end of yours would bring that back. End it first, or leave out the time of yours.`,
    offers: held
      .slice(0, mostTold)
      .map(({ action, command: by, row }) => endsOf(timedName(action, by, row), row, now).end),
  };
}

/** "shop.example.net is on already, until 16:00 by @bob, with `category add …`", and the same of others */
function heldInWords(held: readonly Held[], now: number): Text {
  const told = held.slice(0, mostTold).map(({ action, command, row, parts }): Text => {
    const what = isWhole(parts) ? say`It` : partsText(parts);
    return say`${what} ${parts.length === 1 ? 'is' : 'are'} ${standsAs(command)} already, until ${when(row.endsAt, now)} by ${person(action.person)}, with ${code(lineNow(action))}`;
  });
  const left = held.length - told.length;
  return enumerate(
    left === 0 ? told : [...told, say`${left} more, which ${code('/appliance temporary')} lists`],
  );
}

/** More than that nobody reads in a sentence. */
const mostTold = 5;

/** What has those that are told on for as long as somebody else wants them, where they end before. */
function longerOffers(held: readonly Held[], until: number | undefined, now: number): readonly Offer[] {
  return held.slice(0, mostTold).flatMap(({ action, command, row }) => {
    const { extend, keep } = endsOf(timedName(action, command, row), row, now);
    if (until === undefined) return keep === undefined ? [] : [keep];
    return until > row.endsAt ? [extend(until)] : [];
  });
}

/**
 * Tells whoever has done something what of it others had on for a time before: that was left alone, and ends with theirs, unless
 * somebody extends it.
 */
export async function tellWhatIsHeld(
  parts: HeldParts & Pick<Parts, 'notifications'>,
  { id }: Pick<Action, 'id'>,
): Promise<void> {
  const { commandByPhrase, journal, notifications, now } = parts;
  const action = await journal.byId(id);
  const command = changeOf(commandByPhrase, action);
  // What an undo brings back, and what only moves an end, takes nothing of others.
  if (action?.state !== 'done' || command === undefined || action.undoes !== undefined) return;
  if (shownOf(action)?.temporary?.extends !== undefined) return;
  const rows = await journal.timedChangesOf(id);
  for (const appliance of appliancesOf(action)) {
    const asked = askedParts(command, argsOn(action, appliance));
    const held = (await heldOf(parts, appliance, asked)).filter((one) => one.action.id !== id);
    if (held.length === 0) continue;
    const until = rows.find((row) => row.appliance === appliance)?.endsAt;
    const offers = longerOffers(held, until, now());
    await notifications.add(action, say`${heldInWords(held, now())}.`, offers);
  }
}

interface Begun {
  readonly of: string;
  /** When, and until when, in milliseconds since the epoch. */
  readonly since: number;
  readonly ends: number;
  readonly shown: Shown['targets'][number]['fingerprint'];
}

/** The action that has done the very same on all of these appliances, and that is on for a time for this person. */
export async function beganIt(
  { journal }: Pick<Parts, 'journal'>,
  command: AnyChange,
  by: string | undefined,
  wanted: readonly MadeOn[],
): Promise<Begun | undefined> {
  const live = (await journal.timedChanges()).filter(
    (row) => isPutBack(row) && (by === undefined || row.person === by),
  );
  for (const of of new Set(live.map(({ action }) => action))) {
    const action = await journal.byId(of);
    if (action?.phrase !== command.phrase || wanted.length === 0) continue;
    const targets = targetsIn(action);
    const rows = live.filter((row) => row.action === of);
    const isSame = wanted.every(({ appliance, args }) => {
      const target = targets.find((one) => one.appliance === appliance);
      const isOn = rows.some((row) => row.appliance === appliance);
      return isOn && target !== undefined && isSameArgs(target.args, args);
    });
    const since = Math.min(...rows.map(({ startedAt }) => startedAt));
    const ends = Math.min(...rows.map(({ endsAt }) => endsAt));
    if (isSame) return { of, since, ends, shown: targets[0]?.fingerprint ?? {} };
  }
  return undefined;
}

const isSameArgs = (one: JsonObject, other: JsonObject): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) => JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );

/**
 * What a change holds while it is on for a time: of a list each entry, of several fields each field, else the change as a whole. Each
 * thing is held by one action (`holders.ts`).
 */

/** The only part of what is no list. */
const whole = '';

/** What was asked for: the same on each side of `same`, of which these are the parts. */
export interface AskedParts {
  readonly same: string;
  readonly parts: readonly string[];
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
    return { same, parts };
  }
  return { same, parts: pairsIn(fields, args).map(([name, value]) => fields.called(name, value)) };
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

/** What a line takes back, part by part. */
export interface Undone {
  readonly parts: readonly string[];
  /** The same line without some of them. */
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
  if (words === undefined) return { parts: [whole], without: () => line };
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
function wordsIn({ command, typed, args }: Line): readonly string[] | undefined {
  if (command.kind !== 'change') return undefined;
  const { each, fields } = command;
  if (fields !== undefined) return pairsIn(fields, args).map(([name, value]) => `${name}=${value}`);
  return each === undefined ? undefined : wordsAmong(typed[each]);
}

/** The same line, with these words for its parts. */
function naming(found: Line, words: readonly string[]): Line {
  const { each, fields } = found.command.kind === 'change' ? found.command : {};
  const [name, all] = fields === undefined ? [each, words] : [fields.option, [words.join(', ')]];
  return name === undefined ? found : { ...found, typed: { ...found.typed, [name]: all } };
}

type Line = Extract<Match, { kind: 'command' }>;

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

/**
 * What others want for a time, and a change would take from them: they are named before anybody agrees to it, so it is never done
 * without a question, and told when it is done.
 */

type ConflictParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>;

/** Who wants something for how long; for good where there is no end. */
interface Wanting {
  readonly person: string;
  readonly until: number | undefined;
}

/** Whoever has made it, and whoever has put its end off since, or has kept it; until when, by what is known at `at`. */
export async function wantingOf(
  journal: Pick<Parts['journal'], 'byId'>,
  row: TimedChangeRow,
  at: number,
): Promise<readonly Wanting[]> {
  const { ended, extensions, person: by } = row;
  if (ended?.how === 'kept')
    return ended.person === undefined ? [] : [{ person: ended.person, until: undefined }];
  const cut = extensions.findLast((one) => one.until <= one.at);
  const endsAt = cut?.from ?? row.endsAt;
  if (endsAt <= at) return [];
  // Where somebody has moved it up since, that end is what is known to all.
  const putOff = extensions.filter(({ from = 0, until }) => until > at && until > from && until <= endsAt);
  const found = new Map([[by, putOff[0]?.from ?? endsAt]]);
  for (const { action, until } of putOff) {
    const who = (await journal.byId(action))?.person;
    if (who !== undefined) found.set(who, Math.max(until, found.get(who) ?? 0));
  }
  return [...found].map(([who, until]) => ({ person: who, until }));
}

/** What is said of its end, to whoever wanted it for longer when somebody else ended it. */
export async function toLosers(
  journal: Pick<Parts['journal'], 'byId'>,
  row: TimedChangeRow,
  headline: Text,
): Promise<Text> {
  const { how, at = 0, person: by } = row.ended ?? {};
  const isTaken = isPutBack(row) && (how === 'person' || how === 'ended');
  if (!isTaken || by === undefined) return headline;
  const losers = (await wantingOf(journal, row, at)).filter((one) => one.person !== by);
  return losers.length === 0
    ? headline
    : say`${enumerate(losers.map((one) => person(one.person)))}: ${headline}`;
}

/** What a change is to end, or to take away, without being what somebody else wants. */
interface Taking {
  readonly action: Action;
  readonly command: AnyChange;
  /** Whose end it moves to now, or whose undo it is. */
  readonly of: string | undefined;
  readonly looks: readonly TargetPreview[];
}

export async function wantedByOthers(
  parts: ConflictParts,
  { action, command, of, looks }: Taking,
): Promise<readonly Field[]> {
  const found = of === undefined ? await takenBy(parts, command, looks) : await endedFor(parts, of);
  const now = parts.now();
  const said = await Promise.all(
    found.map(async ({ row, line, what }) => {
      // Whoever ends what somebody else has made sees whose it is.
      const others = (await wantingOf(parts.journal, row, now)).filter(
        (one) => one.person !== action.person && (of === undefined || one.person !== row.person),
      );
      return others.map(({ person: who, until }): Text => {
        const end = until === undefined ? say`for good` : say`until ${when(until, now)}`;
        return say`${what === undefined ? end : say`${what} ${end}`}, by ${person(who)}${line === undefined ? [] : say` with ${code(line)}`}`;
      });
    }),
  );
  const all = said.flat();
  return all.length === 0 ? [] : [{ name: 'Wanted by others', value: enumerate(all) }];
}

interface Wanted {
  readonly row: TimedChangeRow;
  readonly line?: string;
  readonly what?: Text;
}

const endedFor = async ({ journal }: ConflictParts, of: string): Promise<readonly Wanted[]> =>
  (await journal.timedChangesOf(of)).filter(isPutBack).map((row) => ({ row }));

/** What somebody has on for a time, and a change would take away. */
async function takenBy(
  parts: ConflictParts,
  command: AnyChange,
  looks: readonly TargetPreview[],
): Promise<readonly Wanted[]> {
  const found = await Promise.all(
    looks.map((look) => (look.kind === 'ready' ? heldAgainst(parts, command, look) : [])),
  );
  return found
    .flat()
    .filter(({ row }) => row.state === 'on')
    .map(({ action, row, parts: gone }) => ({
      row,
      line: action.line,
      ...(!isWhole(gone) && { what: partsText(gone) }),
    }));
}
