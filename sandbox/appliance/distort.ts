import { isRecord } from './read-fault.ts';

/** Answers of another shape than the document says; each takes the right answer, as JSON data, and makes it wrong. */
export const distort = {
  casing: (reply: unknown) =>
    mapObjects(reply, (entries) => entries.map(([key, value]) => [otherCase(key), value])),
  stringly: (reply: unknown) => mapValues(reply, stringly),
  nulls: (reply: unknown) => mapValues(reply, (value) => (Array.isArray(value) ? null : value)),
  missing_status: (reply: unknown) => {
    if (!isRecord(reply)) return reply;
    return Object.fromEntries(Object.entries(reply).filter(([key]) => key.toLowerCase() !== 'status'));
  },
  extra_keys: (reply: unknown) =>
    mapObjects(reply, (entries) =>
      isTable(entries) ? entries : [...entries, ['Debug', { took: 0.0042, node: 'a' }], ['_rev', 7]],
    ),
} as const satisfies Readonly<Record<string, (reply: unknown) => unknown>>;

/**
 * Status false with this reason. Unless `key` says where the reason stands, it is spelt as the right answer would have
 * been: `Status` and `Error`, or `status` and `info` (appliance-api.md §1 convention 1, §7.2).
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
