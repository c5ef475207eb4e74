import { dirname } from 'node:path';
import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import type { Problem } from '../problem.ts';
import { crossCheck, examples, findings, type PolicyFile, schemaFor } from './policy-shape.ts';
import type { Environment } from './secret.ts';

/** Reads and checks the file's text. Adds every problem, with its line, and answers undefined when there are any. */
export function parsePolicyFile(
  text: string,
  file: string,
  environment: Environment,
  problems: Problem[],
): PolicyFile | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error' });
  const placeOf = (node: unknown): string =>
    hasRange(node) ? `${file}:${lines.linePos(node.range[0]).line}` : file;
  document.errors.forEach(({ code, message, linePos }, index) => {
    // After the first error the parser stumbles over every word that follows.
    if (index > 0 && code === 'UNEXPECTED_TOKEN') return;
    problems.push({
      key: `${file}:${linePos?.[0].line ?? 1}`,
      wrong: `is not YAML: ${withoutQuotes(message)}.`,
      example: 'see appliance-bot.example.yml',
    });
  });
  if (document.errors.length > 0) return undefined;

  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch {
    // Only now does the parser look up what `*name` stands for. Its own words repeat the name, which may be a secret.
    problems.push({
      key: placeOf(brokenAlias(document)),
      wrong: 'has a reference (*name) to an anchor (&name) that is not there or is used too often.',
      example: 'text that begins with a star stands in quotes: "*name"',
    });
    return undefined;
  }
  const checked = schemaFor(environment, dirname(file)).safeParse(content);
  const found = [...(checked.success ? [] : checked.error.issues.flatMap(findings)), ...crossCheck(content)];
  for (const { path, wrong, like } of found) {
    problems.push({
      key: `${placeOf(nodeAt(document, path))} ${path.map(String).join('.')}`.trim(),
      wrong,
      example: examples[like] ?? 'see appliance-bot.example.yml',
    });
  }
  return checked.success && found.length === 0 ? checked.data : undefined;
}

/** The parser's first sentence without what it repeats of the file, which may be a secret. */
function withoutQuotes(message: string): string {
  const [sentence = ''] = message.split(/ at line|\n|(?<=\w): /);
  return sentence.replaceAll(/[!\\]\S+/g, '…');
}

/** Where a setting stands, or the nearest one around it that the file does have. */
function nodeAt(document: Document, path: readonly PropertyKey[]): unknown {
  for (let length = path.length; length > 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (hasRange(node)) return node;
  }
  return undefined;
}

function brokenAlias(document: Document): unknown {
  let found: unknown;
  visit(document, {
    Alias: (_, alias) => {
      if (alias.resolve(document) !== undefined) return undefined;
      found = alias;
      return visit.BREAK;
    },
  });
  return found;
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
