import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Deadlines } from '../api/index.ts';
import { channels, type Policy, roleNames } from '../auth/policy.ts';
import { type Environment, resolveSecret } from './secret.ts';

export interface ConfiguredAppliance {
  readonly name: string;
  readonly url: string;
  readonly key: string | undefined;
  readonly keyEverywhere: boolean;
  /** Milliseconds; what is not named keeps the client's default. */
  readonly deadlines: Partial<Deadlines>;
}

/** What the YAML file says: appliances, and what may be done with them in which channel. */
export interface PolicyFile {
  readonly appliances: readonly ConfiguredAppliance[];
  readonly policy: Policy;
}

const seconds = z
  .number({ error: 'must be a number of seconds' })
  .positive('must be more than 0 seconds')
  .max(600, 'must be at most 600 seconds');

/** The file's shape. Secrets stand in it by reference only. */
export function schemaFor(environment: Environment, folder: string) {
  const appliance = z.strictObject(
    {
      url: z
        .string({ error: 'must be the address of the Web API' })
        .refine(isAddress, 'must be an http or https address without a user name or password in it'),
      key: z
        .string({ error: 'must be a reference to the Web API key' })
        .transform((reference, context) => resolveSecret(reference, environment, folder, context))
        .optional(),
      key_everywhere: z.boolean({ error: 'must be true or false' }).optional(),
      timeouts: z
        .strictObject(
          { connect: seconds, read: seconds, whole: seconds },
          { error: 'must be the settings of the timeouts' },
        )
        .partial()
        .optional(),
    },
    { error: 'must be the settings of one appliance' },
  );
  return z
    .strictObject(
      {
        appliances: z.record(z.string(), appliance, { error: 'must list at least one appliance' }),
        channels: channels.prefault({}),
      },
      { error: 'must be a list of settings: appliances and channels' },
    )
    .transform((value) => ({
      appliances: Object.entries(value.appliances).map(([name, { url, key, key_everywhere, timeouts }]) => ({
        name,
        url,
        key,
        keyEverywhere: key_everywhere ?? false,
        deadlines: inMilliseconds(timeouts ?? {}),
      })),
      policy: { channels: value.channels },
    }));
}

function inMilliseconds(timeouts: Readonly<Record<string, number | undefined>>): Partial<Deadlines> {
  return Object.fromEntries(
    Object.entries(timeouts).flatMap(([name, value]) => (value === undefined ? [] : [[name, value * 1_000]])),
  );
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
  url: 'url: https://10.20.0.2:9503',
  key: 'key: ${HQ_WEB_API_KEY}',
  key_everywhere: 'key_everywhere: true',
  timeouts: 'timeouts: { connect: 3, read: 10, whole: 30 }',
  connect: 'connect: 3',
  read: 'read: 10',
  whole: 'whole: 30',
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

function isAddress(url: string): boolean {
  const address = URL.parse(url);
  return (
    address !== null &&
    /^https?:$/.test(address.protocol) &&
    address.username === '' &&
    address.password === ''
  );
}

/** The entries of an object, or of the object under a key of it; none of anything else. */
function entriesOf(value: unknown, key?: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return {};
  if (key === undefined) return { ...value };
  return entriesOf(entriesOf(value)[key]);
}
