import type { Appliance } from '../../../api/index.ts';
import type { Named } from '../../argument.ts';
import type { AskingAppliance, OnAppliance } from '../../context.ts';
import { say, strong, type Text } from '../../reply.ts';
import type { Fingerprint, Preview, Ran, Verification } from '../../results.ts';
import { calledBy, numbered } from '../shown.ts';
import { among, gone, type LinkKind, linksOf } from '../things.ts';

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
  const called = (args: LinkArgs<Kind>): string => `${kind} ${subOf(args).name || subOf(args).id}`;
  return {
    effect: 'write',
    verb: links ? 'Link' : 'Unlink',
    doing: (args: LinkArgs<Kind>): Text =>
      links
        ? say`Linking ${called(args)} to policy ${calledBy(args.policy)}`
        : say`Unlinking ${called(args)} from policy ${calledBy(args.policy)}`,
    done: (args: LinkArgs<Kind>): Text =>
      links
        ? say`Policy ${strong(calledBy(args.policy))}: ${called(args)} linked`
        : say`Policy ${strong(calledBy(args.policy))}: ${called(args)} unlinked`,
    preview: async ({ appliance, args }: AskingAppliance<LinkArgs<Kind>>): Promise<Preview> => {
      const found = among(await appliance.rdp.listPolicies(), args.policy);
      if (found === undefined) return gone(appliance, 'policy', args.policy);
      const linked = linksOf(found, kind)?.some(({ id }) => id === String(subOf(args).id));
      if (linked === links) {
        return {
          kind: 'nothing',
          why: links
            ? say`Policy ${strong(calledBy(found))} already has ${called(args)}.`
            : say`Policy ${strong(calledBy(found))} does not have ${called(args)}.`,
        };
      }
      return {
        kind: 'ready',
        question: links
          ? say`Link ${called(args)} to policy ${strong(calledBy(found))}?`
          : say`Unlink ${called(args)} from policy ${strong(calledBy(found))}?`,
        fields: [],
        fingerprint: { policy: found.id, [kind]: subOf(args).id, linked: linked ?? null },
      };
    },
    run: ({ appliance, args }: OnAppliance<LinkArgs<Kind>>): Promise<Ran> =>
      orders[direction][kind](appliance, { id: args.policy.id, sub: subOf(args).id }),
    verify: async ({ appliance, args }: AskingAppliance<LinkArgs<Kind>>): Promise<Verification> => {
      const found = await appliance.rdp.getPolicy({ id: args.policy.id });
      const all = linksOf(found, kind);
      if (all === undefined) {
        return {
          kind: 'not_checkable',
          why: `the API does not report which ${kind}s a policy has`,
          final: true,
        };
      }
      const linked = all.some(({ id }) => id === String(subOf(args).id));
      const state = linked ? 'is linked to it' : 'is not linked to it';
      return {
        kind: linked === links ? 'happened' : 'not_happened',
        evidence: say`Policy ${numbered(args.policy)} read back: ${kind} ${numbered(subOf(args))} ${state}.`,
      };
    },
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
