import { z } from 'zod';
import { nearest } from '../auth/nearest.ts';
import { channels, type Policy, roleNames } from '../auth/policy.ts';
import { everyAppliance, type Fleet } from '../auth/targets.ts';
import { applianceExamples, applianceSchema, type ConfiguredAppliance } from './appliance-shape.ts';
import type { Environment } from './secret.ts';

/** What the YAML file says: appliances, and what may be done with them in which channel. */
export interface PolicyFile {
  readonly appliances: readonly ConfiguredAppliance[];
  /** The same appliances as `--on` knows them. */
  readonly fleet: Fleet;
  readonly policy: Policy;
}

/** The file's shape. Secrets stand in it by reference only. */
export function schemaFor(environment: Environment, folder: string) {
  const appliance = applianceSchema(environment, folder);
  return z
    .strictObject(
      {
        appliances: z.record(z.string(), appliance, { error: 'must list at least one appliance' }),
        channels: channels.prefault({}),
      },
      { error: 'must be a list of settings: appliances and channels' },
    )
    .transform((value) => ({
      appliances: Object.entries(value.appliances).map(([name, { settings }]) => ({ name, ...settings })),
      fleet: new Map(Object.entries(value.appliances).map(([name, { tags }]) => [name, { tags }])),
      policy: { channels: value.channels },
    }));
}

/** Something wrong in the file: where, and the setting whose example helps. */
export interface Finding {
  readonly path: readonly PropertyKey[];
  readonly wrong: string;
  readonly like: string;
}

/** What the schema found, in our words. */
export function findings(issue: z.core.$ZodIssue): readonly Finding[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const [meant] = nearest(key, Object.keys(examples));
      return { path: [...issue.path, key], wrong: `is not a setting.${hint(meant)}`, like: meant ?? '' };
    });
  }
  const [top, ...inner] = issue.path.map(String);
  // A word may be a setting of the file and of a channel: `appliances`.
  const like =
    inner.flatMap((step) => [step, `${top}.${step}`]).findLast((name) => Object.hasOwn(examples, name)) ??
    top;
  return [{ path: issue.path, wrong: `${issue.message}.`, like: like ?? '' }];
}

/**
 * What the shape cannot say: names, and that they belong together. Looks at the file as it is and not at what the
 * schema made of it, so that these problems are told together with the others.
 */
export function crossCheck(content: unknown): readonly Finding[] {
  const appliances = Object.keys(entriesOf(content, 'appliances'));
  const none = { path: ['appliances'], wrong: 'must list at least one appliance.', like: 'appliances' };
  const isListed = 'appliances' in entriesOf(content);
  return [
    ...(isListed && appliances.length === 0 ? [none] : []),
    ...appliances.flatMap(findingsInName),
    ...Object.entries(entriesOf(content, 'channels')).flatMap(([id, channel]) =>
      findingsInChannel(id, entriesOf(channel), appliances),
    ),
  ];
}

function findingsInName(name: string): readonly Finding[] {
  const found = (wrong: string) => [{ path: ['appliances', name], wrong, like: 'appliances' }];
  if (name === everyAppliance)
    return found('is not a name for an appliance: all is the word for all of them.');
  return /^[a-z0-9][a-z0-9-]{0,30}$/.test(name)
    ? []
    : found('is not a name for an appliance: lower-case letters, digits and hyphens.');
}

function findingsInChannel(
  id: string,
  channel: Readonly<Record<string, unknown>>,
  appliances: readonly string[],
): readonly Finding[] {
  const path = ['channels', id];
  const named = [
    { path: [...path, 'appliance'], name: channel.appliance, like: 'appliance' },
    ...listOf(channel.appliances).map((name, index) => ({
      path: [...path, 'appliances', index],
      name,
      like: 'channels.appliances',
    })),
  ];
  return [
    ...(/^[CG][A-Z0-9]{2,}$/.test(id)
      ? []
      : [{ path, wrong: 'is not the Slack ID of a channel (C… or G…): names change.', like: 'channels' }]),
    ...named.flatMap(({ path, name, like }) => {
      if (typeof name !== 'string' || appliances.includes(name)) return [];
      const [meant] = nearest(name, appliances);
      const wrong = `names ${name}, which is not one of the appliances (${appliances.join(', ')}).${hint(meant)}`;
      return [{ path, wrong, like }];
    }),
  ];
}

/** One for each setting; also the list of settings that a wrong key is compared with. */
export const examples: Readonly<Record<string, string>> = {
  appliances: 'appliances: { hq: { url: https://10.20.0.2:9503 } }',
  ...applianceExamples,
  channels: 'channels: { C0HELPDESK: { appliance: hq, roles: { viewer: everyone } } }',
  name: 'name: helpdesk',
  appliance: 'appliance: hq',
  'channels.appliances': 'appliances: [branch, branch-2], or appliances: all',
  roles: `roles: { helpdesk: [S0HELPDESK] } (the roles are ${roleNames.join(', ')})`,
  ...Object.fromEntries(
    roleNames.map((role) => [role, `${role}: everyone, or ${role}: [U0ALICE001, S0HELPDESK]`]),
  ),
};

const hint = (meant: string | undefined): string => (meant === undefined ? '' : ` Did you mean ${meant}?`);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The entries of an object, or of the object under a key of it; none of anything else. */
function entriesOf(value: unknown, key?: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  if (key === undefined) return { ...value };
  return entriesOf(entriesOf(value)[key]);
}
