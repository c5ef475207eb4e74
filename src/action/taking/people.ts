import type { Members } from '../../auth/members.ts';
import { isCalled } from '../../handlers/argument.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Offer } from '../../handlers/reply.ts';
import type { AnyInfo } from '../lookup/info.ts';
import type { PersonFault } from '../wording/no-such.ts';
import type { Understood } from './asking.ts';

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
    const meant = await whoIsCalled(value.slice(1), members, asker, (id) =>
      lineOf({ ...found, typed: { ...found.typed, [name]: [id] } }),
    );
    if (typeof meant !== 'string') return { ok: false, fault: meant };
    args[name] = meant;
  }
  // Each is what its argument reads: somebody's ID.
  return { ok: true, found: { ...found, args: args as never } };
}

/** Who is called so; or why nobody is, with the line that somebody else would be named in. */
export async function whoIsCalled(
  word: string,
  members: Pick<Members, 'called'>,
  asker: string,
  lineWith: (id: string) => string,
): Promise<string | PersonFault> {
  if (isAsker.test(word)) return asker;
  const people = await members.called(word).catch(() => undefined);
  const [only, ...others] = people ?? [];
  if (only === undefined) return { code: 'no_such_person', word, isAsked: people !== undefined };
  if (others.length === 0) return only.id;
  const choices = [only, ...others].map(
    ({ id, handle, names }): Offer => ({ label: `${names[0] ?? handle} (@${handle})`, line: lineWith(id) }),
  );
  return { code: 'which_person', word, choices };
}

/** "may i restart the gateway", "what did i do". */
const isAsker = /^(?:i|me|my|myself)$/i;
