import { shortened } from '../../graphemes.ts';
import { expectAtMost, keysOf, Misfit, mostInOne } from './bounds.ts';
import { isRecord } from './envelope.ts';
import { shownText, truthOf } from './said.ts';

/**
 * The expected shape of a part of an answer. Reading is tolerant, because appliances answer more loosely than
 * the document: keys in other casing, numbers as text, null for an empty list, more keys or fewer. An
 * unreadable value is a `Misfit` and never a guess.
 *
 * Not zod: reading a list of 100,000 records this way costs less than JSON.parse of its text
 * (bench/README.md), and the same declaration documents the wire format. The compiler infers the caller's
 * type.
 */
export interface Shape<T> {
  /** @throws Misfit */
  readonly read: (value: unknown) => T;
  /** The wire format, as JSON Schema. */
  readonly wire: JsonSchema;
  /** Null is a value here, such as an empty list, and not an absence. */
  readonly readsNull?: boolean;
}

export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Names a shape, so that docs/appliance.openapi.json has it once as a component.
 * @param description one sentence
 */
export function component<Piece extends { readonly wire: JsonSchema }>(
  title: string,
  description: string,
  piece: Piece,
): Piece {
  return { ...piece, wire: { ...piece.wire, title, description } };
}

/** Adds the meaning of a part in its place. A named component keeps its own description. */
export function meaning(description: string | undefined, wire: JsonSchema): JsonSchema {
  if (description === undefined) return wire;
  if (wire.title !== undefined) return { allOf: [wire], description };
  const general = wire.description === undefined ? '' : ` ${String(wire.description)}`;
  return { ...wire, description: description + general };
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** Text; numbers and booleans are taken as they are written. */
export const text: Shape<string> = {
  read(value) {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new Misfit('', 'is not text');
  },
  wire: { type: 'string' },
};

/** Excludes forms such as `0x1f`, which `Number` accepts but no appliance writes. */
const decimal = /^\s*[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?\s*$/i;

/** A number, also as text, as everywhere in `/status` (§2.9). */
export const number: Shape<number> = {
  read(value) {
    const found = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
    if (typeof found === 'number' && Number.isFinite(found)) return found;
    throw new Misfit('', 'is not a number');
  },
  wire: { type: 'number' },
};

export const integer: Shape<number> = {
  read(value) {
    const found = number.read(value);
    if (Number.isSafeInteger(found)) return found;
    throw new Misfit('', 'is not a whole number');
  },
  wire: { type: 'integer' },
};

/** A number that may have its unit, such as "94.9%" (field notes). A unit of another kind makes it unreadable. */
export function amount(unit: AmountUnit): Shape<number> {
  const { read, wire } = unit === 'percent' || unit === 'milliseconds' ? number : integer;
  return {
    read: (value) => read((typeof value === 'string' ? amountIn(value, unit) : undefined) ?? value),
    wire,
  };
}

/** An amount that the appliance sends as text. */
export const numberAsText: Shape<number> = {
  read: (value) => number.read((typeof value === 'string' ? amountIn(value, 'things') : undefined) ?? value),
  wire: { type: 'string', description: 'A number, written as text.' },
};

/** True or false, also as `1`, `"0"` or `"True"`. */
export const truth: Shape<boolean> = {
  read(value) {
    const found = truthOf(value);
    if (found === undefined) throw new Misfit('', 'is neither true nor false');
    return found;
  },
  wire: { type: 'boolean' },
};

/** True or false that the appliance sends as 1 or 0. */
export const flag: Shape<boolean> = {
  ...truth,
  wire: { type: 'integer', enum: [0, 1], description: '1 is yes, 0 is no.' },
};

const isoWithZone = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i;

/** A moment in ISO 8601 with its time zone; other text is no moment. */
export const moment: Shape<Date> = {
  read(value) {
    const at =
      typeof value === 'string' && isoWithZone.test(value.trim()) ? new Date(value.trim()) : undefined;
    if (at === undefined || Number.isNaN(at.getTime())) throw new Misfit('', 'is not an ISO 8601 timestamp');
    return at;
  },
  wire: { type: 'string', format: 'date-time' },
};

/**
 * A list of any length. Some servers write an empty one as null, and PHP writes a list with gaps as an object
 * with counted keys.
 */
export function list<T>(of: Shape<T>): Shape<T[]> {
  return {
    read(value) {
      if (value === null) return [];
      const keys = Array.isArray(value) ? undefined : countedKeys(value);
      const items = Array.isArray(value) ? value : keys?.map((key) => (value as Counted)[key]);
      if (items === undefined) throw new Misfit('', 'is not a list');
      const read: T[] = [];
      try {
        for (const item of items) read.push(of.read(item));
      } catch (error) {
        throw Misfit.under(keys?.[read.length] ?? read.length, error);
      }
      return read;
    },
    readsNull: true,
    wire: { type: 'array', items: of.wire },
  };
}

type Counted = Readonly<Record<string, unknown>>;

/** Removes things with a repeated ID: the first counts, and takes missing fields from the others. */
export function eachOnce<T extends { readonly id: number }>(of: Shape<T[]>): Shape<T[]> {
  return {
    ...of,
    read(value) {
      const all = of.read(value);
      const once = new Map<number, T>();
      for (const one of all) {
        const before = once.get(one.id);
        once.set(one.id, before === undefined ? one : { ...one, ...before });
      }
      return once.size === all.length ? all : [...once.values()];
    },
  };
}

function countedKeys(value: unknown): string[] | undefined {
  const keys = isRecord(value) ? keysOf(value) : undefined;
  return keys?.every((key) => /^\d+$/.test(key)) ? keys : undefined;
}

export interface ShapeField<T, Optional extends boolean = boolean> {
  readonly key: string;
  readonly shape: Shape<T>;
  readonly optional: Optional;
  readonly description: string | undefined;
}

/** A field that the record needs. */
export function required<T>(key: string, shape: Shape<T>, description?: string): ShapeField<T, false> {
  return { key, shape, optional: false, description };
}

/** A field that may be missing. Absent, null and empty all mean not reported. */
export function optional<T>(key: string, shape: Shape<T>, description?: string): ShapeField<T, true> {
  return { key, shape, optional: true, description };
}

export type Fields = Readonly<Record<string, ShapeField<unknown>>>;

export interface Unread {
  /** Unreadable optional fields as text, under their documented names; absent if there are none. Hostile text. */
  readonly unread?: Readonly<Record<string, string>>;
}

export type RecordOf<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends ShapeField<unknown, true>
    ? never
    : Name]: F[Name] extends ShapeField<infer T> ? T : never;
} & {
  readonly [Name in keyof F as F[Name] extends ShapeField<unknown, true>
    ? Name
    : never]?: F[Name] extends ShapeField<infer T> ? Exclude<T, undefined> : never;
} & Unread extends infer Joined
  ? { readonly [Name in keyof Joined]: Joined[Name] }
  : never;

