import { adminsOf } from '../../src/action/authority/admins.ts';
import { anySubjectOf, namesDecidedWith } from '../../src/action/authority/authority.ts';
import { againstDocument } from '../../src/api/index.ts';
import { holdersOfAny } from '../../src/auth/approval.ts';
import { rolesFor } from '../../src/auth/decide.ts';
import { type ApprovalRule, everyone, type Policy, shippedApprovals } from '../../src/auth/policy.ts';
import type { RequestedCommand } from '../../src/auth/request.ts';
import { type Rule, touches } from '../../src/auth/rule.ts';
import type { ConfigFinding } from '../../src/config/findings.ts';
import { certificatesIn, nameIn, timeTrouble } from '../../src/config/referenced.ts';
import type { ConfiguredAppliance } from '../../src/config/shape/appliance-shape.ts';
import type { PolicyFile } from '../../src/config/shape/file-shape.ts';
import type { AnyCommand } from '../../src/handlers/command.ts';
import { nameOf } from '../../src/handlers/command-name.ts';
import { enumerate, plainText, plural } from '../../src/handlers/reply.ts';

/** Valid settings that leave somebody with less than the author of the policy file may think. */
export function doubts(
  { appliances, policy }: PolicyFile,
  commands: readonly AnyCommand[],
  now: number,
): readonly ConfigFinding[] {
  return [
    ...appliances.flatMap(inMethods),
    ...appliances.flatMap((one) => inCertificates(one, now)),
    ...(adminsOf(policy).size > 0
      ? []
      : [
          {
            path: ['holders'],
            wrong: 'nobody holds the admin role, so nobody is notified when this file is invalid.',
          },
        ]),
    ...Object.entries(policy.roles).flatMap(([name, role]) =>
      inRules(['roles', name], role.commands, commands),
    ),
    ...policy.approvals.flatMap((rule, index) => [
      ...inRules(['approvals', index], rule.commands, commands),
      ...inApproval(rule, index, policy, commands),
    ]),
    ...(policy.tickets?.required ?? []).flatMap((one, index) =>
      inRules(['tickets', 'required', index], one.commands, commands),
    ),
    ...Object.keys(policy.channels).flatMap((id) => inChannel(id, policy)),
    ...inPairs(policy, commands),
  ];
}

/** Pairs of commands of which one does the other's work: both sets of rules hold, and an author of only one may not know. */
function inPairs(policy: Policy, commands: readonly AnyCommand[]): readonly ConfigFinding[] {
  const pairs = commands.flatMap((command) => {
    const own = anySubjectOf(command);
    const names: readonly string[] = namesDecidedWith(command);
    return commands
      .filter((one) => one !== command && names.includes(nameOf(one)))
      .map((one) => ({ own, other: { ...anySubjectOf(one), effect: own.effect } }));
  });
  const told = (
    path: readonly PropertyKey[],
    rules: readonly Rule[],
    words: (own: string, others: string) => string,
    isOdd: (own: boolean, other: boolean) => boolean,
  ): readonly ConfigFinding[] => {
    const isMeant = (subject: RequestedCommand) => rules.some((rule) => touches(rule, subject));
    const odd = pairs.filter(({ own, other }) => isOdd(isMeant(own), isMeant(other)));
    return [...Map.groupBy(odd, ({ own }) => own.name)].map(([name, some]) => ({
      path,
      wrong: words(name, plainText(enumerate(some.map(({ other }) => other.name)))),
    }));
  };
  const { required = [] } = policy.tickets ?? {};
  const care: readonly (readonly [readonly PropertyKey[], readonly Rule[]])[] = [
    ...policy.approvals.map((one, index) => [['approvals', index], one.commands] as const),
    ...required.map((one, index) => [['tickets', 'required', index], one.commands] as const),
    ...Object.entries(policy.freezes ?? {}).map(
      ([name, one]) => [['freezes', name], one.commands ?? []] as const,
    ),
  ];
  return [
    ...Object.entries(policy.roles).flatMap(([name, { commands: rules }]) =>
      told(
        ['roles', name],
        rules,
        (own, others) =>
          `the role allows ${own} but not ${others}. Where ${own} does the work of ${others}, this role alone is refused.`,
        (own, other) => own && !other,
      ),
    ),
    ...care.flatMap(([path, rules]) =>
      told(
        path,
        rules,
        (own, others) =>
          `it names ${others} but not ${own}. It also applies to ${own}, where that does the work of ${others}.`,
        (own, other) => other && !own,
      ),
    ),
  ];
}

