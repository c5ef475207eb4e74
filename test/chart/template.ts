/** As much of Helm's language as our chart needs (https://pkg.go.dev/text/template), for a machine without Helm. */

/** The input of a template: `Values`, `Chart`, `Release`. */
export type Data = Readonly<Record<string, unknown>>;

type Part =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'action'; readonly words: readonly string[] };

/** A template that ends in `fail`. */
export class Failed extends Error {
  override readonly name = 'Failed';
}

type Function = (...args: readonly never[]) => unknown;

export interface Templates {
  readonly render: (text: string, data: Data) => string;
}

/** `functions` are those beside `include`; `helpers` is a file of definitions. */
export function createTemplates(helpers: string, functions: Readonly<Record<string, Function>>): Templates {
  const defined = new Map<string, readonly Part[]>();
  run(partsOf(helpers), {});

  return { render: (text, data) => run(partsOf(text), data) };

  function run(parts: readonly Part[], root: Data, dot: unknown = root, names: Data = {}): string {
    let out = '';
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at];
      if (part === undefined) break;
      if (part.is === 'text') {
        out += part.text;
        continue;
      }
      const [word = '', ...rest] = part.words;
      if (!['if', 'with', 'range', 'define'].includes(word)) {
        out += String(value(part.words, root, dot, names) ?? '');
        continue;
      }
      const { body, otherwise, end } = blockAt(parts, at);
      at = end;
      if (word === 'define') {
        defined.set(JSON.parse(rest[0] ?? ''), body);
      } else if (word === 'range') {
        const assigned = rest.indexOf(':=');
        const [key = '', item = ''] = rest.slice(0, Math.max(assigned, 0)).filter((one) => one !== ',');
        const all = value(rest.slice(assigned + 1), root, dot, names) ?? [];
        for (const [name, one] of Object.entries(all)) {
          out += run(body, root, one, { ...names, [key]: name, [item]: one });
        }
      } else {
        const found = value(rest, root, dot, names);
        const inner = word === 'with' ? found : dot;
        out += isTrue(found) ? run(body, root, inner, names) : run(otherwise, root, dot, names);
      }
    }
    return out;
  }

  /** A pipeline: the result of one command is the last argument of the next. */
  function value(words: readonly string[], root: Data, dot: unknown, names: Data): unknown {
    let before: readonly unknown[] = [];
    for (const command of split(words)) {
      const [first = '', ...args] = command;
      const call = first === 'include' ? include : functions[first];
      const given = [...operands(args), ...before];
      before = [
        call === undefined ? operands(command)[0] : (call as (...args: unknown[]) => unknown)(...given),
      ];
    }
    return before[0];

    function include(name: string): string {
      const body = defined.get(name);
      if (body === undefined) throw new Error(`Not defined: ${name}`);
      return run(body, root);
    }

    function operands(command: readonly string[]): readonly unknown[] {
      const all: unknown[] = [];
      for (let at = 0; at < command.length; at += 1) {
        const word = command[at] ?? '';
        if (word === '(') {
          let depth = 1;
          const from = at + 1;
          while (depth > 0) {
            at += 1;
            if (command[at] === '(') depth += 1;
            if (command[at] === ')') depth -= 1;
          }
          all.push(value(command.slice(from, at), root, dot, names));
        } else if (/^["\d]|^(?:true|false)$/.test(word)) {
          all.push(JSON.parse(word));
        } else if (word.startsWith('$')) {
          if (!Object.hasOwn(names, word)) throw new Error(`No variable ${word}`);
          all.push(names[word]);
        } else if (word.startsWith('.')) {
          all.push(
            word === '.'
              ? dot
              : word
                  .slice(1)
                  .split('.')
                  .reduce<unknown>((one, name) => (one as Data | undefined)?.[name], dot),
          );
        } else {
          throw new Error(`Not known: ${word}`);
        }
      }
      return all;
    }
  }
}

function isTrue(found: unknown): boolean {
  if (typeof found === 'object' && found !== null) return Object.keys(found).length > 0;
  return Boolean(found);
}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = [];
  let isTrimmed = false;
  for (const [index, piece] of text.split(/(\{\{.*?\}\})/s).entries()) {
    if (index % 2 === 0) {
      const next = parts.length;
      parts.push({ is: 'text', text: isTrimmed ? piece.trimStart() : piece });
      isTrimmed = false;
      if (next === 0) continue;
    } else {
      const [, left, inner = '', right] = /^\{\{(-)?(.*?)(-)?\}\}$/s.exec(piece) ?? [];
      const before = parts.at(-1);
      if (left && before?.is === 'text') parts[parts.length - 1] = { ...before, text: before.text.trimEnd() };
      isTrimmed = right !== undefined;
      parts.push({ is: 'action', words: inner.match(/"(?:[^"\\]|\\.)*"|[()|,]|:=|[^\s()|,]+/g) ?? [] });
    }
  }
  return parts;
}

/** The parts between the beginning of a block and its end. */
function blockAt(parts: readonly Part[], start: number) {
  let depth = 0;
  let middle: number | undefined;
  for (let at = start; at < parts.length; at += 1) {
    const part = parts[at];
    const word = part?.is === 'action' ? part.words[0] : undefined;
    if (['if', 'with', 'range', 'define'].includes(word ?? '')) depth += 1;
    if (word === 'else' && depth === 1) middle = at;
    if (word === 'end') depth -= 1;
    if (depth > 0) continue;
    const body = parts.slice(start + 1, middle ?? at);
    return { body, otherwise: middle === undefined ? [] : parts.slice(middle + 1, at), end: at };
  }
  throw new Error('A block without an end');
}

function split(words: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [[]];
  let depth = 0;
  for (const word of words) {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    if (word === '|' && depth === 0) commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands;
}
