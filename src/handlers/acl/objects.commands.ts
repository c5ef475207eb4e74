import type { AclObject, AclRecord } from '../../api/index.ts';
import type { Named } from '../argument.ts';
import { command } from '../command.ts';
import { digestOf } from '../digest.ts';
import { type Field, type Part, plural, type Reply, say, strong } from '../reply.ts';
import type { Fingerprint } from '../results.ts';
import { type Switchable, switching } from '../switching.ts';
import {
  findObject,
  gone,
  goneText,
  nameOf,
  object,
  stateOf,
  type Users,
  usedBy,
  usersAsText,
  usersOf,
} from './objects.ts';
import { recordsOf } from './records.ts';
import { objectsTable, recordsTable } from './tables.ts';

export const objects = command({
  kind: 'lookup',
  phrase: 'acl objects',
  args: {},
  summary: 'List the ACL objects',
  example: 'acl objects',
  effect: 'read',
  answer: async ({ appliance }): Promise<Reply> => {
    const all = await appliance.acl.listObjects();
    if (all.length === 0) return { headline: say`${strong(appliance.name)} has no ACL objects` };
    const disabled = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`${strong(plural(all.length, 'ACL object'))}${disabled === 0 ? '' : `, ${disabled} of them disabled`}`,
      details: objectsTable(all),
    };
  },
});

export const show = command({
  kind: 'lookup',
  phrase: 'acl object <object>',
  args: { object: object },
  summary: 'Show an ACL object with its records and the rules that use it',
  example: 'acl object google_sni',
  effect: 'read',
  answer: async ({ appliance, args }): Promise<Reply> => {
    const found = await findObject(appliance, args.object);
    if (found === undefined) {
      return { headline: say`${strong(appliance.name)} has no ACL object ${args.object.id} any more` };
    }
    const [records, users] = await Promise.all([recordsOf(appliance, found), usersOf(appliance, found)]);
    const count = (users.rules?.length ?? 0) + (users.sslRules?.length ?? 0);
    return {
      headline: say`ACL object ${strong(nameOf(found))} is ${strong(stateOf(found))}, holds ${plural(records.length, 'record')} and is used by ${count === 0 ? 'no rule' : plural(count, 'rule')}`,
      details: [
        {
          kind: 'fields',
          fields: [
            { name: 'ID', value: say`${found.id}` },
            { name: 'Type', value: say`${found.type ?? 'not reported'}` },
            { name: 'Used by', value: usedBy(users) },
          ],
        },
        ...rulesTable(found),
        ...recordsTable(records, () => found, 'one object'),
      ],
    };
  },
});

function rulesTable({ rules = [] }: AclObject): readonly Part[] {
  if (rules.length === 0) return [];
  return [
    {
      kind: 'table',
      columns: ['Rule', 'Name', 'State'],
      rows: rules.map((rule) => [say`${rule.id}`, say`${rule.name ?? '–'}`, say`${stateOf(rule)}`]),
    },
  ];
}

const switched: Switchable<{ readonly object: Named }, AclObject> = {
  noun: 'ACL object',
  phrase: 'acl object',
  idOf: (args) => args.object.id,
  nameOf: (args) => nameOf(args.object),
  find: ({ appliance, args }) => findObject(appliance, args.object),
  gone: ({ appliance, args }) => goneText(appliance.name, args.object.id),
  look: async (found, { appliance }) => ({
    fields: describe(found, found.items?.length, await usersOf(appliance, found)),
    subject: { ...subjectOf(found), records: found.items === undefined ? null : contentOf(found.items) },
  }),
  after: async (found, { appliance }) => say`Used by: ${usedBy(await usersOf(appliance, found))}.`,
  requires: ['acl'],
};

export const disable = command({
  ...switching('disable', switched),
  phrase: 'acl object disable <object>',
  args: { object },
  summary: 'Disable an ACL object: the rules that use it stop matching by it',
  example: 'acl object disable google_sni',
  run: ({ appliance, args }) => appliance.acl.disableObject({ objectId: args.object.id }),
});

export const enable = command({
  ...switching('enable', switched),
  phrase: 'acl object enable <object>',
  args: { object },
  summary: 'Enable an ACL object',
  example: 'acl object enable google_sni',
  before: ['acl object disable google_sni'],
  run: ({ appliance, args }) => appliance.acl.enableObject({ objectId: args.object.id }),
});

export const remove = command({
  kind: 'change',
  phrase: 'acl object delete <object>',
  args: { object },
  summary: 'Delete an ACL object with all its records',
  example: 'acl object delete google_sni',
  effect: 'destructive',
  verb: 'Delete',
  doing: ({ object: one }) => say`Deleting ACL object ${nameOf(one)}`,
  done: ({ object: one }) => say`ACL object ${strong(nameOf(one))} is deleted`,
  preview: async ({ appliance, args }) => {
    const found = await findObject(appliance, args.object);
    if (found === undefined) return gone(appliance.name, args.object.id);
    const [records, users] = await Promise.all([recordsOf(appliance, found), usersOf(appliance, found)]);
    return {
      kind: 'ready',
      question: say`Delete ACL object ${strong(nameOf(found))} and its ${strong(plural(records.length, 'record'))}?`,
      fields: describe(found, records.length, users),
      subject: {
        ...subjectOf(found),
        records: contentOf(records),
        users: usersAsText(users),
      },
    };
  },
  run: ({ appliance, args }) => appliance.acl.deleteObject({ objectId: args.object.id }),
  verify: async ({ appliance, args }) => {
    const all = await appliance.acl.listObjects();
    return all.some(({ id }) => id === args.object.id)
      ? {
          kind: 'not_happened',
          evidence: say`I read the objects back and ${nameOf(args.object)} (${args.object.id}) is still there.`,
        }
      : {
          kind: 'happened',
          evidence: say`I read the objects back: ${nameOf(args.object)} (${args.object.id}) is gone with its records, ${plural(all.length, 'other object')} left.`,
        };
  },
  requires: () => ['acl'],
});

/** Which records those are, in whatever order the appliance lists them. */
const contentOf = (records: readonly AclRecord[]): string =>
  digestOf(
    records
      .map(({ id, pattern, enabled }) => ({ id, pattern, enabled: enabled ?? null }))
      .toSorted((one, other) => one.id - other.id),
  );

/** What is the same object, in the same state. */
const subjectOf = ({ id, name, enabled }: AclObject): Fingerprint => ({
  id,
  name: name ?? null,
  enabled: enabled ?? null,
});

function describe(found: AclObject, records: number | undefined, users: Users): readonly Field[] {
  return [
    { name: 'ID', value: say`${found.id}` },
    { name: 'Type', value: say`${found.type ?? 'not reported'}` },
    { name: 'State', value: say`${stateOf(found)}` },
    { name: 'Records', value: say`${records ?? 'not reported'}` },
    { name: 'Used by', value: usedBy(users) },
  ];
}
