import { z } from 'zod';
import type {
  ApprovalRule,
  ChannelPolicy,
  EmergencyPolicy,
  TicketPolicy,
  TicketRule,
} from '../../auth/policy.ts';
import { fits, isWhole, patternProblem } from '../../auth/reason.ts';
import { ticketPlace } from '../../auth/ticket.ts';
import { freezes, weekly, windows } from './calendar-shape.ts';
import {
  agreesOnPlace,
  disagrees,
  listOfRoles,
  longest,
  longestIn,
  numberOfValues,
  place,
  placeEach,
  role,
  roleName,
  rules,
} from './rule-shape.ts';
import { selfService } from './self-service-shape.ts';
import { channelIdShape, holders, pattern, span } from './values.ts';

const reason = z
  .union(
    [
      z.boolean(),
      z
        .strictObject({
          pattern: pattern.optional().meta({
            description: 'A regular expression that the reason must match (RE2 syntax, not case-sensitive).',
            examples: ['^INC-[0-9]+'],
          }),
          example: z
            .string({ error: 'must be an example of a reason' })
            .optional()
            .meta({
              description: 'A matching reason, shown to people as an example.',
              examples: ['INC-4711'],
            }),
        })
        .refine(
          ({ pattern, example }) =>
            pattern === undefined ||
            example === undefined ||
            patternProblem(pattern) !== undefined ||
            fits(example, { pattern }),
          { path: ['example'], error: 'does not match the pattern' },
        ),
    ],
    { error: 'must be true, false, or a pattern, such as { pattern: "^INC-[0-9]+", example: INC-4711 }' },
  )
  .default(false);

const approvers = 'must be the name of the role whose holders approve, or a list of roles';

const approval = z
  .strictObject(
    {
      commands: rules('must list what needs approval, such as [{ phrase: emergency enable }]').meta({
        description: 'The commands that need approval: all that match one of these rules.',
        examples: [[{ phrase: 'emergency enable' }]],
      }),
      ...place,
      requesters: listOfRoles('must be a list of roles, such as [helpdesk]')
        .optional()
        .meta({
          description:
            'Approval is needed only for people who may run the command through these roles alone. Default: everyone.',
          examples: [['helpdesk']],
        }),
      by: z
        .union([roleName, listOfRoles(approvers)], { error: approvers })
        .transform((given) => (typeof given === 'string' ? [given] : given))
        .meta({
          description: 'The role whose holders may approve, or a list of roles.',
          examples: ['approver'],
        }),
      count: z
        .int({ error: 'must be a number of people' })
        .min(1, 'must be at least 1')
        .max(20, 'must be at most 20')
        .default(1)
        .meta({ description: 'How many people must approve.', examples: [2] }),
      requester: z
        .boolean({ error: 'must be true or false' })
        .default(false)
        .meta({
          description: 'Whether requesters who hold the role may approve their own requests.',
          examples: [false],
        }),
      open: span('7d')
        .prefault('15m')
        .meta({ description: 'How long a request waits for approval.', examples: ['15m'] }),
      reason: reason.meta({
        description: 'Whether a reason is required, and its format.',
        examples: [true, { pattern: '^INC-[0-9]+', example: 'INC-4711' }],
      }),
      temporary: longest.optional().meta({
        description:
          'How long a change may last that ends by itself (--for, --until) and therefore needs no approval. Longer ones and those that are for good need it.',
        examples: [{ longest: '4h' }],
      }),
      not_needed: weekly.default([]).meta({
        description: 'Hours of the week in which no approval is needed.',
        examples: [['Mon-Fri 08:00-18:00']],
      }),
      not_possible: weekly.default([]).meta({
        description:
          'Hours of the week in which nobody can approve; what is planned into them can be approved before. They take precedence over not_needed.',
        examples: [['Sat,Sun', '22:00-06:00']],
      }),
    },
    { error: 'must be the settings of one approval' },
  )
  .refine(agreesOnPlace, disagrees)
  .transform(
    ({
      requesters,
      by,
      count,
      requester,
      open,
      reason,
      temporary,
      not_needed,
      not_possible,
      ...placed
    }): ApprovalRule => ({
      commands: placeEach(placed),
      requesters,
      by,
      count,
      requester,
      open,
      reason: typeof reason === 'boolean' ? (reason ? {} : undefined) : reason,
      temporary: temporary && longestIn(temporary),
      notNeeded: not_needed,
      notPossible: not_possible,
    }),
  );

