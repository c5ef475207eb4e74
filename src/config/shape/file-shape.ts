import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { type Policy, shippedApprovals, shippedRoles } from '../../auth/policy.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { WebhookSettings } from '../../bot/webhook.ts';
import type { ApplianceSecrets } from '../referenced.ts';
import { isThisMachine } from '../slack-address.ts';
import { appliance, type ConfiguredAppliance } from './appliance-shape.ts';
import { policySettings } from './policy-shape.ts';
import { selfServiceOf } from './self-service-shape.ts';
import { secret } from './values.ts';

const urlWanted = 'must be an https address without a user name, a password or a fragment';

/** Only encrypted text leaves this machine, because it tells who changes what. */
function isReceiver(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname));
}

/** Clouds serve their machines' secrets there, and no receiver is there. */
const ofTheLink = new BlockList();
ofTheLink.addSubnet('169.254.0.0', 16, 'ipv4');
ofTheLink.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
ofTheLink.addSubnet('fe80::', 10, 'ipv6');
ofTheLink.addAddress('fd00:ec2::254', 'ipv6');

function isMachinesOwn(text: string): boolean {
  const hostname = URL.parse(text)?.hostname.replaceAll(/[[\]]/g, '') ?? '';
  const family = isIP(hostname);
  if (family === 0) return /^metadata\.google\.internal\.?$/.test(hostname);
  return ofTheLink.check(hostname, family === 6 ? 'ipv6' : 'ipv4');
}

const signing = secret('the secret');

const webhook = z.strictObject(
  {
    url: z
      .string({ error: urlWanted })
      .refine(isReceiver, urlWanted)
      .refine(
        (text) => !isMachinesOwn(text),
        'is an address at which a cloud keeps the secrets of its machines',
      )
      .meta({
        description: 'The https address that is told of changes.',
        examples: ['https://itsm.example.com/hooks/appliance-bot'],
      }),
    secret: signing.meta({
      description:
        'The secret that deliveries are signed with, as a reference: whsec_ and 24 to 64 random bytes in base64.',
      examples: ['${WEBHOOK_SECRET}'],
    }),
    previous_secret: signing.optional().meta({
      description:
        'The secret before that. While it is set, every delivery is signed with both, so that receivers can change over.',
      examples: ['${WEBHOOK_PREVIOUS_SECRET}'],
    }),
    changes: z
      .enum(['ticketed', 'all'], { error: 'must be ticketed or all' })
      .default('ticketed')
      .meta({
        description: 'Which changes it is told of: those with a ticket, or all.',
        examples: ['all'],
      }),
  },
  { error: 'must be the settings of the webhook' },
);

/** The content of the YAML file: appliances, and what may be done with them in which channel. */
export interface PolicyFile {
  readonly appliances: readonly ConfiguredAppliance[];
  /** The appliances in the form for `--on`. */
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly webhook: WebhookSettings | undefined;
}

/** The file's schema. Further checks are in `cross-check.ts` and `unknown-words.ts`. */
export const fileShape = z.strictObject(
  {
    appliances: z
      .record(z.string().meta({ pattern: '^[a-z0-9][a-z0-9-]{0,30}$' }), appliance, {
        error: 'must list at least one appliance',
      })
      .meta({
        description: 'The appliances, by name.',
        examples: [{ hq: { url: 'https://10.20.0.2:9503' } }],
      }),
    ...policySettings,
    webhook: webhook.optional().meta({
      description:
        'Another system that is told, by signed webhooks, when changes are asked for, approved and done (docs/webhooks.md). Default: none.',
      examples: [{ url: 'https://itsm.example.com/hooks/appliance-bot', secret: '${WEBHOOK_SECRET}' }],
    }),
  },
  { error: 'must be settings, such as appliances and channels' },
);

/** Combines a valid file with the shipped defaults. */
export function meaningOf(
  { appliances, webhook: receiver, ...policy }: z.output<typeof fileShape>,
  secretsOf: (appliance: string) => ApplianceSecrets,
  keys: readonly Buffer[],
): PolicyFile {
  const listed = Object.entries(appliances);
  return {
    appliances: listed.map(([name, { settings }]) => ({ name, ...settings, ...secretsOf(name) })),
    fleet: new Map(listed.map(([name, { facts }]) => [name, facts])),
    webhook: receiver && { url: receiver.url, changes: receiver.changes, keys },
    policy: {
      channels: policy.channels,
      holders: policy.holders,
      roles: { ...shippedRoles, ...policy.roles },
      approvals: [...policy.approvals, ...shippedApprovals],
      tickets: policy.tickets,
      emergency: policy.emergency,
      audit: policy.audit,
      bulk: policy.bulk && { askAbove: policy.bulk.ask_above },
      selfService:
        policy.self_service && selfServiceOf(policy.self_service, (id) => policy.channels[id]?.appliance),
      timeZone: policy.time_zone,
      words: policy.words,
      windows: policy.windows,
      freezes: policy.freezes,
    },
  };
}
