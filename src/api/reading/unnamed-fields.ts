import { plain, textOf, withoutSecret } from './said.ts';

/** The fields of a thing whose fields are not documented (appliance-api.md §2.14), and what can be told from them. */

/**
 * Everything the appliance said about one thing, as text, under the appliance's own names. Hostile text.
 * A password, secret or token is there as '(hidden)'. Of a thing in a map, `key` is its key, where that is not its ID or
 * name already.
 */
export type UnnamedFields = Readonly<Record<string, string>>;

export function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

export function fieldsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const shown = withoutSecret(name, value);
      const nested = typeof shown === 'object' && shown !== null;
      return [name, nested ? JSON.stringify(shown, withoutSecret) : textOf(shown)];
    }),
  );
}

/**
 * The non-empty values under any of the names, in the order of the names. Names are compared without case and
 * punctuation: `session_id`, `SessionID` and `sessionid` are one.
 */
export function values(fields: UnnamedFields, wanted: readonly string[]): string[] {
  return wanted.flatMap((name) =>
    Object.entries(fields)
      .filter(([key, value]) => plain(key) === name && value !== '')
      .map(([, value]) => value),
  );
}

/** The likely names of a thing's identifier. */
export function idsOf(thing: string): string[] {
  return ['id', `${thing}id`];
}
