import type { IdentifiedEntry } from '../../../api/index.ts';
import { type Named, nameOrNumber, word } from '../../argument.ts';
import { change, lookup } from '../../declare.ts';
import { answeredFrom, countText } from '../../listing.ts';
import { code, say, strong, type Text } from '../../reply.ts';
import { notHappened, nothing } from '../../results.ts';
import { readIn, settle } from '../../wording/answer.ts';
import { reportedUnder } from '../../wording/reported.ts';
import { audited, numbered, shownFields, shownTable } from '../shown.ts';
import { createdIn, thing, withId } from '../thing.ts';
import { pattern, patternsOf, policies, policyOrAll } from '../things.ts';
import { changesIn, compare, nameFieldOf, replacementOf, type SetFields, setFields } from './fields.ts';

const aPattern = thing({
  kind: 'pattern',
  list: patternsOf(),
  knownBy: 'number',
  identityOf: (found) => ({
    id: found.id,
    name: found.name ?? null,
    policy: policyOf(found) ?? null,
  }),
});

export const patterns = lookup({
  phrase: 'rdp patterns [--policy]',
  says: `
    which patterns are watched / detection patterns / what are sessions watched for /
    forbidden words in sessions / list patterns / what is watched in rdp sessions /
    forbidden words of remote desktop / which commands raise an rdp alert / watched keywords rdp /
    which keywords trigger an alarm / which keywords are watched / what is the bastion looking for /
    what does the gateway look for in sessions / patterns of policy <policy> /
    what is detected in <policy> / show the patterns / which words raise an alarm / list of watched words /
    what triggers an alert
  `,
  args: { policy: policyOrAll },
  summary: 'List the detection patterns of all policies or of one',
  example: 'rdp patterns --policy 1',
  answer: answeredFrom(
    (args: { readonly policy: Named | undefined }) => patternsOf(args.policy?.id),
    async (look, { appliance, args }) => {
      // Patterns have only the number of their policy. If names cannot be read, the number is shown.
      const named = await settle(policies.look(appliance));
      const names = new Map((readIn(named)?.all ?? []).map((one) => [String(one.id), numbered(one)]));
      names.set('0', 'all');
      const where = args.policy == null || args.policy.id === 0 ? '' : ` in policy ${args.policy.name}`;
      return {
        headline: say`${countText(look, 'detection pattern')}${where}`,
        details: [
          ...(await shownTable(
            look.all.map(({ fields }) => {
              const policy = names.get(fields.policy ?? '');
              return policy === undefined ? fields : { ...fields, policy };
            }),
            ['id', 'pattern', 'policy', 'action'],
          )),
        ],
      };
    },
  ),
});

interface Creating {
  readonly pattern: string;
  readonly policy: Named;
  readonly set?: SetFields | undefined;
}

