import { basename } from 'node:path';
import { declarationsIn, type EmittedDeclaration, emittedTypes, tidy } from './emitted-types.ts';

/** The compiler's view of the types of `src/api`, from the very declarations that go into the package. */
export interface DeclaredTypes {
  /** A call's argument and result, by its name ("rdp.listSessions"), on one line and in the names of the package. */
  readonly calls: ReadonlyMap<string, { readonly takes: string; readonly gives: string }>;
  /** The declaration of a type with its comments; undefined when there is none. */
  readonly declarationOf: (name: string) => string | undefined;
}

/**
 * Asks the compiler, which takes about a second.
 * @throws Error with the compiler's words when `src/api` does not compile
 */
export function declaredTypes(): DeclaredTypes {
  // `import("./file.ts").Name` is how the compiler writes names of other files.
  const place = /import\("[^"]*"\)\./g;
  return understood(
    new Map([...emittedTypes('src/api/index.ts')].map(([path, text]) => [path, text.replaceAll(place, '')])),
  );
}

interface Declaration extends EmittedDeclaration {
  readonly path: string;
}

function understood(files: ReadonlyMap<string, string>): DeclaredTypes {
  const all = [...files].flatMap(([path, text]) => declarationsIn(text).map((one) => ({ path, ...one })));
  const types = all.filter(({ kind }) => kind !== 'const' && kind !== 'function');
  const known = new Map(types.map((one) => [one.name, withValue(one, all)]));
  const objects = patternsOf(known, /^\{/);
  const written = patternsOf(known, /^\{|^Readonly</);
  const areas = all.filter(
    ({ path, name }) => /^src\/api\/(endpoints|combined)\//.test(path) && basename(path, '.d.ts') === name,
  );
  return {
    calls: new Map(
      areas.flatMap(({ name: area, text }) =>
        callsIn(text).map(({ name, takes, gives }) => [
          `${area}.${name}`,
          { takes: onOneLine(namedIn(takes, objects)), gives: onOneLine(namedIn(gives, written)) },
        ]),
      ),
    ),
    declarationOf(name) {
      const text = known.get(name);
      return text === undefined ? undefined : tidy(namedIn(text, objects, name));
    },
  };
}

/** `ValueOf<typeof shape>` tells a reader nothing: the type that the shape reads replaces it. */
function withValue({ path, text }: Declaration, all: readonly Declaration[]): string {
  return text.replace(/ValueOf<typeof (\w+)>/, (whole, shape) => {
    const declared = all.find((one) => one.path === path && one.name === shape);
    const value = declared && /Shape<([\s\S]*)>;$/.exec(withValue(declared, all));
    return value?.[1] ?? whole;
  });
}

type Pattern = readonly [name: string, pattern: RegExp];

/** Types by what they are: the compiler often writes that out where they are used, instead of their names. */
function patternsOf(known: ReadonlyMap<string, string>, beginning: RegExp): readonly Pattern[] {
  return [...known]
    .flatMap(([name, text]) => {
      const written = /^export type \w+ = (\S[\s\S]*);$/m.exec(text)?.[1] ?? '';
      return beginning.test(written) && !/^\} \|/m.test(written) ? [{ name, written }] : [];
    })
    .toSorted((one, other) => other.written.length - one.written.length)
    .map(({ name, written }) => {
      const pieces = written.split(/\s+/).map((piece) => piece.replaceAll(/\W/g, '\\$&'));
      return [name, new RegExp(pieces.join('\\s+'), 'g')];
    });
}

function namedIn(text: string, patterns: readonly Pattern[], own = ''): string {
  return patterns.reduce(
    (sofar, [name, pattern]) => (name === own ? sofar : sofar.replaceAll(pattern, name)),
    text,
  );
}

function callsIn(text: string): { name: string; takes: string; gives: string }[] {
  return [...text.matchAll(/^ {4}(\w+): (?:Endpoint|Combined)</gm)].map((match) => {
    const [takes = '', gives = ''] = parametersFrom(text.slice(match.index + match[0].length));
    return { name: match[1] ?? '', takes, gives };
  });
}

/** The type parameters from behind `<` to its `>`. */
function parametersFrom(text: string): string[] {
  const parameters: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if ('<{[('.includes(letter)) {
      depth += 1;
    } else if (letter === ',' && depth === 0) {
      parameters.push(text.slice(begin, at));
      begin = at + 1;
    } else if ('>}])'.includes(letter) && text[at - 1] !== '=') {
      depth -= 1;
      if (depth < 0) return [...parameters, text.slice(begin, at)];
    }
  }
  return parameters;
}

function onOneLine(type: string): string {
  return type
    .replaceAll(/\breadonly (?=\w+\??:)/g, '')
    .replaceAll(/;\s*\}/g, ' }')
    .replaceAll(/;\s+/g, ', ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
