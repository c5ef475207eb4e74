import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { channels, type Policy, roleNames } from '../auth/policy.ts';
import { applianceExamples, applianceSchema, type ConfiguredAppliance } from './appliance-shape.ts';
import type { Environment } from './secret.ts';

/** What the YAML file says: appliances, and what may be done with them in which channel. */
export interface PolicyFile {
  readonly appliances: readonly ConfiguredAppliance[];
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
      appliances: Object.entries(value.appliances).map(([name, settings]) => ({ name, ...settings })),
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
      const meant = nearest(key);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return { path: [...issue.path, key], wrong: `is not a setting.${hint}`, like: meant ?? '' };
    });
  }
  const like = issue.path.findLast((step) => typeof step === 'string' && step in examples);
  return [{ path: issue.path, wrong: `${issue.message}.`, like: String(like ?? '') }];
}

/**
 * What the shape cannot say: names, and that they belong together. Looks at the file as it is and not at what the
 * schema made of it, so that these problems are told together with the others.
 */
export function crossCheck(content: unknown): readonly Finding[] {
  const appliances = Object.keys(entriesOf(content, 'appliances'));
  const badNames = appliances
    .filter((name) => !/^[a-z0-9][a-z0-9-]{0,30}$/.test(name))
    .map((name) => ({
      path: ['appliances', name],
      wrong: 'is not a name for an appliance: lower-case letters, digits and hyphens.',
      like: 'appliances',
    }));
  const none = { path: ['appliances'], wrong: 'must list at least one appliance.', like: 'appliances' };
  const perChannel = Object.entries(entriesOf(content, 'channels')).flatMap(([id, channel]) => {
    const path = ['channels', id];
    const appliance = entriesOf(channel).appliance;
    return [
      ...(/^[CG][A-Z0-9]{2,}$/.test(id)
        ? []
        : [{ path, wrong: 'is not the Slack ID of a channel (C… or G…): names change.', like: 'channels' }]),
      ...(typeof appliance !== 'string' || appliances.includes(appliance)
        ? []
        : [
            {
              path: [...path, 'appliance'],
              wrong: `names ${appliance}, which is not one of the appliances (${appliances.join(', ')}).`,
              like: 'appliance',
            },
          ]),
    ];
  });
  const isListed = 'appliances' in entriesOf(content);
  return [...(isListed && appliances.length === 0 ? [none] : []), ...badNames, ...perChannel];
}

/** One for each setting; also the list of settings that a wrong key is compared with. */
export const examples: Readonly<Record<string, string>> = {
  appliances: 'appliances: { hq: { url: https://10.20.0.2:9503 } }',
  ...applianceExamples,
  channels: 'channels: { C0HELPDESK: { appliance: hq, roles: { viewer: everyone } } }',
  name: 'name: helpdesk',
  appliance: 'appliance: hq',
  roles: `roles: { helpdesk: [S0HELPDESK] } (the roles are ${roleNames.join(', ')})`,
  ...Object.fromEntries(
    roleNames.map((role) => [role, `${role}: everyone, or ${role}: [U0ALICE001, S0HELPDESK]`]),
  ),
};

function nearest(key: string): string | undefined {
  const [best] = Object.keys(examples).toSorted((one, other) => distance(one, key) - distance(other, key));
  return best !== undefined && distance(best, key) <= Math.min(3, key.length * 0.7) ? best : undefined;
}

/** The entries of an object, or of the object under a key of it; none of anything else. */
function entriesOf(value: unknown, key?: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  if (key === undefined) return { ...value };
  return entriesOf(entriesOf(value)[key]);
}
