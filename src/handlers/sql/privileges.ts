import type { DatabasePrivileges, FlaggedPrivileges, UnnamedFields } from '../../api/index.ts';
import { enumerate, type Field, fieldList, type Part, say, type Text, tableOf } from '../reply.ts';
import { readableName, reportedFields } from '../wording/reported.ts';

/** A user's report, with granted and missing privileges in a line each. */
export interface PrivilegesInWords {
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
  readonly fields: readonly Field[];
}

/** @param known values that the reader already knows: the user's name and host */
export function toldOf(fields: UnnamedFields, known: readonly string[]): PrivilegesInWords {
  const all = Object.entries(fields);
  const ending = (letters: RegExp) =>
    all.flatMap(([name, value]) =>
      /_priv$/i.test(name) && letters.test(value) ? [privilegeName(name)] : [],
    );
  const has = ending(yes);
  const hasNot = ending(no);
  const others = new Map<string, string[]>();
  for (const [name, value] of all) {
    const isPrivilege = /_priv$/i.test(name) && (yes.test(value) || no.test(value));
    if (isPrivilege || (/(?:^|\.)(?:user|host)$/i.test(name) && known.includes(value))) continue;
    // The parts of a list have a number each.
    const list = name.replace(/\.\d+$/, '');
    others.set(list, [...(others.get(list) ?? []), value]);
  }
  return {
    has,
    hasNot,
    fields: [
      ...(has.length === 0 ? [] : [{ name: 'Has', value: say`${has.join(', ')}` }]),
      ...(hasNot.length === 0 ? [] : [{ name: 'Does not have', value: say`${hasNot.join(', ')}` }]),
      ...reportedFields(
        Object.fromEntries(
          [...others].map(([name, values]) => [name, values.filter(isSomething).join(', ') || 'none']),
        ),
      ),
    ],
  };
}

/** "Create tmp table" for `Privileges.Create_tmp_table_priv`. */
export const privilegeName = (column: string): string =>
  readableName(column.slice(column.lastIndexOf('.') + 1).replace(/_priv$/i, ''));

const yes = /^(?:y|yes|1|true)$/i;
const no = /^(?:n|no|0|false)$/i;
const isSomething = (value: string): boolean => value !== '' && value !== '[]';

/** A database listed with all privileges off is not granted; bare names count as granted. */
export const isGranted = ({ privileges }: DatabasePrivileges): boolean => {
  const all = Object.values(privileges);
  return all.length === 0 || all.includes(true);
};

export function databaseParts(databases: readonly DatabasePrivileges[]): readonly Part[] {
  if (databases.length === 0) return [];
  if (databases.every(({ privileges }) => Object.keys(privileges).length === 0)) {
    return [
      fieldList([{ name: 'Databases', value: say`${databases.map(({ database }) => database).join(', ')}` }]),
    ];
  }
  return tableOf(databases, {
    Database: ({ database }) => database,
    Privileges: ({ privileges }) => inWords(privileges, 40),
  });
}

/** "all 28", "Select, Show db and 3 more", "none", "not reported" */
export function inWords(privileges: FlaggedPrivileges, most = 6): Text {
  const all = Object.entries(privileges).map(([name, has]) => ({ name: privilegeName(name), has }));
  const names = all.flatMap(({ name, has }) => (has ? [name] : []));
  const missing = all.flatMap(({ name, has }) => (has ? [] : [name]));
  if (all.length === 0) return say`not reported`;
  if (names.length === 0) return say`none`;
  if (missing.length === 0 && all.length > 1) return say`all ${all.length}`;
  if (missing.length > 0 && missing.length < 3 && names.length > Math.min(most, 6))
    return say`all ${all.length} but ${enumerate(missing)}`;
  const shown = names.slice(0, most);
  return enumerate(names.length > most ? [...shown, `${names.length - most} more`] : shown);
}
