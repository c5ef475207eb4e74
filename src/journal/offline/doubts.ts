import type { Action, Outcome } from '../actions/action.ts';
import type { State } from '../actions/states.ts';
import type { Journal } from '../journal.ts';

/** Steps of which nobody knows whether they were written, or will be: whoever was at them has given up and said so. */
export interface Doubts {
  /** `outcome`: how it ended, as people were told; without one they were told that nothing came of their click. */
  readonly add: (action: string, outcome?: Outcome) => void;
  /** Its next step was written. */
  readonly forget: (action: string) => void;
  /**
   * Brings the actions to where people were told that they are, without another word. None of their steps towards the
   * appliance was known to be written, so nothing was sent.
   */
  readonly settle: () => Promise<void>;
}

/** For what was to change something and could not be written down. */
export const unavailable: Outcome = {
  code: 'journal_unavailable',
  says: 'No changes were made: the journal’s database did not answer.',
};

/** So often it is looked at one: what the database had not done when we gave up, it may do when it wakes. */
const mostLooks = 60;

export function createDoubts(journal: Pick<Journal, 'byId' | 'move' | 'replica'>): Doubts {
  const doubts = new Map<string, { readonly outcome: Outcome | undefined; looks: number }>();

  return {
    add: (action, outcome) => {
      doubts.set(action, { outcome, looks: 0 });
    },
    forget: (action) => {
      doubts.delete(action);
    },
    settle: async () => {
      for (const [id, doubt] of doubts) {
        const action = await journal.byId(id);
        const isOver = action === undefined || (await takeBack(action, doubt.outcome));
        doubt.looks += 1;
        // Somebody may have pressed again meanwhile, and that is another doubt.
        if ((isOver || doubt.looks === mostLooks) && doubts.get(id) === doubt) doubts.delete(id);
      }
    },
  };

  /** Whether nothing is left to be taken back: it was, or it has ended, or another replica has it. */
  async function takeBack(action: Action, outcome: Outcome | undefined): Promise<boolean> {
    if (action.replica !== journal.replica) return true;
    const to = whereTo(action, outcome);
    if (to === undefined) return action.state !== 'waiting' && action.state !== 'planned';
    await journal.move(
      action,
      to,
      to === 'waiting' || to === 'planned' ? {} : { outcome: outcome ?? unavailable },
    );
    return true;
  }
}

/** Undefined where it stands as people were told. */
function whereTo({ state, runAt }: Action, outcome: Outcome | undefined): State | undefined {
  switch (state) {
    case 'asked':
    case 'running':
      return 'failed';
    case 'approved':
      if (outcome !== undefined) return 'cancelled';
      // The click did nothing: the card shows its buttons still.
      return runAt === undefined ? 'waiting' : 'planned';
    case 'waiting':
    case 'planned':
      return outcome && 'cancelled';
    default:
      return undefined;
  }
}
