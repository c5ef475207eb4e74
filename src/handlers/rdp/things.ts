import {
  type AskedAppliance,
  type IdentifiedEntry,
  type Member,
  type NamedEntry,
  type RdpPolicy,
  type Session,
  withExtent,
} from '../../api/index.ts';
import { type Argument, type Listed, lackIn, lacking, listed, type Named, named } from '../argument.ts';
import { type Listing, listedIn, listing, NotListed } from '../listing.ts';
import { capital, code, say, strong, type Text } from '../reply.ts';
import type { Fingerprint } from '../results.ts';
import { numberUnder, reportedUnder } from '../wording/reported.ts';
import { processOf, type ServiceProcess } from '../wording/service-process.ts';
import { type ListedThing, listIn } from './shown.ts';

/** The things of the remote-desktop gateway that people name, and their relations. */

/** A list of the gateway, which also counts some things and shows whether it runs. */
function kept<Found extends { readonly id: number } | NamedEntry>(
  things: string,
  read: (rdp: AskedAppliance['rdp']) => Promise<readonly Found[]>,
  ...counted: readonly string[]
): Listing<Found> {
  return listing<Found>({
    things,
    read: ({ rdp }) => read(rdp),
    keyOf: (one) => ('id' in one ? one.id : one.name),
    count: async ({ rdp }) => numberUnder((await rdp.state()).fields, ...counted),
    isUp: isServing,
  });
}

/** The gateway as a service, by its status. */
export async function processOn({ rdp }: AskedAppliance): Promise<ServiceProcess> {
  const { info, fields } = await rdp.status();
  return processOf({ state: info, ...fields });
}

/** It runs and lists something. Right after a start it may not have loaded its data. */
export async function isServing(appliance: AskedAppliance): Promise<boolean> {
  if ((await processOn(appliance)).running !== true) return false;
  const { rdp } = appliance;
  const kept = await Promise.all([rdp.listPolicies(), rdp.listTargets(), rdp.listMembers()]);
  return kept.some((all) => all.length > 0);
}

export const members = kept('members', (rdp) => rdp.listMembers(), 'members', 'membercount');
export const targets = kept('targets', (rdp) => rdp.listTargets(), 'targets', 'targetcount');
export const policies = kept('policies', (rdp) => rdp.listPolicies(), 'policies', 'policycount');
export const videos = kept('recordings', (rdp) => rdp.listVideos(), 'videos', 'videocount');
export const sessions = kept('open sessions', (rdp) => rdp.listSessions(), 'opensessions', 'sessions');
export const mfaUsers = kept('second-factor users', (rdp) => rdp.listMfaUsers());
/** The patterns of one policy, or of all. */
export const patternsOf = (policy?: number) =>
  kept('patterns', (rdp) => rdp.listPatterns(policy === undefined ? {} : { policy }));

const asNamed = ({ id, name = '' }: IdentifiedEntry): Named => ({ id, name });

export const member: Argument<Named> = {
  ...named('a member', 'bob.miller', (appliance) =>
    listedIn(members, appliance, (one) => {
      const fullName = reportedUnder(one.fields, 'fullname', 'displayname', 'realname');
      return { ...asNamed(one), ...(fullName === undefined ? {} : { hint: fullName }) };
    }),
  ),
  isUser: true,
};

export const target = named('a target', 'srv-files-01', (appliance) =>
  listedIn(targets, appliance, (one) => {
    const address = reportedUnder(one.fields, 'address', 'host', 'hostname', 'ip');
    return { ...asNamed(one), ...(address === undefined ? {} : { hint: address }) };
  }),
);

export const policy = named('a policy', '5', (appliance) => listedIn(policies, appliance, asNamed));

export const pattern = named('a detection pattern', '12', (appliance) =>
  listedIn(patternsOf(), appliance, asNamed),
);

export const video = named('a video', '130', (appliance) => listedIn(videos, appliance, asNamed));

/** A policy, or 0 and `all` for all of them, as patterns have it (appliance-api.md §4.6). */
export const policyOrAll: Argument<Named> = {
  ...listed<Named>('a policy, or all', '5', async (appliance) => {
    const some = await listedIn(policies, appliance, (one): Listed<Named> => {
      const value = asNamed(one);
      return { word: String(value.id), name: value.name, value };
    });
    return lacking([allPolicies, ...some], lackIn(some));
  }),
  numbered: true,
};

const allPolicies: Listed<Named> = {
  word: '0',
  name: 'all',
  hint: 'all policies',
  value: { id: 0, name: 'all policies' },
};

