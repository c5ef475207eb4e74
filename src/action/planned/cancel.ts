import type { AnyCommand } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { askedOn, plannedFor } from '../authority/asked-of.ts';
import type { Authority } from '../authority/authority.ts';
import type { Press } from '../base/chat.ts';
import { commandOf, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { Fault } from '../wording/faults.ts';

/** Why somebody may not cancel what is planned: it is neither theirs, nor could they run it or decide about it. */
export async function barToCancel(
  { authority, approvals }: { readonly authority: Authority; readonly approvals: Pick<Approvals, 'bar'> },
  { person }: Pick<Press, 'person'>,
  action: Action,
  command: AnyCommand,
): Promise<Fault | undefined> {
  if (person === action.person) return undefined;
  if (action.consent !== undefined && (await approvals.bar({ person }, action, command)) === undefined)
    return undefined;
  const planned = plannedFor(shownOf(action)?.start);
  const decisions = await Promise.all(
    targetsIn(action).map((target) =>
      authority.decide({
        ...askedOn(command, target),
        planned,
        person,
        channel: action.channel,
        access: 'run',
      }),
    ),
  );
  return decisions.length > 0 && decisions.every(({ allow }) => allow)
    ? undefined
    : { code: 'not_yours_to_cancel', asker: action.person };
}

/** Whether somebody may cancel it. `bar`: asked for later than this is built. */
export const createMayCancel =
  ({
    authority,
    commandByPhrase,
    ...approvals
  }: Pick<Parts, 'authority' | 'commandByPhrase'> & Pick<Approvals, 'bar'>) =>
  async (person: string, action: Action): Promise<boolean> => {
    const command = commandOf(commandByPhrase, action);
    // What waits for others is taken back by whoever asked for it, and denied by those.
    if (action.state === 'waiting') return person === action.person;
    return (
      command !== undefined &&
      (await barToCancel({ authority, approvals }, { person }, action, command)) === undefined
    );
  };
