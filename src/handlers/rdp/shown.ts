import type { IdentifiedEntry, UnnamedFields } from '../../api/index.ts';
import { code, type Field, fieldsOf, type Part, say, type Text } from '../reply.ts';
import { type Ready, ready } from '../results.ts';
import { mapInTurns } from '../wording/in-turns.ts';
import { reportedFields, reportedTable } from '../wording/reported.ts';

/**
 * What the remote-desktop gateway reports, made readable. The document names almost no field of it (appliance-api.md
 * §2.14), so what is certain is known by likely names, and everything else is shown under the appliance's own names.
 */

/** Names of what is either so or not; under other names 1 and 0 are numbers. */
const flags =
  /^(?:is_?|has_?|allow_)|^(?:enabled|active|running|connected|installed|locked|exempt|enrolled)$|_?(?:enabled|support)$/i;

/** The same fields with yes and no, and with names where the appliance wrote a list. */
function readable(fields: UnnamedFields): UnnamedFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const truth = flags.test(name.slice(name.lastIndexOf('.') + 1)) ? yesOrNo(value) : undefined;
      return [name, truth === undefined ? (inWords(value) ?? value) : String(truth)];
    }),
  );
}

/** Names and values below each other, for one thing or one report. */
export const shownFields = (fields: UnnamedFields): readonly Field[] => reportedFields(readable(fields));

/** Several things of a kind, or nothing. The columns named in `first` come first, those in `leftOut` not at all. */
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

/** "enabled", "disabled", or that nobody knows. */
export const stateOf = ({ enabled }: Pick<IdentifiedEntry, 'enabled'>): Text =>
  say`${enabled === undefined ? 'not reported' : enabled ? 'enabled' : 'disabled'}`;

/** What a thing is called in a sentence: its name, or else its number. */
export const calledBy = ({ id, name }: { readonly id: number; readonly name?: string }): string =>
  name === undefined || name === '' ? `number ${id}` : name;

/** The same with its number, by which a command finds it again: `File servers (5)`. */
export const numbered = ({ id, name }: { readonly id: number; readonly name?: string }): string =>
  name === undefined || name === '' || name === String(id) ? String(id) : `${name} (${id})`;

/** What goes by its number rather than by what it is about: "12 (format c:)". */
export const byNumber = ({ id, name }: { readonly id: number; readonly name?: string }): Text =>
  name === undefined || name === '' ? say`${id}` : say`${id} (${code(name)})`;

export const reported = (value: string | undefined): Text => say`${value ?? 'not reported'}`;

/** What stands in a preview of everything that ends up there (appliance-api.md §1 convention 4). */
const auditTrail = {
  'Audit trail': say`recorded in the appliance’s security audit trail`,
} as const;

/** A preview of such a change. */
export const audited = ({ fields = [], ...asked }: Parameters<typeof ready>[0]): Ready =>
  ready({ ...asked, fields: [...fieldsOf(fields), ...fieldsOf(auditTrail)] });

/** What a new password does to the rest. */
export const newPasswordNotes = {
  'Old password': say`cannot be read or restored`,
  'Other fields': say`unchanged`,
} as const;

/** Said of every replacement: PUT takes the whole thing, and its password is the one part that nobody can read (§2.14). */
export const passwordNote = (kind: 'member' | 'target', id: number): Field => ({
  name: 'Password',
  value: say`cannot be read, so it is not sent. Whether the old one is kept is undocumented: be ready to set it again with ${code(`/appliance rdp ${kind} password ${id}`)}`,
});

/** Yes and no in every form that appliances write them; undefined when it is neither. */
export function yesOrNo(value: string | undefined): boolean | undefined {
  const word = value?.trim().toLowerCase() ?? '';
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  return ['0', 'false', 'no', 'off'].includes(word) ? false : undefined;
}

/** Something in a list inside of a field. */
export interface ListedThing {
  readonly id: string;
  readonly name: string;
}

/**
 * What is in a field that holds a list: objects with an ID and perhaps a name, bare IDs, or IDs with commas between
 * them. Undefined when it is no list.
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
