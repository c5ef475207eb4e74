import type { AclObject, AclRecord } from '../../api/index.ts';
import { type Named, nameOrNumber } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, type Look, lackPart, readBackIn } from '../listing.ts';
import { fieldList, plural, say, strong, type Text, tableOf } from '../reply.ts';
import { resource, switching } from '../resource.ts';
import { digestOf, type Fingerprint, happened, notHappened, ready } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import {
  aclObjects,
  findObject,
  goneText,
  object,
  stateOf,
  type Users,
  usedBy,
  usersAsText,
  usersOf,
} from './objects.ts';
import { recordsOf } from './records.ts';
import { objectsTable, recordsTable } from './tables.ts';

export const objects = lookup({
  phrase: 'acl objects',
  says: `
    acls / acl list / list acl / which acl objects do we have / show whitelists / show blacklists /
    all access lists / proxy rules / firewall rules / which access lists exist / what acls are there /
    is there an acl for / show me the acls / how many acls / which whitelists do we have /
    list of exceptions / show acl rules / list the acls / all acl rules / acl rules / which acls are off /
    which acls are disabled / disabled acls
  `,
  summary: 'List the ACL objects',
  answer: answeredFrom(
    () => aclObjects,
    (look, { appliance }) => {
      const { all } = look;
      if (all.length === 0) return { headline: say`${strong(appliance.name)} lists no ACL objects` };
      const disabled = all.filter(({ enabled }) => enabled === false).length;
      return {
        headline: say`${countText(look, 'ACL object')}${disabled === 0 ? '' : `, ${disabled} of them disabled`}`,
        details: objectsTable(all),
      };
    },
  ),
});

export const show = lookup({
  phrase: 'acl object <object>',
  byNameAlone: true,
  says: `
    show acl <object> / what is in acl object <object> / which rules use <object> /
    details of acl <object> / access list <object> / where is <object> used / is acl <object> active /
    is acl <object> enabled / what does acl <object> do / explain acl <object> /
    which rules does acl <object> have / is <object> still active
  `,
  args: { object },
  summary: 'Show an ACL object with its records and the rules that use it',
  example: 'acl object google_sni',
  answer: async ({ appliance, args }) => {
    const found = await findObject(appliance, args.object);
    if (found === undefined)
      return { headline: say`ACL object ${args.object.id} no longer exists on ${strong(appliance.name)}` };
    const [look, users] = await Promise.all([recordsOf(appliance, found), usersOf(appliance, found)]);
    const count = (users.rules?.length ?? 0) + (users.sslRules?.length ?? 0);
    const isSure = users.rules !== undefined && users.sslRules !== undefined;
    const rules =
      count === 0 && !isSure
        ? 'rules that could not be read'
        : count === 0
          ? 'no rule'
          : plural(count, 'rule');
    return {
      headline: say`ACL object ${strong(nameOrNumber(found))} is ${strong(stateOf(found))}, holds ${recordCount(look)} and is used by ${isSure || count === 0 ? '' : 'at least '}${rules}`,
      details: [
        ...lackPart(appliance.name, look),
        fieldList({
          ID: say`${found.id}`,
          Type: say`${found.type ?? 'not reported'}`,
          'Used by': usedBy(users),
        }),
        ...tableOf(found.rules ?? [], {
          Rule: ({ id }) => id,
          Name: ({ name }) => name ?? '–',
          State: stateOf,
        }),
        ...recordsTable(look.all, () => found, 'one object'),
      ],
    };
  },
});

interface OnObject {
  readonly object: Named;
}

const anObject = resource<OnObject, AclObject>({
  noun: 'ACL object',
  nameOf: (args) => nameOrNumber(args.object),
  list: () => aclObjects,
  fits: ({ id }, args) => id === args.object.id,
  gone: ({ appliance, args }) => goneText(appliance.name, args.object.id),
});

const switched = switching(anObject, {
  phrase: 'acl object',
  idOf: (args) => args.object.id,
  look: async (found, { appliance }) => ({
    fields: describe(
      found,
      found.items === undefined ? say`not reported` : say`${found.items.length}`,
      await usersOf(appliance, found),
    ),
    fingerprint: {
      ...fingerprintOf(found),
      records: found.items === undefined ? null : contentOf(found.items),
    },
  }),
  after: async (found, { appliance }) => say`Used by: ${usedBy(await usersOf(appliance, found))}.`,
  requires: ['acl'],
  beside: ['records'],
});

export const disable = change({
  ...switched('disable'),
  phrase: 'acl object disable <object>',
  says: `
    disable acl <object> / disable rule <object> / turn acl object <object> off /
    stop blocking by <object> / suspend list <object> / deactivate acl <object> /
    switch the list <object> off / acl <object> should not apply for now / suspend acl <object> /
    turn <object> off / turn <object> off for a moment / <object> off / <object> ausschalten /
    <object> abschalten / switch <object> off
  `,
  args: { object },
  summary: 'Disable an ACL object: rules stop matching on it',
  example: 'acl object disable google_sni',
  run: ({ appliance, args }) => appliance.acl.disableObject({ objectId: args.object.id }),
});

