import { z } from 'zod';
import type { SelfServicePolicy } from '../../auth/asking/self-service.ts';
import { holders, span } from './values.ts';

const category = z
  .union([z.string(), z.number()], { error: 'must be the number or the name of a category' })
  .transform(String);
const listOfCategories = z.array(category, { error: 'must be a list of categories, such as [252, news]' });
const channelId = z
  .string({ error: 'must be the Slack ID of a channel (C…, G…)' })
  .regex(/^[CG][A-Z0-9]{2,}$/, 'must be the Slack ID of a channel (C…, G…), not a name');
const count = (most: number) =>
  z.int({ error: 'must be a number' }).min(1, 'must be at least 1').max(most, `must be at most ${most}`);

/** Requests by people without a role. */
export const selfService = z.strictObject(
  {
    channel: channelId.meta({
      description:
        'The channel in which requests are approved, by whoever may add sites to categories there.',
      examples: ['C0HELPDESK'],
    }),
    allow_category: category.meta({
      description: 'The category that allowed sites are added to, by its number or name.',
      examples: [207],
    }),
    appliances: z
      .array(z.string({ error: 'must be the name of an appliance' }), {
        error: 'must be a list of appliances',
      })
      .min(1, 'must have at least one appliance')
      .optional()
      .meta({
        description: 'The appliances that a site is allowed on. Default: the appliance of that channel.',
        examples: [['hq']],
      }),
    categories: listOfCategories
      .min(1, 'must have at least one category')
      .optional()
      .meta({
        description:
          'The only categories whose sites may be requested, by number or name; uncategorized stands for sites in none. Default: all.',
        examples: [['shopping', 'travel', 'uncategorized']],
      }),
    not: listOfCategories.default([]).meta({
      description: 'Categories whose sites may not be requested.',
      examples: [['malware', 'phishing']],
    }),
    longest: span('90d')
      .prefault('4h')
      .meta({
        description: 'The longest time that a site may be requested for.',
        examples: ['4h'],
      }),
    for_good: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .meta({
        description: 'Whether a site may also be requested, and allowed, without an end.',
        examples: [true],
      }),
    per_person: z
      .strictObject(
        {
          open: count(50)
            .default(3)
            .meta({ description: 'Open requests at a time.', examples: [3] }),
          day: count(500)
            .default(10)
            .meta({ description: 'Requests within 24 hours.', examples: [10] }),
        },
        { error: 'must be limits, such as { open: 3, day: 10 }' },
      )
      .prefault({})
      .meta({ description: 'How much one person may request.', examples: [{ open: 3, day: 10 }] }),
    open: span('30d')
      .prefault('8h')
      .meta({
        description: 'How long a request stays open before it expires.',
        examples: ['8h'],
      }),
    requester: z
      .boolean({ error: 'must be true or false' })
      .default(false)
      .meta({
        description: 'Whether people who may approve requests may approve their own.',
        examples: [true],
      }),
    askers: holders.prefault('everyone').meta({
      description:
        'Who may request sites: everyone (all members of the workspace), or a list of Slack IDs of people (U…) and user groups (S…).',
      examples: ['everyone', ['S0OFFICE01']],
    }),
    from: z
      .array(channelId, { error: 'must be a list of channels' })
      .optional()
      .meta({
        description:
          'The channels in which requests may be typed. Direct messages with the bot always work. Default: every channel.',
        examples: [['C0HELPDESK']],
      }),
  },
  { error: 'must be the settings of self-service' },
);

/**
 * Its meaning together with the channels: without a list, sites are requested on the appliance of the deciding
 * channel.
 */
export const selfServiceOf = (
  given: z.output<typeof selfService>,
  ownOf: (channel: string) => string | undefined,
): SelfServicePolicy => {
  const { allow_category, per_person, for_good, appliances, ...more } = given;
  const own = ownOf(given.channel);
  return {
    ...more,
    appliances: appliances ?? (own === undefined ? [] : [own]),
    allowCategory: allow_category,
    perPerson: per_person,
    forGood: for_good,
  };
};
