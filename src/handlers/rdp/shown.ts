import type { IdentifiedEntry, UnnamedFields } from '../../api/index.ts';
import { code, type Field, fieldsOf, type Part, say, type Text } from '../reply.ts';
import { type Ready, ready } from '../results.ts';
import { mapInTurns } from '../wording/in-turns.ts';
import { reportedFields, reportedTable } from '../wording/reported.ts';

/**
 * Readable reports of the remote-desktop gateway. Its fields are mostly undocumented (appliance-api.md §2.14),
 * so known meanings are found under likely names. Everything else keeps the appliance's own names.
 */

/** Names of yes-or-no fields; under other names 1 and 0 are numbers. */
const flags =
  /^(?:is_?|has_?|allow_)|^(?:enabled|active|running|connected|installed|locked|exempt|enrolled)$|_?(?:enabled|support)$/i;

/** The fields with yes and no, and with names for lists. */
function readable(fields: UnnamedFields): UnnamedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const truth = flags.test(name.slice(name.lastIndexOf('.') + 1)) ? yesOrNo(value) : undefined;
      return [name, truth === undefined ? (inWords(value) ?? value) : String(truth)];
    }),
  );
}

export const shownFields = (fields: UnnamedFields): readonly Field[] => reportedFields(readable(fields));

/**
 * A table of several things; no part if there are none. Columns in `first` come first, and those in `leftOut`
 * are left out.
 */
export async function shownTable(
  things: readonly UnnamedFields[],
  first: readonly string[],
  leftOut: readonly string[] = [],
): Promise<readonly Part[]> {
  if (things.length === 0) return [];
  const names = [...new Set(things.flatMap((fields) => Object.keys(fields)))];
  const known = (wanted: readonly string[], name: string) => wanted.indexOf(name.toLowerCase());
  const order = names
    .filter((name) => known(leftOut, name) === -1)
    .toSorted((one, other) => (known(first, one) + 1 || 99) - (known(first, other) + 1 || 99));
  return [await reportedTable(await mapInTurns(things, readable), order)];
}

export const stateOf = ({ enabled }: Pick<IdentifiedEntry, 'enabled'>): Text =>
  say`${enabled === undefined ? 'not reported' : enabled ? 'enabled' : 'disabled'}`;

/** The name with the number, by which a command finds it again: `File servers (5)`. */
export const numbered = ({ id, name }: { readonly id: number; readonly name?: string }): string =>
  name === undefined || name === '' || name === String(id) ? String(id) : `${name} (${id})`;

/** A thing that people know by its number: "12 (format c:)". */
export const byNumber = ({ id, name }: { readonly id: number; readonly name?: string }): Text =>
  name === undefined || name === '' ? say`${id}` : say`${id} (${code(name)})`;

export const reported = (value: string | undefined): Text => say`${value ?? 'not reported'}`;

/** Shown in previews of changes that are recorded there (appliance-api.md §1 convention 4). */
const auditTrail = {
  'Audit trail': say`recorded in the appliance’s security audit trail`,
} as const;

export const audited = ({ fields = [], ...asked }: Parameters<typeof ready>[0]): Ready =>
  ready({ ...asked, fields: [...fieldsOf(fields), ...fieldsOf(auditTrail)] });

/** Consequences of a new password. */
export const newPasswordNotes = {
  'Old password': say`cannot be read or restored`,
  'Other fields': say`unchanged`,
} as const;

/** Shown for every replacement: PUT sends the whole thing, and nobody can read its password (§2.14). */
export const passwordNote = (kind: 'member' | 'target', id: number): Field => ({
  name: 'Password',
  value: say`cannot be read, so it is not sent. Whether the old one is kept is undocumented: be ready to set it again with ${code(`/appliance rdp ${kind} password ${id}`)}`,
});

/** Reads yes and no in every spelling of appliances; undefined for other text. */
export function yesOrNo(value: string | undefined): boolean | undefined {
  const word = value?.trim().toLowerCase() ?? '';
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['0', 'false', 'no', 'off'].includes(word) ? false : undefined;
}

export interface ListedThing {
  readonly id: string;
  readonly name: string;
}

/**
 * The list in a field: objects with an ID and perhaps a name, bare IDs, or IDs with commas. Undefined if it is
 * no list.
 */
export function listIn(value: string): readonly ListedThing[] | undefined {
  const text = value.trim();
  if (text === '') return [];
  if (/^\d+(?:\s*[,;]\s*\d+)*$/.test(text)) {
    return text.split(/[,;]/).map((id) => ({ id: id.trim(), name: '' }));
  }
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return Object.values(JSON.parse(text)).map(linkedIn);
  } catch {
    return undefined;
  }
}

function linkedIn(item: unknown): ListedThing {
  if (typeof item !== 'object' || item === null) return { id: String(item), name: '' };
  const said = Object.entries(item).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const under = (...names: readonly string[]) =>
    said.find(([name, value]) => names.includes(name) && value !== '')?.[1] ?? '';
  return { id: under('id'), name: under('name', 'username', 'title') };
}

/** "Office hours (2), Any time (1)" */
export const namesOf = (linked: readonly ListedThing[]): string =>
  linked.length === 0
    ? 'none'
    : linked.map(({ id, name }) => (name === '' || id === '' ? name || id : `${name} (${id})`)).join(', ');

function inWords(value: string): string | undefined {
  const linked = value.startsWith('[') ? listIn(value) : undefined;
  return linked === undefined ? undefined : namesOf(linked);
}
