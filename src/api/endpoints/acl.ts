import { z } from 'zod';
import { area, recordId } from '../endpoint.ts';
import { anywhere, under } from '../reading/reply.ts';
import { flag, integer, list, optional, record, required, text, type ValueOf } from '../reading/shape.ts';
import { form } from '../wire/body.ts';

/** A record of an ACL object (appliance-api.md §2.2). */
export type AclRecord = ValueOf<typeof aclRecord>;
/** An ACL object (§2.1). */
export type AclObject = ValueOf<typeof aclObject>;
/** A rule that uses an ACL object (§2.3). */
export type AclRule = ValueOf<typeof aclRule>;

const aclRecord = record({
  /** The ITEM ID, not the object's. */
  id: required('id', integer),
  pattern: required('pattern', text),
  /** `YYYY-MM-DD HH:MM:SS` on the appliance's clock, whose zone is not documented. */
  date: optional('date', text),
  /** Who pushed it. */
  uid: optional('uid', text),
  other: optional('other', text),
  /** The owning object's. */
  objectId: optional('gpid', integer),
  enabled: optional('enabled', flag),
  /** Sent on creation and searched, but not among the documented fields of an answer. */
  description: optional('description', text),
});

const aclRule = record({
  id: required('ID', integer),
  name: optional('Name', text),
  portDirection: optional('PortDirection', integer),
  aclPort: optional('AclPort', integer),
  aclGroup: optional('AclGroup', integer),
  aclGpid: optional('AclGpid', integer),
  enabled: optional('Enabled', flag),
});

const aclObject = record({
  id: required('ID', integer),
  name: optional('GroupName', text),
  type: optional('Type', text),
  enabled: optional('Enabled', flag),
  items: optional('Items', list(aclRecord)),
  rules: optional('Rules', list(aclRule)),
});

/** "JSON of all records": under a key that is not shown, or the list alone. */
const records = anywhere(list(aclRecord), ['Items', 'Records', 'Results', 'Data']);

/**
 * A pattern in a path: commas separate patterns there (§4.1), and many servers read a dot at the end, a slash or a
 * letter beyond ASCII in their own way. `addRecord` carries every pattern.
 */
export const patternInPath = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'has a space or a letter that a path does not carry safely')
  .regex(/^[^,/\\%?#]*$/, 'has a character that a path cannot carry')
  .regex(/[^.]$/, 'ends with a dot, which a path does not carry safely');

/** §4.1 rule 3. Before the update, enable and disable failed for every record, and nothing can be done from here. */
const zdate = {
  says: /zdate/i,
  problem: 'cannot enable or disable records (its own query fails near "zdate"), and the record is unchanged',
  remedy: 'update the appliance to a release after 2026-09-23, or use its web console',
  section: '§4.1 rule 3',
};

const listed = area({ section: '§4.1', availableFrom: '4.50 SP1, or 4.50 hotfix 20240903-18' });
const endpoint = area({ section: '§4.1', availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250525-12' });
const always = area({ section: '§4.1' });

/** Proxy ACL objects and their records. Changes take effect in the proxy only after `compile` (§1 convention 3). */
export const acl = {
  compile: always('- /proxy/acls/compile', {
    summary: 'Makes the changes to objects and records take effect in the proxy.',
    effect: 'write',
    slow: true,
  }),

  listObjects: listed('GET /proxy/acls/objects', {
    summary: 'All objects with their records and the rules that use them.',
    effect: 'read',
    reply: under('Objects', list(aclObject)),
    large: true,
  }),

  listRecords: listed('GET /proxy/acls/record/list/{objectId}', {
    summary: 'All records of one object.',
    effect: 'read',
    slots: { objectId: recordId },
    reply: records,
    large: true,
  }),

  findRecords: endpoint('GET /proxy/acls/record/find/{pattern}', {
    summary: 'The records with this text in their description, user or pattern.',
    effect: 'read',
    reply: records,
    large: true,
  }),

  disableObject: endpoint('GET /proxy/acls/object/disable/{objectId}', {
    summary: 'Disables an object.',
    effect: 'write',
    slots: { objectId: recordId },
  }),

  enableObject: endpoint('GET /proxy/acls/object/enable/{objectId}', {
    summary: 'Enables an object.',
    effect: 'write',
    slots: { objectId: recordId },
  }),

  deleteObject: endpoint('GET /proxy/acls/object/delete/{objectId}', {
    summary: 'Deletes an object with all its records.',
    effect: 'destructive',
    slots: { objectId: recordId },
  }),

  addRecordsByPath: endpoint('GET /proxy/acls/record/add/{objectId}/{records}', {
    summary: 'Adds records with plain patterns to an object; `addRecord` takes every pattern.',
    effect: 'write',
    slots: {
      objectId: recordId,
      records: z
        .array(patternInPath)
        .min(1)
        .transform((patterns) => patterns.join(',')),
    },
  }),

  addRecord: endpoint('PUT /proxy/acls/record/add/{objectId}', {
    summary: 'Adds one record with any pattern to an object.',
    effect: 'write',
    slots: { objectId: recordId },
    body: form({
      pattern: z.string().min(1),
      uid: z.string().optional(),
      description: z.string().optional(),
    }),
  }),

  /** Status true also for an ID that no record has, and then nothing changes (§4.1 rule 2): read back. */
  disableRecord: endpoint('GET /proxy/acls/record/disable/{itemId}', {
    summary: 'Disables a record. Accepted for an unknown ID too, without any change.',
    effect: 'write',
    slots: { itemId: recordId },
    knownDefect: zdate,
  }),

  enableRecord: endpoint('GET /proxy/acls/record/enable/{itemId}', {
    summary: 'Enables a record. Accepted for an unknown ID too, without any change.',
    effect: 'write',
    slots: { itemId: recordId },
    knownDefect: zdate,
  }),

  deleteRecord: endpoint('GET /proxy/acls/record/delete/{itemId}', {
    summary: 'Deletes a record.',
    effect: 'destructive',
    slots: { itemId: recordId },
  }),
};
