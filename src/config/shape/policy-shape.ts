import { z } from 'zod';
import type { ChannelPolicy, EmergencyPolicy } from '../../auth/policy.ts';
import { approval } from './approval-shape.ts';
import { freezes, windows } from './calendar-shape.ts';
import { channelIdShape, holders } from './holders-shape.ts';
import { numberOfValues, role, roleName } from './rule-shape.ts';
import { selfService } from './self-service-shape.ts';
import { span } from './span.ts';
import { tickets } from './ticket-shape.ts';

const rolesHeld = (error: string) => z.record(roleName, holders, { error });

const emergency = (longest: string) =>
  z
    .strictObject(
      {
        longest: span('7d')
          .prefault(longest)
          .meta({
            description: 'The longest duration of emergency mode that can be requested.',
            examples: ['4h'],
          }),
        break_glass: roleName.optional().meta({
          description:
            'The role that may enable emergency mode without approval, with --break-glass. Every approver is notified at once. Default: nobody.',
          examples: ['approver'],
        }),
      },
      { error: 'must be the settings of emergency mode' },
    )
    .transform(({ longest, break_glass }): EmergencyPolicy => ({ longest, breakGlass: break_glass }));

/** Reports tell of what was done a week ago, and nobody should lose a month by a slip. */
const shortestKeep = '30d';

const audit = z.strictObject(
  {
    keep: span('36500d', shortestKeep, '90d, 400d or 3650d')
      .optional()
      .meta({
        description:
          'How long audit records are kept. Older records are deleted permanently. Default: forever.',
        examples: ['400d'],
      }),
    channel: z
      .string({ error: 'must be the Slack ID of a channel (C…, G…)' })
      .regex(/^[CG][A-Z0-9]{2,}$/, 'must be the Slack ID of a channel (C…, G…), not a name')
      .optional()
      .meta({
        description:
          'The channel that gets one line for every change, made or refused. The bot must be a member. Default: none.',
        examples: ['C0AUDIT001'],
      }),
  },
  { error: 'must be the settings of the audit' },
);

const bulk = z.strictObject(
  {
    ask_above: numberOfValues.meta({
      description:
        'A change of more values than this is shown with a question first, also where it could be undone. 0 asks about every list. Default: 50.',
      examples: [50],
    }),
  },
  { error: 'must be the settings of large changes, such as { ask_above: 50 }' },
);

const channel = z
  .strictObject(
    {
      name: z
        .string({ error: 'must be text' })
        .optional()
        .meta({
          description: 'The name of the channel, for readers of this file. Decisions use its ID.',
          examples: ['helpdesk'],
        }),
      appliance: z
        .string({ error: 'must be the name of an appliance in this file' })
        .meta({ description: 'The appliance that commands of this channel work on.', examples: ['hq'] }),
      appliances: z
        .union(
          [z.literal('all'), z.array(z.string({ error: 'must be the name of an appliance' })).readonly()],
          {
            error: 'must be all or a list of appliances, such as [branch, branch-2]',
          },
        )
        .default([])
        .meta({
          description: 'Other appliances that can be selected here with --on: a list, or all.',
          examples: [['branch', 'branch-2'], 'all'],
        }),
      roles: rolesHeld('must map roles to their holders').meta({
        description:
          'Who holds which role in this channel: everyone, or a list of Slack IDs of people (U…) and user groups (S…).',
        examples: [{ viewer: 'everyone', helpdesk: ['S0HELPDESK'] }],
      }),
      only: z
        .array(roleName, { error: 'must be a list of roles, such as [viewer, helpdesk]' })
        .optional()
        .meta({
          description:
            'The only roles that apply in this channel, wherever they are assigned. Default: all roles.',
          examples: [['viewer', 'helpdesk']],
        }),
      shared: z
        .enum(['read', 'write'], { error: 'must be read or write' })
        .default('read')
        .meta({
          description:
            'Whether changes are allowed while the channel is shared with another organization (Slack Connect): read blocks them, write allows them.',
          examples: ['write'],
        }),
    },
    { error: 'must be the settings of one channel' },
  )
  .transform(
    ({ shared, ...more }): ChannelPolicy => ({
      ...more,
      sharedWrites: shared === 'write',
    }),
  );

/** The settings of the file that say who may do what, where. */
export const policySettings = {
  time_zone: z
    .string({ error: 'must be a time zone, such as Europe/Berlin' })
    .default('UTC')
    .meta({ description: 'The IANA time zone of all hours in this file.', examples: ['Europe/Berlin'] }),
  roles: z
    .record(roleName, role, { error: 'must list roles by their names' })
    .default({})
    .meta({
      description: 'Custom roles, in addition to the built-in ones (docs/permissions.md).',
      examples: [{ 'news-editor': { summary: 'keeps category 252', commands: [{ area: 'category' }] } }],
    }),
  holders: rolesHeld('must map roles to their holders')
    .default({})
    .meta({
      description: 'Who holds which role in every channel that is listed below.',
      examples: [{ admin: ['U0DANA0001'] }],
    }),
  approvals: z
    .array(approval, { error: 'must be a list of approvals' })
    .default([])
    .meta({
      description:
        'Which commands need approval. The first entry that matches a command applies. Built-in approvals come after these.',
      examples: [[{ commands: [{ phrase: 'emergency enable' }], by: 'approver' }]],
    }),
  tickets: tickets.optional().meta({
    description:
      'The tickets that changes are done for (--ticket): what their names look like, how they are opened, and which changes need one. Default: any name, and no change needs one.',
    examples: [
      { pattern: '^CHG-[0-9]+$', example: 'CHG-123', required: [{ commands: [{ effect: 'write' }] }] },
    ],
  }),
  windows,
  freezes,
  emergency: emergency('4h')
    .prefault({})
    .meta({ description: 'Limits of emergency mode.', examples: [{ longest: '2h' }] }),
  bulk: bulk.optional().meta({
    description: 'Changes of many values by one line, such as thousands of sites from a file.',
    examples: [{ ask_above: 50 }],
  }),
  audit: audit.prefault({}).meta({
    description: 'How long records are kept, and where changes are reported.',
    examples: [{ keep: '400d', channel: 'C0AUDIT001' }],
  }),
  self_service: selfService.optional().meta({
    description: 'Lets people without a role request a site with `ask`. Default: nobody may.',
    examples: [{ channel: 'C0HELPDESK', allow_category: 207, not: ['malware', 'phishing'], longest: '4h' }],
  }),
  words: z
    .record(z.string(), z.string({ error: 'must be a command, such as rdp disconnect' }).max(200), {
      error: 'must map words to commands',
    })
    .default({})
    .meta({
      description:
        'Custom words for commands. Anything typed after the word is added to the command. A phrase may contain slots, each for one word; the command must contain the same slots.',
      examples: [{ kick: 'rdp disconnect', 'throw <session> out': 'rdp disconnect <session>' }],
    }),
  channels: z
    .record(z.string().meta({ pattern: channelIdShape.source }), channel, {
      error: 'must list channels by their Slack IDs',
    })
    .default({})
    .meta({
      description:
        'Permissions by the Slack ID of a channel (C…, G…) or direct message (D…). Elsewhere, only help and whoami work.',
      examples: [{ C0HELPDESK: { appliance: 'hq', roles: { viewer: 'everyone' } } }],
    }),
};
