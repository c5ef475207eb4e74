import { referenceShape } from '../src/config/secret.ts';
import { policySchema } from './policy-schema.ts';

/** As much of JSON Schema as the policy file's is made of. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly definitions?: Readonly<Record<string, Schema>>;
}

/** docs/policy.md, from the shape that the bot reads the file by. */
export function policyPage(): string {
  const { properties = {}, required = [], definitions = {} }: Schema = policySchema();
  const sections = [
    ...Object.entries(properties).map(([name, schema]) => section(name, schema, required.includes(name))),
    ...Object.entries(definitions).map(([name, schema]) =>
      [`## A ${name}`, introductions[name] ?? '', table(schema)].join('\n\n'),
    ),
  ];
  return `${[introduction, ...sections].join('\n\n')}\n`;
}

const introduction = `# The policy file, key by key

<!-- Generated from src/config/shape by npm run docs; a test fails if this page is outdated. -->

One YAML file defines the appliances, and who may do what with them in which channel. This page lists every key.
[appliance-bot.example.yml](../appliance-bot.example.yml) is a whole file that uses each of them,
[first-policy.md](first-policy.md) starts with ten lines, and
[appliance-bot.schema.json](../appliance-bot.schema.json) lets editors complete and check it.

- **A key that does not exist is an error**, as is a value that does not fit: \`appliance-bot policy check FILE\` lists all of them with their lines.
- \`<name>\` stands for a name that you choose, \`<id>\` for a Slack ID, and \`[]\` for each entry of a list.
- **Required** keys are bold; they are required where what they belong to is there.
- A duration is a number and a unit: \`90s\`, \`30m\`, \`2h\`, \`7d\`, also \`1h30m\`.
- A secret is never in the file: \`\${NAME}\` is read from the environment, \`\${file:/run/secrets/name}\` from a file.`;

const introductions: Readonly<Record<string, string>> = {
  rule: 'Says which commands are meant, wherever the file lists `commands`. A rule matches when all of its conditions are met; it needs an `area`, an `effect` or a `phrase`.',
};

function section(name: string, schema: Schema, isRequired: boolean): string {
  const needed = isRequired ? ' Required.' : '';
  const own = schema.properties === undefined && entries(schema) === undefined;
  const about = `${schema.description ?? ''}${needed}`;
  const given = defaultOf(schema);
  const facts = own ? `Type: ${typeOf(schema)}.${given === '' ? '' : ` Default: ${given}.`}` : '';
  return [`## ${name}`, about, facts, own ? '' : table(schema)].filter((part) => part !== '').join('\n\n');
}

const table = (schema: Schema): string =>
  ['| key | type | default | meaning |', '|---|---|---|---|', ...rows(schema, '')].join('\n');

/** One row for each key below it; a key that only groups others has one as well, for its meaning. */
function rows(schema: Schema, path: string): readonly string[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const key = path === '' ? name : `${path}.${name}`;
    const shown = schema.required?.includes(name) ? `**\`${key}\`**` : `\`${key}\``;
    const cells = [shown, typeOf(inner), defaultOf(inner), meaningOf(inner)];
    return [`| ${cells.map(inCell).join(' | ')} |`, ...rows(inner, key)];
  });
  const inner = entries(schema);
  const step = schema.items === undefined ? `<${nameOf(schema.propertyNames)}>` : '[]';
  const below =
    inner === undefined ? [] : rows(inner, schema.items ? `${path}[]` : `${path && `${path}.`}${step}`);
  // Alternatives contribute the keys of their own.
  return [...own, ...below, ...(schema.anyOf ?? []).flatMap((form) => rows(form, path))];
}

/** The schema of a list's or map's entries, if they have keys. */
const entries = ({ items, additionalProperties }: Schema): Schema | undefined =>
  [items, additionalProperties || undefined].find((inner) => inner !== undefined && hasKeys(inner));

const hasKeys = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  entries(schema) !== undefined ||
  (schema.anyOf ?? []).some((form) => hasKeys(form));

const nameOf = (names: Schema | undefined): string => (isId(names) ? 'id' : 'name');
const isId = (names: Schema | undefined): boolean => /\[[A-Z]+\]/.test(names?.pattern ?? '');

/** In words that follow the key. */
function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, pattern, items, additionalProperties } = schema;
  if ($ref !== undefined) return `[${$ref.split('/').at(-1)}](#a-${$ref.split('/').at(-1)})`;
  if (schema.const !== undefined) return `\`${String(schema.const)}\``;
  if (schema.enum !== undefined) {
    return schema.enum.length > fewest ? 'text' : schema.enum.map((one) => `\`${String(one)}\``).join(', ');
  }
  if (anyOf !== undefined && schema.properties === undefined) return anyOf.map(typeOf).join(', or ');
  if (type === 'array') return `list of ${items === undefined ? 'anything' : pluralOf(typeOf(items))}`;
  if (type === 'object') {
    return additionalProperties
      ? `by ${nameOf(schema.propertyNames)}, ${typeOf(additionalProperties)}`
      : 'keys';
  }
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'integer' || type === 'number')
    return `${type === 'integer' ? 'whole number' : 'number'}${range(schema)}`;
  if (Array.isArray(type)) return type.map((one) => (one === 'string' ? 'text' : one)).join(' or ');
  return pattern === undefined ? 'text' : (patterns.get(pattern) ?? (isId(schema) ? 'Slack ID' : 'name'));
}

/** More words would be a list of commands, which is in docs/commands.md. */
const fewest = 6;

const patterns: ReadonlyMap<string, string> = new Map([
  [referenceShape.source, 'reference to a secret'],
  ['^([0-9]+[smhd])+$', 'duration'],
]);

const pluralOf = (type: string): string =>
  type
    .replace(/^(name|duration|whole number|number|Slack ID|reference)\b/, '$1s')
    .replace(/^text or number$/, 'texts or numbers')
    .replace(/^text$/, 'texts')
    .replace(/^(\[rule)\]/, '$1s]');

const range = ({ minimum, exclusiveMinimum, maximum }: Schema): string =>
  [
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
  ]
    .map((limit) => ` ${limit}`)
    .join('');

const defaultOf = ({ default: given }: Schema): string => (given === undefined ? '' : `\`${inYaml(given)}\``);

/** As it may be written: the first of its examples. */
function meaningOf({ description = '', examples: [example] = [] }: Schema): string {
  const shown = example === undefined ? '' : inYaml(example);
  return shown === '' || shown.length > longestExample ? description : `${description} Such as \`${shown}\`.`;
}

/** Longer ones are read in the example file. */
const longestExample = 60;

/** On one line, without quotes where YAML needs none. */
function inYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inYaml).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{ ${Object.entries(value)
      .map(([name, inner]) => `${name}: ${inYaml(inner)}`)
      .join(', ')} }`.replace('{  }', '{}');
  }
  const text = String(value);
  return typeof value === 'string' && /^[\^"'[{*&!|>%@`#]|: | #|^$|,/.test(text)
    ? JSON.stringify(text)
    : text;
}

const inCell = (text: string): string => text.replaceAll('|', '\\|');
