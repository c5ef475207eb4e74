import { z } from 'zod';
import { type Manifest, readManifest } from '../../../sandbox/workspace/manifest.ts';
import { otherTeam } from '../../../sandbox/workspace/people.ts';
import type { WorkspaceOptions as Inside } from '../../../sandbox/workspace/workspace.ts';
import { mustKnow } from './names.ts';
import type { ChannelOptions, PersonOptions, UserGroupOptions, WorkspaceOptions } from './options.ts';

/** As the compiler knows them: an option that is declared and not named here is an error. */
const known: {
  readonly person: Readonly<Record<keyof PersonOptions, true>>;
  readonly channel: Readonly<Record<keyof ChannelOptions, true>>;
  readonly userGroup: Readonly<Record<keyof UserGroupOptions, true>>;
} = {
  person: { name: true, id: true, realName: true, title: true, email: true, isGuest: true, isExternal: true },
  channel: {
    ...{ name: true, id: true, topic: true, isPrivate: true, isArchived: true, isShared: true },
    ...{ members: true, hasApp: true },
  },
  userGroup: { handle: true, id: true, name: true, members: true },
};

const isObject = (value: unknown) => typeof value === 'object' && value !== null;
const isTime = (value: unknown) => typeof value === 'number' && value >= 0;
const list = { is: Array.isArray, says: 'a list' };
const milliseconds = { is: isTime, says: 'a number of milliseconds' };

/** Every option of `startWorkspace`, and what it takes. */
const kinds: Readonly<
  Record<keyof WorkspaceOptions, { readonly is: (value: unknown) => boolean; readonly says: string }>
> = {
  manifest: {
    is: (value) => typeof value === 'string' || isObject(value),
    says: 'a manifest, or the path of one',
  },
  people: list,
  channels: list,
  userGroups: list,
  team: { is: (value) => typeof value === 'string' && value.trim() !== '', says: 'a name' },
  port: {
    is: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 65_536,
    says: 'the number of a port',
  },
  requestUrl: {
    is: (value) => typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value),
    says: 'an address, such as http://127.0.0.1:3000/slack/events',
  },
  rateLimits: { is: (value) => typeof value === 'boolean', says: 'true or false' },
  clock: {
    is: (value) => typeof value === 'function',
    says: 'a function that answers milliseconds since 1970',
  },
  ackTimeoutMs: milliseconds,
  eventRetryDelaysMs: {
    is: (value) => Array.isArray(value) && value.every(isTime),
    says: 'a list of numbers of milliseconds',
  },
  retentionMs: milliseconds,
  patienceMs: milliseconds,
};

