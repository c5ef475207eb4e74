import type { AnyChange } from '../../handlers/command.ts';
import { areaOf } from '../../handlers/command-name.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { code, enumerate, person, plainText, say, type Text } from '../../handlers/reply.ts';
import { standsAs } from '../../handlers/temporary/stands-as.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, rowNow } from '../../journal/timed/timed-change-row.ts';
import { argsOn, changeOf, lineNow, shownOf } from '../base/stored.ts';
import type { Conclusion } from '../change/outcome.ts';
import { endFrom } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord } from '../history/end-record.ts';
import {
  type AskedParts,
  askedParts,
  isWhole,
  partsText,
  type Undone,
  undoneBy,
  wantingOf,
} from '../holding/holders.ts';
import { type LookAtChange, unlessAway } from './look.ts';

type FreeingParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'notifications' | 'now'> & {
  readonly lookAtChange: LookAtChange;
};

/** A change that was made while another one was on for a time. */
interface LaterChange {
  readonly action: Action;
  readonly command: AnyChange;
  readonly conclusion: Pick<Conclusion, 'state' | 'evidence'>;
  /** The line that takes it back, and what that is. */
  readonly undo: string | undefined;
  readonly back: Match | undefined;
}

/**
 * What a change has done to what is on for a time, by what the bot knows: taken back as a whole, that is over; done again, because it
 * was not there any more, it belongs to whoever did it last. Anything else is seen on the appliance at its end.
 */
export async function freeThings(
  parts: FreeingParts,
  row: TimedChangeRow,
  later: LaterChange,
): Promise<void> {
  const { commandByPhrase, journal } = parts;
  const action = await journal.byId(row.action);
  const command = changeOf(commandByPhrase, action);
  if (action === undefined || command === undefined || areaOf(command) !== areaOf(later.command)) return;
  // Whatever is done in its area may have made the way free for its end.
  if (row.state === 'ending') await journal.expediteTimedChanges(row.appliance);
  // Where its own end is under way, that answers for it.
  if (!isPutBack(row) || later.conclusion.state !== 'done' || row.orders > 0) return;
  const asked = askedParts(command, argsOn(action, row.appliance));
  const isLess = await doneAgain(parts, row, action, later, asked);
  await takenBack(parts, isLess ? await rowNow(journal, row) : row, action, later, asked);
}

/**
 * Two may have asked at once, or the appliance does not show what is on: it is held by whoever has it for longer. Whether one of the two
 * holds less by now.
 */
async function doneAgain(
  parts: FreeingParts,
  row: TimedChangeRow,
  action: Action,
  { action: later, command, undo }: LaterChange,
  { same }: AskedParts,
): Promise<boolean> {
  // What an undo brings back is whose it was.
  if (undo === undefined || later.undoes !== undefined) return false;
  if (askedParts(command, argsOn(later, row.appliance)).same !== same) return false;
  const rows = await parts.journal.timedChangesOf(later.id);
  const theirs = rows.find((one) => one.appliance === row.appliance);
  return theirs === undefined || theirs.endsAt >= row.endsAt
    ? giveUp(parts, { row, action }, later, undo)
    : giveUp(parts, { row: theirs, action: later }, action, row.undoLine);
}

/** What another change has on as well is not held any more, and goes with that one. `undo`: the line that takes that one back. */
async function giveUp(
  { commandByPhrase, journal, match, lookAtChange }: FreeingParts,
  { row, action }: { readonly row: TimedChangeRow; readonly action: Action },
  other: Action,
  undo: string | undefined,
): Promise<boolean> {
  const own = undoneBy(match, row);
  const theirs = new Set(undoneBy(match, { undoLine: undo })?.parts);
  const shared = own?.parts.filter((part) => theirs.has(part)) ?? [];
  if (own === undefined || shared.length === 0) return false;
  if (shared.length === own.parts.length) {
    const says = `The same was done by ${lineNow(other)}, and that one counts.`;
    const ended = { how: 'replaced', person: other.person, says } as const;
    await endWithRecord({ commandByPhrase, journal }, action, row, ended);
    return true;
  }
  const undoLine = own.without(shared);
  await journal.undoesTimedChange(row.id, undoLine);
  // From now on it is compared without them.
  await unlessAway(() => lookAtChange({ ...row, undoLine, left: undefined }, action, { isFresh: true }));
  return true;
}

