import { text } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { countText, lackPart } from '../listing.ts';
import { code, enumerate, paragraph, plural, say, strong } from '../reply.ts';
import { type Switchable, switching } from '../switching.ts';
import { aclObjects, nameOf, object, stateOf, usedBy, usersOf } from './objects.ts';
import { listedRecords, type NamedRecord, recordsIn, recordWithin, type StatedRecord } from './records.ts';
import { searchRecords, wordsIn } from './search.ts';
import { objectsTable, recordsTable } from './tables.ts';

export const records = lookup({
  phrase: 'acl records <object>',
  says: `
    records of <object> / entries of acl <object> / what is in the whitelist <object> /
    content of list <object> / list patterns of <object> / what is in acl <object> /
    what is inside acl <object> / which sites are in acl <object> / who is in acl <object> /
    show the entries of <object> / what belongs to list <object> / which ips are in <object> /
    exceptions in <object>
  `,
  also: ['acl records of <object>', 'acl records in <object>'],
  args: { object },
  summary: 'List the records of an ACL object',
  example: 'acl records banking_sni',
  answer: async ({ appliance, args }) => {
    const look = await listedRecords(args.object).look(appliance);
    const { all } = look;
    const disabled = all.filter(({ enabled }) => enabled === false).length;
    return {
      headline: say`ACL object ${strong(nameOf(args.object))} holds ${countText(look, 'record')}${disabled === 0 ? '' : `, ${disabled} of them disabled`}`,
      details: [...lackPart(appliance.name, look), ...recordsTable(all, () => undefined, 'one object')],
    };
  },
});

export const find = lookup({
  phrase: 'acl find <text>…',
  byNameAlone: true,
  says: `
    which acl contains <text> / search acl <text> / find <text> in acl / where is <text> whitelisted /
    is <text> whitelisted / is <text> in a whitelist / which list has <text> / find ip <text> in the rules /
    is <text> on the blacklist / is there an acl for <text> / is there an object for <text> in the acls /
    does any acl contain <text> / in which acl is <text> / is <text> in an acl / which rule has <text> /
    look for <text> in the acls / grep <text> in acl / is <text> exempted / is <text> an exception /
    which exception is there for <text> / who added <text> to the acl / find record <text> /
    which list is <text> on / which acls do we have for <text> / which rules do we have for <text> /
    which objects contain <text> / which objects have <text> / is there a rule for <text> /
    rules about <text> / where is <text> used / where do we use <text> / any rule with <text> /
    which rules mention <text> / is <text> in one of our lists / is <text> on the whitelist /
    do we have an exception for <text> / find <text> in the rules / any acl with <text> in it /
    any rule with <text> in it / acl with <text> / something with <text> in the acls /
    do we have <text> in an acl / which list mentions <text> / which rule hits <text> /
    what rule matches <text> / acl with <text> in it / acl that contains <text> / is <text> in any acl
  `,
  also: ['acl search <text>…', 'acl record find <text>…'],
  args: { text: { ...text('a text', 'google', 255), most: 10 } },
  summary: 'Find ACL records by pattern, user or note, and objects by name',
  example: 'acl find google',
  answer: async ({ appliance, args }) => {
    const words = wordsIn(args.text);
    if (words.length === 0) return { headline: say`Nothing to search for: type at least one letter` };
    const [{ records: found, inNotes }, look] = await Promise.all([
      searchRecords(appliance, words),
      aclObjects.look(appliance),
    ]);
    const objects = look.all;
    const byId = new Map(objects.map((one) => [one.id, one]));
    const named = objects.filter(({ name = '' }) => words.every((word) => name.toLowerCase().includes(word)));
    const wanted = enumerate(words.map(strong));
    return {
      headline:
        found.length === 0
          ? say`No ACL record contains ${wanted}${named.length === 0 ? '' : `, but the name of ${plural(named.length, 'object')} does`}`
          : say`${strong(plural(found.length, 'ACL record'))} ${found.length === 1 ? 'contains' : 'contain'} ${wanted}`,
      details: [
        ...lackPart(appliance.name, look),
        ...objectsTable(named),
        ...recordsTable(
          found,
          ({ objectId }) => (objectId === undefined ? undefined : byId.get(objectId)),
          'several objects',
        ),
        ...(inNotes === 0
          ? []
          : [
              paragraph`${inNotes === found.length ? (inNotes === 1 ? 'It matches' : 'They match') : `${inNotes} of them match`} in the note, which the appliance searches but does not show.`,
            ]),
      ],
    };
  },
});

interface OnRecord {
  readonly record: NamedRecord;
}

const switched: Switchable<OnRecord, StatedRecord> = {
  noun: 'ACL record',
  phrase: 'acl record',
  idOf: (args) => args.record.id,
  nameOf: ({ record: { id, pattern } }) => `${id} (${pattern})`,
  list: ({ record: { object: owner } }) => recordsIn(owner),
  fits: ({ record: item }, { record: { id } }) => item.id === id,
  // The appliance would say yes to it, and change nothing (§4.1 rule 2).
  gone: ({
    args: {
      record: { id, pattern, object: owner },
    },
  }) =>
    say`Record ${id} (${pattern}) no longer exists in ACL object ${strong(nameOf(owner))}. ${code(`/appliance acl records ${owner.id}`)} lists its records.`,
  look: async ({ record: item, object: owner }, { appliance }) => ({
    fields: {
      Record: say`${item.id}`,
      Object: say`${nameOf(owner)} (${stateOf(owner)})`,
      State: say`${stateOf(item)}`,
      'Used by': usedBy(await usersOf(appliance, owner)),
    },
    fingerprint: { id: item.id, pattern: item.pattern, object: owner.id },
  }),
  after: async ({ object: owner }, _, to) =>
    to === 'enable' && owner.enabled === false ? say`Its object is disabled, so it matches nothing yet.` : [],
  requires: ['acl'],
};

export const disable = change({
  ...switching('disable', switched),
  phrase: 'acl record disable <record> [--object]',
  says: `
    disable record <record> / disable entry <record> / disable rule <record> / suspend acl record <record> /
    switch record <record> off / deactivate record <record> / record <record> off /
    turn off acl entry <record> / pause acl record <record> / mute acl record <record> /
    mute record <record> / silence record <record> / suspend record <record> /
    disable <record> in <object>
  `,
  also: ['acl record disable <record> in <object>'],
  args: recordWithin,
  summary: 'Disable an ACL record, by record number (not the object’s) or pattern',
  example: 'acl record disable .youtube.com',
  run: ({ appliance, args }) => appliance.acl.disableRecord({ itemId: args.record.id }),
});

export const enable = change({
  ...switching('enable', switched),
  phrase: 'acl record enable <record> [--object]',
  says: `
    enable record <record> / enable entry <record> / activate acl record <record> again /
    turn rule entry <record> on / switch record <record> on / reactivate record <record> /
    record <record> on / turn on acl entry <record> / resume acl record <record> /
    bring acl record <record> back to life / bring record <record> back / wake record <record> /
    record <record> again / enable <record> in <object>
  `,
  also: ['acl record enable <record> in <object>'],
  args: recordWithin,
  summary: 'Enable an ACL record, by record number (not the object’s) or pattern',
  example: 'acl record enable .youtube.com',
  before: ['acl record disable .youtube.com'],
  run: ({ appliance, args }) => appliance.acl.enableRecord({ itemId: args.record.id }),
});
