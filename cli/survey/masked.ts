import { isRecord } from '../../src/api/reading/envelope.ts';

/** What a value looks like, without what it says: names and types, for a report that others may read. */

/** With so many keys whose values are all records, an object is a map, and its keys are somebody's names. */
const mapFrom = 4;

/** What was seen in one place, over all records that have it. */
interface Seen {
  readonly scalars: Set<string>;
  records: number;
  readonly fields: Map<string, Seen & { count: number }>;
  readonly lengths: number[];
  items?: Seen;
}

/** Such as `{ Status: boolean, Categories: [252 × { id: number as text, name: text, items?: number }] }`. */
export function shapeOf(value: unknown): string {
  const seen = nothingSeen();
  see(seen, value);
  return written(seen);
}

const nothingSeen = (): Seen & { count: number } => ({
  scalars: new Set(),
  records: 0,
  fields: new Map(),
  lengths: [],
  count: 0,
});

function see(seen: Seen, value: unknown): void {
  if (Array.isArray(value)) {
    seen.lengths.push(value.length);
    for (const item of value) {
      seen.items ??= nothingSeen();
      see(seen.items, item);
    }
  } else if (isRecord(value)) {
    seen.records += 1;
    for (const [name, inner] of fieldsOf(value)) {
      const field = seen.fields.get(name) ?? nothingSeen();
      seen.fields.set(name, field);
      field.count += 1;
      see(field, inner);
    }
  } else {
    seen.scalars.add(typeof value === 'string' ? textShape(value) : value === null ? 'null' : typeof value);
  }
}

/** A field's name says nothing of anybody; the keys of a map do, and so does what does not look like a name. */
function fieldsOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value);
  const areNumbers = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  const isMap = entries.length >= mapFrom && entries.every(([, inner]) => isRecord(inner));
  return entries.map(([name, inner]) => [
    areNumbers
      ? '(number)'
      : isMap || !/^[A-Za-z_][\w-]{0,60}$/.test(name)
        ? '(text)'
        : name.replaceAll(/\d+/g, 'N'),
    inner,
  ]);
}

function written({ scalars, records, fields, lengths, items }: Seen): string {
  const all = [...scalars];
  if (records > 0) {
    const each = [...fields].map(
      ([name, field]) => `${name}${field.count < records ? '?' : ''}: ${written(field)}`,
    );
    all.push(each.length === 0 ? '{}' : `{ ${each.join(', ')} }`);
  }
  if (lengths.length > 0) {
    const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
    const count = least === most ? `${most}` : `${least} to ${most}`;
    all.push(items === undefined ? '[]' : `[${count} × ${written(items)}]`);
  }
  return all.join(' | ');
}

function textShape(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return 'empty text';
  if (/^[+-]?\d+(?:\.\d+)?$/.test(trimmed)) return 'number as text';
  if (/^(?:true|false|yes|no|on|off|y|n)$/i.test(trimmed)) return 'boolean as text';
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(trimmed)) return 'moment as text';
  if (/^\[[\w -]+\]\r?\n/.test(trimmed)) return 'INI text';
  const lines = trimmed.split('\n').length;
  return lines > 1 ? `text of ${lines} lines` : 'text';
}

/** A sentence of an appliance, in which addresses, names, paths and numbers are masked. */
export function maskedWords(words: string): string {
  return words
    .slice(0, 500)
    .replaceAll(/https?:\/\/[^\s'")\]]+/gi, '<address>')
    .replaceAll(/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, '<mail>')
    .replaceAll(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '<ip>')
    .replaceAll(/\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}\b/gi, '<ip>')
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g, '<quoted>')
    .replaceAll(/(?:\/[\w.-]+){2,}/g, '<path>')
    .replaceAll(/\b(?:[\w-]+\.)+[a-z]{2,}\b/gi, '<name>')
    .replaceAll(/\d+/g, '<n>');
}
