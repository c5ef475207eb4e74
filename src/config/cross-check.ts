import { nearest } from '../auth/nearest.ts';
import { shippedRoles } from '../auth/policy.ts';
import { everyAppliance } from '../auth/targets.ts';
import { entriesOf, listOf } from './entries.ts';
import { type ConfigFinding, hint } from './findings.ts';
import { namesForPlace, roleNameShape } from './shape/rule-shape.ts';
import { channelIdShape } from './shape/values.ts';

/**
 * Checks beyond the schema: names, and that they belong together. Reads the raw file rather than the schema's
 * output, so that these problems are reported together with the others.
 */
export function crossCheck(content: unknown): readonly ConfigFinding[] {
  const appliances = Object.keys(entriesOf(content, 'appliances'));
  const own = Object.keys(entriesOf(content, 'roles'));
  const roles = [...new Set([...Object.keys(shippedRoles), ...own])];
  const none = { path: ['appliances'], wrong: 'must list at least one appliance.' };
  const isListed = 'appliances' in entriesOf(content);
  return [
    ...(isListed && appliances.length === 0 ? [none] : []),
    ...appliances.flatMap(inApplianceName),
    ...inTimeZone(entriesOf(content).time_zone),
    ...own.flatMap(inRoleName),
    ...Object.entries(entriesOf(content, 'channels')).flatMap(([id, channel]) => [
      ...inChannelId(id),
      ...inChannelAppliances(['channels', id], entriesOf(channel), appliances),
    ]),
    ...ticketRulesIn(content).flatMap(({ path, rule }) =>
      listOf(rule.channels).flatMap((id, index) =>
        inNamed([...path, 'channels', index], id, Object.keys(entriesOf(content, 'channels')), 'channels'),
      ),
    ),
    ...inSelfService(content, appliances),
    ...inReceiver(content),
    ...rolesNamedIn(content).flatMap(({ path, name }) => inNamed(path, name, roles, 'roles')),
    ...(isListed ? inPlaces(content) : []),
  ];
}

/** The receiver of changes must be no appliance. */
function inReceiver(content: unknown): readonly ConfigFinding[] {
  const hostOf = (text: unknown) => (typeof text === 'string' ? URL.parse(text)?.host : undefined);
  const host = hostOf(entriesOf(content, 'webhook').url);
  const settings = Object.values(entriesOf(content, 'appliances')).map((one) => entriesOf(one));
  const isAppliance = settings.some((one) => Object.values(one).some((value) => hostOf(value) === host));
  return host !== undefined && isAppliance
    ? [
        {
          path: ['webhook', 'url'],
          wrong: 'is the address of an appliance. Name the system that is told of changes.',
        },
      ]
    : [];
}

function inApplianceName(name: string): readonly ConfigFinding[] {
  const found = (wrong: string) => [{ path: ['appliances', name], wrong, like: ['appliances'] }];
  if (name === everyAppliance)
    return found('is not a valid appliance name: all is reserved for all appliances.');
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(name)
    ? []
    : found('is not a valid appliance name. Use lowercase letters, digits and hyphens.');
}

function inTimeZone(zone: unknown): readonly ConfigFinding[] {
  if (typeof zone !== 'string' || isTimeZone(zone)) return [];
  const known = Intl.supportedValuesOf('timeZone');
  const city = `/${zone.replaceAll(' ', '_')}`.toLowerCase();
  const meant = nearest(zone, known)[0] ?? known.find((name) => name.toLowerCase().endsWith(city));
  return [{ path: ['time_zone'], wrong: `is not an IANA time zone.${hint(meant)}` }];
}

