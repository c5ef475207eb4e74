import type { IdentifiedEntry } from '../../api/index.ts';
import { type Named, nameOrNumber } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { quoted } from '../language/asked.ts';
import { type Listing, readBackIn } from '../listing.ts';
import { capital, type Field, say, strong, type Text } from '../reply.ts';
import { resource, switching } from '../resource.ts';
import {
  type Fingerprint,
  happened,
  type NothingToDo,
  notHappened,
  nothing,
  type Preview,
  type Ran,
  type Verification,
} from '../results.ts';
import { acting } from '../wording/acting.ts';
import { beforeOf, changesIn, compare, eachField, isSo, lineBack, type SetFields } from './access/fields.ts';
import { audited, byNumber, numbered } from './shown.ts';
import { goneText } from './things.ts';

type NamedAs<Kind extends string> = { readonly [kind in Kind]: Named };

/** What a command creates: its name, and the fields that it sets by their API names. */
interface Created<Args, Found> {
  readonly nameIn: (args: Args) => string;
  readonly nameOf: (found: Found) => string | undefined;
  /** The preview of a name that is free. `all`: the existing things. */
  readonly ask: (
    all: readonly Found[],
    context: AskingAppliance<Args>,
  ) => NothingToDo | { readonly fields: readonly Field[]; readonly fingerprint: Fingerprint };
  /** The fields that the new thing should have by then. */
  readonly wanted: (
    args: Args,
    by: { readonly found: Found; readonly all: readonly Found[]; readonly shown: Fingerprint },
  ) => SetFields;
}

/**
 * A kind of thing on the gateway with a list and numbers: members, targets, policies, patterns, recordings. Each
 * operation is a part of a `change`; the command adds its phrase and its call.
 *
 * @param kind in the singular, as in phrases and slots: "member"
 */
export function thing<const Kind extends string, Found extends IdentifiedEntry>({
  kind,
  list,
  knownBy = 'name',
  identityOf,
}: {
  readonly kind: Kind;
  readonly list: Listing<Found>;
  readonly knownBy?: 'name' | 'number';
  /** Distinguishes it from a successor, and the state that people agree to. */
  readonly identityOf: (found: Found) => Fingerprint;
}) {
  type Args = NamedAs<Kind>;
  const { things } = list;
  const called: (one: Named) => string | Text = knownBy === 'name' ? nameOrNumber : byNumber;
  const inList = knownBy === 'name' ? numbered : ({ id }: { readonly id: number }) => String(id);
  const one = resource<Args, Found>({
    noun: kind,
    nameOf: (args) => nameOrNumber(args[kind]),
    list: () => list,
    fits: ({ id }, args) => id === args[kind].id,
    gone: ({ appliance, args }) => goneText(appliance, kind, args[kind].id),
    missing: ({ args }) =>
      notHappened`${capital(things)} read back: ${numbered(args[kind])} is not among them.`,
  });
  const words = (verb: Parameters<typeof acting>[0]) =>
    acting<Args>(verb, kind, (args) => called(args[kind]));
  return {
    ...one,
    identityOf,
    acting: words,
    /** Shared by enabling and disabling. */
    switching: (more: Omit<Parameters<typeof switching<Args, Found>>[1], 'phrase' | 'idOf'>) =>
      switching(one, { phrase: `rdp ${kind}`, idOf: (args) => args[kind].id, ...more }),
    /** Shared by deleting. */
    deleting: (
      ask: (
        found: Found,
        context: AskingAppliance<Args>,
      ) => Promise<
        Omit<Parameters<typeof audited>[0], 'fingerprint'> & { readonly fingerprint?: Fingerprint }
      >,
    ) => ({
      effect: 'destructive' as const,
      ...words('Delete'),
      preview: one.preview<Args>(async (found, context) => {
        const asked = await ask(found, context);
        return audited({ ...asked, fingerprint: { ...identityOf(found), ...asked.fingerprint } });
      }),
      verify: readBackIn<Args, Found>(one.list, async ({ seek }, { args }) => {
        const deleted = args[kind];
        const { found, all } = await seek(({ id }) => id === deleted.id, deleted.id);
        return found === undefined
          ? happened`${capital(things)} read back: ${numbered(deleted)} is gone, ${all.length} are left.`
          : notHappened`${capital(things)} read back: ${numbered(deleted)} is still there.`;
      }),
    }),
    /** Shared by creating. Undoing it deletes it, and shows its impact by then. */
    creating: <Own>({ nameIn, nameOf, ask, wanted }: Created<Own, Found>) => ({
      effect: 'write' as const,
      ...acting<Own>('Create', kind, nameIn),
      preview: async (context: AskingAppliance<Own>): Promise<Preview> => {
        const { appliance, args } = context;
        const { all } = await list.look(appliance);
        const name = strong(nameIn(args));
        const namesake = all.find((other) => nameOf(other) === nameIn(args));
        if (namesake !== undefined)
          return nothing`${capital(kind)} ${name} already exists on ${strong(appliance.name)}, number ${namesake.id}.`;
        const asked = ask(all, context);
        return 'why' in asked
          ? asked
          : audited({ question: say`Create the remote-desktop ${kind} ${name}?`, ...asked });
      },
      verify: createdIn<Own, Found>(
        () => list,
        (found, args) => nameOf(found) === nameIn(args),
        (args) => notHappened`${capital(things)} read back: ${nameIn(args)} is not among them.`,
        (found, args, shown, all) =>
          compare('created', `${kind} ${numbered(found)}`, found.fields, wanted(args, { found, all, shown })),
      ),
      undo: (args: Own, { id }: Fingerprint): string =>
        `rdp ${kind} delete ${typeof id === 'number' ? id : quoted(nameIn(args))}`,
      undoAsks: true as const,
    }),
    /**
     * Shared by changing fields by their API names; each field counts as a change of its own.
     *
     * @param fieldsIn the fields that somebody asked for
     */
    changing: <Own extends Args & { readonly set?: SetFields | undefined }>(
      fieldsIn: (args: Own) => SetFields,
      note: (found: Found) => readonly Field[] = () => [],
    ) => ({
      ...words('Change'),
      preview: one.preview<Own>((found, { args }) => {
        const name = knownBy === 'name' ? strong(nameOrNumber(found)) : byNumber(found);
        const wanted = fieldsIn(args);
        return isSo(found.fields, wanted)
          ? nothing`${capital(kind)} ${name} already has these values.`
          : audited({
              question: say`Change ${kind} ${name}?`,
              fields: [...changesIn(found.fields, wanted), ...note(found)],
              fingerprint: { ...identityOf(found), ...beforeOf(found.fields, wanted) },
            });
      }),
      verify: one.verify<Own>((found, { args }) =>
        compare('changed', `${kind} ${inList(found)}`, found.fields, fieldsIn(args)),
      ),
      ...eachField(fieldsIn),
      undo: (args: Own, shown: Fingerprint) =>
        lineBack(`rdp ${kind} change ${args[kind].id}`, shown, fieldsIn(args)),
    }),
  };
}

/** Orders the creation of something; the answer may contain its number. */
export async function withId(
  order: Promise<{ readonly confirmed: boolean; readonly id?: number | undefined }>,
): Promise<Ran> {
  const { confirmed, id } = await order;
  return { confirmed, ...(id === undefined ? {} : { learned: { id } }) };
}

/** Reads back a created thing, by its new number or otherwise by its distinguishing fields. */
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
