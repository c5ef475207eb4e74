import type { Members } from '../../auth/members.ts';
import { isCalled } from '../../handlers/argument.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { AnyInfo } from '../lookup/info.ts';
import type { Understood } from '../taking/asking.ts';
import type { PersonFault } from '../wording/no-such.ts';

/** The command with the people whom its names mean, or why nobody is meant. */
type Named =
  | { readonly ok: true; readonly found: Understood<AnyInfo> }
  | { readonly ok: false; readonly fault: PersonFault };

/**
 * Looks up who is meant by a name without an @. Only what tells something and changes nothing takes one: it names whom it is about,
 * and whoever reads it sees a wrong one.
 */
export async function withPeople(
  found: Understood<AnyInfo>,
  members: Pick<Members, 'called'>,
  asker: string,
): Promise<Named> {
  const args: Record<string, unknown> = { ...(found.args as object) };
  for (const [name, argument] of Object.entries(found.command.args)) {
    const value = args[name];
    if (!isCalled(argument, value)) continue;
    const word = value.slice(1);
    if (isAsker.test(word)) {
      args[name] = asker;
      continue;
    }
    const people = await members.called(word).catch(() => undefined);
    const [only] = people ?? [];
    if (only === undefined) {
      return { ok: false, fault: { code: 'no_such_person', word, isAsked: people !== undefined } };
    }
    if (people !== undefined && people.length > 1) {
      const choices = people.map(({ id, handle, names }) => ({
        label: `${names[0] ?? handle} (@${handle})`,
        line: lineOf({ ...found, typed: { ...found.typed, [name]: [id] } }),
      }));
      return { ok: false, fault: { code: 'which_person', word, choices } };
    }
    args[name] = only.id;
  }
  // Each is what its argument reads: somebody's ID.
  return { ok: true, found: { ...found, args: args as never } };
}

/** "may i restart the gateway", "what did i do". */
const isAsker = /^(?:i|me|myself)$/i;
