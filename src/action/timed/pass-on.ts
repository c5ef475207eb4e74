import { code, person, plainText, say } from '../../handlers/reply.ts';
import { standsAs } from '../../handlers/temporary/stands-as.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, rowNow } from '../../journal/timed/timed-change-row.ts';
import { appliancesOf, argsOn, changeOf, lineNow, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord } from '../history/end-record.ts';
import { handOver } from '../wishes/hand-over.ts';
import { othersWish, staysFor } from '../wishes/others.ts';
import {
  askedParts,
  isWhole,
  longestFirst,
  partsText,
  type SharedWish,
  sameForATime,
  undoneBy,
} from '../wishes/wishes.ts';
import type { LookAtChange } from './put-back.ts';

type PassingParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'notifications' | 'now'>;

/** What of a temporary change is left to be undone at its end, when others want some of it for longer. */
export type PassedOn =
  | { readonly kind: 'none' }
  | { readonly kind: 'all'; readonly ended: Omit<Ended, 'at'> }
  | { readonly kind: 'some'; readonly row: TimedChangeRow; readonly stays: string };

/** Hands on to others what they want for longer, with what takes it back. Done again after a crash, it comes to the same. */
export async function passOn(
  parts: PassingParts & { readonly lookAtChange: LookAtChange },
  row: TimedChangeRow,
  action: Action,
): Promise<PassedOn> {
  const { journal, lookAtChange, match } = parts;
  const own = undoneBy(match, row);
  if (own === undefined || row.undoLine === undefined) return { kind: 'none' };
  const left = new Set(own.parts);
  const stays: { readonly wish: SharedWish; readonly parts: readonly string[] }[] = [];
  for (const wish of await longerWishes(parts, row, action)) {
    const wanted = wish.parts.filter((part) => left.has(part));
    if (wanted.length === 0) continue;
    if (!(await handOver(parts, own, row.appliance, { ...wish, parts: wanted }))) continue;
    for (const part of wanted) left.delete(part);
    stays.push({ wish, parts: wanted });
  }
  if (stays.length === 0) return { kind: 'none' };
  const says = stays
    .map(({ wish, parts: wanted }) => plainText(staysFor({ ...wish, parts: wanted })))
    .join(' ');
  if (left.size === 0)
    return {
      kind: 'all',
      ended: {
        how: 'replaced',
        says: 'Somebody else wants it for longer.',
        stays: says,
      },
    };
  const undoLine = own.without([...new Set(stays.flatMap(({ parts: wanted }) => wanted))]);
  await journal.undoesTimedChange(row.id, undoLine);
  const rest = { ...row, undoLine, left: undefined };
  // All of it was looked at a moment ago: what is there of the rest now is what is left of it.
  await lookAtChange(rest, action, { isFresh: true });
  return { kind: 'some', row: await rowNow(journal, rest), stays: says };
}

/** What was all on already when it was asked for is taken back by what it was on with. */
export async function nothingOfItsOwn(
  parts: PassingParts,
  row: TimedChangeRow,
  action: Action,
): Promise<Omit<Ended, 'at'> | undefined> {
  const command = changeOf(parts.commandByPhrase, action);
  if (row.undoLine !== undefined || shownOf(action)?.temporary?.joins === undefined || command === undefined)
    return undefined;
  const where = { appliance: row.appliance, action: action.id };
  const asked = askedParts(command, argsOn(action, row.appliance));
  const [longer] = (await sameForATime(parts, where, asked)).toSorted(longestFirst);
  const [ending] = await sameForATime(parts, where, asked, 'ending');
  if (longer !== undefined)
    return { how: 'replaced', says: 'It was on before.', stays: plainText(staysFor(longer)) };
  if (ending === undefined) {
    const stays = 'What it was on with has ended, or was kept for good.';
    return { how: 'replaced', says: 'It was on before.', stays };
  }
  const says = say`It goes with ${code(lineNow(ending.action))}, which ends at the same time.`;
  return { how: 'ended', says: plainText(says) };
}

