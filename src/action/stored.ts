import type { Appliance } from '../api/index.ts';
import type { OnAppliance, Subject } from '../handlers/command.ts';
import type { Field, Text } from '../handlers/reply.ts';
import type { Action, Json } from '../journal/journal.ts';

/**
 * The journal keeps arguments and previews as plain JSON; here they get their types back. What is cast here went
 * into the journal through the function beside it, and is JSON by construction (`reply.ts`, `argument.ts`).
 */

/** What was shown to the person: enough to draw the card again after a restart, and to compare at the click. */
export interface Shown {
  readonly question: Text;
  readonly fields: readonly Field[];
  /** What a click agrees to. */
  readonly subject: Subject;
}

export const shownToStore = (shown: Shown): Json => shown as unknown as Json;
export const shownOf = (action: Action): Shown | undefined => action.preview as unknown as Shown | undefined;

/** What was confirmed; a change that runs was shown first. */
export const subjectOf = (action: Action): Subject => shownOf(action)?.subject ?? {};

/** Argument readers give strings and numbers, and lists of them. */
export const argsToStore = (args: never): Json => args;
/** For the command of `action.phrase` and no other, which is why they are `never` (see `AnyCommand`). */
export const argsOf = (action: Action): never => action.args as never;

/** What the command of an action works with. The action's person and channel are those of whoever may act on it. */
export function contextOf(action: Action, appliance: Appliance, now: number): OnAppliance<never> {
  return { args: argsOf(action), appliance, now, person: action.person, channel: action.channel };
}
