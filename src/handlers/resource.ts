import type { Applied } from './applied.ts';
import type { AskingAppliance } from './context.ts';
import { type Listing, readBackIn } from './listing.ts';
import { capital, type Field, type FieldsByName, say, strong, type Text } from './reply.ts';
import {
  type Fingerprint,
  final,
  happened,
  notCheckable,
  notHappened,
  nothing,
  type Preview,
  ready,
  type Verification,
} from './results.ts';
import { acting } from './wording/acting.ts';

/** A kind of thing that people name, and that may be gone before it is used. */
export interface Resource<Args, Found> {
  /** As it stands inside a sentence: "ACL object". */
  readonly noun: string;
  /** Its name, or else its number; never empty. `shown`: the confirmed fingerprint, once there is one. */
  readonly nameOf: (args: Args, shown?: Fingerprint) => string;
  readonly list: (args: Args) => Listing<Found>;
  readonly fits: (one: Found, args: Args) => boolean;
  /** Why there is nothing to change when the thing is gone. */
  readonly gone: (context: AskingAppliance<Args>) => Text;
  /** The verdict if reading back does not find it. */
  readonly missing?: (context: AskingAppliance<Args>) => Verification;
}

/** Shared by commands on such a thing: its words, finding it or reporting it gone, and finding it again to read back. */
export function resource<Args, Found>(declared: Resource<Args, Found>) {
  const { noun, nameOf, list, fits, gone, missing = vanished } = declared;
  const find = async ({ appliance, args }: AskingAppliance<Args>): Promise<Found | undefined> =>
    (await list(args).seek(appliance, (one) => fits(one, args))).found;
  return {
    ...declared,
    find,
    /** The words of a change of it: "Stopping VLAN interface eth1". */
    acting: (verb: Parameters<typeof acting>[0]) => acting<Args>(verb, noun, nameOf),
    /** Previews the change of the thing as it is now. */
    preview:
      <Own extends Args>(
        ask: (found: Found, context: AskingAppliance<Own>) => Preview | Promise<Preview>,
      ): ((context: AskingAppliance<Own>) => Promise<Preview>) =>
      async (context) => {
        const found = await find(context);
        return found === undefined ? { kind: 'nothing', why: gone(context) } : ask(found, context);
      },
    /** Judges the thing after the change. */
    verify: <Own extends Args>(
      judge: (
        found: Found,
        context: AskingAppliance<Own>,
        shown: Fingerprint,
      ) => Verification | Promise<Verification>,
      goneBy: typeof missing = missing,
    ) =>
      readBackIn<Own, Found>(list, async ({ seek }, context, shown) => {
        const { found } = await seek((one) => fits(one, context.args));
        return found === undefined ? goneBy(context) : judge(found, context, shown);
      }),
  };
}

const vanished = (): Verification => notHappened`It no longer exists.`;

interface Switched<Args, Found> {
  /** The beginning of both phrases: "acl object". */
  readonly phrase: string;
  readonly idOf: (args: Args) => number;
  /** Things that depend on it, and its identity beside its state. */
  readonly look: (
    found: Found,
    context: AskingAppliance<Args>,
  ) => Promise<{ readonly fields: readonly Field[] | FieldsByName; readonly fingerprint: Fingerprint }>;
  /** A note after the change: "2 sessions are still open on it." */
  readonly after?: (found: Found, context: AskingAppliance<Args>, to: Switching) => Promise<Text>;
  readonly requires?: readonly Applied[];
  /** Fields of the fingerprint about dependent things that the switch does not touch. */
  readonly beside?: readonly string[];
}

type Switching = 'enable' | 'disable';

/** Shared by enabling and disabling: each undoes the other, and both read back the same way. */
export function switching<Args, Found extends { readonly enabled?: boolean | undefined }>(
  one: ReturnType<typeof resource<Args, Found>>,
  { phrase, idOf, look, after, requires = [], beside = [] }: Switched<Args, Found>,
) {
  const { noun, nameOf } = one;
  const called = (args: Args) => say`${noun} ${strong(nameOf(args))}`;
  const numbered = (args: Args): string => {
    const [id, name] = [String(idOf(args)), nameOf(args)];
    return capital(name.includes(id) ? `${noun} ${name}` : `${noun} ${name} (${id})`);
  };
  return (to: Switching) => {
    const wanted = to === 'enable';
    const words = one.acting(wanted ? 'Enable' : 'Disable');
    return {
      effect: 'write',
      ...words,
      preview: one.preview<Args>(async (found, context) => {
        if (found.enabled === wanted)
          return nothing`${capital(noun)} ${strong(nameOf(context.args))} is already ${to}d.`;
        const { fields, fingerprint } = await look(found, context);
        return ready({
          question: say`${words.verb} ${called(context.args)}?`,
          fields,
          fingerprint: { ...fingerprint, enabled: found.enabled ?? null },
        });
      }),
      verify: one.verify<Args>(
        async (found, context) => {
          const it = numbered(context.args);
          if (found.enabled === undefined) {
            return final(notCheckable`the appliance does not report whether this ${noun} is enabled`);
          }
          if (found.enabled !== wanted) return notHappened`${it} read back: it is not ${to}d.`;
          const more = (await after?.(found, context, to)) ?? [];
          return happened`${it} read back: it is ${to}d.${more.length === 0 ? [] : say` ${more}`}`;
        },
        ({ args }) => notHappened`${numbered(args)} no longer exists.`,
      ),
      undo: (args: Args, shown: Fingerprint): string | undefined =>
        shown.enabled === wanted ? undefined : `${phrase} ${wanted ? 'disable' : 'enable'} ${idOf(args)}`,
      requires: () => requires,
      beside,
    } as const;
  };
}
