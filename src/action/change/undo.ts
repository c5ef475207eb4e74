import type { AnyChange } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptOffer, offerIn, offerToKeep } from '../showing/kept-offer.ts';
import { askedIn } from '../showing/messages.ts';
import type { ResolvedTarget } from '../target/target.ts';
import type { Execution } from './execute.ts';

/** How long a change can be taken back with one click, in milliseconds. */
const lifetime = 10 * 60_000;
/** Of what is temporary, for as long as it may be on: the longest there is, and once more. */
const whileTemporary = 180 * 24 * 60 * 60_000;

interface Done {
  readonly resolved: ResolvedTarget;
  readonly execution: Execution;
}

/**
 * Keeps the line that takes a change back, for the button on its card. Whoever may run that line may press it, once;
 * it is looked at, run and verified like any other. Several appliances with the same line share one button.
 */
export async function offerUndo(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  action: Action,
  { undo, undoAsks }: AnyChange,
  done: readonly Done[],
): Promise<void> {
  const lines = done.flatMap(({ resolved, execution }) => {
    const line = undo?.(resolved.args, execution.fingerprint);
    return line === undefined ? [] : [{ line, appliance: resolved.appliance.name }];
  });
  // After a crash there may be some from before it.
  const kept = new Set((await journal.keptOf(action.id, 'offer')).map((one) => offerIn(one)?.line));
  const beside = askedIn(action);
  const groups = Map.groupBy(lines, ({ line }) => line);
  for (const [line, on] of groups) {
    const names = on.map(({ appliance }) => appliance);
    const content: KeptOffer = {
      line: `${line} --on ${names.join(',')}`,
      undo: true,
      ...(!undoAsks && { agreed: true }),
      ...(groups.size > 1 && { where: names.join(', ') }),
      ...(beside !== undefined && { askedIn: beside }),
    };
    if (kept.has(content.line)) continue;
    await journal.keep({
      kind: 'offer',
      content: offerToKeep(content),
      channel: action.channel,
      action: action.id,
      until: now() + (shownOf(action)?.temporary === undefined ? lifetime : whileTemporary),
    });
  }
}
