import type { AnyChange } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { type Shown, shownOf, shownToStore } from '../base/stored.ts';
import { previewOf } from '../change/question.ts';
import { endFrom, withEnd, withStart } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { showLooks } from '../showing/previews.ts';
import { faultIn, isNothing, type TargetPreview } from '../target/target.ts';
import { onAlready } from '../wishes/on-already.ts';
import type { Fault } from '../wording/faults.ts';

/** What was planned is on already, for a time: it comes to what was agreed to if that stays, or ends later. */
export interface Become {
  /** With what it does instead. */
  readonly action: Action;
  readonly command: AnyChange;
}

/** Undefined where it is not on for a time; why not, where its end need not move. */
export async function moveEnd(
  parts: Pick<
    Parts,
    'appliances' | 'authority' | 'commandByPhrase' | 'contexts' | 'journal' | 'match' | 'now'
  >,
  approved: Action,
  command: AnyChange,
  looks: readonly TargetPreview[],
): Promise<Become | Fault | undefined> {
  const { now } = parts;
  const isDone = looks.every(isNothing);
  const { targets = [], temporary, start } = shownOf(approved) ?? {};
  if (!isDone || (temporary?.extends ?? temporary?.joins) !== undefined) return undefined;
  const until = endFrom(now(), temporary);
  const moved = await onAlready(parts, command, { temporary, until, person: approved.person }, targets);
  if (moved === undefined || 'code' in moved) return moved;
  const again = await previewOf(parts, approved, moved.command);
  const looked = showLooks(moved.command, again);
  if (looked === undefined) return faultIn(again);
  const lasts = until === undefined ? 'forGood' : until - moved.since;
  const shown = withStart(
    withEnd(looked, moved.temporary, now(), () => lasts),
    start,
  );
  return { action: withPreview(approved, shown), command: moved.command };
}

/** As it is looked at now. */
export const withPreview = (action: Action, shown: Shown): Action => ({
  ...action,
  preview: shownToStore(shown),
});
