/**
 * As every store keeps it. Text holds no zero character, which an appliance may well send: PostgreSQL refuses it, and Node 22
 * reads what SQLite has kept no further than there. A moment that was worked out with a share of chance has a fraction of a
 * millisecond, which PostgreSQL refuses too.
 */
export function storable<Value>(value: Value): Value | string | number {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd');
  return typeof value === 'number' ? Math.round(value) : value;
}
