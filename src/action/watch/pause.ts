import { say } from '../../handlers/reply.ts';
import type { WatchRow } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptWatch, watchToKeep } from '../target/watches.ts';
import type { EndWatch } from './ending.ts';
import type { GoingOn } from './rights.ts';
import { tryAgainAfter } from './telling.ts';

/** What may not be looked at now is looked at later, or not any more. Its owner hears of what lasts. */
export type Pause = (
  row: WatchRow,
  name: string,
  kept: KeptWatch,
  going: Exclude<GoingOn, { kind: 'may' }>,
) => Promise<void>;

/** So long nobody is told that Slack does not say who is where, in milliseconds. */
const lasting = 10 * 60_000;

export function createPause({
  journal,
  now,
  ending,
}: Pick<Parts, 'journal' | 'now'> & { readonly ending: EndWatch }): Pause {
  return async (row, name, kept, going) => {
    if (going.kind === 'later') return wait(row, kept, going.isUnknown);
    if (!going.countsOnlyThere) return ending.end(row, name, going.why, going.isSilent);
    const ended = await ending.endIfThere(row, name, going.why);
    if (ended === 'ended') return;
    if (ended === 'later') return wait(row, kept, false);
    const paused = { since: kept.paused?.since ?? now(), isTold: true };
    await ending.tellPaused(row, say`it is archived, or Appliance Bot isn’t in it`);
    await journal.watched(row.id, watchToKeep({ ...kept, paused }), now() + tryAgainAfter.paused);
  };

  async function wait(row: WatchRow, kept: KeptWatch, isUnknown: boolean): Promise<void> {
    const { since, isTold } = kept.paused ?? { since: now(), isTold: false };
    const isLasting = isUnknown && now() - since >= lasting;
    if (isLasting && !isTold)
      await ending.tellPaused(row, say`Slack doesn’t say who may read and run what there`);
    const paused = { since, isTold: isTold || isLasting };
    const next: KeptWatch = isUnknown ? { ...kept, paused } : kept;
    await journal.watched(row.id, watchToKeep(next), now() + tryAgainAfter.soon);
  }
}