function isTimeZone(zone: string): boolean {
  try {
    // An offset such as +01:00 is invalid, because it does not know when clocks change.
    return /^[a-z]/i.test(zone) && new Intl.DateTimeFormat('en-GB', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}

function inRoleName(name: string): readonly ConfigFinding[] {
  const path = ['roles', name];
  if (Object.hasOwn(shippedRoles, name)) {
    return [{ path, wrong: 'is a built-in role. Choose another name.', like: ['roles'] }];
  }
  // A name that every object inherits would be found without being defined.
  return roleNameShape.test(name) && !(name in {})
    ? []
    : [
        {
          path,
          wrong: 'is not a valid role name. Use lowercase letters, digits and hyphens.',
          like: ['roles'],
        },
      ];
}

function inChannelId(id: string): readonly ConfigFinding[] {
  if (channelIdShape.test(id)) return [];
  const wrong =
    'is not the Slack ID of a channel (C… or G…) or a direct message (D…). Names are not accepted: they can change.';
  const meant = id.toUpperCase();
  // A name usually has only letters, and an ID hardly ever.
  const isSlip = channelIdShape.test(meant) && /[0-9]/.test(meant);
  return [
    { path: ['channels', id], wrong: `${wrong}${hint(isSlip ? meant : undefined)}`, like: ['channels'] },
  ];
}

function inChannelAppliances(
  path: readonly PropertyKey[],
  channel: Readonly<Record<string, unknown>>,
  appliances: readonly string[],
): readonly ConfigFinding[] {
  return [
    { path: [...path, 'appliance'], name: channel.appliance },
    ...listOf(channel.appliances).map((name, index) => ({ path: [...path, 'appliances', index], name })),
  ].flatMap(({ path, name }) => inNamed(path, name, appliances, 'appliances'));
}

/** Requests are decided in a served channel, and their appliances belong to it. */
function inSelfService(content: unknown, appliances: readonly string[]): readonly ConfigFinding[] {
  const { channel, appliances: named } = entriesOf(content, 'self_service');
  const path = ['self_service', 'channel'];
  const channels = entriesOf(content, 'channels');
  const isServed = typeof channel !== 'string' || channel in channels;
  const there = entriesOf(channels[String(channel)]);
  const isThere = (name: unknown) =>
    !isServed ||
    there.appliance === name ||
    there.appliances === 'all' ||
    listOf(there.appliances).includes(name);
  return [
    ...(isServed
      ? []
      : [{ path, wrong: 'must be one of the channels in this file: requests are decided there.' }]),
    ...listOf(named).flatMap((name, index) => {
      const at = ['self_service', 'appliances', index];
      const unknown = inNamed(at, name, appliances, 'appliances');
      const wrong = `refers to ${String(name)}, which the channel ${String(channel)} cannot select: add it to its appliances.`;
      return unknown.length > 0 || isThere(name) ? unknown : [{ path: at, wrong }];
    }),
  ];
}

/** Places that rules are limited to and that do not exist: such a rule would match nowhere. */
function inPlaces(content: unknown): readonly ConfigFinding[] {
  const holders = [
    ...Object.entries(entriesOf(content, 'roles')).map(([name, role]) => ({
      path: ['roles', name],
      rule: entriesOf(role),
    })),
    ...listOf(entriesOf(content).approvals).map((one, index) => ({
      path: ['approvals', index],
      rule: entriesOf(one),
    })),
    ...ticketRulesIn(content),
    ...rulesIn(content),
  ];
  return Object.entries(namesForPlace).flatMap(([name, { called, among }]) => {
    const known = among(content);
    return holders.flatMap(({ path, rule }) => inNamed([...path, name], rule[name], known, called));
  });
}

interface Named {
  readonly path: readonly PropertyKey[];
  readonly name: unknown;
}

/** Every role that the file names. */
function rolesNamedIn(content: unknown): readonly Named[] {
  const keys = (path: readonly PropertyKey[], value: unknown): readonly Named[] =>
    Object.keys(entriesOf(value)).map((name) => ({ path: [...path, name], name }));
  const items = (path: readonly PropertyKey[], value: unknown): readonly Named[] =>
    Array.isArray(value)
      ? value.map((name, index) => ({ path: [...path, index], name }))
      : [{ path, name: value }];
  const approvals = listOf(entriesOf(content).approvals).map((one) => entriesOf(one));
  const channels = Object.entries(entriesOf(content, 'channels'));
  return [
    ...keys(['holders'], entriesOf(content).holders),
    ...approvals.flatMap(({ by, requesters }, index) => [
      ...items(['approvals', index, 'by'], by),
      ...items(['approvals', index, 'requesters'], requesters),
    ]),
    ...Object.entries(entriesOf(content, 'freezes')).flatMap(([name, one]) =>
      items(['freezes', name, 'except'], entriesOf(one).except),
    ),
    ...items(['emergency', 'break_glass'], entriesOf(content, 'emergency').break_glass),
    ...channels.flatMap(([id, channel]) => [
      ...keys(['channels', id, 'roles'], entriesOf(channel).roles),
      ...items(['channels', id, 'only'], entriesOf(channel).only),
    ]),
  ];
}

function inNamed(
  path: readonly PropertyKey[],
  name: unknown,
  known: readonly string[],
  what: string,
): readonly ConfigFinding[] {
  if (typeof name !== 'string' || known.includes(name)) return [];
  const [meant] = nearest(name, known);
  const why =
    known.length === 0
      ? `but no ${what} are defined.`
      : `which is not defined. Defined ${what}: ${known.join(', ')}.`;
  const wrong = `refers to ${name}, ${why}${hint(meant)}`;
  return [{ path, wrong }];
}

export interface RuleFound {
  readonly path: readonly PropertyKey[];
  readonly rule: Readonly<Record<string, unknown>>;
}

const ticketRulesIn = (content: unknown): readonly RuleFound[] =>
  listOf(entriesOf(content, 'tickets').required).map((one, index) => ({
    path: ['tickets', 'required', index],
    rule: entriesOf(one),
  }));

export function rulesIn(content: unknown): readonly RuleFound[] {
  const at = (path: readonly PropertyKey[], holder: unknown, list = 'commands'): readonly RuleFound[] =>
    listOf(entriesOf(holder)[list]).map((rule, index) => ({
      path: [...path, list, index],
      rule: entriesOf(rule),
    }));
  return [
    ...Object.entries(entriesOf(content, 'roles')).flatMap(([name, role]) => at(['roles', name], role)),
    ...listOf(entriesOf(content).approvals).flatMap((approval, index) => at(['approvals', index], approval)),
    ...ticketRulesIn(content).flatMap(({ path, rule }) => [...at(path, rule), ...at(path, rule, 'except')]),
    ...Object.entries(entriesOf(content, 'freezes')).flatMap(([name, one]) => at(['freezes', name], one)),
  ];
}
