import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/**
 * The compiler's declarations of this file and of everything of ours that it imports, by their places in the repository
 * (`src/api/index.d.ts`). Takes about a second.
 * @throws Error with the compiler's words when something of it does not compile
 */
export function emittedTypes(entry: string): ReadonlyMap<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    const project = join(folder, 'tsconfig.json');
    writeFileSync(project, JSON.stringify(configFor(entry, folder)));
    const tsc = join(repository, 'node_modules/typescript/bin/tsc');
    // Several threads would each find out for themselves much of what one finds out.
    execFileSync(process.execPath, [tsc, '-p', project, '--singleThreaded'], { encoding: 'utf8' });
    const paths = globSync('**/*.d.ts', { cwd: folder }).toSorted();
    return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? error.stdout : '';
    throw new Error(`${entry} does not compile, so its types cannot be told.\n${said}`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function configFor(entry: string, folder: string): object {
  return {
    extends: join(repository, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, declaration: true, emitDeclarationOnly: true },
      ...{ rootDir: repository, outDir: folder, typeRoots: [join(repository, 'node_modules/@types')] },
    },
    files: [join(repository, entry)],
    include: [],
    exclude: [],
  };
}

/** A declaration, and its text with the comment before it. */
export interface EmittedDeclaration {
  readonly kind: string;
  readonly name: string;
  readonly text: string;
}

const head = /^(?:export )?(?:declare )?(?:abstract )?(interface|class|type|const|function) (\w+)/;

/** The declarations at the top of one of these files. The compiler begins them in the first column, and indents everything else. */
export function declarationsIn(text: string): EmittedDeclaration[] {
  const lines = text.split('\n');
  const begins = lines.flatMap((line, at) =>
    /^(?:import|export|declare|interface|type) /.test(line) ? [at] : [],
  );
  const starts = begins.map((at) => withComment(lines, at));
  return begins.flatMap((begin, index) => {
    const found = head.exec(lines[begin] ?? '');
    if (found === null) return [];
    const [, kind = '', name = ''] = found;
    return [{ kind, name, text: lines.slice(starts[index], starts[index + 1]).join('\n') }];
  });
}

/** The first line of the comment right before this line; the line itself where there is none. */
function withComment(lines: readonly string[], at: number): number {
  if (!lines[at - 1]?.endsWith('*/')) return at;
  return lines.slice(0, at).findLastIndex((line) => line.startsWith('/**'));
}

/** For readers of a package, who never construct its classes. */
export function tidy(declaration: string): string {
  return declaration
    .replace(/^export (?:declare )?/m, '')
    .replaceAll(/^ {4}constructor\([\s\S]*?\);\n/gm, '')
    .replaceAll(/^(?: {4})+/gm, (indent) => ' '.repeat(indent.length / 2))
    .trim();
}
