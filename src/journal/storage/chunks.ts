/** So many rows can be inserted by one statement: SQLite takes 32,766 parameters, and PostgreSQL 65,535. */
const most = 1_000;

/** The same rows in their order, as many at a time as one statement takes. */
export function chunksOf<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / most) }, (_, at) =>
    rows.slice(at * most, (at + 1) * most),
  );
}
