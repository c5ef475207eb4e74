import { z } from 'zod';
import type { Json, JsonObject } from './journal/json.ts';

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

/** What a schema describes. Nobody changes what was read: whoever reads the same piece of JSON again gets the same value. */
export type Stored<Schema extends z.ZodType> = Unchanging<z.infer<Schema>>;

type Unchanging<Value> = string extends keyof Value
  ? // What may hold anything is named once, and not taken apart without end.
    JsonObject extends Value
    ? Value
    : { readonly [Key in keyof Value]: Unchanging<Value[Key]> }
  : { readonly [Key in keyof Value]: Unchanging<Value[Key]> };

/** `schema` takes what earlier versions wrote as well (`formerly`), and makes of it what is written today. */
export function codec<Found>(schema: z.ZodType<Found>): Codec<Unchanging<Found>> {
  type Value = Unchanging<Found>;
  const known = new WeakMap<object, { readonly value: Value | undefined }>();
  const read = (stored: unknown) => schema.safeParse(stored).data as Value | undefined;
  return {
    // A schema describes nothing but JSON; an interface has no index signature, which is all that TypeScript misses.
    store: (value) => value as Json,
    read: (stored) => {
      if (!isObject(stored)) return read(stored);
      const found = known.get(stored) ?? { value: read(stored) };
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
