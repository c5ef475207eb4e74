import type { ApplianceFailure, Endpoint } from '../../src/api/index.ts';
import { field, isRecord } from '../../src/api/reading/envelope.ts';
import type { Surveyed } from './calls.ts';
import { isFieldName, maskedWords, shapeOf } from './masked.ts';

/** The report of a survey, as Markdown, without any content of the appliance. */
export function reportOf(
  all: readonly Surveyed[],
  about: { readonly day: string; readonly release: string },
): string {
  const count = (kind: Surveyed['came']['kind']) => all.filter(({ came }) => came.kind === kind).length;
  return `# Survey of an appliance

Made on ${about.day} by \`appliance-bot survey\`; release: ${about.release}. Every read-only operation ran once. Values are masked:
the report keeps types, and names of fields and sentences as far as they are made of the API's own words.
**Read it before you attach it to an issue.**

${count('answer')} understood, ${count('refused')} refused, ${count('not_understood')} not understood, ${count('failure')} failed, ${count('not_asked')} not run.

${all.map(sectionOf).join('\n')}`;
}

function sectionOf({ operation, endpoint, came }: Surveyed): string {
  const lines: readonly string[] = linesOf(endpoint, came);
  return `## ${operation}

\`${endpoint.methodShown ? endpoint.method : `${endpoint.method} (not documented)`} ${endpoint.path}\`, ${endpoint.section}

${lines.map((line) => `- ${line}`).join('\n')}
`;
}

function linesOf(endpoint: Endpoint, came: Surveyed['came']): readonly string[] {
  switch (came.kind) {
    case 'answer':
      return [
        ...cameLines(came.text),
        `Understood as: \`${shapeOf(came.value)}\``,
        ...unplaced(endpoint, came.text, came.value),
      ];
    case 'refused':
      return [...cameLines(came.text), `**Refused**: ${problemOf(came.failure)}`];
    case 'not_understood':
      return [
        ...cameLines(came.text),
        `**Not understood**: ${problemOf(came.failure)}`,
        ...unplaced(endpoint, came.text),
      ];
    case 'failure':
      if (came.failure.code === 'not_configured') return ['Not run: its address was not given.'];
      return [`**Failed**: ${wordsOf(came.failure)}`];
    case 'not_asked':
      return [`Not run: it needs an item from ${came.wants}, which listed none.`];
  }
}

function cameLines(text: string): readonly string[] {
  const body = parsed(text);
  if (body === undefined)
    return [text.trim() === '' ? 'Received: nothing' : `Received: no JSON (${text.length} characters)`];
  const status = field(body, 'status');
  const words = [field(body, 'error'), field(body, 'info')].filter(
    (one): one is string => typeof one === 'string' && one.trim() !== '' && !/^\s*\[/.test(one),
  );
  return [
    `Received: \`${shapeOf(body)}\``,
    ...(typeof status === 'boolean' ? [`Status: ${status}`] : []),
    ...words.map((one) => `Message: ${maskedWords(one)}`),
  ];
}

const envelope = /^(?:status|info|error)$/i;

/** The fields of an answer for which its declaration has no name. */
function unplaced(endpoint: Endpoint, text: string, value?: unknown): readonly string[] {
  const documented = namesIn(endpoint.reply.wire);
  // A report has flat ones: "disks.0.free".
  for (const name of fieldsIn(value)) for (const part of name.split('.')) documented.add(part.toLowerCase());
  // Without a documented shape, people see every field as it comes.
  if (documented.size === 0) return [];
  const names = [...fieldsIn(parsed(text))].filter(
    (name) => !envelope.test(name) && !documented.has(name.toLowerCase()),
  );
  const told = names.filter(isFieldName);
  const masked = names.length - told.length;
  return names.length === 0
    ? []
    : [
        `Unknown fields: ${[...told.map((name) => `\`${name}\``), ...(masked === 0 ? [] : [`${masked} whose names may be personal`])].join(', ')}`,
      ];
}

function namesIn(schema: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const one of schema) namesIn(one, names);
  else if (isRecord(schema)) {
    if (isRecord(schema.properties))
      for (const name of Object.keys(schema.properties)) names.add(name.toLowerCase());
    for (const one of Object.values(schema)) namesIn(one, names);
  }
  return names;
}

/** The fields with a value; a field that only holds others is left out. */
function fieldsIn(body: unknown, names = new Set<string>()): Set<string> {
  if (Array.isArray(body)) for (const one of body) fieldsIn(one, names);
  else if (isRecord(body))
    for (const [name, inner] of Object.entries(body)) {
      const holdsOthers = isRecord(inner) || (Array.isArray(inner) && inner.some(isRecord));
      if (!holdsOthers) names.add(name);
      fieldsIn(inner, names);
    }
  return names;
}

function wordsOf(failure: ApplianceFailure): string {
  const said = failure.words || failure.excerpt;
  return `${problemOf(failure)}${said === '' ? '' : `; message: ${maskedWords(said.replaceAll('\n', ' · '))}`}`;
}

function problemOf(failure: ApplianceFailure): string {
  if (failure.code === 'not_served') return `not served (${failure.obstacle})`;
  const status = failure.code === 'http_status' ? ` ${failure.status}` : '';
  const at =
    failure.code === 'unexpected_reply'
      ? `, at \`${failure.at || 'the whole'}\`: ${maskedWords(failure.problem)}`
      : '';
  return `${failure.code}${status}${at}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
