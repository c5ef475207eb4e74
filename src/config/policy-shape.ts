import { z } from 'zod';
import { type Hours, readHours } from '../auth/hours.ts';
import {
  type ApprovalRule,
  type ChannelPolicy,
  type EmergencyPolicy,
  effects,
  everyone,
  type Holders,
  type Role,
} from '../auth/policy.ts';
import { readDuration } from '../duration.ts';

/** Names that people and the file use for roles: those that come with the bot, and the policy's own. */
export const roleNameShape = /^[a-z][a-z0-9-]{0,30}$/;
/** A channel, a private channel or a direct message. Slack IDs never change; names do, and anyone may take one. */
export const channelIdShape = /^[CGD][A-Z0-9]{2,}$/;

const roleName = z
  .string({ error: 'must be the name of a role' })
  .meta({ description: 'The name of a role.', pattern: roleNameShape.source });

const listOfRoles = (error: string) => z.array(roleName, { error }).min(1, error);

/** A span of time, told in milliseconds. */
function span(most: string) {
  const wanted = `must be a time between 1m and ${most}, such as 90s, 30m, 2h or 1h30m`;
  return z
    .string({ error: wanted })
    .regex(/^([0-9]+[smhd])+$/, wanted)
    .transform((text, context) => {
      const value = readDuration(text) ?? 0;
      if (value >= 60_000 && value <= (readDuration(most) ?? 0)) return value;
      context.addIssue({ code: 'custom', message: wanted });
      return z.NEVER;
    });
}

const hours = z
  .array(
    z.string({ error: 'must be hours of a week' }).transform((text, context): Hours => {
      const read = readHours(text);
      if (read !== undefined) return read;
      context.addIssue({
        code: 'custom',
        message: 'must be hours of a week, such as "Mon-Fri 08:00-18:00", "Sat,Sun" or "22:00-06:00"',
      });
      return z.NEVER;
    }),
    { error: 'must be a list of hours, such as ["Mon-Fri 08:00-18:00"]' },
  )
  .default([]);

/** `U…` and `W…` are people, `S…` is a user group. */
const holders = z
  .union(
    [
      z.literal(everyone),
      z.array(
        z
          .string({ error: 'must be a Slack ID' })
          .regex(
            /^(everyone|[UWS][A-Z0-9]{2,})$/,
            'must be the Slack ID of a person (U…) or of a user group (S…), or the word everyone',
          ),
      ),
    ],
    { error: 'must be the word everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK]' },
  )
  .transform((given): Holders => new Set(given === everyone ? [everyone] : given));

const rolesHeld = (error: string) => z.record(roleName, holders, { error });

const limits = z.record(
  z.string(),
  z
    .array(z.union([z.string(), z.number()], { error: 'must be a word or a number' }), {
      error: 'must be the list of values that the argument may have, such as [252]',
    })
    .min(1, 'must have at least one value'),
  { error: 'must say which values an argument may have, such as { category: [252] }' },
);

/** Of commands. As a schema for editors it gets the words that only the commands know (`tools/policy-schema.ts`). */
export const rule = z
  .strictObject(
    {
      area: z
        .string({ error: 'must be the first word of commands' })
        .optional()
        .meta({
          description: 'All commands of this area: the first word of what is typed.',
          examples: ['rdp'],
        }),
      effect: z
        .enum(effects, { error: `must be ${effects.slice(0, -1).join(', ')} or ${effects.at(-1)}` })
        .optional()
        .meta({
          description: 'All commands with this effect; docs/permissions.md shows the effect of each.',
          examples: ['read'],
        }),
      phrase: z
        .string({ error: 'must be the words of a command' })
        .optional()
        .meta({
          description: 'This one command, by its words, without what people fill in.',
          examples: ['rdp disconnect'],
        }),
      where: limits.optional().meta({
        description:
          'With a phrase: only with these values. By the name of an argument as it stands in docs/commands.md; what an appliance lists is named by its ID.',
        examples: [{ category: [252] }],
      }),
    },
    { error: 'must be a rule, such as { effect: read } or { phrase: rdp disconnect }' },
  )
  .refine(
    ({ area, effect, phrase }) => area !== undefined || effect !== undefined || phrase !== undefined,
    'must have an area, an effect or a phrase: a rule without any covers nothing',
  )
  .refine(
    ({ phrase, where }) => where === undefined || phrase !== undefined,
    'has a where without a phrase: which arguments there are depends on the command',
  )
  .meta({ id: 'rule' });

const rules = (error: string) => z.array(rule, { error }).min(1, error);

const role: z.ZodType<Role> = z.strictObject(
  {
    summary: z.string({ error: 'must say in a few words what the role does' }).meta({
      description: 'What the role does, in a few words that go on after its name.',
      examples: ['keeps category 252'],
    }),
    commands: rules('must list what the role may run, such as [{ effect: read }]').meta({
      description:
        'What the role may run: whatever one of these rules covers. A rule covers what meets all of its conditions.',
      examples: [[{ effect: 'read' }, { phrase: 'category add', where: { category: [252] } }]],
    }),
  },
  { error: 'must be the settings of one role' },
);

const reason = z
  .union(
    [
      z.boolean(),
      z
        .strictObject({
          pattern: z
            .string({ error: 'must be a regular expression' })
            .refine(compiles, 'is not a regular expression')
            .optional()
            .meta({
              description: 'A regular expression that the reason must match, in any casing.',
              examples: ['^INC-[0-9]+'],
            }),
          example: z
            .string({ error: 'must be a reason as people may write it' })
            .optional()
            .meta({
              description: 'A reason that matches, shown to people.',
              examples: ['INC-4711'],
            }),
        })
        .refine(
          ({ pattern, example }) =>
            pattern === undefined ||
            example === undefined ||
            !compiles(pattern) ||
            new RegExp(pattern, 'iu').test(example),
          { path: ['example'], error: 'does not match the pattern, so it would mislead people' },
        ),
    ],
    { error: 'must be true, false, or a pattern, such as { pattern: "^INC-[0-9]+", example: INC-4711 }' },
  )
  .default(false);

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'iu') instanceof RegExp;
  } catch {
    return false;
  }
}

