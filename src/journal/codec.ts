import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';

/** How values of one kind stand in the journal. */
export interface Codec<Value> {
  readonly store: (value: Value) => Json;
  /**
   * Undefined where it fits nothing that is known: another version has written it, or somebody has edited the database.
   * What is read of the same piece of JSON is the same value, so that to read it again costs nothing.
   */
  readonly read: (stored: unknown) => Value | undefined;
  /** What does not fit, for the log. Undefined where all of it does. */
  readonly problemIn: (stored: unknown) => string | undefined;
}

/** `schema` takes what earlier versions wrote as well (`formerly`), and makes of it what is written today. */
export function codec<Value>(schema: z.ZodType<Value>): Codec<Value> {
  const known = new WeakMap<object, { readonly value: Value | undefined }>();
  return {
    // A schema describes nothing but JSON; an interface has no index signature, which is all that TypeScript misses.
    store: (value) => value as Json,
    read: (stored) => {
      if (!isObject(stored)) return schema.safeParse(stored).data;
      const found = known.get(stored) ?? { value: schema.safeParse(stored).data };
      known.set(stored, found);
      return found.value;
    },
    problemIn: (stored) => {
      const { error } = schema.safeParse(stored);
      return error && z.prettifyError(error);
    },
  };
}

/** What is absent, or undefined until it is JSON. */
export const optional = <Value>(schema: z.ZodType<Value>): z.ZodExactOptional<z.ZodType<Value>> =>
  // Zod tells "absent" from "undefined" where it runs; for a reader both are the same, and JSON has only one of them.
  schema.optional() as unknown as z.ZodExactOptional<z.ZodType<Value>>;

/** Reads what earlier versions called by other names: `names` by those. */
export const formerly = <Value>(
  names: Readonly<Record<string, string>>,
  schema: z.ZodType<Value>,
): z.ZodType<Value> =>
  z.preprocess((stored) => {
    if (!isObject(stored) || !Object.keys(names).some((name) => name in stored)) return stored;
    const renamed = Object.entries(stored).map(([name, value]) => [names[name] ?? name, value]);
    return Object.fromEntries(renamed);
  }, schema);

/** Nothing is left out or put in another order: for what is written down again as it was found. */
export const asFound = <Value>(schema: z.ZodType<Value>): z.ZodType<Value> =>
  z.custom<Value>((value) => schema.safeParse(value).success);

/** What only its own reader knows, by names. It is JSON, because all that is read here is. */
export const anyObject = z.custom<JsonObject>((value) => isObject(value) && !Array.isArray(value));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
