import { z } from 'zod';
import type { ApprovalRule } from '../../auth/policy.ts';
import { fits, patternProblem } from '../../auth/reason.ts';
import { weekly } from './calendar-shape.ts';
import { pattern } from './pattern-shape.ts';
import {
  agreesOnPlace,
  disagrees,
  listOfRoles,
  longest,
  longestIn,
  place,
  placeEach,
  roleName,
  rules,
} from './rule-shape.ts';
import { span } from './span.ts';

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

export const approval = z
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
      ...{ requesters, by, count, requester, open },
      reason: typeof reason === 'boolean' ? (reason ? {} : undefined) : reason,
      temporary: temporary && longestIn(temporary),
      notNeeded: not_needed,
      notPossible: not_possible,
    }),
  );
