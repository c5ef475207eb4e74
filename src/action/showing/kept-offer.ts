import { z } from 'zod';
import { codec, formerly, optional, type Stored } from '../../codec.ts';
import type { Action, Journal, Kept } from '../../journal/journal.ts';
import { askedInShape, typedShape } from '../base/chat.ts';

const movedShape = z.object({
  action: z.string(),
  on: z.string(),
  to: z.union([z.literal('now'), z.literal('never'), z.number()]),
});

/** What is kept of an offer. */
export type KeptOffer = Stored<typeof offerShape>;
const offerShape = z.object({
  line: z.string(),
  /** What the line stands for where it cannot say it: a file is no word that can be typed. */
  asked: optional(z.object({ phrase: z.string(), typed: typedShape })),
  /** The click is the yes to the change itself: an undo. */
  agreed: optional(z.literal(true)),
  /** It was guessed from what somebody typed, and asks before it changes anything. */
  guess: optional(z.literal(true)),
  /** What the button says on the card of its action, where that is not *Undo*. */
  label: optional(z.string()),
  /** It takes back what its action did. */
  undo: optional(z.literal(true)),
  /** Nothing is sent: of what an action has made temporary, the end moves (`Offer.moves`). */
  moves: optional(movedShape),
  /** It stands for all of these (`Offer.each`). */
  each: optional(z.array(z.object({ line: z.string(), moves: optional(movedShape) }))),
  /** It is asked of those who may run it. */
  accessRequest: optional(z.literal(true)),
  /** The appliances it is for, where the same change has another undo on others. */
  where: optional(z.string()),
  /** Where it stands: what comes of it is said there. */
  askedIn: optional(askedInShape),
});

const offers = codec(formerly({ petition: 'accessRequest' }, offerShape));

export const offerToKeep = offers.store;

/** Undefined where it can no longer be read. */
export const offerIn = ({ content }: Pick<Kept, 'content'>): KeptOffer | undefined => offers.read(content);

/** What leaves a plan that has stopped as it is, and what stops one that runs. */
export const isLeaving = (line: string): boolean => line.startsWith('plan leave ');
export const isStopping = (line: string): boolean => line.startsWith('plan stop ');
export const stopLabel = 'Stop';

/** A button that stands on the card of an action, or stood there until it was pressed. */
export interface UndoOffer {
  readonly token: string;
  readonly line: string;
  readonly label: string | undefined;
  /** Whether it takes back what the action did, or is another way to go on. */
  readonly isUndo: boolean;
  /** The appliances it is for, where the same change has another undo on others. */
  readonly where: string | undefined;
  readonly takenBy: string | undefined;
  /** What came of it: only that tells whether it was undone. */
  readonly became: Action | undefined;
}

/** The action that this one takes back. */
export async function takenBackBy(
  journal: Pick<Journal, 'offerBehind' | 'byId'>,
  action: string,
): Promise<Action | undefined> {
  const kept = await journal.offerBehind(action);
  return kept?.action !== undefined && offerIn(kept)?.undo ? journal.byId(kept.action) : undefined;
}

/** Other offers of an action are lines to go on with, and taking one takes nothing back. */
export async function undosOf(
  journal: Pick<Journal, 'keptOf' | 'byId'>,
  action: string,
): Promise<readonly UndoOffer[]> {
  return (await standingOffersOf(journal, action)).filter(({ isUndo }) => isUndo);
}

/** All that stands on the card of an action: its undos, and what else it can be gone on with. */
export async function standingOffersOf(
  journal: Pick<Journal, 'keptOf' | 'byId'>,
  action: string,
): Promise<readonly UndoOffer[]> {
  const standing = (await journal.keptOf(action, 'offer')).flatMap((kept) => {
    const offer = offerIn(kept);
    return offer?.undo === true || offer?.label !== undefined ? [{ kept, offer }] : [];
  });
  return Promise.all(
    standing.map(async ({ kept: { token, takenBy, became }, offer }) => ({
      token,
      line: offer.line,
      label: offer.label,
      isUndo: offer.undo === true,
      where: offer.where,
      takenBy,
      became: became === undefined ? undefined : await journal.byId(became),
    })),
  );
}

/** The line behind a button, and the appliances that it is for. */
export function undoBehind(
  offered: string | undefined,
): { readonly line: string; readonly on: readonly string[] } | undefined {
  const [, line, on] = /^(.*) --on (\S+)$/.exec(offered ?? '') ?? [];
  return line === undefined || on === undefined ? undefined : { line, on: on.split(',') };
}
