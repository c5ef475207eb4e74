import type { UnnamedFields } from '../../api/index.ts';
import { type Field, say } from '../reply.ts';
import { readableName, reportedFields } from '../wording/reported.ts';

/** What is reported of one user, with the privileges that it has and has not in a line each. */
export interface PrivilegesInWords {
  readonly has: readonly string[];
  readonly hasNot: readonly string[];
  readonly fields: readonly Field[];
}

/** @param known what the reader knows already and need not be told: the user's name and host */
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
      ...(hasNot.length === 0 ? [] : [{ name: 'Has not', value: say`${hasNot.join(', ')}` }]),
      ...reportedFields(
        Object.fromEntries(
          [...others].map(([name, values]) => [name, values.filter(isSomething).join(', ') || 'none']),
        ),
      ),
    ],
  };
}

/** `Privileges.Create_tmp_table_priv` is "Create tmp table". */
export const privilegeName = (column: string): string =>
  readableName(column.slice(column.lastIndexOf('.') + 1).replace(/_priv$/i, ''));

const yes = /^(?:y|yes|1|true)$/i;
const no = /^(?:n|no|0|false)$/i;
const isSomething = (value: string): boolean => value !== '' && value !== '[]';
