import {
  areaTitles,
  argumentsIn,
  argumentsOf,
  type DescribedArgument,
  type DescribedOperation,
  describedCombined,
  describedOperations,
} from '../../src/api/described.ts';
import type { Effect } from '../../src/api/index.ts';
import { namesIn } from '../api-page.ts';
import { type DeclaredTypes, declaredTypes } from '../declared-types.ts';
import { withoutSections } from './types.ts';

/**
 * The types of the package in one file. The compiler's own tell no reader anything: a call is `Call<Endpoint<{…}, …>>` there,
 * and what a declaration says of itself is lost on the way. Here every call is a method with its sentence, its arguments and
 * its result have names, and nothing of the inside is seen. A test holds them against the compiler's.
 */
export function clientTypes(types: DeclaredTypes = declaredTypes()): string {
  const calls = allCalls(types);
  const areas = Object.entries(areaTitles).map(([area, title]) =>
    areaTypes(
      area,
      title,
      calls.filter((call) => call.area === area),
    ),
  );
  const named = calls.flatMap((call) => [call.given.declaration, call.value.declaration]);
  const own = [...areas, ...named.filter((one) => one !== undefined), appliances(Object.keys(areaTitles))];
  const others = declarationsFor([...own, 'ApplianceSettings ApplianceFailure DryRunEnd'], own, types);
  return `${["import type { Dispatcher } from 'undici';\n\nexport type { Dispatcher };", ...own, ...functions, ...others].map(withoutSections).join('\n\n')}\n`;
}

const functions = [
  `/**
 * Prepares an appliance for calls; connects to nothing yet. Every call rejects with an \`ApplianceFailure\` and nothing
 * else.
 * @throws TypeError when a setting is unknown, or an address, the key, the release or a method cannot be one
 */
export declare function connectAppliance(settings: ApplianceSettings): Appliance;`,
  `/** Narrows something caught to the family. */
export declare function isApplianceFailure(error: unknown): error is ApplianceFailure;`,
];

interface NamedType {
  readonly name: string;
  /** The declaration, where the type is not in `src/api`. */
  readonly declaration?: string | undefined;
}

interface ShownCall {
  readonly area: string;
  readonly own: string;
  readonly effect: Effect;
  readonly comment: string;
  readonly given: NamedType & { readonly optional: boolean };
  readonly value: NamedType;
}

function allCalls(types: DeclaredTypes): ShownCall[] {
  const operations = describedOperations().map((one) => operationCall(one, types));
  const combined = describedCombined().map(({ area, name, summary, effect, takes: schemas }): ShownCall => {
    const { takes, gives } = typesOf(name, types);
    return {
      ...{ area, own: name.slice(area.length + 1), effect },
      comment: commented([summary, `Effect: ${effect}. Made of several operations.`]),
      given: { ...namedGiven(name, takes, argumentsIn(schemas)), optional: false },
      value: namedValue(name, gives),
    };
  });
  return [...operations, ...combined];
}

function operationCall(
  { area, name, method, endpoint }: DescribedOperation,
  types: DeclaredTypes,
): ShownCall {
  const { takes, gives } = typesOf(name, types);
  const described = argumentsOf(endpoint);
  const { effect, availableFrom } = endpoint;
  const line = `\`${method === '-' ? endpoint.method : method} ${endpoint.path}\``;
  return {
    area,
    own: name.slice(area.length + 1),
    effect,
    comment: commented([
      endpoint.summary,
      `Effect: ${effect === 'unknown' ? 'unknown, handled as destructive' : effect}. ${line}${availableFrom === undefined ? '' : `, from ${availableFrom}`}.`,
    ]),
    given: { ...namedGiven(name, takes, described), optional: described.every(({ optional }) => optional) },
    value: namedValue(name, gives),
  };
}

function typesOf(name: string, types: DeclaredTypes) {
  const call = types.calls.get(name);
  if (call === undefined) throw new Error(`The compiler does not tell what ${name} takes and gives.`);
  return call;
}

/** "rdp.disconnectSession" → "RdpDisconnectSession" */
const inCapitals = (name: string) =>
  name.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase());

