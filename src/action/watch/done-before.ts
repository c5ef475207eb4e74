import { timeline } from '../../handlers/audit/timeline.commands.ts';
import { byRun } from '../../journal/actions/order.ts';
import type { Action, WatchRow } from '../../journal/journal.ts';
import { appliancesOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { openUndosOf } from '../history/left-to-undo.ts';
import { takenBackBy, type UndoOffer, undosOf } from '../showing/kept-offer.ts';
import type { ChangesBefore, KeptWatch } from '../target/watches.ts';
import type { UndoStanding } from './words.ts';

/** A change that was over so short a time before may have something to do with it, in milliseconds. */
const shortlyBefore = 15 * 60_000;

export interface DoneBefore {
  /** What was changed there shortly before, as far as the timeline of this channel may tell its readers. */
  readonly find: (
    row: Pick<WatchRow, 'channel' | 'person'>,
    kept: Pick<KeptWatch, 'place'>,
    appliance: string,
    since: number,
  ) => Promise<ChangesBefore | undefined>;
  /** The buttons that still take it back, and whether it was undone. */
  readonly standing: (
    done: ChangesBefore,
  ) => Promise<{ readonly done: ChangesBefore; readonly undo: readonly UndoStanding[] }>;
}

export function createDoneBefore(parts: Pick<Parts, 'journal' | 'authority' | 'now'>): DoneBefore {
  const { journal, authority } = parts;

  return {
    find: async ({ channel, person }, { place }, appliance, since) => {
      const changes = (await journal.changesIn(since - shortlyBefore, since)).filter(
        (one) => one.state === 'done' && one.changedAt <= since && appliancesOf(one).includes(appliance),
      );
      if (changes.length === 0 || !(await isTold([appliance]))) return undefined;
      const own: Action[] = [];
      for (const one of changes) {
        if (one.channel !== channel || one.interaction !== undefined) continue;
        // What takes another one back is told with that.
        const isUndo = (await takenBackBy(journal, one.id)) !== undefined;
        if (!isUndo && (await isTold(appliancesOf(one)))) own.push(one);
      }
      const here = latest(own);
      // Others read along where the channel is shared.
      const elsewhere =
        place === 'own' ? latest(changes.filter((one) => one.channel !== channel)) : undefined;
      if (here === undefined && elsewhere === undefined) return undefined;
      return {
        ...(here !== undefined && {
          here: { action: here.id, by: here.person, line: here.line, at: here.changedAt },
        }),
        ...(elsewhere !== undefined && { elsewhere: elsewhere.changedAt }),
      };

      /** What the timeline would be answered with there, which the channel reads. */
      async function isTold(appliances: readonly string[]): Promise<boolean> {
        const asked = { command: timeline, args: {}, appliances, lasts: 'forGood' } as const;
        const decision = await authority.decide({ ...asked, person, channel, access: 'run' });
        return decision.allow && authority.approvalFor(asked, decision.by).kind === 'not_needed';
      }
    },

    standing: async (done) => {
      if (done.here === undefined) return { done, undo: [] };
      const action = await journal.byId(done.here.action);
      const undos = await undosOf(journal, done.here.action);
      const undoneAt = undos.map(undoneIn).find((at) => at !== undefined);
      // Asked in a direct message, it is undone there.
      const isHere = action !== undefined && action.direct === undefined;
      return {
        done: undoneAt === undefined ? done : { ...done, here: { ...done.here, undoneAt } },
        undo: isHere ? await openUndosOf(parts, action) : [],
      };
    },
  };
}

const undoneIn = ({ became }: UndoOffer): number | undefined =>
  became?.state === 'done' ? became.changedAt : undefined;

const latest = (changes: readonly Action[]): Action | undefined => changes.toSorted(byRun).at(-1);
