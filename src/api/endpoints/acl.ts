import { z } from 'zod';
import { area, recordId } from '../endpoint.ts';
import { field } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import {
  type Accepted,
  accepted,
  anywhere,
  type ReplyReader,
  under,
  withEnvelope,
} from '../reading/reply-reader.ts';
import { textOf } from '../reading/said.ts';
import {
  component,
  eachOnce,
  flag,
  integer,
  list,
  optional,
  record,
  required,
  text,
  type ValueOf,
} from '../reading/shape.ts';
import { form } from '../wire/body.ts';

/** A record of an ACL object (appliance-api.md §2.2). */
export type AclRecord = ValueOf<typeof aclRecord>;
/** An ACL object (§2.1). */
export type AclObject = ValueOf<typeof aclObject>;
/** A rule that uses an ACL object (§2.3). */
export type AclRule = ValueOf<typeof aclRule>;

export interface RecordSwitched extends Accepted {
  /** The text under `Version`: one clean line, absent if there is none. Hostile text. */
  readonly version?: string;
}

const aclRecord = component(
  'AclRecord',
  'A record of an ACL object (§2.2).',
  record({
    id: required('id', integer, 'The ID of the record (the ITEM ID), not that of its object.'),
    pattern: required('pattern', text, 'The value of the record.'),
    date: optional(
      'date',
      text,
      'A timestamp, `YYYY-MM-DD HH:MM:SS` on the clock of the appliance, whose zone is not documented.',
    ),
    uid: optional('uid', text, 'Who pushed it.'),
    other: optional('other', text, 'Extra text.'),
    objectId: optional('gpid', integer, 'The ID of the object that holds it.'),
    enabled: optional('enabled', flag, 'Whether it is enabled.'),
    description: optional(
      'description',
      text,
      'The text given on creation, which is searched; not among the documented fields of an answer.',
    ),
  }),
);

const notExplained = 'Not explained in the document of the appliance.';

const aclRule = component(
  'AclRule',
  'A rule that uses an ACL object (§2.3).',
  record({
    id: required('ID', integer, 'The ID of the rule.'),
    name: optional('Name', text, 'Its name.'),
    portDirection: optional('PortDirection', integer, notExplained),
    aclPort: optional('AclPort', integer, notExplained),
    aclGroup: optional('AclGroup', integer, notExplained),
    aclGpid: optional('AclGpid', integer, notExplained),
    enabled: optional('Enabled', flag, 'Whether it is enabled.'),
  }),
);

const aclObject = component(
  'AclObject',
  'An ACL object (group) with its records and the rules that use it (§2.1).',
  record({
    id: required('ID', integer, 'The ID of the object.'),
    name: optional('GroupName', text, 'Its name.'),
    type: optional('Type', text, 'What it matches, such as an SSL SNI.'),
    enabled: optional('Enabled', flag, 'Whether it is enabled.'),
    items: optional('Items', list(aclRecord), 'The records that it holds.'),
    rules: optional('Rules', list(aclRule), 'The ACL rules that use it.'),
  }),
);

/** "JSON of all records": under an undocumented key, or the list alone. */
const records = anywhere(list(aclRecord), ['Items', 'Records', 'Results', 'Data'], 'The records.');

const recordSwitched: ReplyReader<RecordSwitched> = component(
  'RecordSwitched',
  'The outcome of enabling or disabling a record. Status is true for an unknown ID, too (§4.1 rule 2).',
  {
    read(answer) {
      const version = excerptOf(textOf(field(answer.body, 'version')));
      return { ...accepted.read(answer), ...(version !== '' && { version }) };
    },
    wire: withEnvelope({
      Version: { type: 'string', description: 'Text beside the envelope (§4.1); what of is not documented.' },
    }),
  },
);

/**
 * A pattern in a path. Commas separate patterns there (§4.1), and many servers treat a trailing dot, a slash or
 * a letter beyond ASCII specially. `addRecord` carries every pattern.
 */
