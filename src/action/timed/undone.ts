import type { Match } from '../../handlers/language/match.ts';
import { code, enumerate, person, plainText, say } from '../../handlers/reply.ts';
import { standsAs } from '../../handlers/temporary/stands-as.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, rowNow } from '../../journal/timed/timed-change-row.ts';
import { argsOn, changeOf, lineNow, shownOf } from '../base/stored.ts';
import type { Conclusion } from '../change/outcome.ts';
import type { Parts } from '../ground/ground.ts';
import { offerIn, undoBehind } from '../showing/kept-offer.ts';
import { wantingOf } from '../wishes/conflicts.ts';
import { type HandingParts, handOver } from '../wishes/hand-over.ts';
import { type NamingParts, undoneNow } from '../wishes/names.ts';
import { othersWish, shareOut, staysFor } from '../wishes/others.ts';
import { askedParts, askedWords, partsText, undoneBy } from '../wishes/wishes.ts';

type UndoneParts = NamingParts &
  Pick<Parts, 'commandByPhrase' | 'notifications' | 'now'> &
  HandingParts & { readonly journal: Parts['journal'] };

/**
 * An undo has left alone what others want still of what it takes back: from now on that is theirs, and whoever has undone theirs wants
 * none of it any more.
 */
export async function passOnUndone(
  parts: UndoneParts,
  undo: Action,
  appliance: string,
  conclusion: Pick<Conclusion, 'state' | 'evidence'>,
): Promise<void> {
  const { commandByPhrase, journal, match } = parts;
  const origin = undo.undoes === undefined ? undefined : await journal.byId(undo.undoes);
  const back = changeOf(commandByPhrase, undo);
  if (origin === undefined || back === undefined || conclusion.state !== 'done') return;
  const row = (await journal.timedChangesOf(origin.id)).find(
    (one) => isPutBack(one) && one.state !== 'over' && one.appliance === appliance,
  );
  const line = row === undefined ? await buttonOf(parts, origin, appliance) : row.undoLine;
  const own = row === undefined ? await undoneNow(parts, line, appliance, origin) : undoneBy(match, row);
  const found = match(line ?? '');
  if (own === undefined || found.kind !== 'command') return;
  const words = askedWords(back, argsOn(undo, appliance)).map(([, word]) => word);
  const taken = new Set(own.partsOf(words));
  const left = own.parts.filter((part) => !taken.has(part));
  const shares = shareOut(left, await othersWish(parts, origin, appliance, found));
  for (const share of shares) await handOver(parts, own, appliance, share);
  if (row === undefined || left.length === 0) return;
  const handed = new Set(shares.flatMap((share) => share.parts));
  if (left.some((part) => !handed.has(part))) return;
  await journal.endTimedChange(row.id, {
    how: 'person',
    person: undo.person,
    by: undo.id,
    says: plainText(conclusion.evidence ?? []),
    stays: shares.map((share) => plainText(staysFor(share))).join(' '),
  });
}

/** Whoever had kept for good what somebody takes back is told at once. */
export async function tellKeepers(
  { commandByPhrase, journal, notifications, now }: UndoneParts,
  undo: Action,
  appliance: string,
  { state }: Pick<Conclusion, 'state'>,
): Promise<void> {
  const origin = undo.undoes === undefined ? undefined : await journal.byId(undo.undoes);
  if (origin === undefined || state !== 'done') return;
  const kept = (await journal.timedChangesOf(origin.id)).filter(
    (row) => row.appliance === appliance && row.ended?.how === 'kept',
  );
  const wanting = (await Promise.all(kept.map((row) => wantingOf(journal, row, now())))).flat();
  const losers = wanting.map((one) => one.person).filter((one) => one !== undo.person);
  if (losers.length > 0)
    await notifications.add(
      origin,
      say`${enumerate(losers.map(person))}: it is not ${standsAs(commandByPhrase.get(origin.phrase ?? ''))} any more. ${person(undo.person)} ran ${code(undo.line)}.`,
    );
}

async function buttonOf(
  { journal }: UndoneParts,
  origin: Action,
  appliance: string,
): Promise<string | undefined> {
  const kept = await journal.keptOf(origin.id, 'offer');
  const lines = kept.map(offerIn).filter((offer) => offer?.undo === true);
  return lines.map((offer) => undoBehind(offer?.line)).find((one) => one?.on.includes(appliance))?.line;
}

/**
 * Somebody has taken away for others what they want for a time: they are told at once what is not on any more, and what is all gone is
 * over, also where it was on with what somebody else had done.
 */
export async function tellOverruled(
  parts: Pick<Parts, 'commandByPhrase' | 'journal' | 'notifications' | 'now'>,
  row: TimedChangeRow,
  action: Action,
  later: { readonly action: Action; readonly back: Match | undefined } & Pick<Conclusion, 'state'>,
): Promise<void> {
  const { commandByPhrase, journal, notifications, now } = parts;
  const { back } = later;
  const command = changeOf(commandByPhrase, action);
  if (command === undefined || back?.kind !== 'command' || back.command.kind !== 'change') return;
  if (later.state !== 'done' || later.action.undoes === action.id) return;
  const stands = standsAs(commandByPhrase.get(action.phrase ?? ''));
  const asked = askedParts(command, argsOn(action, row.appliance));
  const taken = askedParts(back.command, back.args);
  const gone = asked.same === taken.same ? asked.parts.filter((part) => taken.parts.includes(part)) : [];
  if (gone.length === 0 || (await rowNow(journal, row)).state !== 'on') return;
  const { person: by } = later.action;
  const line = lineNow(later.action);
  const { temporary } = shownOf(later.action) ?? {};
  const until = temporary?.until ?? (temporary?.lasts === undefined ? undefined : now() + temporary.lasts);
  if (row.undoLine === undefined && gone.length === asked.parts.length && until === undefined) {
    const says = plainText(say`It is not ${stands} any more, since ${code(line)}.`);
    await journal.endTimedChange(row.id, { how: 'person', person: by, by: later.action.id, says });
    return;
  }
  const wanting = await wantingOf(journal, row, now());
  const losers = wanting.map((one) => one.person).filter((one) => one !== by);
  if (losers.length === 0) return;
  await notifications.add(
    action,
    say`${enumerate(losers.map(person))}: ${partsText(gone)} ${gone.length === 1 ? 'is' : 'are'} not ${stands} any more${until === undefined ? '' : say` until ${when(until, now())}`}. ${person(by)} ran ${code(line)}.`,
  );
}
