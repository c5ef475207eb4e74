import type { Appliance } from '../../../api/index.ts';
import { identifier, type Named, nameOrNumber } from '../../argument.ts';
import type { AskingAppliance, OnAppliance } from '../../context.ts';
import { change } from '../../declare.ts';
import { readBackIn } from '../../listing.ts';
import { say, strong, type Text } from '../../reply.ts';
import type { Fingerprint, Preview, Ran, Verification } from '../../results.ts';
import { type ListedThing, numbered } from '../shown.ts';
import { goneText, type LinkKind, linksIn, linksOf, member, policies, policy, target } from '../things.ts';

/**
 * Networks and schedules have no list on the appliance (appliance-api.md §4.6), so people use their numbers;
 * `rdp policy <policy>` shows the linked ones.
 */
const network = identifier('the number of a network', '6');
const schedule = identifier('the number of a schedule', '2');

export const linkMember = change({
  ...linking('link', 'member'),
  phrase: 'rdp policy link member <member> to <policy>',
  says: `
    give <member> access to server / give <member> access / let <member> into <policy> /
    add <member> to policy <policy> / allow <member> to connect / grant <member> remote access /
    assign policy <policy> to <member> / <member> needs access to server /
    add user <member> to policy <policy> / authorize <member> / add <member> to rdp policy <policy> /
    let <member> connect to the servers of policy <policy> / include <member> in policy <policy> /
    give <member> access to the servers of policy <policy> / <member> needs policy <policy> /
    add <member> to <policy> / put <member> in <policy> / put <member> into policy <policy> /
    <member> should be in policy <policy> / <member> needs access like <policy> /
    give <member> policy <policy> / allow <member> in policy <policy> / link <member> to <policy> /
    link member <member> to <policy> / give <member> the rights of <policy> / <member> joins <policy> /
    member <member> to policy <policy> / <member> needs access to the <policy> servers /
    allow <member> remote desktop to <target> / give <member> access to <target> /
    let <member> on <target> / grant <member> rdp to <target> / <member> needs access to <target> /
    let <member> connect to <target> / <member> needs rdp to <target> / permit <member> on <target>
  `,
  also: ['rdp policy link <policy> member <member>'],
  args: { policy, member },
  summary: 'Link a member to a remote-desktop policy',
  example: 'rdp policy link 5 member yuki.tanaka',
});

export const unlinkMember = change({
  ...linking('unlink', 'member'),
  phrase: 'rdp policy unlink member <member> from <policy>',
  says: `
    remove <member> from policy <policy> / take access away from <member> / revoke access of <member> /
    take <member> off policy <policy> / no access for <member> any more /
    withdraw remote access of <member> / take <member> out of policy <policy> /
    remove user <member> from policy <policy> / revoke policy <policy> from user <member> /
    kick <member> out of policy <policy> / <member> no longer needs policy <policy> /
    remove <member> from <policy> / take <member> out of <policy> / <member> should not be in <policy> /
    <member> must leave policy <policy> / drop <member> from <policy> / <member> no longer in <policy> /
    delete <member> from policy <policy> / unlink <member> from <policy> /
    unlink member <member> from <policy> / <member> should lose <policy> /
    throw <member> out of policy <policy> / <member> is not in the team <policy> any more /
    <member> should not be able to connect / <member> may not connect any more /
    revoke remote access of <member> / take remote access from <member> / <member> left the company /
    lock <member> out of rdp / stop <member> from connecting
  `,
  also: ['rdp policy unlink <policy> member <member>'],
  args: { policy, member },
  summary: 'Unlink a member from a remote-desktop policy',
  example: 'rdp policy unlink 5 member bob.miller',
});

