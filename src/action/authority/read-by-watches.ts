import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';

/** Of a command that puts something on watch, the lookup that tells the same when somebody asks. */
export function readByWatches(
  commands: Iterable<AnyCommand>,
): (command: AnyCommand) => AnyCommand | undefined {
  const byName = new Map([...commands].map((command) => [nameOf(command), command]));
  return (command) => {
    if (command.kind !== 'lookup' || command.watches === undefined) return undefined;
    const read = byName.get(command.watches.more);
    // Nobody would be asked for what nobody can name.
    if (read === undefined)
      throw new Error(`${command.phrase} reads what ${command.watches.more} tells, which is no command`);
    return read;
  };
}
