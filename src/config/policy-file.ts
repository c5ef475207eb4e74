import { dirname } from 'node:path';
import { type Document, type ErrorCode, LineCounter, parseDocument, visit } from 'yaml';
import type { Problem } from '../problem.ts';
import { crossCheck } from './cross-check.ts';
import { type ConfigFinding, exampleAt, findings } from './findings.ts';
import { filesReferredTo, findSecrets, findWebhookKeys } from './referenced.ts';
import type { Environment } from './secret.ts';
import { fileShape, meaningOf, type PolicyFile } from './shape/file-shape.ts';
import { signatureNow } from './watched-files.ts';

export interface ReadFile {
  /** Undefined if something is wrong. Unavailable secrets are absent. */
  readonly meaning: PolicyFile | undefined;
  /** Every problem of the file itself, in the order of its lines. */
  readonly problems: readonly Problem[];
  /** Referenced secrets that are unavailable. */
  readonly missing: readonly Problem[];
  /** The paths of referenced files, and their state (`watchFiles`). */
  readonly files: readonly string[];
  readonly signature: string;
  /** The raw file for later checks; undefined if it is no YAML. */
  readonly content: unknown;
  /** Problems found in `content`, with their lines and in that order. */
  readonly told: (findings: readonly ConfigFinding[]) => readonly Problem[];
  /** The file's problems together with further ones in `content`, in the order of the lines. */
  readonly problemsWith: (findings: readonly ConfigFinding[]) => readonly Problem[];
}

/** Reads and checks the file's text. `file` names it in messages. */
export function readPolicyText(text: string, file: string, environment: Environment): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, logLevel: 'error', merge: true });
  const lineOf = (node: unknown): number | undefined =>
    hasRange(node) ? lines.linePos(node.range[0]).line : undefined;
  const placeAt = (line: number | undefined) => (line === undefined ? file : `${file}:${line}`);

  const told = (found: readonly ConfigFinding[]): readonly Problem[] =>
    found
      .map((one) => ({ ...one, line: lineOf(nodeAt(document, one.path)) }))
      .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
      .map(({ path, wrong, like = path, line }) => ({
        key: `${placeAt(line)} ${path.map(String).join('.')}`.trim(),
        wrong,
        example: exampleAt(fileShape, like),
      }));
  const unreadable = (problems: readonly Problem[]): ReadFile => ({
    meaning: undefined,
    problems,
    missing: [],
    files: [],
    signature: '',
    content: undefined,
    told,
    problemsWith: () => problems,
  });

  if (document.errors.length > 0) {
    return unreadable(
      document.errors.flatMap(({ code, message, linePos }, index) =>
        // After the first error the parser reports every following word.
        index > 0 && code === 'UNEXPECTED_TOKEN'
          ? []
          : [
              {
                key: placeAt(linePos?.[0].line ?? 1),
                wrong: `is not valid YAML: ${ourWords[code] ?? `${withoutQuotes(message)}.`}`,
                example: exampleOf(text, linePos?.[0].line ?? 1),
              },
            ],
      ),
    );
  }
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch {
    // The parser resolves `*name` only now. Its own words repeat the name, which may be a secret.
    return unreadable([
      {
        key: placeAt(lineOf(brokenAlias(document))),
        wrong: 'has an alias (*name) whose anchor (&name) is not defined or is used too often.',
        example: 'put text that starts with an asterisk in quotes: "*name"',
      },
    ]);
  }
  const checked = fileShape.safeParse(content);
  const issues = checked.success ? [] : checked.error.issues;
  const files = filesReferredTo(content, dirname(file));
  // Before reading, so that a change meanwhile is read again, and not missed.
  const signature = signatureNow(files);
  const secrets = findSecrets(content, environment, dirname(file));
  const ofShape = issues.flatMap((issue) => findings(issue, fileShape));
  const found = [...ofShape, ...crossCheck(content), ...secrets.wrong];
  const signing = findWebhookKeys(content, environment, dirname(file));
  return {
    meaning:
      checked.success && found.length === 0 ? meaningOf(checked.data, secrets.of, signing.keys) : undefined,
    problems: told(found),
    missing: told([...secrets.missing, ...signing.missing]),
    files,
    signature,
    content,
    told,
    problemsWith: (more) => told([...found, ...more]),
  };
}

/** For the most frequent mistakes. */
const ourWords: Readonly<Partial<Record<ErrorCode, string>>> = {
  DUPLICATE_KEY: 'this setting is defined more than once.',
  TAB_AS_INDENT: 'the line is indented with a tab. Use spaces.',
};

/** In flow style, the first brace of a reference opens a mapping. */
function exampleOf(text: string, line: number): string {
  const [, ...inBraces] = (text.split('\n')[line - 1] ?? '').split('{');
  return /[^"']\$\{/.test(inBraces.join('{'))
    ? 'in braces, put a reference in quotes: { key: "${HQ_WEB_API_KEY}" }'
    : 'see appliance-bot.example.yml';
}

/** The parser's first sentence without quotations of the file, which may be secret. */
function withoutQuotes(message: string): string {
  const [sentence = ''] = message.split(/ at line|\n|(?<=\w): /);
  return sentence.replaceAll(/[!\\]\S+/g, '…');
}

/** The node of a setting, or of the nearest existing one around it. */
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