/** @throws TypeError for an option that there is not, names that Slack would not take, and a manifest of another shape */
export function readOptions(given: WorkspaceOptions): Inside {
  if (typeof given !== 'object' || given?.manifest === undefined)
    throw new TypeError('startWorkspace needs the manifest of the app: { manifest: "manifest.json" }.');
  mustKnow('startWorkspace has no option', given, Object.keys(kinds));
  for (const [name, { is, says }] of Object.entries(kinds)) {
    const value: unknown = Reflect.get(given, name);
    if (value !== undefined && !is(value)) throw new TypeError(`${name} is ${says}.`);
  }
  const { port, requestUrl, rateLimits, clock, ackTimeoutMs, eventRetryDelaysMs, retentionMs } = given;
  const people = (given.people ?? ['ana', 'ben', 'cleo']).map(personOf);
  const idOf = (name: string) => {
    const wanted = name.replace(/^@/, '');
    const found = people.find((one) => one.name === wanted || one.id === wanted);
    if (found === undefined) throw new TypeError(`There is no person ${name} among the people.`);
    return found.id;
  };
  const { team = 'Acme' } = given;
  const inside = {
    manifest: manifestOf(given.manifest),
    team: { name: team, domain: team.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-') },
    people,
    channels: (given.channels ?? ['general', 'random']).map((one) => channelOf(one, idOf)),
    userGroups: (given.userGroups ?? []).map((one) => userGroupOf(one, idOf)),
    ...defined({ port, requestUrl, rateLimits, clock, ackTimeoutMs, eventRetryDelaysMs }),
    ...(retentionMs !== undefined && { retention: retentionMs }),
  };
  mustDiffer('people', inside.people);
  mustDiffer('channels', inside.channels);
  mustDiffer('user groups', inside.userGroups);
  return inside;
}

function personOf(given: string | PersonOptions) {
  const { isExternal, ...person } = typeof given === 'string' ? { name: given } : given;
  mustKnow('A person has no option', person, Object.keys(known.person));
  mustFit('person', person.name, /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u);
  return {
    id: idFor('U', person.name),
    ...person,
    ...(isExternal === true && { teamId: otherTeam.id }),
  };
}

function channelOf(given: string | ChannelOptions, idOf: (name: string) => string) {
  const { isShared, members, hasApp, ...channel } = typeof given === 'string' ? { name: given } : given;
  mustKnow('A channel has no option', channel, Object.keys(known.channel));
  mustFit('channel', channel.name, /^[\p{Ll}\p{Lo}\p{N}_-]{1,80}$/u);
  return {
    id: idFor('C', channel.name),
    topic: '',
    ...channel,
    ...(isShared !== undefined && { isExtShared: isShared }),
    ...(members !== undefined && { members: members.map(idOf) }),
    ...(hasApp !== undefined && { botIsMember: hasApp }),
  };
}

function userGroupOf({ members, ...group }: UserGroupOptions, idOf: (name: string) => string) {
  mustKnow('A user group has no option', group, Object.keys(known.userGroup));
  mustFit('user group', group.handle, /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u);
  return { id: idFor('S', group.handle), ...group, users: members.map(idOf) };
}

/** Such as "U0ANA00000": of letters and digits as Slack's are, and the same in every run. */
const idFor = (kind: 'U' | 'C' | 'S', name: string): string =>
  `${kind}0${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '0')}`.padEnd(10, '0');

function mustFit(kind: string, name: unknown, shape: RegExp): void {
  if (typeof name !== 'string' || !shape.test(name))
    throw new TypeError(`A ${kind} cannot be called ${JSON.stringify(name)} in Slack.`);
}

function mustDiffer(kind: string, all: readonly { readonly id: string }[]): void {
  const [twice] = [...Map.groupBy(all, ({ id }) => id)].find(([, same]) => same.length > 1) ?? [];
  if (twice !== undefined)
    throw new TypeError(`Two of the ${kind} have the ID ${twice}: give one of them another one.`);
}

/** Treats undefined as absent. */
function defined<Given extends object>(given: Given) {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Given]?: NonNullable<Given[Name]> };
}

const texts = z.array(z.string());
const flag = z.boolean().optional();

/** The parts of a manifest that this workspace reads. Others are ignored. */
const manifestShape = z.looseObject({
  display_information: z.looseObject({ name: z.string().min(1).max(35) }),
  features: z
    .looseObject({
      app_home: z
        .looseObject({
          home_tab_enabled: flag,
          messages_tab_enabled: flag,
          messages_tab_read_only_enabled: flag,
        })
        .optional(),
      bot_user: z.looseObject({ display_name: z.string().min(1).max(80) }).optional(),
      slash_commands: z
        .array(
          z.looseObject({
            command: z.string().regex(/^\/\S{1,31}$/, 'is a slash and a word of at most 31 characters'),
            description: z.string(),
            usage_hint: z.string().optional(),
            should_escape: flag,
          }),
        )
        .optional(),
      shortcuts: z
        .array(
          z.looseObject({
            name: z.string().min(1).max(24),
            callback_id: z.string().min(1).max(255),
            description: z.string().min(1).max(150),
            type: z.enum(['message', 'global']),
          }),
        )
        .optional(),
      unfurl_domains: texts.optional(),
    })
    .optional(),
  oauth_config: z.looseObject({ scopes: z.looseObject({ bot: texts.optional() }).optional() }).optional(),
  functions: z.record(z.string(), z.looseObject({ title: z.string() })).optional(),
  settings: z
    .looseObject({
      event_subscriptions: z.looseObject({ bot_events: texts.optional() }).optional(),
      function_runtime: z.string().optional(),
      org_deploy_enabled: flag,
    })
    .optional(),
});

function manifestOf(given: WorkspaceOptions['manifest']): Manifest {
  const manifest = typeof given === 'string' || given instanceof URL ? readManifest(given) : given;
  const { error } = manifestShape.safeParse(manifest);
  if (error !== undefined)
    throw new TypeError(`Slack would not take this manifest:\n${z.prettifyError(error)}`);
  // Parts that are not checked here have the shape of Slack's own schema.
  return manifest as Manifest;
}
