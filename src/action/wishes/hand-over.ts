import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { rowNow } from '../../journal/timed/timed-change-row.ts';
import type { Parts } from '../ground/ground.ts';
import { offerIn, offerToKeep, undoBehind } from '../showing/kept-offer.ts';
import { type SharedWish, type Undone, withWords } from './wishes.ts';

export type HandingParts = Pick<Parts, 'journal' | 'match'> & {
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
    await intoButton(parts, appliance, action, own.words(wanted));
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

/** What is wanted for good is taken back by the button on its card, as long as that is there. */
async function intoButton(
  { journal, match }: HandingParts,
  appliance: string,
  action: Action,
  words: readonly string[],
): Promise<void> {
  for (const { token, content, takenBy } of await journal.keptOf(action.id, 'offer')) {
    const offer = offerIn({ content });
    const own = undoBehind(offer?.line);
    // One button for several appliances would take it out elsewhere, where it may have been before.
    if (takenBy !== undefined || offer?.undo !== true || own?.on.join() !== appliance) continue;
    const line = withWords(match, own.line, words);
    if (line !== undefined && line !== own.line)
      await journal.keepInstead(token, offerToKeep({ ...offer, line: `${line} --on ${appliance}` }));
  }
}