const approvers = 'must name the role whose holders approve, or a list of roles';

const approval = z
  .strictObject(
    {
      commands: rules('must list what needs approval, such as [{ phrase: emergency enable }]').meta({
        description: 'What needs approval: whatever one of these rules covers.',
        examples: [[{ phrase: 'emergency enable' }]],
      }),
      requesters: listOfRoles('must be a list of roles, such as [helpdesk]')
        .optional()
        .meta({
          description:
            'Only who may run it by no other role than these needs approval; everybody when absent.',
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
          description: 'Whether whoever asks may be one of those who approve, if they hold the role.',
          examples: [false],
        }),
      open: span('7d')
        .prefault('15m')
        .meta({ description: 'How long a request waits for its approval.', examples: ['15m'] }),
      reason: reason.meta({
        description: 'Whether a reason must be given, and what it must look like.',
        examples: [true, { pattern: '^INC-[0-9]+', example: 'INC-4711' }],
      }),
      not_needed: hours.meta({
        description: 'Hours of the week in which no approval is needed.',
        examples: [['Mon-Fri 08:00-18:00']],
      }),
      not_possible: hours.meta({
        description: 'Hours of the week in which nobody can approve. They count before not_needed.',
        examples: [['Sat,Sun', '22:00-06:00']],
      }),
    },
    { error: 'must be the settings of one approval' },
  )
  .transform(
    ({ reason, not_needed, not_possible, ...more }): ApprovalRule => ({
      ...more,
      reason: typeof reason === 'boolean' ? (reason ? {} : undefined) : reason,
      notNeeded: not_needed,
      notPossible: not_possible,
    }),
  );

const emergency = (longest: string) =>
  z
    .strictObject(
      {
        longest: span('7d')
          .prefault(longest)
          .meta({
            description: 'The longest time that emergency mode may be asked for.',
            examples: ['4h'],
          }),
        break_glass: roleName.optional().meta({
          description:
            'The role that may enable emergency mode alone, with --break-glass; nobody when absent. Every approver is told at once.',
          examples: ['approver'],
        }),
      },
      { error: 'must be the settings of emergency mode' },
    )
    .transform(({ longest, break_glass }): EmergencyPolicy => ({ longest, breakGlass: break_glass }));

const channel = z
  .strictObject(
    {
      name: z
        .string({ error: 'must be text' })
        .optional()
        .meta({
          description: 'What people call the channel, for whoever reads this file. Decisions use its ID.',
          examples: ['helpdesk'],
        }),
      appliance: z
        .string({ error: 'must name one of the appliances above' })
        .meta({ description: 'The appliance that commands of this channel work on.', examples: ['hq'] }),
      appliances: z
        .union(
          [z.literal('all'), z.array(z.string({ error: 'must be the name of an appliance' })).readonly()],
          {
            error: 'must be the word all or a list of appliances, such as [branch, branch-2]',
          },
        )
        .default([])
        .meta({
          description:
            'The appliances that people may name here with --on, besides the one of the channel: a list, or the word all.',
          examples: [['branch', 'branch-2'], 'all'],
        }),
      roles: rolesHeld('must say who holds which role').meta({
        description:
          'Who holds which role in this channel: everyone, or a list of Slack IDs of people (U…) and user groups (S…).',
        examples: [{ viewer: 'everyone', helpdesk: ['S0HELPDESK'] }],
      }),
      only: z
        .array(roleName, { error: 'must be a list of roles, such as [viewer, helpdesk]' })
        .optional()
        .meta({
          description:
            'The only roles that count in this channel, whoever holds them and wherever; all of them when absent.',
          examples: [['viewer', 'helpdesk']],
        }),
      shared: z
        .enum(['read', 'write'], { error: 'must be read or write' })
        .default('read')
        .meta({
          description:
            'Whether changes may be made here while people of another organisation are in the channel (Slack Connect): read says no, write says yes.',
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
      description: 'Roles of your own, besides those that come with the bot (docs/permissions.md).',
      examples: [{ 'news-editor': { summary: 'keeps category 252', commands: [{ area: 'category' }] } }],
    }),
  holders: rolesHeld('must say who holds which role everywhere')
    .default({})
    .meta({
      description: 'Who holds a role in every channel that is listed below.',
      examples: [{ admin: ['U0DANA0001'] }],
    }),
  approvals: z
    .array(approval, { error: 'must be a list of approvals' })
    .default([])
    .meta({
      description:
        "What needs somebody else's yes. The first entry that covers a command counts; those that come with the bot stand after these.",
      examples: [[{ commands: [{ phrase: 'emergency enable' }], by: 'approver' }]],
    }),
  emergency: emergency('4h')
    .prefault({})
    .meta({ description: 'Limits of emergency mode.', examples: [{ longest: '2h' }] }),
  channels: z
    .record(z.string().meta({ pattern: channelIdShape.source }), channel, {
      error: 'must list channels by their Slack IDs',
    })
    .default({})
    .meta({
      description:
        'What may be done where, by the Slack IDs of channels (C…, G…) and direct messages (D…). Any other serves only help and whoami.',
      examples: [{ C0HELPDESK: { appliance: 'hq', roles: { viewer: 'everyone' } } }],
    }),
};
