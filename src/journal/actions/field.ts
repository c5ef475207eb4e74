/** One declaration for what a table and what is read from it have in common: a field, its column, and how it stands there. */

import type { Codec } from '../../codec.ts';
import { storedText } from '../../stored-text.ts';
import { type Json, jsonToRead, parsed } from '../json.ts';

/** How a value is written into a column, and read again. */
interface Form<Stored, Value> {
  readonly store: (value: Value) => Stored;
  readonly read: (stored: Stored) => Value;
}

interface Field<Column extends string, Stored, Value> extends Form<Stored, Value> {
  readonly column: Column;
}

export const field = <const Column extends string, Stored, Value>(
  column: Column,
  form: Form<Stored, Value>,
): Field<Column, Stored, Value> => ({ column, ...form });

export const asItIs = <Value extends string | number>(): Form<Value, Value> => ({
  store: (value) => value,
  read: (stored) => stored,
});
/** An action that was just written is the one that is read later. */
export const text: Form<string, string> = { store: storedText, read: (stored) => stored };
export const number = asItIs<number>();

/** Words that have no comma in them. */
export const words: Form<string, readonly string[]> = {
  store: (list) => list.join(','),
  read: (stored) => stored.split(',').filter((word) => word !== ''),
};

export const json: Form<string, Json> = { store: (value) => JSON.stringify(value), read: parsed };

/** `otherwise` stands for one that can no longer be read. */
export const jsonBy = <Value>({ store, read }: Codec<Value>, otherwise?: Value) => ({
  store: (value: Value) => jsonToRead(store(value)),
  read: (stored: string) => read(json.read(stored)) ?? otherwise,
});

/** Null in the table where there is none. */
export const maybe = <Stored, Value>(form: {
  readonly store: (value: Value) => Stored;
  readonly read: (stored: Stored) => Value | undefined;
}): Form<Stored | null, Value | undefined> => ({
  store: (value) => (value === undefined ? null : form.store(value)),
  read: (stored) => (stored === null ? undefined : form.read(stored)),
});

type Fields = Readonly<
  Record<
    string,
    {
      readonly column: string;
      readonly store: (value: never) => unknown;
      readonly read: (stored: never) => unknown;
    }
  >
>;

/** What stands in a row, by the names of the columns. */
export type ColumnsOf<All extends Fields> = {
  [Name in keyof All as All[Name]['column']]: ReturnType<All[Name]['store']>;
};

/** What is read from it, by the names of the fields. */
export type ValuesOf<All extends Fields> = { readonly [Name in keyof All]: ReturnType<All[Name]['read']> };

type Optional<Values> = {
  [Name in keyof Values]: undefined extends Values[Name] ? Name : never;
}[keyof Values];

/** The same, and what may be undefined may be left out. */
export type GivenFor<All extends Fields> = Omit<ValuesOf<All>, Optional<ValuesOf<All>>> &
  Partial<Pick<ValuesOf<All>, Optional<ValuesOf<All>>>>;

export const columnsOf = <All extends Fields>(fields: All, values: GivenFor<All>): ColumnsOf<All> =>
  stored(fields, values) as ColumnsOf<All>;

/** The columns of those that are given. */
export const columnsAmong = <All extends Fields>(
  fields: All,
  values: Partial<ValuesOf<All>>,
): Partial<ColumnsOf<All>> =>
  stored(fields, values, (name) => values[name] !== undefined) as Partial<ColumnsOf<All>>;

// Rows are made and read with everything that is asked, so the declaration is walked through and nothing made of it.
function stored(
  fields: Fields,
  values: Readonly<Record<string, unknown>>,
  isMeant: (name: string) => boolean = () => true,
): object {
  const row: Record<string, unknown> = {};
  for (const name in fields) {
    const one = fields[name];
    if (one !== undefined && isMeant(name)) row[one.column] = one.store(values[name] as never);
  }
  return row;
}

export function valuesOf<All extends Fields>(
  fields: All,
  row: Readonly<Record<keyof ColumnsOf<All>, unknown>>,
): ValuesOf<All> {
  const values: Record<string, unknown> = {};
  for (const name in fields) {
    const one = fields[name];
    if (one !== undefined) values[name] = one.read(row[one.column as keyof typeof row] as never);
  }
  return values as ValuesOf<All>;
}
