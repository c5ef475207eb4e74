import { z } from 'zod';
import { area, recordId } from '../endpoint.ts';
import { field } from '../reading/envelope.ts';
import { type Accepted, accepted, Refusal, type ReplyReader, under } from '../reading/reply.ts';
import { textOf } from '../reading/said.ts';
import {
  integer,
  lines,
  list,
  mapped,
  optional,
  record,
  required,
  text,
  type ValueOf,
} from '../reading/shape.ts';

/** A version of a product in the software collection (appliance-api.md §2.7). */
export type SoftwareVersion = ValueOf<typeof version>;

/** A product of the software collection, with the versions there are of it. */
export interface SoftwareProduct {
  readonly productKey: string;
  readonly versions: readonly SoftwareVersion[];
}

/** A software that was installed. One that failed is a `Refused` with the same log, and never an `Installation`. */
export interface Installation extends Accepted {
  /** The log of the installation, line by line; none when the appliance sent none. Hostile text. */
  readonly traces: readonly string[];
}

const version = record({
  /** Together with the product's key it names what to install. */
  keyVer: required('KeyVer', integer),
  version: optional('Version', text),
  /** Where the appliance downloads it. */
  url: optional('Url', text),
  sizeBytes: optional('SizeBytes', integer),
  /** Hexadecimal. */
  md5: optional('MD5', text),
});

const product = mapped(
  record({ productKey: required('ProductKey', text), versions: optional('Collection', list(version)) }),
  ({ productKey, versions = [] }): SoftwareProduct => ({ productKey, versions }),
);

const traces = under('Traces', lines);

const installation: ReplyReader<Installation> = {
  read(answer) {
    if (answer.status === false) throw new Refusal(anyLines(field(answer.body, 'traces')));
    const told = field(answer.body, 'traces') !== undefined;
    return { ...accepted.read(answer), traces: told ? traces.read(answer) : [] };
  },
  wire: traces.wire,
};

/** A log of any shape: what is odd about it must not hide that the installation failed. */
function anyLines(log: unknown): string[] {
  try {
    return log === undefined ? [] : lines.read(log);
  } catch {
    return [textOf(log)];
  }
}

const endpoint = area({ section: '§4.7' });

/** The software collection. */
export const software = {
  refresh: endpoint('GET /system/softwares/refresh', {
    summary: 'Orders the download of the collection from its repository.',
    effect: 'write',
  }),

  list: endpoint('GET /system/softwares/indexes', {
    summary: 'The products of the collection and their versions.',
    effect: 'read',
    reply: under('Softwares', list(product)),
    large: true,
  }),

  /** Destructive: it replaces what runs by foreign code. */
  install: endpoint('GET /system/softwares/install/{productKey}/{keyVer}', {
    summary: 'Installs a version of a product; both keys are in the collection.',
    effect: 'destructive',
    slots: { productKey: z.string().min(1), keyVer: recordId },
    // Only so that the reader sees the log of a failure: it makes a refusal of every Status false.
    falseIsAnswer: true,
    reply: installation,
    slow: true,
  }),
};