/** Who wants some of it for longer than its end, the longest first. */
async function longerWishes(
  parts: PassingParts,
  row: TimedChangeRow,
  action: Action,
): Promise<readonly SharedWish[]> {
  const undo = parts.match(row.undoLine ?? '');
  if (undo.kind !== 'command') return [];
  return (await othersWish(parts, action, row.appliance, undo)).filter(
    ({ row: theirs }) =>
      theirs === undefined ||
      theirs.endsAt > row.endsAt ||
      (theirs.endsAt === row.endsAt && theirs.id > row.id),
  );
}

/**
 * Tells everybody whose change becomes another one by this: what was on already for a time, and until when it is on now. What is all
 * wanted for good by now has no end any more.
 */
export async function tellWhatIsShared(
  parts: PassingParts & { readonly lookAtChange: LookAtChange },
  { id }: Action,
): Promise<void> {
  const { commandByPhrase, journal, match, notifications, now } = parts;
  const action = await journal.byId(id);
  const command = changeOf(commandByPhrase, action);
  if (action?.state !== 'done' || command === undefined) return;
  // What an undo puts back was somebody else's, and stays theirs.
  if (action.undoes !== undefined) return;
  if (shownOf(action)?.temporary?.extends !== undefined) return;
  const mine = await journal.timedChangesOf(id);
  for (const appliance of appliancesOf(action)) {
    const own = mine.find((row) => row.appliance === appliance && isPutBack(row));
    const asked = askedParts(command, argsOn(action, appliance));
    if (own !== undefined) {
      const [good] = (await longerWishes(parts, own, action)).filter(({ row }) => row === undefined);
      if (good !== undefined && isAllIn(own, good)) await keep(own, action, good.action);
    }
    for (const { action: theirs, row, parts: all } of await sameForATime(
      parts,
      { appliance, action: id },
      asked,
    )) {
      const undone = new Set(undoneBy(match, row)?.parts);
      const both = all.filter((part) => undone.has(part));
      if (both.length === 0) continue;
      const isLonger = own === undefined || own.endsAt > row.endsAt;
      const until = own === undefined ? say`for good` : say`until ${when(own.endsAt, now())}`;
      const what = partsText(both);
      if (own === undefined && isAllIn(row, { action, row: undefined, parts: asked.parts }))
        await keep(row, theirs, action);
      else if (isLonger)
        await notifications.add(
          theirs,
          say`${person(row.person)}: ${person(action.person)} wants ${what} ${until}, with ${code(lineNow(action))}: ${stay(both)}${own === undefined ? '' : ' until then'}.`,
        );
      const before = say`${isWhole(both) ? 'It' : what} ${both.length === 1 ? 'is' : 'are'} ${standsAs(commandByPhrase.get(action.phrase ?? ''))} already, until ${when(row.endsAt, now())} by ${person(row.person)} with ${code(lineNow(theirs))}`;
      await notifications.add(
        action,
        isLonger ? say`${before}; now ${until}.` : say`${before}, which is later: ${stay(both)} until then.`,
      );
    }
  }

  function isAllIn(row: TimedChangeRow, { parts: wanted }: SharedWish): boolean {
    const undone = undoneBy(match, row)?.parts ?? [];
    return undone.length > 0 && undone.every((part) => wanted.includes(part));
  }

  async function keep(row: TimedChangeRow, of: Action, by: Action): Promise<void> {
    const own = undoneBy(match, row);
    if (own !== undefined)
      await handOver(parts, own, row.appliance, { action: by, row: undefined, parts: own.parts });
    const says = `It stays for good, with ${lineNow(by)}.`;
    const ended = { how: 'replaced', person: by.person, says } as const;
    await endWithRecord(parts, of, row, ended);
  }
}

const stay = (parts: readonly string[]): string => (parts.length === 1 ? 'it stays' : 'they stay');
