import type { Frozen } from '../../auth/calendar/freeze.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { isOrder, shownOf } from '../base/stored.ts';
import { allAskedWith, plannedFor } from './asked-of.ts';
import type { Authority } from './authority.ts';

/** The freeze of the policy in which the time of something planned lies, asked with the roles of whoever asked for it. */
export async function freezeOver(
  {
    authority,
    commandByPhrase,
  }: {
    readonly authority: Pick<Authority, 'freezeFor' | 'rolesOf'>;
    readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  },
  action: Action,
  command: AnyCommand,
): Promise<Frozen | undefined> {
  const { start, temporary } = shownOf(action) ?? {};
  // As `policy-obstacle.ts` has it: no freeze keeps anybody from what takes something back, or moves an end.
  if (!isOrder(command, action) || action.undoes !== undefined || temporary?.extends !== undefined)
    return undefined;
  const planned = plannedFor(start);
  const held = await authority.rolesOf(action.person, action.channel);
  const all = allAskedWith(commandByPhrase, action, command);
  return all.flatMap((asked) => authority.freezeFor({ ...asked, planned }, held) ?? [])[0];
}
