import type { RequestedCommand } from '../../auth/request.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { areaOf, nameOf } from '../../handlers/command-name.ts';

/** What of a command decides who may run it. */
export const subjectOf = (
  command: AnyCommand,
  args: RequestedCommand['args'],
  appliance: RequestedCommand['appliance'],
  lasts: RequestedCommand['lasts'],
): RequestedCommand => ({
  name: nameOf(command),
  area: areaOf(command),
  // What an info leads to is decided as itself (`InfoDeclaration`).
  effect: command.kind === 'info' ? 'read' : command.effect,
  open: command.kind === 'info' && command.anywhere,
  selfService: command.kind === 'info' && (command.selfService ?? false),
  named: command.named === true,
  args,
  appliance,
  lasts: lastsFor(command, lasts),
});

/** What nothing ends by itself is for good, whatever is not known yet; of several lines each lasts as long as it says, and all as the longest. */
function lastsFor(command: AnyCommand, lasts: RequestedCommand['lasts']): RequestedCommand['lasts'] {
  if (command.kind === 'change' && command.gathers !== undefined)
    return typeof lasts === 'number' ? lasts : 'any';
  return lasts === 'any' && !canEnd(command) ? 'forGood' : lasts;
}

/** The same with any arguments, on any appliance, for any time. */
export const anySubjectOf = (command: AnyCommand): RequestedCommand =>
  subjectOf(command, 'any', 'any', 'any');

const canEnd = (command: AnyCommand): boolean =>
  command.kind === 'change' && (command.undo ?? command.timed) !== undefined;
