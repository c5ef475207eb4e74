import type { AskedAppliance, IdentifiedEntry, Member, RdpPolicy, Session } from '../../api/index.ts';
import { type Argument, type Listed, listed, type Named, named } from '../argument.ts';
import { capital, code, say, strong, type Text } from '../reply.ts';
import type { Fingerprint, Preview, Verification } from '../results.ts';
import { reportedUnder } from '../wording/reported.ts';
import { type ListedThing, listIn, numbered } from './shown.ts';

/** The things of the remote-desktop gateway that people name in a line, and what they have to do with each other. */

const asNamed = ({ id, name = '' }: IdentifiedEntry): Named => ({ id, name });

export const member: Argument<Named> = {
  ...named('a member', 'bob.miller', async ({ rdp }) =>
    (await rdp.listMembers()).map((one) => {
      const fullName = reportedUnder(one.fields, 'fullname', 'displayname', 'realname');
      return { ...asNamed(one), ...(fullName === undefined ? {} : { hint: fullName }) };
    }),
  ),
  isUser: true,
};

export const target = named('a target', 'srv-files-01', async ({ rdp }) =>
  (await rdp.listTargets()).map((one) => {
    const address = reportedUnder(one.fields, 'address', 'host', 'hostname', 'ip');
    return { ...asNamed(one), ...(address === undefined ? {} : { hint: address }) };
  }),
);

export const policy = named('a policy', '5', async ({ rdp }) => (await rdp.listPolicies()).map(asNamed));

export const pattern = named('a detection pattern', '12', async ({ rdp }) =>
  (await rdp.listPatterns()).map(asNamed),
);

export const video = named('a video', '130', async ({ rdp }) => (await rdp.listVideos()).map(asNamed));

/** A policy, or 0 and `all` for all of them, as patterns have it (appliance-api.md §4.6). */
export const policyOrAll: Argument<Named> = {
  ...listed<Named>('a policy, or all', '5', async ({ rdp }) => [
    allPolicies,
    ...(await rdp.listPolicies())
      .map(asNamed)
      .map((one): Listed<Named> => ({ word: String(one.id), name: one.name, value: one })),
  ]),
  numbered: true,
};

const allPolicies: Listed<Named> = {
  word: '0',
  name: 'all',
  hint: 'all policies',
  value: { id: 0, name: 'all policies' },
};

/** An open session, by its number or by who is in it. The value is the number. */
export const session: Argument<number> = {
  ...listed<number>('an open session', '12 or bob.miller', async ({ rdp }) =>
    (await rdp.listSessions()).map(({ id, user = '', target: to, from }) => {
      const hint = [
        ...(to === undefined ? [] : [`on ${to}`]),
        ...(from === undefined ? [] : [`from ${from}`]),
      ];
      return {
        word: String(id),
        name: user,
        value: id,
        ...(hint.length === 0 ? {} : { hint: hint.join(' ') }),
      };
    }),
  ),
  numbered: true,
  isUser: true,
};

/** Somebody with a second factor, by user name. */
export const mfaUser: Argument<string> = {
  ...listed<string>('a second-factor user', 'bob.miller', async ({ rdp }) =>
    (await rdp.listMfaUsers()).map(({ name }) => ({ word: name, name, value: name })),
  ),
  isUser: true,
};

/** What a policy can be linked with (appliance-api.md §4.6). */
export type LinkKind = 'network' | 'schedule' | 'member' | 'target';
export const linkKinds: readonly LinkKind[] = ['network', 'schedule', 'member', 'target'];

/** What a policy is linked with; undefined when the appliance does not report it. */
export function linksOf({ fields }: RdpPolicy, kind: LinkKind): readonly ListedThing[] | undefined {
  const names = [`${kind}s`, kind, `${kind}ids`, `linked${kind}s`];
  const own = Object.entries(fields).find(([name]) =>
    names.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')),
  );
  return own === undefined ? undefined : listIn(own[1]);
}

