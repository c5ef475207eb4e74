import {
  areaTitles,
  argumentsIn,
  argumentsOf,
  type DescribedArgument,
  type DescribedOperation,
  describedCombined,
  describedOperations,
} from '../src/api/described.ts';
import { type DeclaredTypes, declaredTypes } from './declared-types.ts';

/** docs/api.md, from the declarations. */
export function apiPage(): string {
  const operations = describedOperations();
  const types = declaredTypes();
  const sections = Object.entries(areaTitles).map(([area, title]) => {
    const own = operations.filter((operation) => operation.area === area);
    return [`## ${title}`, '', ...own.map((one) => described(one, types)), ...combinedOf(area, types)].join(
      '\n',
    );
  });
  return [introduction(operations), ...sections, typesOf(sections.join('\n'), types)].join('\n');
}

function introduction(operations: readonly DescribedOperation[]): string {
  const count = (effect: string) => operations.filter(({ endpoint }) => endpoint.effect === effect).length;
  return `# The appliance API, typed

Generated from the declarations in \`src/api/endpoints\` (\`npm run docs\`); a test fails when this page is not theirs.
The same as OpenAPI 3.1: [appliance.openapi.json](appliance.openapi.json).

The package is [\`appliance-client\`](../packages/appliance-client/README.md), of which nothing belongs to Slack. Node 22.19 or later, Bun and
Deno run it.

\`\`\`ts
import { connectAppliance } from 'appliance-client';

const appliance = connectAppliance({ name: 'hq', url: 'https://10.20.0.2:9503', key: process.env.HQ_WEB_API_KEY });
const sessions = await appliance.rdp.listSessions();
await appliance.rdp.disconnectSession({ id: 12 });
await appliance.close();
\`\`\`

${operations.length} operations: ${count('read')} read, ${count('write')} write (reversible), ${count('destructive')} destructive, ${count('unknown')} unknown (not
documented; handled as destructive). The effect, never the HTTP method, decides what may be sent again and how long to wait for an
answer. A method in brackets is a guess, because none is documented. Set another one with \`methods\` in the settings if an
appliance differs.

Every call takes \`{ signal }\` as its last argument and rejects with an \`ApplianceFailure\` and nothing else: switch over its
\`code\`, and ask \`mayHaveHappened\` before you repeat a change. All types are explained under [Types](#types).

All text in an answer is the appliance's own: treat it as hostile.
`;
}

function described({ name, method, endpoint }: DescribedOperation, types: DeclaredTypes): string {
  const line = `${method === '-' ? `(${endpoint.method})` : method} ${endpoint.path}`;
  const facts = [
    `**${endpoint.effect}**`,
    `\`${line}\``,
    endpoint.section,
    ...(endpoint.availableFrom === undefined ? [] : [`from ${endpoint.availableFrom}`]),
  ];
  return `### ${name}

\`\`\`ts
${name}(${given(endpoint)}): Promise<${declared(name, types).gives}>
\`\`\`

${endpoint.summary}
${facts.join(' · ')}
${explained(argumentsOf(endpoint))}`;
}

function explained(described: readonly DescribedArgument[]): string {
  const lines = described.map(({ name, description }) => `- \`${name}\`: ${description}\n`);
  return lines.length === 0 ? '' : `\n${lines.join('')}`;
}

function given(endpoint: DescribedOperation['endpoint']): string {
  const described = argumentsOf(endpoint);
  if (described.length === 0) return '';
  const fields = described.map(({ name, optional, type }) => `${name}${optional ? '?' : ''}: ${type}`);
  return `{ ${fields.join(', ')} }`;
}

/** The calls that are made of several operations. */
function combinedOf(area: string, types: DeclaredTypes): string[] {
  return describedCombined()
    .filter((one) => one.area === area)
    .map(({ name, effect, summary, takes: schemas }) => {
      const { takes, gives } = declared(name, types);
      return `### ${name}

\`\`\`ts
${name}(${takes.startsWith('{') ? takes : `given: ${takes}`}): Promise<${gives}>
\`\`\`

${summary}
**${effect}** · made of the operations above
${explained(argumentsIn(schemas))}`;
    });
}

function declared(name: string, types: DeclaredTypes): { readonly takes: string; readonly gives: string } {
  const call = types.calls.get(name);
  if (call === undefined) throw new Error(`The compiler does not tell what ${name} takes and gives.`);
  return call;
}

/** The declaration of every name in the calls, and of the names in those declarations. */
function typesOf(calls: string, types: DeclaredTypes): string {
  const found = new Map<string, string>();
  const look = (code: string) => {
    for (const name of namesIn(code)) {
      const declaration = found.has(name) ? undefined : types.declarationOf(name);
      if (declaration === undefined) continue;
      found.set(name, declaration);
      look(declaration);
    }
  };
  for (const code of codeIn(calls)) look(code);
  // Every call may reject with it.
  look('ApplianceFailure');
  const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    '## Types',
    '',
    ...sorted.map(([name, declaration]) => `### ${name}\n\n\`\`\`ts\n${declaration}\n\`\`\`\n`),
  ].join('\n');
}

/** The TypeScript code on a page. */
export function codeIn(page: string): string[] {
  return [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
}

/** The names of types in TypeScript, without those in its comments and texts. */
export function namesIn(code: string): string[] {
  const bare = code.replaceAll(/\/\*[\s\S]*?\*\/|'[^'\n]*'|"[^"\n]*"/g, '');
  return [...new Set(bare.match(/(?<![\w.])[A-Z]\w*/g))];
}
