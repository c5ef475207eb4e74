import { z } from 'zod';
import type { TypedSlots } from '../../handlers/language/pattern.ts';
import type { MovedEnd, Offer } from '../../handlers/reply.ts';
import { codec, formerly, optional } from '../../journal/codec.ts';
import type { Action, Journal, Kept } from '../../journal/journal.ts';
import type { AskedIn } from '../base/chat.ts';
import { askedInShape, typedShape } from '../base/shapes.ts';

/** What is kept of an offer. */
export interface KeptOffer {
  readonly line: string;
  /** What the line stands for where it cannot say it: a file is no word that can be typed. */
  readonly asked?: { readonly phrase: string; readonly typed: TypedSlots };
  /** The click is the yes to the change itself: an undo. */
  readonly agreed?: true;
  /** It was guessed from what somebody typed, and asks before it changes anything. */
  readonly guess?: true;
  /** What the button says on the card of its action, where that is not *Undo*. */
  readonly label?: string;
  /** It takes back what its action did. */
  readonly undo?: true;
  /** Nothing is sent: of what an action has made temporary, the end moves (`Offer.moves`). */
  readonly moves?: MovedEnd;
  /** It stands for all of these (`Offer.each`). */
  readonly each?: Offer['each'];
  /** It is asked of those who may run it. */
  readonly accessRequest?: true;
  /** The appliances it is for, where the same change has another undo on others. */
  readonly where?: string;
  /** Where it stands: what comes of it is said there. */
  readonly askedIn?: AskedIn;
}

const movedShape = z.object({
  action: z.string(),
  on: z.string(),
  to: z.union([z.literal('now'), z.literal('never'), z.number()]),
});

const offers = codec<KeptOffer>(
  formerly(
    { petition: 'accessRequest' },
    z.object({
      line: z.string(),
      asked: optional(z.object({ phrase: z.string(), typed: typedShape })),
      agreed: optional(z.literal(true)),
      guess: optional(z.literal(true)),
      label: optional(z.string()),
      undo: optional(z.literal(true)),
      moves: optional(movedShape),
      each: optional(z.array(z.object({ line: z.string(), moves: optional(movedShape) }))),
      accessRequest: optional(z.literal(true)),
      where: optional(z.string()),
      askedIn: optional(askedInShape),
    }),
  ),
);

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
      ...{
        token,
        line: offer.line,
        label: offer.label,
        isUndo: offer.undo === true,
        where: offer.where,
        takenBy,
      },
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
