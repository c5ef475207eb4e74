import { z } from 'zod';
import { type Policy, shippedApprovals, shippedRoles } from '../../auth/policy.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { WebhookSettings } from '../../bot/webhook.ts';
import type { ApplianceSecrets } from '../referenced/appliance-secrets.ts';
import { appliance, type ConfiguredAppliance } from './appliance-shape.ts';
import { policySettings } from './policy-shape.ts';
import { selfServiceOf } from './self-service-shape.ts';
import { webhook } from './webhook-shape.ts';

/** What the YAML file says: appliances, and what may be done with them in which channel. */
export interface PolicyFile {
  readonly appliances: readonly ConfiguredAppliance[];
  /** The same appliances as `--on` knows them. */
  readonly fleet: Fleet;
  readonly policy: Policy;
  readonly webhook: WebhookSettings | undefined;
}

/** The file's shape. What can be said of it beyond that is in `cross-check.ts` and `unknown-words.ts`. */
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

/** What a file of that shape means, beside what comes with the bot. */
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
