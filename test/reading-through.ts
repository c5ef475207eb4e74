import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** How an embedded journal goes about a statement, where that takes longer the larger it is. */
export interface ReadingThrough {
  /** The step of SQLite's plan: `SCAN actions`, or `SEARCH actions USING INDEX actions_by_state (state=?)`. */
  readonly step: string;
  readonly of: string;
}

/** A search is no longer selective when one value, or a range, covers more than this share of a table's rows. */
const fewOf = 0.02;

/**
 * The statements that read all rows of a growing table, or all that share a common value. The file must be large enough
 * to show this.
 */
export function readingThrough(
  file: string,
  given: ReadonlyMap<string, readonly SQLInputValue[]>,
  growing: readonly string[],
): readonly ReadingThrough[] {
  const journal = new DatabaseSync(file, { readOnly: true });
  try {
    const plans = [...given].flatMap(([of, values]) =>
      /^\s*(?:select|insert|update|delete|with)/i.test(of)
        ? journal
            .prepare(`explain query plan ${of}`)
            .all(...values)
            .map(({ detail }) => ({ step: String(detail), of }))
        : [],
    );
    return plans.filter(({ step, of }) => {
      const [, how, name = ''] = /^(SCAN|SEARCH) (\S+)/.exec(step) ?? [];
      const table = growing.find((one) => one === name) ?? growing.find((one) => isCalled(of, one, name));
      if (how === undefined || table === undefined) return false;
      return how === 'SCAN' || !isSelective(journal, table, { step, of });
    });
  } finally {
    journal.close();
  }
}

/** Aliases in a statement: `from "actions" as "plan"`. */
const isCalled = (of: string, table: string, name: string): boolean =>
  new RegExp(`"?${table}"? as "?${name}"?(?:\\W|$)`).test(of);

/** Whether what an index is asked for is so little of the table, whatever it is asked for. */
function isSelective(journal: DatabaseSync, table: string, { step, of }: ReadingThrough): boolean {
  const terms = [...(/\((.*)\)$/.exec(step)?.[1] ?? '').matchAll(/(\w+)(=|>|<)\?/g)];
  if (terms.length === 0) return true;
  const [, index] = /INDEX (\w+)/.exec(step) ?? [];
  const sql = journal.prepare('select sql from sqlite_schema where name = ?').get(index ?? '')?.sql;
  const [, only = 'true'] = / where (.*)$/.exec(String(sql)) ?? [];
  const columns = terms.flatMap(([, column]) => (column === undefined ? [] : [column]));
  const equal = terms.flatMap(([, column, sign]) => (sign === '=' && column !== undefined ? [column] : []));
  // A search by value finds no row whose column is empty, unless it asks for that.
  const there = columns.filter((column) => !new RegExp(`"?${column}"? is null`).test(of));
  const where = [only, ...there.map((column) => `${column} is not null`)].join(' and ');
  const group = equal.length === 0 ? '' : `group by ${equal.join()}`;
  const { n: most } =
    journal
      .prepare(`select max(n) as n from (select count(*) as n from ${table} where ${where} ${group})`)
      .get() ?? {};
  const { n: all } = journal.prepare(`select count(*) as n from ${table}`).get() ?? {};
  return Number(most) <= Math.max(fewOf * Number(all), 10);
}
