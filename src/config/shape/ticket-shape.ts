import { z } from 'zod';
import type { TicketPolicy, TicketRule } from '../../auth/policy.ts';
import { isWhole, patternProblem } from '../../auth/reason.ts';
import { ticketPlace } from '../../auth/ticket.ts';
import { pattern } from './pattern-shape.ts';
import { agreesOnPlace, disagrees, place, placeEach, rules } from './rule-shape.ts';

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

/** Whether it is an address on one host, whatever the ticket is called. */
function isLink(text: string): boolean {
  const [before, after, more] = text.split(ticketPlace);
  if (before === undefined || after === undefined || more !== undefined) return false;
  if (/[\s<>|"\\{}]/.test(before + after)) return false;
  const url = URL.parse(`${before}ticket${after}`);
  const isSecure = url?.protocol === 'https:' && url.username === '' && url.password === '';
  // In the host, or before it ends, a ticket would say where the address leads.
  return isSecure && /^https:\/\/[^/?#]+[/?#]/i.test(before);
}

export const tickets = z
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
            'Which changes need a ticket. Undoing one, ending it early, and break-glass never need one of their own.',
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