function namedGiven(call: string, takes: string, described: readonly DescribedArgument[]): NamedType {
  if (!takes.startsWith('{')) return { name: takes };
  const fields = fieldsIn(takes);
  if (fields.length === 0) return { name: '' };
  const name = `${inCapitals(call)}Arguments`;
  const told = new Map(described.map((one) => [one.name, one.description]));
  const lines = fields.map((field) => {
    const description = told.get(/^\w+/.exec(field)?.[0] ?? '');
    return `${description === undefined ? '' : `  ${commented([description])}\n`}  readonly ${field};`;
  });
  return { name, declaration: `export interface ${name} {\n${lines.join('\n')}\n}` };
}

function namedValue(call: string, gives: string): NamedType {
  if (!gives.includes('{')) return { name: gives };
  const name = `${inCapitals(call)}Result`;
  return { name, declaration: `export type ${name} = ${gives};` };
}

/** The fields of a type that is written in braces. */
function fieldsIn(type: string): string[] {
  const inner = type.slice(1, -1);
  const fields: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < inner.length; at += 1) {
    const letter = inner.charAt(at);
    if ('<{[('.includes(letter)) depth += 1;
    else if ('>}])'.includes(letter) && inner[at - 1] !== '=') depth -= 1;
    else if (letter === ',' && depth === 0) {
      fields.push(inner.slice(begin, at));
      begin = at + 1;
    }
  }
  return [...fields, inner.slice(begin)].map((field) => field.trim()).filter((field) => field !== '');
}

/** Reading calls have an interface of their own, for programs that may do no more. */
function areaTypes(area: string, title: string, calls: readonly ShownCall[]): string {
  const reads = calls.filter(({ effect }) => effect === 'read');
  const changes = calls.filter(({ effect }) => effect !== 'read');
  const name = inCapitals(area);
  return [
    ...[
      `/** ${title}: what only reads. */`,
      `export interface ${name}Reads {`,
      ...reads.map(method),
      '}',
      '',
    ],
    ...[
      `/** ${title}. */`,
      `export interface ${name}Calls extends ${name}Reads {`,
      ...changes.map(method),
      '}',
    ],
  ].join('\n');
}

function method({ own, comment, given, value }: ShownCall): string {
  const first = given.name === '' ? '' : `given${given.optional ? '?' : ''}: ${given.name}, `;
  return `${comment.replaceAll(/^/gm, '  ')}\n  ${own}(${first}options?: CallOptions): Promise<${value.name}>;`;
}

function appliances(areas: readonly string[]): string {
  const members = (kind: string) =>
    areas.map((area) => `  readonly ${area}: ${inCapitals(area)}${kind};`).join('\n');
  return `/**
 * The same appliance in the hands of somebody who may only ask: it has the calls with effect \`read\`, and no others.
 * Every appliance is one.
 */
export interface AskedAppliance extends AboutTheAppliance {
${members('Reads')}
}

/** One appliance: \`appliance.rdp.disconnectSession({ id: 12 })\`. */
export interface Appliance extends WholeAppliance {
${members('Calls')}
}`;
}

/** The declaration of every name in these texts, and of the names in those declarations, that is not among them already. */
function declarationsFor(texts: readonly string[], own: readonly string[], types: DeclaredTypes): string[] {
  const here = new Set(
    [...own.join('\n').matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name),
  );
  const found = new Map<string, string>();
  const look = (text: string) => {
    for (const name of namesIn(text)) {
      if (here.has(name) || found.has(name)) continue;
      // Derived by the compiler from every area; here it is written out.
      const declaration = name === 'OperationName' ? operationName() : types.declarationOf(name);
      if (declaration === undefined) continue;
      found.set(name, declaration);
      look(declaration);
    }
  };
  for (const text of texts) look(text);
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => exported(text));
}

function operationName(): string {
  const names = describedOperations().map(({ name }) => `  | '${name}'`);
  return `/** Every operation by the name that calls and errors use. */\ntype OperationName =\n${names.join('\n')};`;
}

const exported = (text: string) =>
  text.replace(/^(interface|type|abstract class|class) /m, (_, kind: string) =>
    kind.endsWith('class') ? `export declare ${kind} ` : `export ${kind} `,
  );

function commented(paragraphs: readonly string[]): string {
  const [only = '', ...more] = paragraphs.map((text) => text.replaceAll('*/', '*\\/'));
  if (more.length === 0) return `/** ${only} */`;
  return [
    '/**',
    ...[only, ...more].flatMap((text, index) => [...(index === 0 ? [] : [' *']), ` * ${text}`]),
    ' */',
  ].join('\n');
}