/** An open session, by its number or its user. The value is the number. */
export const session: Argument<number> = {
  ...listed<number>('an open session', '12 or bob.miller', (appliance) =>
    listedIn(sessions, appliance, ({ id, user = '', target: to, from }) => {
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

/** A user with a second factor. */
export const mfaUser: Argument<string> = {
  ...listed<string>('a second-factor user', 'bob.miller', (appliance) =>
    listedIn(mfaUsers, appliance, ({ name }) => ({ word: name, name, value: name })),
  ),
  isUser: true,
};

/** The kinds of things that a policy links to (appliance-api.md §4.6). */
export type LinkKind = 'network' | 'schedule' | 'member' | 'target';
export const linkKinds: readonly LinkKind[] = ['network', 'schedule', 'member', 'target'];

/** The linked things of a policy; undefined if the appliance does not report them. */
export function linksOf(found: RdpPolicy, kind: LinkKind): readonly ListedThing[] | undefined {
  const written = linksWritten(found, kind);
  return written === undefined ? undefined : listIn(written);
}

function linksWritten({ fields }: RdpPolicy, kind: LinkKind): string | undefined {
  const names = [`${kind}s`, kind, `${kind}ids`, `linked${kind}s`];
  return Object.entries(fields).find(([name]) =>
    names.includes(name.toLowerCase().replaceAll(/[^a-z]/g, '')),
  )?.[1];
}

/** The linked things as a list to search. */
export const linksIn = (policyId: number, kind: LinkKind): Listing<ListedThing> =>
  listing<ListedThing>({
    things: `${kind}s of the policy`,
    read: async ({ rdp }) => {
      const found = await rdp.getPolicy({ id: policyId });
      const written = linksWritten(found, kind) ?? '';
      const all = linksOf(found, kind);
      if (all === undefined)
        throw new NotListed(`the API does not report which ${kind}s a policy has`, found);
      return withExtent(all, {
        operation: 'rdp.getPolicy',
        namesMore: false,
        isWritten: written.trim() !== '',
      });
    },
    keyOf: ({ id }) => id,
    // A list of other linked things shows that the data is loaded.
    isUp: async ({ rdp }) => {
      const found = await rdp.getPolicy({ id: policyId });
      return linkKinds.some((other) => other !== kind && (linksOf(found, other)?.length ?? 0) > 0);
    },
  });

/** The policies for a member or target; undefined if none is known and some policies do not report their links. */
async function policiesWith(
  appliance: AskedAppliance,
  kind: LinkKind,
  id: number,
): Promise<readonly RdpPolicy[] | undefined> {
  const { all, lack } = await policies.look(appliance);
  const those = all.filter((one) => linksOf(one, kind)?.some((linked) => linked.id === String(id)));
  const isTold = lack === undefined && all.every((one) => linksOf(one, kind) !== undefined);
  return those.length === 0 && !isTold ? undefined : those;
}

/** The open sessions of a target or member; undefined if none is known and some sessions do not report it. */
export async function sessionsOf(
  appliance: AskedAppliance,
  whose: { readonly user?: string | undefined; readonly target?: string | undefined },
): Promise<readonly Session[] | undefined> {
  const { all: open, lack } = await sessions.look(appliance);
  const those = open.filter(
    ({ user, target: to }) =>
      (whose.user !== undefined && user === whose.user) ||
      (whose.target !== undefined && to === whose.target),
  );
  const isTold = open.every(
    ({ user, target: to }) =>
      (whose.user !== undefined && user !== undefined) || (whose.target !== undefined && to !== undefined),
  );
  return those.length === 0 && !(isTold && lack === undefined) ? undefined : those;
}

/**
 * The policies of a member or target, and the open sessions, in words and for the fingerprint. The document does not
 * say what happens to sessions.
 */
export async function surroundings(
  appliance: AskedAppliance,
  kind: 'member' | 'target',
  id: number,
  whose: Parameters<typeof sessionsOf>[1],
) {
  const [all, open] = await Promise.all([policiesWith(appliance, kind, id), sessionsOf(appliance, whose)]);
  return {
    fields: { 'In policies': policyNames(all), 'Open sessions': sessionNames(open) },
    fingerprint: { policies: idsOf(all), sessions: idsOf(open) },
  };
}

/** Undefined if the list is empty without proof that there are none. */
export async function openSessions(appliance: AskedAppliance): Promise<readonly Session[] | undefined> {
  const { all, lack } = await sessions.look(appliance);
  return all.length === 0 && lack !== undefined ? undefined : all;
}

const policyNames = (policies: readonly RdpPolicy[] | undefined): Text =>
  policies === undefined
    ? say`not reported`
    : say`${policies.length === 0 ? 'none' : policies.map(({ id, name = 'policy' }) => `${name} (${id})`).join(', ')}`;

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

/** Numbers in one line, for the fingerprint. */
const idsOf = (things: readonly { readonly id: number }[] | undefined): string | null =>
  things === undefined ? null : things.map(({ id }) => id).join(',');

/** @param kind in the singular: "member" */
export const goneText = (appliance: AskedAppliance, kind: string, id: number): Text =>
  say`${capital(kind)} ${id} no longer exists on ${strong(appliance.name)}. ${code(`/appliance rdp ${kind} list`)} shows what exists.`;

/** Identity and state of a target or policy. */
export const switchable = ({ id, name, enabled }: IdentifiedEntry): Fingerprint => ({
  id,
  name: name ?? null,
  enabled: enabled ?? null,
});

export const userOf = ({ username, name }: Pick<Member, 'username' | 'name'>): string | undefined =>
  username ?? name;
