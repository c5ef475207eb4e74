import type { Appliance } from '../../../api/index.ts';
import type { Named } from '../../argument.ts';
import type { AskingAppliance, OnAppliance } from '../../context.ts';
import { readBackIn } from '../../listing.ts';
import { say, strong, type Text } from '../../reply.ts';
import {
  type Fingerprint,
  final,
  notCheckable,
  type Preview,
  type Ran,
  type Verification,
} from '../../results.ts';
import { calledBy, type ListedThing, numbered } from '../shown.ts';
import { goneText, type LinkKind, linksIn, linksOf, policies } from '../things.ts';

/** Linking something to a policy and taking it off again, which are each other's opposite (appliance-api.md §3). */
export type Direction = 'link' | 'unlink';

type LinkArgs<Kind extends LinkKind> = { readonly policy: Named } & {
  readonly [kind in Kind]: Named | number;
};

/** All of such a command but its phrase, arguments and summary. */
export function linking<const Kind extends LinkKind>(direction: Direction, kind: Kind) {
  const links = direction === 'link';
  const subOf = (args: LinkArgs<Kind>): Named => {
    const sub: Named | number = args[kind];
    return typeof sub === 'number' ? { id: sub, name: '' } : sub;
  };
  // Networks and schedules have no list: only the policies that are linked to them tell what they are called.
  const namedSub = (args: LinkArgs<Kind>, { subName }: Fingerprint): Named => {
    const { id, name } = subOf(args);
    return { id, name: name || (typeof subName === 'string' ? subName : '') };
  };
  const called = (args: LinkArgs<Kind>, shown: Fingerprint): string => {
    const { id, name } = namedSub(args, shown);
    return `${kind} ${name || id}`;
  };
  return {
    effect: 'write',
    verb: links ? 'Link' : 'Unlink',
    doing: (args: LinkArgs<Kind>, shown: Fingerprint): Text =>
      links
        ? say`Linking ${called(args, shown)} to policy ${calledBy(args.policy)}`
        : say`Unlinking ${called(args, shown)} from policy ${calledBy(args.policy)}`,
    done: (args: LinkArgs<Kind>, shown: Fingerprint): Text =>
      links
        ? say`Policy ${strong(calledBy(args.policy))}: ${called(args, shown)} linked`
        : say`Policy ${strong(calledBy(args.policy))}: ${called(args, shown)} unlinked`,
    preview: async ({ appliance, args }: AskingAppliance<LinkArgs<Kind>>): Promise<Preview> => {
      const { found, all: among } = await policies.seek(appliance, ({ id }) => id === args.policy.id);
      if (found === undefined) return { kind: 'nothing', why: goneText(appliance, 'policy', args.policy.id) };
      const isSub = ({ id }: ListedThing) => id === String(subOf(args).id);
      const linked = linksOf(found, kind)?.some(isSub);
      const all = among.flatMap((one) => linksOf(one, kind) ?? []);
      const subName = all.find((one) => isSub(one) && one.name !== '')?.name ?? null;
      const sub = called(args, { subName });
      if (linked === links) {
        return {
          kind: 'nothing',
          why: links
            ? say`Policy ${strong(calledBy(found))} already has ${sub}.`
            : say`Policy ${strong(calledBy(found))} does not have ${sub}.`,
        };
      }
      return {
        kind: 'ready',
        question: links
          ? say`Link ${sub} to policy ${strong(calledBy(found))}?`
          : say`Unlink ${sub} from policy ${strong(calledBy(found))}?`,
        fields: [],
        fingerprint: { policy: found.id, [kind]: subOf(args).id, subName, linked: linked ?? null },
      };
    },
    run: ({ appliance, args }: OnAppliance<LinkArgs<Kind>>): Promise<Ran> =>
      orders[direction][kind](appliance, { id: args.policy.id, sub: subOf(args).id }),
    verify: readBackIn<LinkArgs<Kind>, ListedThing>(
      (args) => linksIn(args.policy.id, kind),
      async ({ seek }, { appliance, args }, shown): Promise<Verification> => {
        const { id } = subOf(args);
        if (linksOf(await appliance.rdp.getPolicy({ id: args.policy.id }), kind) === undefined)
          return final(notCheckable`the API does not report which ${kind}s a policy has`);
        const linked = (await seek((one) => one.id === String(id), id)).found !== undefined;
        const state = linked ? 'is linked to it' : 'is not linked to it';
        return {
          kind: linked === links ? 'happened' : 'not_happened',
          evidence: say`Policy ${numbered(args.policy)} read back: ${kind} ${numbered(namedSub(args, shown))} ${state}.`,
        };
      },
    ),
    // It tells what the other one is called, as long as any policy has it.
    beside: ['subName'],
    ...(links && { within: true as const }),
    undo: (args: LinkArgs<Kind>, { linked }: Fingerprint): string | undefined =>
      linked === links
        ? undefined
        : `rdp policy ${links ? 'unlink' : 'link'} ${args.policy.id} ${kind} ${subOf(args).id}`,
  } as const;
}

type Order = (appliance: Appliance, both: { readonly id: number; readonly sub: number }) => Promise<Ran>;

const orders: Readonly<Record<Direction, Readonly<Record<LinkKind, Order>>>> = {
  link: {
    network: ({ rdp }, both) => rdp.linkNetwork(both),
    schedule: ({ rdp }, both) => rdp.linkSchedule(both),
    member: ({ rdp }, both) => rdp.linkMember(both),
    target: ({ rdp }, both) => rdp.linkTarget(both),
  },
  unlink: {
    network: ({ rdp }, both) => rdp.unlinkNetwork(both),
    schedule: ({ rdp }, both) => rdp.unlinkSchedule(both),
    member: ({ rdp }, both) => rdp.unlinkMember(both),
    target: ({ rdp }, both) => rdp.unlinkTarget(both),
  },
};
