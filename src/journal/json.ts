import { storedJson } from '../stored-text.ts';

/** What can be kept as JSON text and read back as it was. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/**
 * Of what people and other systems read, every text is one that can be stored. Arguments and previews are written as they are, as JSON
 * holds everything by its escapes: they go back to the appliance, and are compared with what it answers then.
 */
export const jsonToRead = (value: unknown): string => storedJson(JSON.stringify(value));

/**
 * What stands in a column. Null where it is no JSON, because somebody has edited it: one row must not keep all the others
 * from being read, and null is nothing that a codec takes (`codec.ts`).
 */
export function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