/** The policies that let somebody in, or lead somewhere; undefined when none is known and not every policy reports its links. */
export async function policiesWith(
  { rdp }: AskedAppliance,
  kind: LinkKind,
  id: number,
): Promise<readonly RdpPolicy[] | undefined> {
  const all = await rdp.listPolicies();
  const those = all.filter((one) => linksOf(one, kind)?.some((linked) => linked.id === String(id)));
  return those.length === 0 && all.some((one) => linksOf(one, kind) === undefined) ? undefined : those;
}

/** The sessions that are open on a target, or of a member; undefined when none is known and not every session tells that. */
export async function sessionsOf(
  { rdp }: AskedAppliance,
  whose: { readonly user?: string | undefined; readonly target?: string | undefined },
): Promise<readonly Session[] | undefined> {
  const open = await rdp.listSessions();
  const those = open.filter(
    ({ user, target: to }) =>
      (whose.user !== undefined && user === whose.user) ||
      (whose.target !== undefined && to === whose.target),
  );
  const isTold = open.every(
    ({ user, target: to }) =>
      (whose.user !== undefined && user !== undefined) || (whose.target !== undefined && to !== undefined),
  );
  return those.length === 0 && !isTold ? undefined : those;
}

/** "ERP users (4), File servers (5)" */
export const policyNames = (policies: readonly RdpPolicy[] | undefined): Text =>
  policies === undefined
    ? say`not reported`
    : say`${policies.length === 0 ? 'none' : policies.map(({ id, name = 'policy' }) => `${name} (${id})`).join(', ')}`;

/** "12 of bob.miller on srv-files-01" */
export const sessionNames = (open: readonly Session[] | undefined): Text =>
  say`${
    open === undefined || open.length === 0
      ? open === undefined
        ? 'not reported'
        : 'none'
      : open
          .map(
            ({ id, user = 'an unnamed person', target: to }) =>
              `${user}${to === undefined ? '' : ` on ${to}`} (${id})`,
          )
          .join(', ')
  }`;

/** Numbers in one line, for what a click agrees to. */
export const idsOf = (things: readonly { readonly id: number }[] | undefined): string | null =>
  things === undefined ? null : things.map(({ id }) => id).join(',');

/** @param kind in the singular: "member" */
export const gone = (appliance: AskedAppliance, kind: string, { id }: Named): Preview => ({
  kind: 'nothing',
  why: goneText(appliance, kind, id),
});

/** The same words, where only they are wanted. */
export const goneText = (appliance: AskedAppliance, kind: string, id: number): Text =>
  say`${kind.charAt(0).toUpperCase()}${kind.slice(1)} ${id} no longer exists on ${strong(appliance.name)}. ${code(`/appliance rdp ${kind} list`)} shows what exists.`;

/** What identifies a target or a policy, and whether it is enabled. */
export const switchable = ({ id, name, enabled }: IdentifiedEntry): Fingerprint => ({
  id,
  name: name ?? null,
  enabled: enabled ?? null,
});

/** One of a list, by its ID. */
export const among = <Thing extends IdentifiedEntry>(
  all: readonly Thing[],
  { id }: Named,
): Thing | undefined => all.find((one) => one.id === id);

/** Whether something is deleted, by the list as it is now. `things` is what that lists: "targets". */
export const goneFrom = (all: readonly IdentifiedEntry[], things: string, thing: Named): Verification =>
  among(all, thing) === undefined
    ? {
        kind: 'happened',
        evidence: say`${capital(things)} read back: ${numbered(thing)} is gone, ${all.length} are left.`,
      }
    : {
        kind: 'not_happened',
        evidence: say`${capital(things)} read back: ${numbered(thing)} is still there.`,
      };

/** What a member is called on the gateway. */
export const userOf = ({ username, name }: Pick<Member, 'username' | 'name'>): string | undefined =>
  username ?? name;
