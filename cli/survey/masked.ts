import { argumentsOf } from '../../src/api/described.ts';
import { operations } from '../../src/api/operations.ts';
import { isRecord } from '../../src/api/reading/envelope.ts';
import { commands } from '../../src/handlers/registry.ts';

/** The shape of a value without its content: names and types, for a report that others may read. */

/** Values seen in one place, over all records that have it. */
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

/** A field's name says nothing of anybody. The key of a map does, and a map of two looks like any record: only known words stay. */
function fieldsOf(value: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value);
  const areNumbers = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return entries.map(([name, inner]) => [
    areNumbers ? '(number)' : !isFieldName(name) ? '(text)' : name.replaceAll(/\d+/g, 'N'),
    inner,
  ]);
}

/** Whether a name may be shown as it is. */
export const isFieldName = (name: string): boolean =>
  /^[A-Za-z_][\w-]{0,60}$/.test(name) && isKnownName(name);

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

/** A sentence of an appliance, in which addresses, paths and numbers are masked, and every word that may be a name. */
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
    .replaceAll(/<\w+>|[\p{L}\p{M}_][\p{L}\p{M}\p{N}_]*|\d+/gu, (part) =>
      part.startsWith('<')
        ? part
        : /^\d/.test(part)
          ? '<n>'
          : isKnownName(part) && !/\d/.test(part)
            ? part
            : '<name>',
    );
}

/** Words of the appliance's own sentences that stand in no description. */
const alsoSaid = `
  again authentication bin busy cannot corrupted counted disabled enabled elements failure fatal healthy installed invalid join kb launched listening
  login message messages nxdomain order patch permission please reconfiguring removed seems server syslog try unable understand
  understood unauthorized unknown updated usr warning webfilter
`;

/**
 * Whether a name consists of words of the API and the commands, such as `served_by`, `allowClipboard`. Any other word may
 * be somebody's name.
 */
const isKnownName = (name: string): boolean => wordsIn(name).every((word) => known().has(word));

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/\p{L}+/gu) ?? [];

let all: ReadonlySet<string> | undefined;
function known(): ReadonlySet<string> {
  all ??= new Set(
    [
      alsoSaid,
      ...commands.flatMap(({ summary, args }) => [summary, ...Object.values(args).map(({ what }) => what)]),
      ...[...operations].flatMap(([name, endpoint]) => [
        ...[name, endpoint.path, endpoint.section, endpoint.summary],
        ...argumentsOf(endpoint).flatMap((one) => [one.name, one.description ?? '']),
        ...textsIn(endpoint.reply.wire),
      ]),
    ].flatMap(wordsIn),
  );
  return all;
}

/** Names and descriptions of a schema. */
const textsIn = (schema: unknown): readonly string[] =>
  typeof schema === 'string'
    ? [schema]
    : Array.isArray(schema)
      ? schema.flatMap(textsIn)
      : isRecord(schema)
        ? Object.entries(schema).flatMap(([name, inner]) => [name, ...textsIn(inner)])
        : [];
