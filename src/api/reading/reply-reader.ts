import { expectSearchable, Misfit } from './bounds.ts';
import { type Envelope, field, isRecord, openEnvelope } from './envelope.ts';
import { excerptOf } from './excerpt.ts';
import { shownText, textOf } from './said.ts';
import { component, integer, type JsonSchema, meaning, type Shape } from './shape.ts';

export interface ReplyReader<T> {
  /**
   * @param asked the checked arguments of the call, for answers that depend on them
   * @throws Misfit if the document does not describe the answer
   * @throws Refusal if the answer is a refusal
   */
  readonly read: (answer: Envelope, asked?: Readonly<Record<string, unknown>>) => T;
  /** The answer besides or instead of the envelope, as JSON Schema. */
  readonly wire: JsonSchema;
}

/** A Status false that its reader recognised as a refusal; the client turns it into a `Refused`. */
export class Refusal extends Error {
  /** As in `Refused`. */
  readonly log: readonly string[];

  constructor(log: readonly string[] = []) {
    super('the appliance refused the request');
    this.name = 'Refusal';
    this.log = log;
  }
}

/** The keys that every answer may have (§1 convention 1). */
const envelopeWire: JsonSchema = {
  title: 'Envelope',
  description:
    'What every answer may have, also with its keys in lower case (§1). It is the whole answer of most orders.',
  type: 'object',
  properties: {
    Status: {
      type: 'boolean',
      description: 'Whether the request was processed. False with HTTP 200 is a refusal (§7.2).',
    },
    Info: { type: 'string', description: 'Details, such as a count or the reason for a failure.' },
    Error: { type: 'string', description: 'Why it failed (§7.2); empty where it did not.' },
  },
};

export function withEnvelope(
  properties: Readonly<Record<string, JsonSchema>>,
  required?: readonly string[],
): JsonSchema {
  return { allOf: [envelopeWire, { type: 'object', ...(required && { required }), properties }] };
}

/** The answer as a whole, such as a bare array. */
export function whole<T>(shape: Shape<T>): ReplyReader<T> {
  return { read: ({ body }) => shape.read(body), wire: shape.wire };
}

/**
 * The value under one key of the answer, in any casing. An answer without the key is unreadable.
 * @param description for the documentation
 */
export function under<T>(key: string, shape: Shape<T>, description?: string): ReplyReader<T> {
  return {
    read({ body }) {
      const value = field(body, key.toLowerCase());
      if (value === undefined) throw new Misfit(key, 'is missing');
      try {
        return shape.read(value);
      } catch (error) {
        throw Misfit.under(key, error);
      }
    },
    wire: withEnvelope({ [key]: meaning(description, shape.wire) }, [key]),
  };
}

/**
 * A value whose surroundings are undocumented: the answer itself if that is a list, otherwise the value under
 * the first of these keys.
 */
export function anywhere<T>(
  shape: Shape<T>,
  keys: readonly [string, ...string[]],
  description: string,
): ReplyReader<T> {
  const [first] = keys;
  return {
    read(answer) {
      if (Array.isArray(answer.body) || isCounted(answer.body)) return shape.read(answer.body);
      const at = keys.find((key) => field(answer.body, key.toLowerCase()) !== undefined) ?? first;
      return under(at, shape).read(answer);
    },
    wire: { anyOf: [meaning(description, shape.wire), under(first, shape, description).wire] },
  };
}

/** A list that is never empty on any appliance. An empty one was not read, and would prove that things are gone. */
export function neverEmpty<T>(reader: ReplyReader<T[]>): ReplyReader<T[]> {
  return {
    ...reader,
    read(answer, asked) {
      const found = reader.read(answer, asked);
      if (found.length === 0) throw new Misfit('', 'is an empty list, which this call never returns');
      return found;
    },
  };
}

/** A list with gaps, as PHP writes it (field notes). */
const isCounted = (body: unknown): boolean =>
  isRecord(body) && Object.keys(body).length > 0 && Object.keys(body).every((key) => /^\d+$/.test(key));

export interface Accepted {
  /** True if the appliance said Status true, false without a statement. Neither is proof: read back. */
  readonly confirmed: boolean;
  /** The appliance's words: one clean line, '' if empty. Still hostile text. */
  readonly info: string;
  /** The appliance has only begun, and continues in the background. */
  readonly launched?: true;
}

/** The reader for orders whose answer is only the envelope, or empty (rows marked R in the document). */
export const accepted: ReplyReader<Accepted> = {
  read: acceptedFrom,
  wire: envelopeWire,
};

/** For orders that are answered with false whatever their result. */
export const doneOrNot: ReplyReader<Accepted> = {
  read: (answer) => {
    if (answer.error !== '') throw new Refusal();
    return acceptedFrom(answer);
  },
  wire: envelopeWire,
};

