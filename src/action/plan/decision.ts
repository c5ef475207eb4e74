import type { Text } from '../../handlers/reply.ts';
import type { Action, Kept } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { isLeaving, offerIn } from '../showing/kept-offer.ts';
import { decidedWith, leftBy } from './words.ts';

/**
 * Of a plan that has stopped one decides: it is gone on with, rolled back, or left so. What stands for the last of these stands for the
 * decision: whoever takes it is the first, and the others are told who was.
 */
export interface PlanDecision {
  /** Right before anything of it is sent. Resolves to why not, where somebody else was first. */
  readonly take: (mine: Action) => Promise<Text | undefined>;
  /** When it is over: where nothing came of it the decision is free again, and every card of the plan says how it stands. */
  readonly settle: (mine: Action) => Promise<void>;
}

export function createDecision({
  journal,
  notifications,
}: Pick<Parts, 'journal' | 'notifications'>): PlanDecision {
  return {
    take: async (mine) => {
      // What has begun before a crash goes on.
      if (mine.plan === undefined || (await journal.stepsOf(mine.id)).length > 0) return undefined;
      const runs = await runsBeside(mine);
      const isNews = (one: Action) => one.state === 'running' || one.changedAt >= mine.createdAt;
      const other = runs.find((one) => one.id !== mine.plan && isNews(one) && isBefore(one, mine));
      if (other !== undefined) return decidedWith(other);
      // Whoever pressed a button has seen its card before anybody had decided.
      const card = (await journal.offerBehind(mine.id))?.action;
      for (const kept of await offersOf(runs)) {
        const { line = '' } = offerIn(kept) ?? {};
        if (isLeaving(line)) {
          const why = await decide(kept, mine, kept.action === card, runs);
          if (why !== undefined) return why;
        } else if (isMeant(line, mine) && kept.takenBy === undefined) {
          if ((await journal.take(kept.token, mine.person)) !== undefined)
            await journal.wasTaken(kept.token, mine.id);
        }
      }
      return undefined;
    },

    settle: async (mine) => {
      if (mine.plan === undefined) return;
      const begun = await journal.stepsOf(mine.id);
      if (begun.every(({ state }) => state === 'refused')) await journal.releaseOf(mine.id);
      for (const run of await runsBeside(mine)) await notifications.draw(run);
    },
  };

  /** The plan itself, and all that has gone on with it or taken it back. */
  async function runsBeside({ id, plan = '' }: Action): Promise<readonly Action[]> {
    const root = await journal.byId(plan);
    const sequels = await journal.sequelsOf(plan);
    return [...(root === undefined ? [] : [root]), ...sequels.filter((one) => one.id !== id)];
  }

  async function offersOf(runs: readonly Action[]): Promise<readonly Kept[]> {
    return (await Promise.all(runs.map(({ id }) => journal.keptOf(id, 'offer')))).flat();
  }

  async function decide(
    kept: Kept,
    mine: Action,
    isOfItsCard: boolean,
    runs: readonly Action[],
  ): Promise<Text | undefined> {
    if (kept.became === mine.id) return undefined;
    if (kept.takenBy === undefined && (await journal.take(kept.token, mine.person)) !== undefined) {
      await journal.wasTaken(kept.token, mine.id);
      return undefined;
    }
    const taken = await journal.kept(kept.token);
    if (taken?.takenBy === undefined || taken.became === mine.id) return undefined;
    // What was left so some time ago can be taken back all the same, by whoever types that.
    if (!isOfItsCard && (taken.takenAt ?? 0) < mine.createdAt) return undefined;
    // What has just taken it may not have said so yet.
    const other =
      taken.became === undefined
        ? runs.find(({ state, person: by }) => state === 'running' && by === taken.takenBy)
        : await journal.byId(taken.became);
    if (other !== undefined) return decidedWith(other);
    return taken.became === undefined ? leftBy(taken.takenBy) : undefined;
  }
}

/** Whether an offer is what that plan is itself: all that is done of one is rolled back, wherever its button stands. */
const isMeant = (line: string, { phrase, undoes }: Action): boolean =>
  undoes === undefined
    ? phrase?.startsWith('plan continue') === true && line.startsWith('plan continue ')
    : line.startsWith('plan rollback ');

/** Whether that one has decided what becomes of a plan before this one, which has just begun to run. */
const isBefore = (one: Action, mine: Action): boolean =>
  one.state === 'done' ||
  one.state === 'unknown' ||
  (one.state === 'running' &&
    (one.changedAt < mine.changedAt || (one.changedAt === mine.changedAt && one.id < mine.id)));