export const linkTarget = change({
  ...linking('link', 'target'),
  phrase: 'rdp policy link target <target> to <policy>',
  says: `
    link target <target> to policy <policy> / add server <target> to policy <policy> /
    allow policy <policy> to reach <target> / make <target> reachable by policy <policy> /
    make <target> reachable with policy <policy> / policy <policy> should lead to server <target> /
    policy <policy> must include server <target> / policy <policy> should reach <target> /
    let <policy> reach <target> / <policy> may connect to <target> /
    give <policy> access to server <target> / add <target> to <policy> / add target <target> to <policy> /
    people of policy <policy> need <target> / put server <target> in policy <policy> /
    <policy> needs server <target> / open <target> for <policy> / allow <policy> on <target> /
    link target <target> to <policy> / give policy <policy> access to <target> /
    policy <policy> needs <target> / let policy <policy> use <target> / add <target> to policy <policy> /
    put server <target> into policy <policy>
  `,
  also: ['rdp policy link <policy> target <target>'],
  args: { policy, target },
  summary: 'Link a target to a remote-desktop policy',
  example: 'rdp policy link 5 target srv-print-01',
});

export const unlinkTarget = change({
  ...linking('unlink', 'target'),
  phrase: 'rdp policy unlink target <target> from <policy>',
  says: `
    unlink target <target> from policy <policy> / take <target> out of policy <policy> /
    remove server <target> from policy <policy> / take server <target> out of rdp /
    take server <target> out of policy <policy> / policy <policy> no longer leads to server <target> /
    policy <policy> should not reach <target> / <policy> may not connect to <target> /
    remove <target> from <policy> / remove target <target> from <policy> /
    policy <policy> must not reach server <target> / take <target> away from <policy> /
    <policy> no longer needs <target> / close <target> for <policy> / unlink target <target> from <policy> /
    drop <target> from policy <policy> / <policy> should not get to <target>
  `,
  also: ['rdp policy unlink <policy> target <target>'],
  args: { policy, target },
  summary: 'Unlink a target from a remote-desktop policy',
  example: 'rdp policy unlink 5 target srv-files-02',
});

export const linkNetwork = change({
  ...linking('link', 'network'),
  phrase: 'rdp policy link network <network> to <policy>',
  says: `
    link network <network> to policy <policy> / allow network <network> in policy <policy> /
    add network <network> to policy <policy> / let policy <policy> come from network <network> /
    allow subnet <network> to connect in policy <policy> / add network <network> to rdp policy <policy> /
    policy <policy> only from network <network> / let policy <policy> come from <network> /
    <policy> may connect from <network> / allow <network> for policy <policy> /
    policy <policy> from network <network> / network <network> may use <policy> /
    link network <network> to <policy> / let <network> use policy <policy> /
    allow <network> in policy <policy> / policy <policy> may be used from <network>
  `,
  also: ['rdp policy link <policy> network <network>'],
  args: { policy, network },
  summary: 'Link a network to a remote-desktop policy',
  example: 'rdp policy link 4 network 6',
});

export const unlinkNetwork = change({
  ...linking('unlink', 'network'),
  phrase: 'rdp policy unlink network <network> from <policy>',
  says: `
    unlink network <network> from policy <policy> / remove network <network> from policy <policy> /
    remove network <network> from rdp policy <policy> / take subnet <network> out of policy <policy> /
    nobody from network <network> with policy <policy> / policy <policy> not from <network> /
    policy <policy> should not come from network <network> / no access from <network> for policy <policy> /
    network <network> may not use policy <policy> / unlink network <network> from <policy>
  `,
  also: ['rdp policy unlink <policy> network <network>'],
  args: { policy, network },
  summary: 'Unlink a network from a remote-desktop policy',
  example: 'rdp policy unlink 5 network 6',
});

