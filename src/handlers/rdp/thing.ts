import type { IdentifiedEntry } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { type Listing, readBackIn } from '../listing.ts';
import { on } from '../on.ts';
import { capital, say, strong, type Text } from '../reply.ts';
import { type Fingerprint, happened, notHappened, type Ran, type Verification } from '../results.ts';
import { byNumber, calledBy, numbered } from './shown.ts';
import { goneText } from './things.ts';

type NamedAs<Kind extends string> = { readonly [kind in Kind]: Named };

/**
 * A kind of thing on the gateway that has a list and goes by its number there.
 *
 * @param kind in the singular, as in phrases and as the slot is called: "member"
 */
export function thing<const Kind extends string, Found extends IdentifiedEntry>(
  kind: Kind,
  list: Listing<Found>,
) {
  type Args = NamedAs<Kind>;
  const { things } = list;
  const among = {
    list: () => list,
    fits: (one: Found, args: Args) => one.id === args[kind].id,
    gone: ({ appliance, args }: AskingAppliance<Args>) => goneText(appliance, kind, args[kind].id),
  };
  const found = on<Args, Found>({
    ...among,
    missing: ({ args }) =>
      notHappened`${capital(things)} read back: ${numbered(args[kind])} is not among them.`,
  });
  return {
    ...found,
    /** What enabling and disabling one has in common. */
    switched: {
      ...among,
      noun: kind,
      phrase: `rdp ${kind}`,
      idOf: (args: Args) => args[kind].id,
      nameOf: (args: Args) => calledBy(args[kind]),
    },
    /** What deleting one has in common. Some go by their names, others by their numbers. */
    deleting: (by: 'name' | 'number') => ({
      effect: 'destructive' as const,
      verb: 'Delete',
      doing: (args: Args): Text => say`Deleting ${kind} ${called[by](args[kind])}`,
      done: (args: Args): Text => say`${capital(kind)} ${called[by](args[kind])} deleted`,
      verify: readBackIn<Args, Found>(among.list, async ({ seek }, { args }) => {
        const one = args[kind];
        const { found, all } = await seek(({ id }) => id === one.id, one.id);
        return found === undefined
          ? happened`${capital(things)} read back: ${numbered(one)} is gone, ${all.length} are left.`
          : notHappened`${capital(things)} read back: ${numbered(one)} is still there.`;
      }),
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

/** Reads back what was created, by the number that it got, or else by what tells it from the others. */
export const createdIn = <Args, Found extends IdentifiedEntry>(
  list: (args: Args) => Listing<Found>,
  isIt: (one: Found, args: Args) => boolean,
  missing: (args: Args) => Verification,
  judge: (found: Found, args: Args, shown: Fingerprint, all: readonly Found[]) => Verification,
) =>
  readBackIn<Args, Found>(list, async ({ seek }, { args }, shown) => {
    const { id } = shown;
    const { found, all } = await seek((one) => (typeof id === 'number' ? one.id === id : isIt(one, args)));
    return found === undefined ? missing(args) : judge(found, args, shown, all);
  });
