import type { AclRecord, AskedAppliance } from '../../api/index.ts';
import { type Named, nameOrNumber, text } from '../argument.ts';
import { change, lookup } from '../declare.ts';
import { answeredFrom, countText, type Listing, type Look, lackPart, listing, withLack } from '../listing.ts';
import { code, enumerate, paragraph, plural, say, strong } from '../reply.ts';
import { resource, switching } from '../resource.ts';
import { aclObjects, object, stateOf, usedBy, usersOf } from './objects.ts';
import { listedRecords, type NamedRecord, recordsIn, recordWithin, type StatedRecord } from './records.ts';
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
  answer: answeredFrom(
    (args: { readonly object: Named }) => listedRecords(args.object),
    (look, { args }) => {
      const { all } = look;
      const disabled = all.filter(({ enabled }) => enabled === false).length;
      return {
        headline: say`ACL object ${strong(nameOrNumber(args.object))} holds ${countText(look, 'record')}${disabled === 0 ? '' : `, ${disabled} of them disabled`}`,
        details: recordsTable(all, () => undefined, 'one object'),
      };
    },
  ),
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
    const [{ look, inNotes }, listed] = await Promise.all([
      searchRecords(appliance, words),
      aclObjects.look(appliance),
    ]);
    const { all: found } = look;
    const objects = listed.all;
    const byId = new Map(objects.map((one) => [one.id, one]));
    const named = objects.filter(({ name = '' }) => words.every((word) => name.toLowerCase().includes(word)));
    const wanted = enumerate(words.map(strong));
    const inNames = named.length === 0 ? [] : say`, but the name of ${plural(named.length, 'object')} does`;
    return withLack(appliance.name, look, {
      headline:
        found.length === 0
          ? say`No ACL record contains ${wanted}${inNames}`
          : say`${countText(look, 'ACL record')} ${found.length === 1 ? 'contains' : 'contain'} ${wanted}`,
      details: [
        // If the search also found nothing, one note is enough.
        ...(found.length === 0 && look.lack !== undefined ? [] : lackPart(appliance.name, listed)),
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
    });
  },
});

interface OnRecord {
  readonly record: NamedRecord;
}

const aRecord = resource<OnRecord, StatedRecord>({
  noun: 'ACL record',
  nameOf: ({ record: { id, pattern } }) => `${id} (${pattern})`,
  list: ({ record: { object: owner } }) => recordsIn(owner),
  fits: ({ record: item }, { record: { id } }) => item.id === id,
  // The appliance would confirm and change nothing (§4.1 rule 2).
  gone: ({
    args: {
      record: { id, pattern, object: owner },
    },
  }) =>
    say`Record ${id} (${pattern}) no longer exists in ACL object ${strong(nameOrNumber(owner))}. ${code(`/appliance acl records ${owner.id}`)} lists its records.`,
});

const switched = switching(aRecord, {
  phrase: 'acl record',
  idOf: (args) => args.record.id,
  look: async ({ record: item, object: owner }, { appliance }) => ({
    fields: {
      Record: say`${item.id}`,
      Object: say`${nameOrNumber(owner)} (${stateOf(owner)})`,
      State: say`${stateOf(item)}`,
      'Used by': usedBy(await usersOf(appliance, owner)),
    },
    fingerprint: { id: item.id, pattern: item.pattern, object: owner.id },
  }),
  after: async ({ object: owner }, _, to) =>
    to === 'enable' && owner.enabled === false ? say`Its object is disabled, so it matches nothing yet.` : [],
  requires: ['acl'],
});

export const disable = change({
  ...switched('disable'),
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
  ...switched('enable'),
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

interface RecordSearch {
  readonly look: Look<AclRecord>;
  /** Number of matches only in the note, which the appliance searches but does not show. */
  readonly inNotes: number;
}

/** The search words: "ticket 4711" and `ticket, 4711` are both two words. */
const wordsIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(texts.flatMap((text) => text.toLowerCase().split(/\s+/)).filter((word) => word !== '')),
];

/**
 * The records with every word in pattern, user or note. Searches word by word. Only the appliance's own search
 * covers notes, and its keyword cannot contain a space (appliance-api.md §4.1: the keyword is part of the
 * path).
 */
async function searchRecords(appliance: AskedAppliance, words: readonly string[]): Promise<RecordSearch> {
  const looks = await Promise.all(words.map((word) => recordsWith(word).look(appliance)));
  const [first, ...others] = looks;
  if (first === undefined) throw new Error('There is always a word to look for');
  const everywhere = others.map(({ all }) => new Set(all.map(({ id }) => id)));
  const all = first.all.filter(({ id }) => everywhere.every((ids) => ids.has(id)));
  const lack = looks.find((one) => one.lack !== undefined)?.lack;
  const of = others.length === 0 ? first.of : undefined;
  return {
    look: { all, of, lack },
    inNotes: all.filter((one) => !words.every((word) => isSeenIn(one, word))).length,
  };
}

const recordsWith = (word: string): Listing<AclRecord> =>
  listing<AclRecord>({
    things: `records with ${word}`,
    read: ({ acl }) => acl.searchRecords({ text: word }),
    keyOf: ({ id }) => id,
    // Listing objects shows that the appliance has loaded its data.
    isUp: async (appliance) => {
      const { all, lack } = await aclObjects.look(appliance);
      return lack === undefined && all.length > 0;
    },
    isBesideThat: true,
  });

const isSeenIn = ({ pattern, uid = '', description = '', other = '' }: AclRecord, word: string): boolean =>
  [pattern, uid, description, other].some((text) => text.toLowerCase().includes(word));
