import type { Applied } from './applied.ts';
import type { AskingAppliance } from './context.ts';
import type { Listing } from './listing.ts';
import { on } from './on.ts';
import { capital, type Field, type FieldsByName, say, strong, type Text } from './reply.ts';
import { type Fingerprint, final, happened, notCheckable, notHappened, nothing, ready } from './results.ts';

/** A kind of thing that can be enabled and disabled, and how it is spoken of. */
export interface Switchable<Args, Found extends { readonly enabled?: boolean | undefined }> {
  /** "ACL object" */
  readonly noun: string;
  /** How the phrases of both begin: "acl object". */
  readonly phrase: string;
  readonly idOf: (args: Args) => number;
  /** What it is called, or else its number: never empty. */
  readonly nameOf: (args: Args) => string;
  readonly list: (args: Args) => Listing<Found>;
  readonly fits: (one: Found, args: Args) => boolean;
  /** Why there is nothing to switch, when it is not found any more. */
  readonly gone: (context: AskingAppliance<Args>) => Text;
  /** What hangs on it, and what identifies it beside its state. */
  readonly look: (
    found: Found,
    context: AskingAppliance<Args>,
  ) => Promise<{ readonly fields: readonly Field[] | FieldsByName; readonly fingerprint: Fingerprint }>;
  /** What is worth saying when it is done: "2 sessions are still open on it." */
  readonly after?: (found: Found, context: AskingAppliance<Args>, to: Switching) => Promise<Text>;
  readonly requires?: readonly Applied[];
  /** What of that fingerprint hangs on it, and is not touched by switching it. */
  readonly beside?: readonly string[];
}

export type Switching = 'enable' | 'disable';

/** What enabling and disabling have in common: each is the other's opposite, and both are read back the same way. */
export function switching<Args, Found extends { readonly enabled?: boolean | undefined }>(
  to: Switching,
  {
    noun,
    phrase,
    idOf,
    nameOf,
    list,
    fits,
    gone,
    look,
    after,
    requires = [],
    beside = [],
  }: Switchable<Args, Found>,
) {
  const wanted = to === 'enable';
  const verb = wanted ? 'Enable' : 'Disable';
  const called = (args: Args, first = noun) => say`${first} ${strong(nameOf(args))}`;
  const sentence = capital(noun);
  const numbered = (args: Args): string => {
    const [id, name] = [String(idOf(args)), nameOf(args)];
    return name.includes(id) ? `${noun} ${name}` : `${noun} ${name} (${id})`;
  };
  const one = on<Args, Found>({
    list,
    fits,
    gone,
    missing: ({ args }) => notHappened`${capital(numbered(args))} no longer exists.`,
  });
  return {
    effect: 'write',
    verb,
    doing: (args: Args): Text => say`${wanted ? 'Enabling' : 'Disabling'} ${noun} ${nameOf(args)}`,
    done: (args: Args): Text => say`${called(args, sentence)} ${to}d`,
    preview: one.preview<Args>(async (found, context) => {
      if (found.enabled === wanted) return nothing`${called(context.args, sentence)} is already ${to}d.`;
      const { fields, fingerprint } = await look(found, context);
      return ready({
        question: say`${verb} ${called(context.args)}?`,
        fields,
        fingerprint: { ...fingerprint, enabled: found.enabled ?? null },
      });
    }),
    verify: one.verify<Args>(async (found, context) => {
      const it = numbered(context.args);
      if (found.enabled === undefined) {
        return final(notCheckable`the appliance does not report whether this ${noun} is enabled`);
      }
      if (found.enabled !== wanted) return notHappened`${capital(it)} read back: it is not ${to}d.`;
      const more = (await after?.(found, context, to)) ?? [];
      return happened`${capital(it)} read back: it is ${to}d.${more.length === 0 ? [] : say` ${more}`}`;
    }),
    undo: (args: Args, shown: Fingerprint): string | undefined =>
      shown.enabled === wanted ? undefined : `${phrase} ${wanted ? 'disable' : 'enable'} ${idOf(args)}`,
    requires: () => requires,
    beside,
  } as const;
}