export const linkSchedule = change({
  ...linking('link', 'schedule'),
  phrase: 'rdp policy link schedule <schedule> to <policy>',
  says: `
    link schedule <schedule> to policy <policy> / add schedule <schedule> to policy <policy> /
    limit policy <policy> to times of schedule <schedule> / working hours for policy <policy> /
    limit policy <policy> to schedule <schedule> / policy <policy> only in office hours <schedule> /
    time restriction <schedule> for policy <policy> / attach schedule <schedule> to policy <policy> /
    policy <policy> only at <schedule> / policy <policy> only on <schedule> /
    <policy> only during <schedule> / allow <policy> only in schedule <schedule> /
    use schedule <schedule> for <policy>
  `,
  also: ['rdp policy link <policy> schedule <schedule>'],
  args: { policy, schedule },
  summary: 'Link a schedule to a remote-desktop policy',
  example: 'rdp policy link 5 schedule 3',
});

export const unlinkSchedule = change({
  ...linking('unlink', 'schedule'),
  phrase: 'rdp policy unlink schedule <schedule> from <policy>',
  says: `
    unlink schedule <schedule> from policy <policy> / remove schedule <schedule> from policy <policy> /
    no time limit for policy <policy> / remove time restriction <schedule> from policy <policy> /
    policy <policy> at any hour without schedule <schedule> /
    detach schedule <schedule> from policy <policy> / no schedule for policy <policy> /
    policy <policy> without schedule <schedule> / policy <policy> around the clock /
    unlink schedule <schedule> from <policy>
  `,
  also: ['rdp policy unlink <policy> schedule <schedule>'],
  args: { policy, schedule },
  summary: 'Unlink a schedule from a remote-desktop policy',
  example: 'rdp policy unlink 9 schedule 2',
});

/** Linking to a policy and unlinking undo each other (appliance-api.md §3). */
type Direction = 'link' | 'unlink';

type LinkArgs<Kind extends LinkKind> = { readonly policy: Named } & {
  readonly [kind in Kind]: Named | number;
};

/** The whole command except its phrase, arguments and summary. */
function linking<const Kind extends LinkKind>(direction: Direction, kind: Kind) {
  const links = direction === 'link';
  const subOf = (args: LinkArgs<Kind>): Named => {
    const sub: Named | number = args[kind];
    return typeof sub === 'number' ? { id: sub, name: '' } : sub;
  };
  // Networks and schedules have no list; only policies with them report their names.
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
        ? say`Linking ${called(args, shown)} to policy ${nameOrNumber(args.policy)}`
        : say`Unlinking ${called(args, shown)} from policy ${nameOrNumber(args.policy)}`,
    done: (args: LinkArgs<Kind>, shown: Fingerprint): Text =>
      links
        ? say`Policy ${strong(nameOrNumber(args.policy))}: ${called(args, shown)} linked`
        : say`Policy ${strong(nameOrNumber(args.policy))}: ${called(args, shown)} unlinked`,
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
            ? say`Policy ${strong(nameOrNumber(found))} already has ${sub}.`
            : say`Policy ${strong(nameOrNumber(found))} does not have ${sub}.`,
        };
      }
      return {
        kind: 'ready',
        question: links
          ? say`Link ${sub} to policy ${strong(nameOrNumber(found))}?`
          : say`Unlink ${sub} from policy ${strong(nameOrNumber(found))}?`,
        fields: [],
        fingerprint: { policy: found.id, [kind]: subOf(args).id, subName, linked: linked ?? null },
      };
    },
    run: ({ appliance, args }: OnAppliance<LinkArgs<Kind>>): Promise<Ran> =>
      orders[direction][kind](appliance, { id: args.policy.id, sub: subOf(args).id }),
    verify: readBackIn<LinkArgs<Kind>, ListedThing>(
      (args) => linksIn(args.policy.id, kind),
      async ({ seek }, { args }, shown): Promise<Verification> => {
        const { id } = subOf(args);
        const linked = (await seek((one) => one.id === String(id), id)).found !== undefined;
        const state = linked ? 'is linked to it' : 'is not linked to it';
        return {
          kind: linked === links ? 'happened' : 'not_happened',
          evidence: say`Policy ${numbered(args.policy)} read back: ${kind} ${numbered(namedSub(args, shown))} ${state}.`,
        };
      },
    ),
    // The name of the linked thing, as long as any policy has it.
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
