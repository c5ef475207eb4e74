/** What can be kept as JSON text and read back as it was. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

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
