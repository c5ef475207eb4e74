import { isRecord } from './read-fault.ts';

/** The request that is answered. */
export interface Asked {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Answers of another shape than the document says; each takes the right answer, as JSON data, and makes it wrong. */
export const distort = {
  casing: (reply: unknown) =>
    mapObjects(reply, (entries) => entries.map(([key, value]) => [otherCase(key), value])),
  stringly: (reply: unknown) => mapValues(reply, stringly),
  nulls: (reply: unknown) => mapValues(reply, (value) => (lengthOf(value) === undefined ? value : null)),
  empty_lists: (reply: unknown) => mapLists(reply, () => []),
  twice: (reply: unknown) => mapLists(reply, (entries) => entries.flatMap((entry) => [entry, entry])),
  cut_lists: (reply: unknown, most: number) =>
    mapHolders(
      mapLists(reply, (entries) => entries.slice(0, most)),
      reply,
      (total) => (total > most ? { Total: total, Next: most } : {}),
    ),
  paged: (reply: unknown, most: number, { path, query }: Asked) => {
    // A bare list has no place for the next page's address.
    if (Array.isArray(reply) || (isRecord(reply) && isTable(Object.entries(reply)))) return reply;
    const page = Math.max(1, Number(query.get('page')) || 1);
    const next = new URLSearchParams(query);
    next.set('page', String(page + 1));
    return mapHolders(
      mapLists(reply, (entries) => entries.slice((page - 1) * most, page * most)),
      reply,
      (total) => ({
        ...(total > most && { Total: total, Page: page }),
        ...(total > page * most && { Next: `${path}?${next}` }),
      }),
    );
  },
  clock: (reply: unknown, hours: number) => mapValues(reply, (value) => moved(value, hours)),
  identity: (reply: unknown, given: Readonly<Record<string, string>>) => {
    if (!isRecord(reply)) return reply;
    const others = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
    const { version } = reply;
    const pack = others.service_pack;
    return {
      ...reply,
      ...(pack !== undefined &&
        typeof version === 'string' && {
          version: version.replace(/Service Pack \d+/, () => `Service Pack ${pack}`),
        }),
      ...others,
    };
  },
  missing_status: (reply: unknown) => {
    if (!isRecord(reply)) return reply;
    return Object.fromEntries(Object.entries(reply).filter(([key]) => key.toLowerCase() !== 'status'));
  },
  extra_keys: (reply: unknown) =>
    mapObjects(reply, (entries) =>
      isTable(entries) ? entries : [...entries, ['Debug', { took: 0.0042, node: 'a' }], ['_rev', 7]],
    ),
} as const;

/**
 * Status false with this reason. Without `key`, the spelling is that of the right answer: `Status` and `Error`, or
 * `status` and `info` (appliance-api.md §1 convention 1, §7.2).
 */
export function refusal(reply: unknown, reason: string, key: string): unknown {
  if (key !== '') return { [/^[A-Z]/.test(key) ? 'Status' : 'status']: false, [key]: reason };
  return isRecord(reply) && typeof reply.status === 'boolean'
    ? { status: false, info: reason }
    : { Status: false, Error: reason };
}

type Entries = readonly (readonly [key: string, value: unknown])[];

function otherCase(key: string): string {
  const lower = key.toLowerCase();
  return key === lower ? key.toUpperCase() : lower;
}

function stringly(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : value;
}

/** Objects keyed by number, such as shape B of the category list, are tables: a key is an entry of theirs. */
function isTable(entries: Entries): boolean {
  return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key));
}

/** As it was written, so many hours later. Seconds since the epoch stay: they are ends that somebody has set, and no clock made them. */
function moved(value: unknown, hours: number): unknown {
  if (typeof value !== 'string') return value;
  return value.replaceAll(
    /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)/g,
    (whole, day: string, between: string, time: string) => {
      const at = Date.parse(`${day}T${time}Z`);
      // No time stands for never.
      if (Number.isNaN(at) || day < '1971') return whole;
      return new Date(at + hours * 3_600_000).toISOString().slice(0, 19).replace('T', between);
    },
  );
}

/** Arrays and tables, but for those within the entries of another. */
function mapLists(value: unknown, change: (entries: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(value)) return change(value);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value);
  // A key of a table cannot stand there twice.
  if (isTable(entries)) return Object.fromEntries(change(entries) as typeof entries);
  return Object.fromEntries(entries.map(([key, item]) => [key, mapLists(item, change)]));
}

/** Adds a remark about the longest list to every object that has one, in the spelling of its keys. */
function mapHolders(
  changed: unknown,
  whole: unknown,
  say: (total: number) => Readonly<Record<string, unknown>>,
): unknown {
  if (!isRecord(changed) || !isRecord(whole) || isTable(Object.entries(whole))) return changed;
  const items = Object.entries(changed).map(
    ([key, item]) => [key, mapHolders(item, whole[key], say)] as const,
  );
  const totals = Object.values(whole).flatMap((item) => lengthOf(item) ?? []);
  const isLower = Object.keys(whole).every((key) => key === key.toLowerCase());
  const said = Object.entries(totals.length === 0 ? {} : say(Math.max(...totals)));
  return Object.fromEntries([
    ...items,
    ...said.map(([key, value]) => [isLower ? key.toLowerCase() : key, value] as const),
  ]);
}

function lengthOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  return isTable(entries) ? entries.length : undefined;
}

function mapObjects(value: unknown, change: (entries: Entries) => Entries): unknown {
  if (Array.isArray(value)) return value.map((item) => mapObjects(item, change));
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, mapObjects(item, change)] as const);
  return Object.fromEntries(change(entries));
}

function mapValues(value: unknown, change: (value: unknown) => unknown): unknown {
  const changed = change(value);
  if (Array.isArray(changed)) return changed.map((item) => mapValues(item, change));
  if (!isRecord(changed)) return changed;
  return Object.fromEntries(Object.entries(changed).map(([key, item]) => [key, mapValues(item, change)]));
}
