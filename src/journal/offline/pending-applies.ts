import type { ToSend } from '../delivery/outbox.ts';
import type { Journal } from '../journal.ts';
import type { AppliedChange, PendingApplies, PendingApply } from '../timed/pending-applies.ts';
import type { BufferedDatabase } from './database.ts';
import { memoryOf } from './memory.ts';

/** What waits to be applied to appliances: while the database is away nothing is applied, and what was applied is not forgotten. */
export function bufferedApplies(
  journal: Journal,
  { askOr, writeBehind }: BufferedDatabase,
  bufferMessages: (told: readonly ToSend[]) => void,
  now: () => number,
): PendingApplies {
  const claimed = memoryOf<PendingApply>(({ id }) => id);
  let pending: readonly PendingApply[] = [];
  const pendingOf = (appliance: string | undefined) =>
    pending.filter((row) => appliance === undefined || row.appliance === appliance);

  return {
    addPendingApply: async (apply) => {
      const add = () => journal.addPendingApply(apply);
      return askOr(add, () => {
        const { length } = pending;
        const row: PendingApply = {
          nextTryAt: 0,
          ...apply,
          // No id that the database gives.
          ...{
            id: -length - 1,
            state: 'pending',
            since: now(),
            tries: 0,
            lastProblem: undefined,
          },
          heldBy: undefined,
        };
        pending = [...pending, row];
        writeBehind.required(`what is pending on ${apply.appliance}`, add);
        return row;
      });
    },

    pendingApplies: (appliance) =>
      askOr(
        async () => {
          const rows = await journal.pendingApplies(appliance);
          const others = pending.filter((row) => appliance !== undefined && row.appliance !== appliance);
          pending = [...others, ...rows];
          return rows;
        },
        () => pendingOf(appliance),
      ),

    // What is left so is tried at its time.
    expediteApplies: (actions) =>
      askOr(
        () => journal.expediteApplies(actions),
        () => undefined,
      ),

    startApply: (appliance, ids) =>
      askOr(
        async () => (await journal.startApply(appliance, ids)).map(claimed.see),
        // Nobody applies what nobody else can see that it is being applied.
        () => [],
      ),

    settleApply: (appliance, ids, at, tell = () => ({ messages: [] })) =>
      askOr(
        () => journal.settleApply(appliance, ids, at, tell),
        () => {
          writeBehind.required(`that ${appliance} has applied its changes`, () =>
            journal.settleApply(appliance, ids, at),
          );
          const live = ids.flatMap((id): AppliedChange[] => {
            const row = claimed.get(id);
            return row === undefined ? [] : [{ ...row, liveAt: at }];
          });
          pending = pending.filter(({ id }) => !ids.includes(id));
          bufferMessages(tell(live, pending, false).messages);
          return live;
        },
      ),

    failApply: (ids, problem, nextTryAt, told = []) =>
      askOr(
        () => journal.failApply(ids, problem, nextTryAt, told),
        () => {
          writeBehind.required('changes that are not applied', () =>
            journal.failApply(ids, problem, nextTryAt),
          );
          bufferMessages(told);
          return ids.flatMap((id): PendingApply[] => {
            const row = claimed.get(id);
            return row === undefined
              ? []
              : [
                  {
                    ...row,
                    state: 'pending',
                    tries: row.tries + 1,
                    lastProblem: problem,
                    nextTryAt,
                    heldBy: undefined,
                  },
                ];
          });
        },
      ),
  };
}
