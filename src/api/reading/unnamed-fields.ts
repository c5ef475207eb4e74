import { plain, textOf, withoutSecret } from './said.ts';
import { Misfit } from './shape.ts';

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

/** More than any thing has, and few enough to be gone through several times in no time. */
const mostFields = 10_000;

/**
 * The fields of a record, one by one.
 * @throws Misfit when they are more than a thing, or an answer with one name for each list in it, can have
 */
export function partsOf(record: Record<string, unknown>): [name: string, value: unknown][] {
  const parts = Object.entries(record);
  if (parts.length > mostFields) throw new Misfit('', 'has more fields than we read');
  return parts;
}

export function fieldsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    partsOf(record).map(([name, value]) => {
      const shown = withoutSecret(name, value);
      return [name, isNested(shown) ? JSON.stringify(cleaned(shown)) : textOf(shown)];
    }),
  );
}

/** Without what has the name of a secret. A list of bare values has no names in it, and stays as it is. */
function cleaned(value: object): unknown {
  if (Array.isArray(value)) {
    return value.some(isNested) ? value.map((item) => (isNested(item) ? cleaned(item) : item)) : value;
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const shown = withoutSecret(name, inner);
      return [name, isNested(shown) ? cleaned(shown) : shown];
    }),
  );
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The non-empty values under any of the names, in the order of the names. Names are compared without case and
 * punctuation: `session_id`, `SessionID` and `sessionid` are one.
 */
export function values(fields: UnnamedFields, wanted: readonly string[]): string[] {
  const found = new Map(wanted.map((name): [string, string[]] => [name, []]));
  for (const [key, value] of Object.entries(fields)) {
    if (value !== '') found.get(plain(key))?.push(value);
  }
  return [...found.values()].flat();
}

/** The likely names of a thing's identifier. */
export function idsOf(thing: string): string[] {
  return ['id', `${thing}id`];
}