export const create = change({
  phrase: 'rdp pattern create <pattern> in <policy> [--set]',
  says: `
    watch for <pattern> in sessions / new detection pattern <pattern> /
    alert when somebody types <pattern> / detect <pattern> in policy <policy> / create pattern <pattern> /
    alert when somebody types <pattern> in policy <policy> / watch for <pattern> in policy <policy> /
    detect <pattern> in remote desktop sessions / new rdp keyword <pattern> /
    monitor policy <policy> for <pattern> / alarm for <pattern> on the remote desktop /
    watch for <pattern> / watch for <pattern> in <policy> / alarm when <pattern> is typed in <policy> /
    add pattern <pattern> to policy <policy> / look out for <pattern> in <policy> /
    detect <pattern> in <policy> / add the keyword <pattern> to <policy> /
    raise an alarm on <pattern> in <policy> / alert on <pattern> in <policy> / flag <pattern> in <policy> /
    forbid the command <pattern> in <policy> / block the command <pattern> in <policy>
  `,
  also: ['rdp pattern add <pattern> in <policy> [--set]'],
  args: { pattern: word('the text to watch for', '"format c:"'), policy: policyOrAll, set: setFields },
  summary: 'Create a detection pattern for one policy or all',
  example: 'rdp pattern create "format c:" in 5 --set action=notify',
  effect: 'write',
  verb: 'Create',
  doing: (args) => say`Creating pattern ${code(args.pattern)}`,
  done: (args) => say`Pattern ${code(args.pattern)} created in ${inPolicy(args.policy)}`,
  preview: async ({ appliance, args }) => {
    const all = await appliance.rdp.listPatterns();
    const same = all.find((one) => one.name === args.pattern && policyOf(one) === String(args.policy.id));
    if (same !== undefined)
      return nothing`Pattern ${code(args.pattern)} already exists in ${inPolicy(args.policy)}, number ${same.id}.`;
    return audited({
      question: say`Create pattern ${code(args.pattern)} in ${inPolicy(args.policy)}?`,
      fields: changesIn({}, args.set ?? {}),
      fingerprint: { pattern: args.pattern, policy: args.policy.id, nameField: nameFieldOf(all, 'pattern') },
    });
  },
  run: ({ appliance, args }, { nameField }) =>
    withId(
      appliance.rdp.createPattern({
        policy: args.policy.id,
        fields: { [String(nameField)]: args.pattern, ...args.set },
      }),
    ),
  verify: createdIn(
    ({ policy: { id } }: Creating) => patternsOf(id),
    ({ name }, args) => name === args.pattern,
    (args) => notHappened`Patterns read back: ${code(args.pattern)} is not among them.`,
    (found, { set }) => compare('created', `pattern ${found.id}`, found.fields, set ?? {}),
  ),
  undo: (_, { id }) => (typeof id === 'number' ? `rdp pattern delete ${id}` : undefined),
});

export const changePattern = change({
  ...aPattern.changing(({ set }: { readonly pattern: Named; readonly set: SetFields }) => set),
  phrase: 'rdp pattern change <pattern> <--set>',
  says: `
    change pattern <pattern> / edit detection pattern <pattern> / edit watched keyword <pattern> /
    modify detection pattern <pattern> / alarm pattern <pattern> is wrong /
    change the watched word <pattern> / update pattern <pattern> / pattern <pattern> should be different
  `,
  also: ['rdp pattern replace <pattern> <--set>'],
  args: { pattern, set: setFields },
  summary: 'Change a detection pattern',
  example: 'rdp pattern change 12 --set action=disconnect',
  effect: 'write',
  run: async (context) => {
    const { id } = context.args.pattern;
    const fields = replacementOf((await aPattern.find(context))?.fields ?? {}, context.args.set);
    return context.appliance.rdp.replacePattern({ id, fields });
  },
});

export const remove = change({
  ...aPattern.deleting(async (found) => ({
    question: say`Delete detection pattern ${strong(String(found.id))} (${code(nameOrNumber(found))})?`,
    fields: shownFields({
      ...found.fields,
      ...(policyOf(found) === '0' ? { policy: 'all policies' } : {}),
    }),
  })),
  phrase: 'rdp pattern delete <pattern>',
  says: `
    delete pattern <pattern> / stop watching for <pattern> / remove detection <pattern> /
    no alert for pattern <pattern> any more / remove watched keyword <pattern> / remove pattern <pattern> /
    do not watch for <pattern> / drop pattern <pattern> / pattern <pattern> is too noisy, remove /
    remove the keyword <pattern>
  `,
  args: { pattern },
  summary: 'Delete a detection pattern',
  example: 'rdp pattern delete 12',
  run: ({ appliance, args }) => appliance.rdp.deletePattern({ id: args.pattern.id }),
});

const policyOf = ({ fields }: IdentifiedEntry): string | undefined =>
  reportedUnder(fields, 'policy', 'policyid');

const inPolicy = ({ id, name }: { readonly id: number; readonly name: string }): Text =>
  id === 0 ? say`all policies` : say`policy ${strong(nameOrNumber({ id, name }))}`;
