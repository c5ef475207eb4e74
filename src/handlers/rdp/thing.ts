import type { AskedAppliance, IdentifiedEntry } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { on } from '../on.ts';
import { capital, say, strong, type Text } from '../reply.ts';
import { type Fingerprint, notHappened, type Ran, type Verification } from '../results.ts';
import { byNumber, calledBy, numbered } from './shown.ts';
import { among, goneFrom, goneText } from './things.ts';

type NamedAs<Kind extends string> = { readonly [kind in Kind]: Named };

/**
 * A kind of thing on the gateway that has a list and goes by its number there.
 *
 * @param kind in the singular, as in phrases and as the slot is called: "member"
 */
export function thing<const Kind extends string, Found extends IdentifiedEntry>(
  kind: Kind,
  things: string,
  list: (rdp: AskedAppliance['rdp']) => Promise<readonly Found[]>,
) {
  type Args = NamedAs<Kind>;
  type On = AskingAppliance<Args>;
  const found = on<Args, Found>({
    find: async ({ appliance, args }) => among(await list(appliance.rdp), args[kind]),
    gone: ({ appliance, args }) => goneText(appliance, kind, args[kind].id),
    missing: ({ args }) =>
      notHappened`${capital(things)} read back: ${numbered(args[kind])} is not among them.`,
  });
  return {
    ...found,
    /** What enabling and disabling one has in common. */
    switched: {
      noun: kind,
      phrase: `rdp ${kind}`,
      idOf: (args: Args) => args[kind].id,
      nameOf: (args: Args) => args[kind].name,
      find: found.find,
      gone: found.gone,
    },
    /** What deleting one has in common. Some go by their names, others by their numbers. */
    deleting: (by: 'name' | 'number') => ({
      effect: 'destructive' as const,
      verb: 'Delete',
      doing: (args: Args): Text => say`Deleting ${kind} ${called[by](args[kind])}`,
      done: (args: Args): Text => say`${capital(kind)} ${called[by](args[kind])} deleted`,
      verify: async ({ appliance, args }: On): Promise<Verification> =>
        goneFrom(await list(appliance.rdp), things, args[kind]),
    }),
  };
}

const called = { name: (one: Named): Text => say`${strong(calledBy(one))}`, number: byNumber } as const;

/** The order to create something; its answer may tell which number it got. */
export async function creating(
  order: Promise<{ readonly confirmed: boolean; readonly id?: number | undefined }>,
): Promise<Ran> {
  const { confirmed, id } = await order;
  return { confirmed, ...(id === undefined ? {} : { learned: { id } }) };
}

/** What was created, by the number that it got, or else by what tells it from the others. */
export const created = <Found extends IdentifiedEntry>(
  all: readonly Found[],
  { id }: Fingerprint,
  isIt: (one: Found) => boolean,
): Found | undefined => all.find((one) => (typeof id === 'number' ? one.id === id : isIt(one)));