export const patternInPath = z
  .string()
  .regex(/^[\x21-\x7e]+$/, 'contains a space or a non-ASCII character, which is not safe in a URL path')
  .regex(/^[^,/\\%?#]*$/, 'contains a character that is not allowed in a URL path')
  .regex(/[^.]$/, 'ends with a dot, which is not safe in a URL path');

/** §4.1 rule 3. Before the update, enabling and disabling failed for every record, and the client cannot help. */
const zdate = {
  says: /zdate/i,
  problem: 'cannot enable or disable records (its own query fails near "zdate"), and the record is unchanged',
  remedy: 'update the appliance to a release after 2026-09-23, or use its web console',
  section: '§4.1 rule 3',
};

const listed = area({ section: '§4.1', availableFrom: '4.50 SP1, or 4.50 hotfix 20240903-18' });
const endpoint = area({ section: '§4.1', availableFrom: '4.50 SP5, or 4.50 SP4 hotfix 20250525-12' });
const always = area({ section: '§4.1' });

const objectSlot = {
  objectId: recordId.describe('The ID of the object (group), as `acl.listObjects` gives it.'),
};
const itemSlot = {
  itemId: recordId.describe(
    'The ID of the record (ITEM ID, not that of its object), as `acl.listRecords` gives it.',
  ),
};

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
    reply: under('Objects', eachOnce(list(aclObject)), 'All objects.'),
    large: true,
  }),

  listRecords: listed('GET /proxy/acls/record/list/{objectId}', {
    summary: 'All records of one object.',
    effect: 'read',
    slots: objectSlot,
    reply: records,
    large: true,
  }),

  findRecords: endpoint('GET /proxy/acls/record/find/{pattern}', {
    summary: 'The records with this text in their description, user or pattern.',
    effect: 'read',
    slots: {
      pattern: z
        .string()
        .describe('What to look for in description, user and pattern; it may stand anywhere in them.'),
    },
    reply: records,
    large: true,
  }),

  disableObject: endpoint('GET /proxy/acls/object/disable/{objectId}', {
    summary: 'Disables an object.',
    effect: 'write',
    slots: objectSlot,
  }),

  enableObject: endpoint('GET /proxy/acls/object/enable/{objectId}', {
    summary: 'Enables an object.',
    effect: 'write',
    slots: objectSlot,
  }),

  deleteObject: endpoint('GET /proxy/acls/object/delete/{objectId}', {
    summary: 'Deletes an object with all its records.',
    effect: 'destructive',
    slots: objectSlot,
  }),

  addRecordsByPath: endpoint('GET /proxy/acls/record/add/{objectId}/{records}', {
    summary: 'Adds records with plain patterns to an object; `addRecord` takes every pattern.',
    effect: 'write',
    slots: {
      ...objectSlot,
      records: z
        .array(patternInPath)
        .min(1)
        .transform((patterns) => patterns.join(','))
        .describe('The patterns of the new records, without spaces, slashes and letters beyond ASCII.'),
    },
  }),

  addRecord: endpoint('PUT /proxy/acls/record/add/{objectId}', {
    summary: 'Adds one record with any pattern to an object.',
    effect: 'write',
    slots: objectSlot,
    body: form('NewAclRecord', 'A record to add to an ACL object.', {
      pattern: z.string().min(1).describe('The value of the record.'),
      uid: z.string().optional().describe('The user who pushes the record.'),
      description: z.string().optional().describe('A text about the record.'),
    }),
  }),

  /** Status true even for an unknown ID, without any change (§4.1 rule 2): read back. */
  disableRecord: endpoint('GET /proxy/acls/record/disable/{itemId}', {
    summary: 'Disables a record. Accepted for an unknown ID too, without any change.',
    effect: 'write',
    slots: itemSlot,
    reply: recordSwitched,
    knownDefect: zdate,
  }),

  enableRecord: endpoint('GET /proxy/acls/record/enable/{itemId}', {
    summary: 'Enables a record. Accepted for an unknown ID too, without any change.',
    effect: 'write',
    slots: itemSlot,
    reply: recordSwitched,
    knownDefect: zdate,
  }),

  deleteRecord: endpoint('GET /proxy/acls/record/delete/{itemId}', {
    summary: 'Deletes a record.',
    effect: 'destructive',
    slots: itemSlot,
  }),
};
