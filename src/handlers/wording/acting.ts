import type { Fingerprint } from '../results.ts';
import { capital, say, strong, type Text } from '../text.ts';

/** Verbs of changes, as it goes on and as it is done. */
const forms = {
  Build: ['Building', 'built'],
  Change: ['Changing', 'changed'],
  Compile: ['Compiling', 'compiled'],
  Create: ['Creating', 'created'],
  Delete: ['Deleting', 'deleted'],
  Disable: ['Disabling', 'disabled'],
  Enable: ['Enabling', 'enabled'],
  Install: ['Installing', 'installed'],
  Reconfigure: ['Reconfiguring', 'reconfigured'],
  Refresh: ['Refreshing', 'refreshed'],
  Restart: ['Restarting', 'restarted'],
  Start: ['Starting', 'started'],
  Stop: ['Stopping', 'stopped'],
  Uninstall: ['Uninstalling', 'uninstalled'],
} as const;

/**
 * The words of a change: "Restart", "Restarting the FTP server", "FTP server restarted".
 *
 * @param called the name, if there are several: "Deleting target srv-1", "Target **srv-1** deleted". A name that
 * is no string keeps its own formatting.
 */
export function acting<Args = unknown>(
  verb: keyof typeof forms,
  noun: string,
  called?: (args: Args, shown: Fingerprint) => string | Text,
) {
  const [doing, done] = forms[verb];
  const first = capital(noun.replace(/^the /, ''));
  return {
    verb,
    doing: (args: Args, shown: Fingerprint): Text =>
      called === undefined ? say`${doing} ${noun}` : say`${doing} ${noun} ${called(args, shown)}`,
    done: (args: Args, shown: Fingerprint): Text => {
      if (called === undefined) return say`${first} ${done}`;
      const name = called(args, shown);
      return say`${first} ${typeof name === 'string' ? strong(name) : name} ${done}`;
    },
  };
}