/** Only a plain yes confirms; an unreadable answer leaves the result open. */
function acceptedFrom({ body, status, info, error }: Envelope): Accepted {
  // "Error states the reason" of a failure (§7.2).
  if (status === undefined && error !== '') throw new Misfit('Error', 'is present without a Status');
  if (status === undefined && soundsLikeFailure(field(body, 'status'))) {
    throw new Misfit('Status', 'is neither true nor false');
  }
  if (status === undefined && !isRecord(body) && !isNothing(body)) {
    throw new Misfit('', 'is not a valid response to a change');
  }
  const words = excerptOf(info || error);
  return {
    confirmed: status === true && error === '',
    info: words,
    ...(/\b(?:launched|started|running) in (?:the )?background\b/i.test(words) && { launched: true }),
  };
}

/** A status may be a word, such as the mirror's "queued"; a number other than 1 and 0 is undocumented. */
function soundsLikeFailure(said: unknown): boolean {
  return typeof said === 'number' || /fail|err|denied|refus|reject|invalid|abort|not/i.test(textOf(said));
}

function isNothing(body: unknown): boolean {
  return body === undefined || body === null || body === '' || (Array.isArray(body) && body.length === 0);
}

export interface Created extends Accepted {
  /** Its new identifier; absent if not reported. */
  readonly id?: number;
}

export const created: ReplyReader<Created> = component('Created', 'The outcome of creating something.', {
  read(answer) {
    const order = acceptedFrom(answer);
    const id = field(answer.body, 'id');
    if (id === undefined || id === null || id === '') return order;
    try {
      return { ...order, id: integer.read(id) };
    } catch (error) {
      throw Misfit.under('ID', error);
    }
  },
  wire: withEnvelope({ ID: { type: 'integer', description: 'The new identifier.' } }),
});

/** An answer without a documented shape (the document's rows marked R). */
export interface Report {
  /** One clean line, '' if empty. Still hostile text. */
  readonly info: string;
  /**
   * Everything besides the envelope, flat: `{ "squid.status": "running", "disks.0.free": "12 GB" }`. A status
   * that is a word, such as "healthy", does not belong to the envelope. Hostile text.
   */
  readonly fields: Readonly<Record<string, string>>;
}

const unknown: JsonSchema = { description: 'Any shape: the document of the appliance shows none.' };

export const anyWire: JsonSchema = {
  title: 'Any',
  description: 'Anything: the document of the appliance shows no shape here.',
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: unknown },
    { type: 'object', additionalProperties: unknown },
  ],
};

export const report: ReplyReader<Report> = component(
  'Report',
  'The response of a call whose shape is not documented (the rows marked R); mostly an envelope with other fields.',
  {
    read({ info, body }) {
      expectSearchable(body);
      return { info: excerptOf(info), fields: flat(body) };
    },
    wire: { anyOf: [envelopeWire, anyWire] },
  },
);

/** A report as an answer to a question, which needs content or a Status true. */
export const tellingReport: ReplyReader<Report> = {
  ...report,
  read(answer) {
    const told = report.read(answer);
    const isEmpty = told.info === '' && Object.keys(told.fields).length === 0;
    if (isEmpty && answer.status !== true) throw new Misfit('', 'contains no information');
    return told;
  },
};

/** Whether a key of an answer belongs to the envelope. A record may have a status of its own, such as "locked". */
export function isEnvelope(key: string, value: unknown): boolean {
  const name = key.trim().toLowerCase();
  const nothing = value === null || value === '';
  if (name === 'status') return nothing || openEnvelope({ status: value }).status !== undefined;
  return (
    (name === 'error' && (nothing || value === false)) ||
    (name === 'info' && (nothing || typeof value !== 'object'))
  );
}

/** Limits for hostile answers, beyond any real one, to protect stack and memory. */
const deepest = 20;
const mostFields = 10_000;
const longestPrefix = 200;

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** Counts its parts up to this limit: a hostile value may have a million. */
function partsUpTo(most: number, value: object): number {
  if (Array.isArray(value)) return value.length;
  let count = 0;
  for (const _ in value) {
    count += 1;
    if (count >= most) break;
  }
  return count;
}

/** Parts beyond the limits stay together as JSON, so that nothing is left out. */
function flat(body: unknown): Record<string, string> {
  // A map, because a key may be called `__proto__`.
  const fields = new Map<string, string>();
  let room = mostFields;
  const visit = (value: unknown, name: string, depth: number) => {
    const count = typeof value === 'object' && value !== null ? partsUpTo(room + 1, value) : 0;
    if (count > 0 && count <= room && depth < deepest && name.length <= longestPrefix) {
      room -= count;
      for (const [key, inner] of Object.entries(value as object)) {
        if (depth === 0 && !Array.isArray(body) && isEnvelope(key, inner)) continue;
        visit(inner, depth === 0 ? key : `${name}.${key}`, depth + 1);
      }
    } else if (depth > 0) {
      fields.set(name, shownText(lastPart(name), value));
    } else if (count > 0) {
      throw new Misfit('', 'has too many fields for a report');
    }
  };
  visit(body, '', 0);
  return Object.fromEntries(fields);
}
