import { z } from 'zod';
import type { Role } from '../../auth/policy.ts';
import { effects } from '../../auth/request.ts';
import { type Conditions, naming, type Rule } from '../../auth/rule.ts';
import { readDuration } from '../../duration.ts';
import { entriesOf, listOf } from '../entries.ts';
import { spanText } from './values.ts';

/** Names of roles: the shipped ones, and the policy's own. */
export const roleNameShape = /^[a-z][a-z0-9-]{0,30}$/;
export const roleName = z
  .string({ error: 'must be the name of a role' })
  .meta({ description: 'The name of a role.', pattern: roleNameShape.source });

export const listOfRoles = (error: string) => z.array(roleName, { error }).min(1, error);

const limitsWanted = 'must map arguments to allowed values, such as { category: [252] }';
const limits = z
  .record(
    z.string(),
    z
      .array(z.union([z.string(), z.number()], { error: 'must be a word or a number' }), {
        error: 'must be a list of allowed values, such as [252]',
      })
      .min(1, 'must have at least one value'),
    { error: limitsWanted },
  )
  .refine((given) => Object.keys(given).length > 0, limitsWanted)
  .meta({ minProperties: 1 });

/** The appliances of a rule, or of all rules of a role or an approval. */
export const place = {
  appliance: z
    .string({ error: 'must be the name of an appliance' })
    .optional()
    .meta({ description: 'Only on the appliance with this name.', examples: ['branch'] }),
  tag: z
    .string({ error: 'must be a tag of appliances' })
    .optional()
    .meta({ description: 'Only on appliances with this tag.', examples: ['prod'] }),
};

/** The names in a file that a place may use. */
export const namesForPlace: {
  readonly [Name in keyof typeof place]: {
    readonly called: string;
    readonly among: (content: unknown) => readonly string[];
  };
} = {
  appliance: { called: 'appliances', among: (content) => Object.keys(entriesOf(content, 'appliances')) },
  tag: {
    called: 'tags',
    among: (content) => {
      const tags = Object.values(entriesOf(content, 'appliances')).flatMap((one) =>
        listOf(entriesOf(one).tags),
      );
      return [...new Set(tags.filter((tag) => typeof tag === 'string'))];
    },
  },
};

/** The maximum duration of a timed change. Parsed later (`longestIn`), so that editors show examples. */
export const longest = z.strictObject(
  {
    longest: spanText('90d').meta({ description: 'How long it may last.', examples: ['4h'] }),
  },
  { error: 'must be the longest time, such as { longest: 4h }' },
);
export const longestIn = ({ longest: text }: z.infer<typeof longest>): { readonly longest: number } => ({
  longest: readDuration(text) ?? 0,
});

const temporary = z
  .union([z.literal(true), longest], { error: 'must be true, or the longest time, such as { longest: 4h }' })
  .optional();

/** The number of values of an argument. */
export const numberOfValues = z
  .int({ error: 'must be a whole number, such as 50' })
  .min(0, 'must be a whole number, such as 50')
  .max(1_000_000, 'must be 1000000 at most');

/** A rule about commands. The editor's schema adds the words of commands (`tools/policy-schema.ts`). */
export const rule = z
  .strictObject(
    {
      area: z
        .string({ error: 'must be the first word of a command' })
        .optional()
        .meta({
          description: 'All commands in this area. The area is the first word of a command.',
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
        .string({ error: 'must be a command, such as rdp disconnect' })
        .optional()
        .meta({
          description: 'One command, without its arguments.',
          examples: ['rdp disconnect'],
        }),
      ...place,
      where: limits.optional().meta({
        description:
          'Only with these values of arguments. Requires a phrase. Argument names are in docs/commands.md. For anything that an appliance lists, use its ID.',
        examples: [{ category: [252] }],
      }),
      above: numberOfValues.optional().meta({
        description:
          'Only with more values of an argument than this, such as sites of a list. For approvals.',
        examples: [500],
      }),
      most: numberOfValues.optional().meta({
        description: 'Only with so many values of an argument at most, such as sites of a list. For roles.',
        examples: [20],
      }),
      temporary: temporary.meta({
        description:
          'Only changes that end by themselves (--for, --until): true, or { longest: 4h } for those that last 4 hours at most.',
        examples: [{ longest: '4h' }],
      }),
    } satisfies Record<keyof Conditions, z.ZodType>,
    { error: 'must be a rule, such as { effect: read } or { phrase: rdp disconnect }' },
  )
  .refine(
    (stated) => naming.some((name) => stated[name] !== undefined),
    'must have an area, an effect or a phrase. Without one, it matches no command',
  )
  .refine(
    ({ phrase, where }) => where === undefined || phrase !== undefined,
    'has a where without a phrase. Add a phrase: arguments depend on the command',
  )
  .meta({ id: 'rule' });

export const rules = (error: string) => z.array(rule, { error }).min(1, error);

type Place = { readonly [Name in keyof typeof place]?: string | undefined };
const placeNames = Object.keys(place) as readonly (keyof Place)[];

interface Placed extends Place {
  readonly commands: readonly z.infer<typeof rule>[];
}

export const agreesOnPlace = ({ commands, ...ofAll }: Placed): boolean =>
  placeNames.every((name) =>
    commands.every(
      (one) => ofAll[name] === undefined || one[name] === undefined || one[name] === ofAll[name],
    ),
  );
export const disagrees = 'sets an appliance or a tag for all of its rules, but one of the rules sets another';

/** Each rule with the conditions for all of them. */
export function placeEach({ commands, ...ofAll }: Placed): readonly Rule[] {
  const stated = placeNames.flatMap((name) => (ofAll[name] === undefined ? [] : [[name, ofAll[name]]]));
  return commands.map(({ temporary: term, ...one }) => ({
    ...one,
    ...Object.fromEntries(stated),
    ...(term !== undefined && { temporary: term === true ? {} : longestIn(term) }),
  }));
}

export const role: z.ZodType<Role> = z
  .strictObject(
    {
      summary: z.string({ error: 'must describe the role in a few words' }).meta({
        description: 'What the role does, in a few words that follow its name.',
        examples: ['keeps category 252'],
      }),
      commands: rules('must list what the role may run, such as [{ effect: read }]').meta({
        description:
          'The commands that the role may run: all that match one of these rules. A rule matches when all of its conditions are met.',
        examples: [[{ effect: 'read' }, { phrase: 'category add', where: { category: [252] } }]],
      }),
      ...place,
      temporary: temporary.meta({
        description:
          'The role may make its changes only for a time (--for, --until): true, or { longest: 4h } for 4 hours at most. A rule may state its own. What the role may look up by area or effect is not affected.',
        examples: [{ longest: '4h' }],
      }),
    },
    { error: 'must be the settings of one role' },
  )
  .refine(agreesOnPlace, disagrees)
  .transform(({ summary, temporary: forAll, ...placed }) => ({
    summary,
    commands: placeEach(placed).flatMap((one) =>
      forATime(one, forAll === true ? {} : forAll && longestIn(forAll)),
    ),
  }));

/** The changes of a rule, limited to timed ones. */
function forATime(one: Rule, forAll: Rule['temporary']): readonly Rule[] {
  if (forAll === undefined || one.temporary !== undefined || one.effect === 'read') return [one];
  const changes = { ...one, temporary: forAll };
  const hasLookups = one.effect === undefined && one.phrase === undefined;
  return hasLookups ? [{ ...one, effect: 'read' }, changes] : [changes];
}
