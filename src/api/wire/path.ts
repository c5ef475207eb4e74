/**
 * Path templates such as `/categories/move/{id}/{site}/{nextId}`.
 * In this API a path is an order, so a value must never be able to become another path.
 */

/** The names between braces: `SlotNames<'/proxy/{host}:{port}'>` is `'host' | 'port'`. */
export type SlotNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | SlotNames<Rest>
  : never;

export type PathFilling =
  | { readonly ok: true; readonly path: string }
  /** `slot` is the name of the first slot that cannot be filled, `problem` says why in a few words. */
  | { readonly ok: false; readonly slot: string; readonly problem: string };

/** Needs no encoding and cannot change a path: most values are names and numbers. */
const harmless = /^\w[\w.-]*$/;

/** Templates that were cut at their slots: there are as many as there are operations. */
const cut = new Map<string, readonly string[]>();

/** What stands around the slots and, at every odd place, the name of one. */
function partsOf(template: string): readonly string[] {
  let parts = cut.get(template);
  if (parts === undefined) {
    parts = template.split(/\{([^{}]+)\}/);
    cut.set(template, parts);
  }
  return parts;
}

/** The slots of a template, in order. */
export const slotNames = (template: string): string[] =>
  partsOf(template).filter((_, index) => index % 2 === 1);

/**
 * Puts the values into the template, each percent-encoded as a whole, and refuses any that would change the path.
 *
 * A slash becomes `%2F`, but many servers decode before they route, so a value with a slash is refused and not
 * trusted to stay one segment. `.`, `..` and their encoded spellings are refused for the same reason.
 */
export function fillPath(template: string, values: Readonly<Record<string, string | number>>): PathFilling {
  let path = '';
  for (const [index, part] of partsOf(template).entries()) {
    if (index % 2 === 0) {
      path += part;
      continue;
    }
    const value = Object.hasOwn(values, part) ? String(values[part]) : '';
    if (harmless.test(value)) {
      path += value;
      continue;
    }
    const problem = problemWith(value);
    if (problem !== undefined) return { ok: false, slot: part, problem };
    path += encode(value);
  }
  return { ok: true, path };
}

/** A comma and a colon may stand in a segment as they are (RFC 3986 §3.3), and the document writes them so (§4.1, §4.4). */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

function problemWith(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  if (!value.isWellFormed()) return 'is not valid Unicode text';
  const plain = value.replaceAll(/%2e/gi, '.').replaceAll(/%2f|%5c/gi, '/');
  if (/^\.{1,2}$/.test(plain)) return 'is a relative path segment, not a value';
  if (/[/\\]/.test(plain)) return 'contains a slash';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what is refused here
  if (/[\u0000-\u001f\u007f]/.test(plain)) return 'contains a control character';
  return undefined;
}
