import { nameOf } from '../src/handlers/command-name.ts';
import { commands } from '../src/handlers/registry.ts';

/** Everyday commands, best known first. */
const everyday = ['why', 'status', 'categorize', 'rdp sessions', 'rdp disconnect', 'pending', 'help'];

/** The hint in the slash-command box: the examples of these, as they are declared. @throws when one is no more */
export function usageHint(): string {
  return everyday
    .map((name) => {
      const found = commands.find((command) => nameOf(command) === name);
      if (found === undefined) throw new Error(`There is no command ${name}`);
      return found.example;
    })
    .join(' | ');
}
