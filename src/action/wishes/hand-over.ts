import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { rowNow } from '../../journal/timed/timed-change-row.ts';
import { changeOf, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { offerIn, offerToKeep, undoBehind } from '../showing/kept-offer.ts';
import { type SharedWish, type Undone, withWords } from './wishes.ts';

export type HandingParts = Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'notifications' | 'now'> & {
  /** Sees what somebody's change has left by now, so that whatever comes later is compared with that. */
  readonly lookAtChange: (
    row: TimedChangeRow,
    action: Action,
    how: { readonly isFresh: true },
  ) => Promise<unknown>;
};

/**
 * What is taken back goes on to those who want it still: from now on it is taken back with their own change. Done again after a
 * crash, it comes to the same. Whether they have it now.
 */
export async function handOver(
  parts: HandingParts,
  own: Undone,
  appliance: string,
  { row, action, parts: wanted }: SharedWish,
): Promise<boolean> {
  const { journal, match, lookAtChange } = parts;
  if (row === undefined) {
    await intoButton(parts, own, appliance, { action, parts: wanted });
    return true;
  }
  // Others may hand something to it at the same moment: what was looked at last must be all that it takes back.
  for (let looked: string | undefined; ; ) {
    const current = await rowNow(journal, row);
    const undoLine =
      current.undoLine === undefined
        ? own.without(own.parts.filter((part) => !wanted.includes(part)))
        : withWords(match, current.undoLine, own.words(wanted));
    if (undoLine === undefined) return false;
    if (undoLine === (looked ?? current.undoLine)) return true;
    await journal.undoesTimedChange(row.id, undoLine);
    await lookAtChange({ ...current, undoLine, left: undefined }, action, { isFresh: true });
    looked = undoLine;
  }
}

/**
 * What is wanted for good is taken back by the button on its card, as long as that is there. It gets one where it had nothing to take
 * back, because it was on already.
 */
async function intoButton(
  { commandByPhrase, journal, match, notifications, now }: HandingParts,
  own: Undone,
  appliance: string,
  { action, parts: wanted }: Pick<SharedWish, 'action' | 'parts'>,
): Promise<void> {
  const offers = (await journal.keptOf(action.id, 'offer')).flatMap((kept) => {
    const offer = offerIn(kept);
    const undo = offer?.undo === true ? undoBehind(offer.line) : undefined;
    return offer !== undefined && undo?.on.includes(appliance) ? [{ kept, offer, undo }] : [];
  });
  for (const { kept, offer, undo } of offers) {
    // One button for several appliances would take it out elsewhere, where it may have been before.
    if (kept.takenBy !== undefined || undo.on.length > 1) continue;
    const line = withWords(match, undo.line, own.words(wanted));
    if (line !== undefined && line !== undo.line)
      await journal.keepInstead(kept.token, offerToKeep({ ...offer, line: `${line} --on ${appliance}` }));
  }
  if (offers.length > 0 || shownOf(action)?.temporary?.joins === undefined) return;
  const { undoAsks } = changeOf(commandByPhrase, action) ?? {};
  const line = own.without(own.parts.filter((part) => !wanted.includes(part)));
  await journal.keep({
    kind: 'offer',
    content: offerToKeep({
      line: `${line} --on ${appliance}`,
      undo: true,
      ...(!undoAsks && { agreed: true }),
    }),
    channel: action.channel,
    action: action.id,
    until: now() + day,
  });
  await notifications.draw(action);
}

/** It may come long after whoever wants it has asked, in milliseconds. */
const day = 24 * 60 * 60_000;