/** Limits beyond any real spelling of a key, so that a hostile answer cannot fill the memory. */
const mostSpellings = 1_000;
const longestSpelling = 100;

/** In characters: enough to show an odd value. */
const longestUnread = 200;

/**
 * An object with these fields, in any casing of its keys; other keys are ignored. An unreadable optional field
 * is left out and stays visible in `unread`, so that the record and its list survive. An unreadable required
 * field is a Misfit.
 */
export function record<const F extends Fields>(fields: F): Shape<RecordOf<F>> {
  const entries = Object.entries(fields).map(([name, { key, shape, optional }]) => ({
    name,
    key,
    read: shape.read,
    readsNull: shape.readsNull === true,
    optional,
  }));
  const spellings = new Map(entries.map(({ key }, index) => [key, index]));
  const plain = new Map(entries.map(({ key }, index) => [key.toLowerCase(), index]));

  function indexOf(key: string): number {
    const known = spellings.get(key);
    if (known !== undefined) return known;
    const found = plain.get(key.trim().toLowerCase()) ?? -1;
    if (spellings.size < mostSpellings && key.length <= longestSpelling) spellings.set(key, found);
    return found;
  }

  const needed = entries.flatMap(({ key, optional }) => (optional ? [] : [key]));
  return {
    read(value) {
      if (!isRecord(value)) throw new Misfit('', 'is not an object');
      const found: unknown[] = new Array(entries.length);
      let count = 0;
      for (const key in value) {
        count += 1;
        expectAtMost(mostInOne, count, 'fields');
        const index = indexOf(key);
        // Of two spellings, the documented one counts.
        if (index >= 0 && (found[index] === undefined || entries[index]?.key === key))
          found[index] = value[key];
      }
      const made: Record<string, unknown> = {};
      let unread: Record<string, string> | undefined;
      for (let index = 0; index < entries.length; index += 1) {
        const entry = entries[index];
        const given = found[index];
        if (
          entry === undefined ||
          (entry.optional && isNothing(given) && !(given === null && entry.readsNull))
        )
          continue;
        if (given === undefined) throw new Misfit(entry.key, 'is missing');
        try {
          const value = entry.read(given);
          if (value !== undefined) made[entry.name] = value;
        } catch (error) {
          if (!entry.optional || !(error instanceof Misfit) || error.tooMuch) {
            throw Misfit.under(entry.key, error);
          }
          unread ??= {};
          unread[entry.key] = shortened(shownText(entry.key, given), longestUnread);
        }
      }
      if (unread !== undefined) made.unread = unread;
      // Filled from `fields`, which define the type.
      return made as RecordOf<F>;
    },
    wire: {
      type: 'object',
      ...(needed.length === 0 ? {} : { required: needed }),
      properties: Object.fromEntries(
        Object.values(fields).map(({ key, shape, description }) => [key, meaning(description, shape.wire)]),
      ),
    },
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** An object whose keys are values, such as the identifiers in shape B of the categories (§2.5). */
export function keyed<K, T, R>(keys: Shape<K>, of: Shape<T>, join: (key: K, value: T) => R): Shape<R[]> {
  return {
    read(value) {
      if (value === null || (Array.isArray(value) && value.length === 0)) return [];
      if (!isRecord(value)) throw new Misfit('', 'is not an object');
      return keysOf(value).map((key) => {
        try {
          return join(keys.read(key), of.read(value[key]));
        } catch (error) {
          throw Misfit.under(key, error);
        }
      });
    },
    wire: { type: 'object', additionalProperties: of.wire },
  };
}

/** The shape with its value converted. */
export function mapped<T, R>(shape: Shape<T>, make: (value: T) => R): Shape<R> {
  return { read: (value) => make(shape.read(value)), wire: shape.wire };
}

/** A record with at least one of its fields: without any, the answer is about something else. */
export function answered<T extends object>(shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    read(value) {
      const found = shape.read(value);
      if (Object.keys(found).every((name) => name === 'unread')) {
        throw new Misfit('', 'has none of the documented fields');
      }
      return found;
    },
  };
}

/** Text of several lines, as its lines; also a list of such texts. Empty lines at the end are dropped. */
export const lines: Shape<string[]> = {
  read(value) {
    if (value === null) return [];
    const all = Array.isArray(value) ? list(text).read(value).join('\n') : text.read(value);
    return all.trim() === '' ? [] : all.trimEnd().split(/\r\n|\r|\n/);
  },
  wire: { type: 'string' },
};

export type AmountUnit = 'things' | 'bytes' | 'percent' | 'milliseconds' | 'seconds' | 'port';

const sizes: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  k: 1e3,
  kb: 1e3,
  m: 1e6,
  mb: 1e6,
  g: 1e9,
  gb: 1e9,
  t: 1e12,
  tb: 1e12,
  p: 1e15,
  pb: 1e15,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
  pib: 2 ** 50,
};
const lengths: Readonly<Record<string, number>> = {
  ms: 1,
  msec: 1,
  msecs: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1_000,
  sec: 1_000,
  secs: 1_000,
  second: 1_000,
  seconds: 1_000,
};
/** In characters: a longer text is no amount. */
const longest = 60;
/** Words that scale the preceding number. */
const scale = /^(?:[kmgtp](?:i?b)?|bytes?|hundreds?|thousands?|mio|millions?|billions?|dozens?|percent|pct)$/;