/** What is all taken back is over. Of anything else, whoever wants it still is told at once. */
async function takenBack(
  parts: FreeingParts,
  row: TimedChangeRow,
  action: Action,
  { action: later, command, conclusion, back }: LaterChange,
  { same }: AskedParts,
): Promise<void> {
  const { commandByPhrase, journal, match, now } = parts;
  const own = undoneBy(match, row);
  if (own === undefined || row.state === 'over') return;
  // What is a list goes by what people call its entries, as the line has them that brings them back.
  const asked =
    back?.kind === 'command' && back.command.kind === 'change'
      ? askedParts(back.command, back.args)
      : undefined;
  const taken = new Set(asked?.same === same ? asked.parts : []);
  const undone = undoneWith(match, row, action, own, command, later);
  const gone = own.parts.filter((part) => undone?.has(part) || taken.has(part));
  if (gone.length === 0) return;
  // What several fields were set to otherwise is for people to decide at its end.
  const isBack =
    undone !== undefined &&
    own.parts.every((part) => undone.has(part) || (command.fields === undefined && taken.has(part)));
  const until = endFrom(now(), shownOf(later)?.temporary);
  // What is taken away for a time comes back.
  if (until === undefined && isBack) {
    const stands = standsAs(commandByPhrase.get(action.phrase ?? ''));
    const says = plainText(
      conclusion.evidence ?? say`It is not ${stands} any more, since ${code(lineNow(later))}.`,
    );
    await journal.endTimedChange(row.id, { how: 'person', person: later.person, by: later.id, says });
    return;
  }
  if (later.undoes !== action.id && row.state === 'on')
    await tellLosers(
      parts,
      action,
      [row],
      later,
      say`${partsText(gone)} ${gone.length === 1 ? 'is' : 'are'}`,
      until,
    );
}

/** Which parts of what is on a change puts back as the end would; undefined where it does something else. */
function undoneWith(
  match: Parts['match'],
  { undoLine, appliance }: TimedChangeRow,
  begun: Action,
  own: Undone,
  command: AnyChange,
  later: Action,
): ReadonlySet<string> | undefined {
  const undo = match(undoLine ?? '');
  if (undo.kind !== 'command' || undo.command.phrase !== command.phrase) return undefined;
  const said = match(later.understoodAs ?? later.line);
  const bare = { on: undefined, reason: undefined, ticket: undefined, term: undefined };
  if (said.kind === 'command' && lineOf({ ...said, ...bare }) === undoLine) return new Set(own.parts);
  const [made, given] = [argsOn(begun, appliance), argsOn(later, appliance)];
  const isSame = (name: string) => JSON.stringify(made[name]) === JSON.stringify(given[name]);
  // A grant is taken back by another command that is given the same.
  if (isWhole(own.parts) && begun.phrase !== command.phrase && Object.keys(given).every(isSame))
    return new Set(own.parts);
  const [back, theirs] = [askedParts(command, undo.args), askedParts(command, given)];
  if (back.same !== theirs.same) return undefined;
  const put = new Set(theirs.parts);
  // The words of the line stand in the order of what they take back.
  return new Set(own.parts.filter((part, index) => put.has(back.parts[index] ?? part)));
}

/** Whoever had kept for good what somebody takes back is told at once. */
export async function tellKeepers(
  parts: FreeingParts,
  undo: Action,
  appliance: string,
  { state }: Pick<Conclusion, 'state'>,
): Promise<void> {
  const { journal } = parts;
  const origin = undo.undoes === undefined ? undefined : await journal.byId(undo.undoes);
  if (origin === undefined || state !== 'done') return;
  const kept = (await journal.timedChangesOf(origin.id)).filter(
    (row) => row.appliance === appliance && row.ended?.how === 'kept',
  );
  await tellLosers(parts, origin, kept, undo, say`it is`, undefined);
}

/** `what`: what somebody has taken away, as the beginning of a sentence. `until`: when that comes back. */
async function tellLosers(
  { commandByPhrase, journal, notifications, now }: FreeingParts,
  action: Action,
  rows: readonly TimedChangeRow[],
  by: Action,
  what: Text,
  until: number | undefined,
): Promise<void> {
  const wanting = (await Promise.all(rows.map((row) => wantingOf(journal, row, now())))).flat();
  const losers = wanting.map((one) => one.person).filter((one) => one !== by.person);
  if (losers.length === 0) return;
  const back = until === undefined ? [] : say` until ${when(until, now())}`;
  await notifications.add(
    action,
    say`${enumerate(losers.map(person))}: ${what} not ${standsAs(commandByPhrase.get(action.phrase ?? ''))} any more${back}. ${person(by.person)} ran ${code(lineNow(by))}.`,
  );
}
