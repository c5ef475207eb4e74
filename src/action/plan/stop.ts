import { person, say } from '../../handlers/reply.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action, Kept } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { isStopping, offerIn, offerToKeep, stopLabel } from '../showing/kept-offer.ts';
import type { LineEnd } from './words.ts';

/** A plan that runs can be stopped: what is under way is finished and read back, and nothing after it is begun. It outlives a crash. */
export interface StopButton {
  readonly offer: (plan: Action) => Promise<void>;
  /** How the next line ends where somebody has pressed it. */
  readonly pressed: (plan: Action) => Promise<LineEnd | undefined>;
}

export function createStopButton({
  journal,
  notifications,
  now,
}: Pick<Parts, 'journal' | 'notifications' | 'now'>): StopButton {
  const standing = async ({ id }: Action): Promise<Kept | undefined> =>
    (await journal.keptOf(id, 'offer')).find((kept) => isStopping(offerIn(kept)?.line ?? ''));

  return {
    offer: async (plan) => {
      if ((await standing(plan)) !== undefined) return;
      const content = offerToKeep({ line: `plan stop ${referenceOf(plan.id)}`, label: stopLabel });
      await journal.keep({
        ...{ kind: 'offer', content, channel: plan.channel, action: plan.id, until: now() + lifetime },
      });
      await notifications.draw(plan);
    },

    pressed: async (plan) => {
      const by = (await standing(plan))?.takenBy;
      return by === undefined ? undefined : { kind: 'stopped', why: say`Stopped by ${person(by)}.`, by };
    },
  };
}

/** In milliseconds. */
const lifetime = 24 * 60 * 60_000;