/**
 * Reads an amount with its unit: `94.9%`, `527 GB`, `12 sites`, `1,234 files`, `350 ms`, `443/tcp` (field
 * notes). Undefined without a number, or with a unit of another kind, because the bare number would then mean
 * another amount.
 */
export function amountIn(written: string, counted: AmountUnit): number | undefined {
  const parts = /^(\d{1,3}(?:,\d{3})+|\d{1,15})(\.\d{1,10})? ?([%a-z/()]{0,20})$/i.exec(
    written.length > longest ? '' : written.trim(),
  );
  if (parts === null) return undefined;
  const [, whole = '', fraction = '', suffix = ''] = parts;
  const number = Number(whole.replaceAll(',', '') + fraction);
  const unit = suffix.toLowerCase();
  if (unit === '') return number;
  switch (counted) {
    case 'percent':
      return /^(?:%|percent|pct)$/.test(unit) ? number : undefined;
    case 'bytes':
      return Object.hasOwn(sizes, unit) ? Math.round(number * (sizes[unit] ?? 1)) : undefined;
    case 'milliseconds':
      return Object.hasOwn(lengths, unit) ? number * (lengths[unit] ?? 1) : undefined;
    case 'seconds':
      return Object.hasOwn(lengths, unit) ? (number * (lengths[unit] ?? 1)) / 1_000 : undefined;
    case 'port':
      return /^\/(?:tcp|udp)$/.test(unit) ? number : undefined;
    case 'things':
      return fraction === '' &&
        /^[a-z]{3,}(?:\(s\))?$/.test(unit) &&
        !scale.test(unit) &&
        !Object.hasOwn(lengths, unit)
        ? number
        : undefined;
  }
}