export const enable = change({
  ...switched('enable'),
  phrase: 'acl object enable <object>',
  says: `
    enable acl <object> / enable rule <object> / turn acl object <object> on /
    activate list <object> again / acl <object> should apply again / switch the list <object> on /
    reactivate acl <object> / turn <object> on / turn <object> back on / <object> on /
    <object> wieder einschalten / <object> einschalten / switch <object> back on
  `,
  args: { object },
  summary: 'Enable an ACL object',
  example: 'acl object enable google_sni',
  before: ['acl object disable google_sni'],
  run: ({ appliance, args }) => appliance.acl.enableObject({ objectId: args.object.id }),
});

export const remove = change({
  ...anObject.acting('Delete'),
  phrase: 'acl object delete <object>',
  says: `
    delete acl <object> / delete access list <object> / remove rule object <object> /
    drop acl object <object> / rule object <object> is not needed any more /
    throw <object> out of the acls / remove the object <object> / delete rule <object> / drop acl <object> /
    get rid of the acl <object> / we do not need <object> any more / erase object <object> /
    clean up acl <object>
  `,
  args: { object },
  summary: 'Delete an ACL object with all its records',
  example: 'acl object delete google_sni',
  effect: 'destructive',
  preview: anObject.preview(async (found, { appliance }) => {
    const [look, users] = await Promise.all([recordsOf(appliance, found), usersOf(appliance, found)]);
    return ready({
      question: say`Delete ACL object ${strong(nameOrNumber(found))} and ${look.lack === undefined ? say`its ${recordCount(look)}` : say`all of its records, ${recordCount(look)}`}?`,
      fields: describe(
        found,
        look.lack === undefined ? say`${look.all.length}` : say`${appliance.name} ${look.lack}`,
        users,
      ),
      fingerprint: { ...fingerprintOf(found), records: contentOf(look.all), users: usersAsText(users) },
    });
  }),
  run: ({ appliance, args }) => appliance.acl.deleteObject({ objectId: args.object.id }),
  verify: readBackIn<OnObject, AclObject>(anObject.list, async ({ seek }, { args: { object: one } }) => {
    const { found, all } = await seek(({ id }) => id === one.id, one.id);
    return found === undefined
      ? happened`Objects read back: ${nameOrNumber(one)} (${one.id}) and its records are gone, ${plural(all.length, 'other object')} left.`
      : notHappened`Objects read back: ${nameOrNumber(one)} (${one.id}) is still there.`;
  }),
  requires: () => ['acl'],
});

/** Identifies the records independently of their order. */
const contentOf = (records: readonly AclRecord[]): string =>
  digestOf(
    records
      .map(({ id, pattern, enabled }) => ({ id, pattern, enabled: enabled ?? null }))
      .toSorted((one, other) => one.id - other.id),
  );

const fingerprintOf = ({ id, name, enabled }: AclObject): Fingerprint => ({
  id,
  name: name ?? null,
  enabled: enabled ?? null,
});

/** An incomplete list does not show that there are no records. */
const recordCount = (look: Look<AclRecord>): Text =>
  look.all.length === 0 && look.lack !== undefined
    ? say`an unknown number of records`
    : countText(look, 'record');

const describe = (found: AclObject, records: Text, users: Users) => ({
  ID: say`${found.id}`,
  Type: say`${found.type ?? 'not reported'}`,
  State: say`${stateOf(found)}`,
  Records: records,
  'Used by': usedBy(users),
});

export const createAclObject = impossible({
  says: `
    create acl object / new acl / add access list / create whitelist / create rule / new proxy rule /
    rename acl object / create a new list / change order of rules / open a firewall rule for port /
    open a port / block a port / port forwarding / new firewall rule / new access list /
    make a new acl / create an acl named <name> / create acl <name> / create an acl object named <name> /
    create object <name> with <address> / new acl object <name> / rename acl <name> to <other> /
    put the rule <name> above <other> / move the rule <name> to the top / move acl <name> before <other> /
    change the priority of rule <name> /
    let acl <name> block <category> / let the acl <name> allow <category> /
    new rule that blocks <category> for <somebody> / new rule for group <somebody> /
    create a rule for <somebody> / copy acl <name> / duplicate acl object <name> /
    schedule for acl <name> /
    limit the rule to working hours
  `,
  why: 'The Web API can add records to an ACL object and enable, disable or delete it, but cannot create or rename one. Use the web console.',
  source: 'appliance-api.md §4.1',
  nearest: ['acl objects', 'acl record add <object> <pattern>… [--note]'],
});
