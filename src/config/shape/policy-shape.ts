import { z } from 'zod';
import { type ChannelPolicy, type EmergencyPolicy, everyone, type Holders } from '../../auth/policy.ts';
import { approval, span } from './approval-shape.ts';
import { role, roleName } from './rule-shape.ts';

/** A channel, a private channel or a direct message. Slack IDs never change; names do, and anyone may take one. */
export const channelIdShape = /^[CGD][A-Z0-9]{2,}$/;

const holderWanted =
  'must be the Slack ID of a person (U…) or of a user group (S…), in capitals, or the word everyone';

/** `U…` and `W…` are people, `S…` is a user group. */
const holders = z
  .union(
    [
      z.literal(everyone),
      z.array(z.string({ error: holderWanted }).regex(/^(everyone|[UWS][A-Z0-9]{2,})$/, holderWanted)),
    ],
    { error: 'must be the word everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK]' },
  )
  .transform((given): Holders => new Set(given === everyone ? [everyone] : given));

const rolesHeld = (error: string) => z.record(roleName, holders, { error });

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

/** Reports tell of what was done a week ago, and nobody should lose a month by a slip. */
const shortestKeep = '30d';

const audit = z.strictObject(
  {
    keep: span('36500d', shortestKeep, '90d, 400d or 3650d')
      .optional()
      .meta({
        description:
          'How long the records of what was asked and done are kept; for ever when absent. Older ones are deleted for good.',
        examples: ['400d'],
      }),
    channel: z
      .string({ error: 'must be the Slack ID of a channel (C…, G…)' })
      .regex(/^[CG][A-Z0-9]{2,}$/, 'must be the Slack ID of a channel (C…, G…), not a name')
      .optional()
      .meta({
        description:
          'The channel that gets one line for every change, done or refused; nowhere when absent. The bot must be in it.',
        examples: ['C0AUDIT001'],
      }),
  },
  { error: 'must be the settings of the audit' },
);

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
  audit: audit.prefault({}).meta({
    description: 'How long records are kept, and where changes are told.',
    examples: [{ keep: '400d', channel: 'C0AUDIT001' }],
  }),
  words: z
    .record(
      z.string(),
      z.string({ error: 'must be a command as people type it, such as rdp disconnect' }).max(200),
      {
        error: 'must list words, each with the command that it means',
      },
    )
    .default({})
    .meta({
      description:
        'Your own words for commands: what is typed after a word follows the command. A phrase may have slots, which take a word each and stand in the command, too.',
      examples: [{ kick: 'rdp disconnect', 'throw <session> out': 'rdp disconnect <session>' }],
    }),
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
