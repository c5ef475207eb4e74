import { connect, createServer, type Socket } from 'node:net';
import { DatabaseSync, type SQLInputValue, StatementSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';

/** Counts the statements that a journal sends to its database. */
export interface Counter {
  /** Without what only opens and closes transactions. */
  readonly statements: number;
  /** Each statement outside of one is a transaction by itself. */
  readonly transactions: number;
  /** The statements, as they were sent. */
  readonly texts: readonly string[];
  /** The statements with their last arguments: only of an embedded journal. */
  readonly given: ReadonlyMap<string, readonly SQLInputValue[]>;
}

const frame = /^\s*(?:begin|commit|rollback|savepoint|release|pragma)/i;

/** Counts what all embedded journals of this process are asked until the test ends. */
export function countSqlite(): Counter {
  const given = new Map<string, readonly SQLInputValue[]>();
  const counter = { statements: 0, transactions: 0, texts: [] as string[], given };
  const databaseOf = new WeakMap<StatementSync, DatabaseSync>();
  const hear = (statement: StatementSync, values: readonly SQLInputValue[]) => {
    const text = statement.sourceSQL;
    if (/^\s*commit/i.test(text)) counter.transactions += 1;
    if (frame.test(text)) return;
    counter.statements += 1;
    counter.texts.push(text);
    given.set(text, values);
    if (!databaseOf.get(statement)?.isTransaction) counter.transactions += 1;
  };
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, ...given) {
    const statement = prepare.apply(this, given);
    databaseOf.set(statement, this);
    return statement;
  };
  onTestFinished(() => {
    DatabaseSync.prototype.prepare = prepare;
  });
  for (const name of ['run', 'all', 'get', 'iterate'] as const) {
    const original = StatementSync.prototype[name] as (...values: SQLInputValue[]) => unknown;
    Object.assign(StatementSync.prototype, {
      [name](this: StatementSync, ...values: SQLInputValue[]) {
        hear(this, values);
        return original.apply(this, values);
      },
    });
    onTestFinished(() => {
      Object.assign(StatementSync.prototype, { [name]: original });
    });
  }
  return counter;
}

/** The address of a way to a PostgreSQL server on which is counted what goes over it. Ends with the test. */
export async function countPostgres(
  url: string,
): Promise<{ readonly url: string; readonly counter: Counter }> {
  const counter = { statements: 0, transactions: 0, texts: [] as string[], given: new Map() };
  const { hostname, port } = new URL(url);
  const ends = new Set<Socket>();
  const line = createServer((near) => {
    const far = connect(Number(port), hostname);
    let isFrame = false;
    const names = new Map<string, string>();
    /** True once the bot has sent a statement since the server was last ready. */
    let isAsked = false;
    const asks = (text: string) => {
      isAsked = true;
      isFrame = frame.test(text);
      if (isFrame) return;
      counter.statements += 1;
      counter.texts.push(text);
    };
    // Messages that open a connection have no type.
    const toServer = messages({ untyped: true }, (type, body) => {
      const strings = body.toString().split('\0');
      const [first = '', second = ''] = strings;
      if (type === 'Q') asks(first);
      // Parse: a name, and its statement. Bind: a portal, and the name of its statement.
      if (type === 'P') names.set(first, second);
      if (type === 'B') asks(names.get(second) ?? '');
    });
    const toBot = messages({ untyped: false }, (type, body) => {
      // Ready for a query, and in no transaction.
      if (type !== 'Z') return;
      if (isAsked && body.toString() === 'I') counter.transactions += 1;
      isAsked = false;
    });
    near.on('data', toServer);
    far.on('data', toBot);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => ends.delete(one) && other.destroy());
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    line.close();
    for (const one of ends) one.destroy();
  });
  const address = line.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return { url: Object.assign(new URL(url), { port: String(address.port) }).href, counter };
}

/** Cuts the bytes of PostgreSQL's protocol into its messages: a letter, four bytes of length, the content. */
function messages({ untyped }: { untyped: boolean }, hear: (type: string, body: Buffer) => void) {
  let rest = Buffer.alloc(0);
  let isFirst = untyped;
  return (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const at = isFirst ? 0 : 1;
      if (rest.length < at + 4) return;
      const end = at + rest.readUInt32BE(at);
      if (rest.length < end) return;
      if (!isFirst) hear(String.fromCharCode(rest[0] ?? 0), rest.subarray(5, end));
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}
