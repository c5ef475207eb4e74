import { z } from 'zod';
import { area, recordId } from '../endpoint.ts';
import { field } from '../reading/envelope.ts';
import { type Accepted, accepted, Refusal, type ReplyReader, under } from '../reading/reply-reader.ts';
import { textOf } from '../reading/said.ts';
import {
  amount,
  component,
  integer,
  lines,
  list,
  mapped,
  optional,
  record,
  required,
  text,
  type Unread,
  type ValueOf,
} from '../reading/shape.ts';

/** A version of a product in the software collection (appliance-api.md §2.7). */
export type SoftwareVersion = ValueOf<typeof version>;

/** A product of the software collection, with the versions there are of it. */
export interface SoftwareProduct extends Unread {
  readonly productKey: string;
  readonly versions: readonly SoftwareVersion[];
}

/** An installed software. A failed one is a `Refused` with the same log, and never an `Installation`. */
export interface Installation extends Accepted {
  /** The log of the installation, line by line; empty if none was sent. Hostile text. */
  readonly traces: readonly string[];
}

const version = component(
  'SoftwareVersion',
  'A version of a product in the software collection (§2.7).',
  record({
    keyVer: required(
      'KeyVer',
      integer,
      'The key of the version; together with the key of the product it names what to install.',
    ),
    version: optional('Version', text, 'The version as displayed.'),
    url: optional('Url', text, 'Where the appliance downloads it.'),
    sizeBytes: optional('SizeBytes', amount('bytes'), 'Its size: bytes.'),
    md5: optional('MD5', text, 'Its MD5 digest, hexadecimal.'),
  }),
);

const product = mapped(
  component(
    'SoftwareProduct',
    'A product of the software collection with the versions there are of it (§2.7).',
    record({
      productKey: required('ProductKey', text, 'The key of the product.'),
      versions: optional('Collection', list(version), 'The versions that there are of it.'),
    }),
  ),
  ({ versions = [], ...product }): SoftwareProduct => ({ ...product, versions }),
);

const traces = under('Traces', lines, 'The log of the installation, with line feeds between its lines.');

const installation: ReplyReader<Installation> = component(
  'Installation',
  'The outcome of an installation (§4.7).',
  {
    read(answer) {
      if (answer.status === false) throw new Refusal(anyLines(field(answer.body, 'traces')));
      const told = field(answer.body, 'traces') !== undefined;
      return { ...accepted.read(answer), traces: told ? traces.read(answer) : [] };
    },
    wire: traces.wire,
  },
);

/** A log of any shape: an odd one must not hide that the installation failed. */
function anyLines(log: unknown): string[] {
  try {
    return log === undefined ? [] : lines.read(log);
  } catch {
    return [textOf(log)];
  }
}

const endpoint = area({ section: '§4.7' });

export const software = {
  refresh: endpoint('GET /system/softwares/refresh', {
    summary: 'Starts the download of the collection from its repository.',
    effect: 'write',
  }),

  list: endpoint('GET /system/softwares/indexes', {
    summary: 'The products of the collection and their versions.',
    effect: 'read',
    reply: under('Softwares', list(product), 'The products.'),
    large: true,
  }),

  /** Destructive: it replaces running software by foreign code. */
  install: endpoint('GET /system/softwares/install/{productKey}/{keyVer}', {
    summary: 'Installs a version of a product; both keys are in the collection.',
    effect: 'destructive',
    slots: {
      productKey: z.string().min(1).describe('The key of the product, as `software.list` gives it.'),
      keyVer: recordId.describe('The key of its version, as `software.list` gives it.'),
    },
    // Lets the reader see the log of a failure; it turns every Status false into a refusal.
    falseIsAnswer: true,
    reply: installation,
    slow: true,
  }),
};