const required = z
  .strictObject(
    {
      commands: rules('must list what needs a ticket, such as [{ effect: write }]').meta({
        description: 'The changes that need a ticket: all that match one of these rules.',
        examples: [[{ effect: 'write' }, { effect: 'destructive' }]],
      }),
      ...place,
      except: rules('must list what needs none, such as [{ phrase: emergency enable }]')
        .default([])
        .meta({
          description: 'The changes among them that need none.',
          examples: [[{ phrase: 'emergency enable' }]],
        }),
      channels: z
        .array(z.string({ error: 'must be the Slack ID of a channel' }), {
          error: 'must be a list of channels, such as [C0CHANGES]',
        })
        .min(1, 'must be a list of channels, such as [C0CHANGES]')
        .optional()
        .meta({
          description: 'Only in these channels, by their Slack IDs. Default: in all.',
          examples: [['C0CHANGES']],
        }),
    },
    { error: 'must say which changes need a ticket, such as { commands: [{ effect: write }] }' },
  )
  .refine(agreesOnPlace, disagrees)
  .transform(
    ({ except, channels, ...placed }): TicketRule => ({
      commands: placeEach(placed),
      except: placeEach({ commands: except }),
      channels,
    }),
  );

const linkWanted = `must be an https address with ${ticketPlace} in its path or its query, such as https://itsm.example.com/${ticketPlace}`;

/** Whether it is an address on one host for every ticket. */
function isLink(text: string): boolean {
  const [before, after, more] = text.split(ticketPlace);
  if (before === undefined || after === undefined || more !== undefined) return false;
  if (/[\s<>|"\\{}]/.test(before + after)) return false;
  const url = URL.parse(`${before}ticket${after}`);
  const isSecure = url?.protocol === 'https:' && url.username === '' && url.password === '';
  // In the host, or before its end, a ticket would choose the host.
  return isSecure && /^https:\/\/[^/?#]+[/?#]/i.test(before);
}

const tickets = z
  .strictObject(
    {
      pattern: pattern.optional().meta({
        description:
          'A regular expression that the whole name of a ticket must match (RE2 syntax, case-sensitive; chg-123 is taken for CHG-123).',
        examples: ['^CHG-[0-9]+$'],
      }),
      example: z
        .string({ error: 'must be an example of a ticket' })
        .optional()
        .meta({ description: 'A matching name, shown to people as an example.', examples: ['CHG-123'] }),
      link: z
        .string({ error: linkWanted })
        .refine(isLink, linkWanted)
        .optional()
        .meta({
          description: `The address that opens a ticket, with ${ticketPlace} for its name. Names in messages become links.`,
          examples: [`https://itsm.example.com/${ticketPlace}`],
        }),
      required: z
        .array(required, { error: 'must be a list of what needs a ticket' })
        .default([])
        .meta({
          description:
            'Which changes need a ticket. Undoing one, ending it early, and break-glass never need one of their own; to undo an undo makes the change again, and needs one.',
          examples: [[{ commands: [{ effect: 'destructive' }], except: [{ area: 'emergency' }] }]],
        }),
    },
    { error: 'must be the settings of tickets' },
  )
  .refine(
    ({ pattern, example }) =>
      pattern === undefined ||
      example === undefined ||
      patternProblem(pattern) !== undefined ||
      isWhole(example, pattern),
    { path: ['example'], error: 'does not match the pattern' },
  )
  .transform((given): TicketPolicy => given);

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

/** Reports cover the last week, and a typing mistake must not delete a month. */
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
