import { dirname, join } from 'node:path';
import { namesIn } from '../api-page.ts';
import { declarationsIn, type EmittedDeclaration, emittedTypes, tidy } from '../emitted-types.ts';

/** Declarations that are written for readers, by the name of the compiler's, which they take the place of. */
type WrittenTypes = Readonly<Record<string, string>>;

/**
 * The types of what a file exports, in one file: its declarations, and those of every name in them, wherever they stand.
 * @throws Error where two of them have one name
 */
export function typesOf(entry: string, written: WrittenTypes = {}): string {
  const files = new Map([...emittedTypes(entry)].map(([path, text]) => [path, understood(path, text)]));
  const found = new Map<string, { readonly path: string; readonly text: string }>();
  const modules = new Map<string, Set<string>>();

  /** Returns its name at its declaration. */
  const take = (path: string, called: string): string => {
    const from = placeOf(files, path, called);
    if (from === undefined) return called;
    const { name } = from;
    if (from.path === undefined) {
      modules.set(from.from, (modules.get(from.from) ?? new Set()).add(name));
      return name;
    }
    const before = found.get(name)?.path;
    if (before === from.path) return name;
    if (before !== undefined)
      throw new Error(`${name} is declared in ${before} and in ${from.path}: name one of them otherwise.`);
    found.set(name, { path: from.path, text: '' });
    let text = Object.hasOwn(written, name) ? `${written[name]}` : withoutPlaces(from.text);
    for (const used of usedIn(text)) if (used !== name) text = renamed(text, used, take(from.path, used));
    found.set(name, { path: from.path, text: tidy(text) });
    return name;
  };
  const own = exportsOf(files, entry.replace(/\.ts$/, '.d.ts'));
  for (const name of own) take(entry.replace(/\.ts$/, '.d.ts'), name);

  const isOwn = new Set(own);
  const others = [...found.keys()].filter((name) => !isOwn.has(name)).toSorted();
  const imports = [...modules]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([module, names]) => `import type { ${[...names].toSorted().join(', ')} } from '${module}';`);
  const declarations = [...own, ...others].flatMap((name) => {
    const one = found.get(name);
    return one === undefined ? [] : [exported(one.text, isOwn.has(name))];
  });
  const parts = [...(imports.length === 0 ? [] : [imports.join('\n')]), ...declarations];
  return `${parts.map(withoutSections).join('\n\n')}\n`;
}

/** A file of declarations, with its names and the sources of its other names. */
interface EmittedFile {
  readonly declared: ReadonlyMap<string, EmittedDeclaration>;
  readonly imported: ReadonlyMap<string, Imported>;
  /** Names that it re-exports, and the files of which it exports everything. */
  readonly handedOn: ReadonlyMap<string, Imported>;
  readonly all: readonly string[];
}

interface Imported {
  /** The file of ours, or the module of somebody else. */
  readonly from: string;
  /** The name in that file. */
  readonly name: string;
}

function understood(path: string, text: string): EmittedFile {
  const declared = new Map(declarationsIn(text).map((one) => [one.name, one]));
  const imported = new Map<string, Imported>();
  const handedOn = new Map<string, Imported>();
  const places = text.matchAll(/^(import|export) (?:type )?\{([^}]*)\} from ["']([^"']+)["'];$/gm);
  for (const [, verb, names = '', from = ''] of places) {
    for (const one of names.split(',')) {
      const [name = '', own = name] = one
        .trim()
        .replace(/^type /, '')
        .split(' as ');
      (verb === 'import' ? imported : handedOn).set(own, { from: place(path, from), name });
    }
  }
  for (const [, from = '', name = ''] of text.matchAll(/import\(["'](\.[^"']+)["']\)\.(\w+)/g))
    imported.set(name, { from: place(path, from), name });
  const all = [...text.matchAll(/^export \* from ["']([^"']+)["'];$/gm)];
  return { declared, imported, handedOn, all: all.map(([, from = '']) => place(path, from)) };
}

const place = (path: string, from: string): string =>
  from.startsWith('.') ? join(dirname(path), from).replace(/\.[jt]s$/, '.d.ts') : from;

type Place = ({ readonly path: string } & EmittedDeclaration) | ({ readonly path: undefined } & Imported);

/** The declaration's place of a name in this file; undefined for a global one. */
function placeOf(files: ReadonlyMap<string, EmittedFile>, path: string, name: string): Place | undefined {
  const file = files.get(path);
  if (file === undefined) return undefined;
  const declared = file.declared.get(name);
  if (declared !== undefined) return { path, ...declared };
  const from = file.imported.get(name) ?? file.handedOn.get(name);
  if (from !== undefined) return placeOf(files, from.from, from.name) ?? { path: undefined, ...from };
  for (const one of file.all) {
    const found = placeOf(files, one, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function exportsOf(files: ReadonlyMap<string, EmittedFile>, path: string): readonly string[] {
  const file = files.get(path);
  if (file === undefined) throw new Error(`The compiler tells nothing of ${path}.`);
  const declared = [...file.declared.values()].filter(({ text }) => /^export /m.test(text));
  return [
    ...declared.map(({ name }) => name),
    ...file.handedOn.keys(),
    ...file.all.flatMap((one) => exportsOf(files, one)),
  ];
}

const usedIn = (text: string): readonly string[] => [
  ...namesIn(text),
  ...[...text.matchAll(/\btypeof (\w+)/g)].map(([, name = '']) => name),
];

const renamed = (text: string, name: string, other: string) =>
  name === other ? text : text.replaceAll(new RegExp(`(?<![\\w.])${name}\\b`, 'g'), other);

const withoutPlaces = (text: string) => text.replaceAll(/import\(["']\.[^"']+["']\)\./g, '');

/** A table that only types are made of is no part of what others may use. */
function exported(text: string, isOwn: boolean): string {
  return text.replace(/^(?:abstract )?(interface|type|class|const|function) /m, (whole, kind: string) => {
    const isValue = kind !== 'interface' && kind !== 'type';
    return `${kind === 'const' && !isOwn ? '' : 'export '}${isValue ? 'declare ' : ''}${whole}`;
  });
}

/** The places of the appliance's document, which readers of the package do not have. */
export const withoutSections = (text: string) =>
  text
    .replaceAll(/ \((?:[\w-]+\.md )?§[^)]*\)|: [\w-]+\.md §[\d.]+(?=\.)/g, '')
    .replaceAll(/(by `\/appliance_version`) and §9/g, '$1');
