import type { Action } from '../../../journal/journal.ts';
import { appliancesOf } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';
import { offerIn, undoBehind } from '../../showing/kept-offer.ts';

/** The button on the card of what a step takes back: it is taken with it, so that nobody takes it back a second time. */
export interface UndoButtons {
  /** Before the step is sent. */
  readonly take: (step: Action) => Promise<void>;
  /** When it is over: what it did not take back can be undone by its button again, and its card says which it is. */
  readonly settle: (step: Action) => Promise<void>;
}

export function createUndoButtons({
  journal,
  notifications,
}: Pick<Parts, 'journal' | 'notifications'>): UndoButtons {
  return {
    take: async (step) => {
      if (step.undoes === undefined) return;
      for (const kept of await journal.keptOf(step.undoes, 'offer')) {
        const offer = offerIn(kept);
        const on = undoBehind(offer?.line)?.on ?? [];
        const isItsOwn = on.length > 0 && on.every((name) => appliancesOf(step).includes(name));
        if (!offer?.undo || !isItsOwn || kept.takenBy !== undefined) continue;
        if ((await journal.take(kept.token, step.person)) !== undefined)
          await journal.wasTaken(kept.token, step.id);
      }
    },

    settle: async (step) => {
      if (step.undoes === undefined) return;
      if (step.state === 'failed' || step.state === 'refused') await journal.releaseOf(step.id);
      const origin = await journal.byId(step.undoes);
      if (origin?.card !== undefined) await notifications.draw(origin);
    },
  };
}
