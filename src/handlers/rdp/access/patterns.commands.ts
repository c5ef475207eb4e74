import type { IdentifiedEntry } from '../../../api/index.ts';
import { word } from '../../argument.ts';
import { command } from '../../command.ts';
import { code, plural, say, strong, type Text } from '../../reply.ts';
import type { Fingerprint } from '../../results.ts';
import { reportedUnder } from '../../wording/reported.ts';
import { auditTrail, calledBy, shownFields, shownTable } from '../shown.ts';
import { among, gone, goneFrom, pattern, policyOrAll } from '../things.ts';
import {
  beforeOf,
  changesIn,
  compareListed,
  isSo,
  lineBack,
  nameFieldOf,
  replacementOf,
  setFields,
} from './fields.ts';

export const patterns = command({
  kind: 'lookup',
  phrase: 'rdp patterns [--policy]',
  args: { policy: policyOrAll },
  summary: 'List what the gateway watches for in sessions, in all policies or in one',
  example: 'rdp patterns --policy 1',
  effect: 'read',
  answer: async ({ appliance, args }) => {
    const found = await appliance.rdp.listPatterns(args.policy == null ? {} : { policy: args.policy.id });
    const where = args.policy == null || args.policy.id === 0 ? '' : ` in policy ${args.policy.name}`;
    return {
      headline: say`${strong(plural(found.length, 'detection pattern'))}${where}`,
      details:
        found.length === 0
          ? []
          : [
              shownTable(
                found.map(({ fields }) => ({
                  ...fields,
                  ...(fields.policy === '0' ? { policy: 'all' } : {}),
                })),
                ['id', 'pattern', 'policy', 'action'],
              ),
            ],
    };
  },
});

export const create = command({
  kind: 'change',
  phrase: 'rdp pattern create <pattern> in <policy> [--set]',
  also: ['rdp pattern add <pattern> in <policy> [--set]'],
  args: { pattern: word('the text to watch for', '"format c:"'), policy: policyOrAll, set: setFields },
  summary: 'Make the gateway watch for a text in the sessions of a policy, or of all policies',
  example: 'rdp pattern create "format c:" in 5 --set action=notify',
  effect: 'write',
  verb: 'Create',
  doing: (args) => say`Creating pattern ${code(args.pattern)}`,
  done: (args) => say`Pattern ${code(args.pattern)} is watched for in ${inPolicy(args.policy)}`,
  preview: async ({ appliance, args }) => {
    const all = await appliance.rdp.listPatterns();
    const same = all.find((one) => one.name === args.pattern && policyOf(one) === String(args.policy.id));
    if (same !== undefined) {
      return {
        kind: 'nothing',
        why: say`Pattern ${code(args.pattern)} is watched for in ${inPolicy(args.policy)} already, as number ${same.id}.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Watch for ${code(args.pattern)} in ${inPolicy(args.policy)}?`,
      fields: [...changesIn({}, args.set ?? {}), auditTrail],
      subject: { pattern: args.pattern, policy: args.policy.id, nameField: nameFieldOf(all, 'pattern') },
    };
  },
  run: async ({ appliance, args }, { nameField }) => {
    const { confirmed, id } = await appliance.rdp.createPattern({
      policy: args.policy.id,
      fields: { [String(nameField)]: args.pattern, ...args.set },
    });
    return { confirmed, ...(id === undefined ? {} : { learned: { id } }) };
  },
  verify: async ({ appliance, args }, { id }) => {
    const all = await appliance.rdp.listPatterns({ policy: args.policy.id });
    const found = all.find((one) => (typeof id === 'number' ? one.id === id : one.name === args.pattern));
    return compareListed('created', 'pattern', code(args.pattern), found, args.set);
  },
  undo: (_, { id }) => (typeof id === 'number' ? `rdp pattern delete ${id}` : undefined),
});

export const change = command({
  kind: 'change',
  phrase: 'rdp pattern change <pattern> <--set>',
  also: ['rdp pattern replace <pattern> <--set>'],
  args: { pattern, set: setFields },
  summary: 'Change a detection pattern; it stays in its policy',
  example: 'rdp pattern change 12 --set action=disconnect',
  effect: 'write',
  verb: 'Change',
  doing: (args) => say`Changing pattern ${args.pattern.id}`,
  done: (args) => say`Pattern ${args.pattern.id} is changed`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listPatterns(), args.pattern);
    if (found === undefined) return gone(appliance, 'pattern', args.pattern);
    if (isSo(found.fields, args.set)) {
      return {
        kind: 'nothing',
        why: say`Pattern ${found.id} (${code(calledBy(found))}) is like that already.`,
      };
    }
    return {
      kind: 'ready',
      question: say`Change pattern ${found.id} (${code(calledBy(found))})?`,
      fields: [...changesIn(found.fields, args.set), auditTrail],
      subject: { ...subjectOf(found), ...beforeOf(found.fields, args.set) },
    };
  },
  run: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listPatterns(), args.pattern);
    const fields = replacementOf(found?.fields ?? {}, args.set);
    return appliance.rdp.replacePattern({ id: args.pattern.id, fields });
  },
  verify: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listPatterns(), args.pattern);
    return compareListed('changed', 'pattern', args.pattern.id, found, args.set);
  },
  undo: (args, shown) => lineBack(`rdp pattern change ${args.pattern.id}`, shown, args.set),
});

export const remove = command({
  kind: 'change',
  phrase: 'rdp pattern delete <pattern>',
  args: { pattern },
  summary: 'Delete a detection pattern: sessions are no longer watched for it',
  example: 'rdp pattern delete 12',
  effect: 'destructive',
  verb: 'Delete',
  doing: (args) => say`Deleting pattern ${args.pattern.id}`,
  done: (args) => say`Pattern ${args.pattern.id} is deleted`,
  preview: async ({ appliance, args }) => {
    const found = among(await appliance.rdp.listPatterns(), args.pattern);
    if (found === undefined) return gone(appliance, 'pattern', args.pattern);
    return {
      kind: 'ready',
      question: say`Delete detection pattern ${strong(String(found.id))} (${code(calledBy(found))})?`,
      fields: [
        ...shownFields({ ...found.fields, ...(policyOf(found) === '0' ? { policy: 'all policies' } : {}) }),
        auditTrail,
      ],
      subject: subjectOf(found),
    };
  },
  run: ({ appliance, args }) => appliance.rdp.deletePattern({ id: args.pattern.id }),
  verify: async ({ appliance, args }) =>
    goneFrom(await appliance.rdp.listPatterns(), 'patterns', args.pattern),
});

const policyOf = ({ fields }: IdentifiedEntry): string | undefined =>
  reportedUnder(fields, 'policy', 'policyid');

const inPolicy = ({ id, name }: { readonly id: number; readonly name: string }): Text =>
  id === 0 ? say`all policies` : say`policy ${strong(calledBy({ id, name }))}`;

const subjectOf = (found: IdentifiedEntry): Fingerprint => ({
  id: found.id,
  name: found.name ?? null,
  policy: policyOf(found) ?? null,
});