/** Right where the appliance differs from its document. */
const inMethods = ({ name, methods = {} }: ConfiguredAppliance): readonly ConfigFinding[] =>
  againstDocument(methods).map(({ operation, endpoint }) => ({
    path: ['appliances', name, 'methods', operation],
    wrong: `the documented method is ${endpoint.method}. Set another only if this appliance answers HTTP 405.`,
  }));

/** They were right when they were written. */
const inCertificates = ({ name, tls }: ConfiguredAppliance, now: number): readonly ConfigFinding[] =>
  (['ca', 'certificate'] as const).flatMap((setting) =>
    (certificatesIn(tls?.[setting] ?? '') ?? []).flatMap((one) => {
      const trouble = timeTrouble(one, now);
      return trouble === undefined
        ? []
        : [
            {
              path: ['appliances', name, 'tls', setting],
              wrong: `the certificate of ${nameIn(one)} ${trouble.says}.`,
            },
          ];
    }),
  );

/** Right at the next release of the bot, perhaps. */
function inRules(
  path: readonly PropertyKey[],
  rules: readonly Rule[],
  commands: readonly AnyCommand[],
): readonly ConfigFinding[] {
  return rules.flatMap((rule, index) =>
    commands.some((command) => touches(rule, anySubjectOf(command)))
      ? []
      : [{ path: [...path, 'commands', index], wrong: 'no command matches all of its conditions.' }],
  );
}

function inChannel(id: string, policy: Policy): readonly ConfigFinding[] {
  const path = ['channels', id];
  const { roles = {}, only } = policy.channels[id] ?? {};
  if (holdersOfAny(Object.keys(policy.roles), id, policy).size === 0) {
    return [{ path, wrong: 'nobody holds a role that applies here, so no command can run.' }];
  }
  return Object.keys(roles).flatMap((role) =>
    only === undefined || only.includes(role)
      ? []
      : [
          {
            path: [...path, 'roles', role],
            wrong: 'this role does not apply here, because it is not listed in only.',
          },
        ],
  );
}

/** Whether anybody could give it, in any channel in which somebody could ask for it. */
function inApproval(
  rule: ApprovalRule,
  index: number,
  policy: Policy,
  commands: readonly AnyCommand[],
): readonly ConfigFinding[] {
  const covered = commands
    .map(anySubjectOf)
    .filter((subject) => rule.commands.some((one) => touches(one, subject)));
  const asked = Object.keys(policy.channels).filter((id) =>
    covered.some((subject) => rolesFor(subject, id, policy).length > 0),
  );
  const most = Math.max(...asked.map((id) => peopleAmong(holdersOfAny(rule.by, id, policy))));
  if (asked.length === 0 || most >= rule.count) return [];
  const first = covered.slice(0, 3).map(({ name }) => name);
  const what = plainText(enumerate(covered.length > 3 ? [...first, 'others'] : first));
  const wanted = `${plural(rule.count, 'person', 'people')} with the role ${plainText(enumerate(rule.by, 'or'))}`;
  const there = most === 0 ? 'nobody has it' : `no more than ${most} ${most === 1 ? 'has' : 'have'} it`;
  // The shipped approvals come after those of the file.
  const isOwn = index < policy.approvals.length - shippedApprovals.length;
  return [
    {
      path: isOwn ? ['approvals', index] : ['approvals'],
      wrong: `${wanted} must approve ${what}, but ${there} in the channels where it can be requested, so it cannot run.`,
    },
  ];
}

/** The known people, at most: the size of a user group is unknown here. */
const peopleAmong = (holders: ReadonlySet<string>): number =>
  [...holders].some((id) => id === everyone || id.startsWith('S')) ? Number.POSITIVE_INFINITY : holders.size;
