import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { DescribedArgument } from '../../../../src/api/described.ts';
import { isSecretName } from '../../../../src/secrets.ts';
import { inDashes, type TypedCall } from './calls.ts';
import { addressOptions, type Sources } from './settings.ts';
import { Usage } from './terminal.ts';

/** Reads the arguments and options of a typed call. */

export interface Given {
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, string | undefined>>;
  readonly json: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly help: boolean;
}

export const switches = ['json', 'yes', 'dry-run', 'help'] as const;

/** @throws Usage */
export function readGiven(call: TypedCall, words: readonly string[], sources: Sources): Given {
  const names = call.arguments.flatMap(optionsOf);
  const { values, positionals } = understood(words, names);
  const chosen = (name: string) => values[name] === true;
  const options = Object.fromEntries(addressOptions.map((name) => [name, textOf(values[name])]));
  const flags = { json: chosen('json'), yes: chosen('yes'), dryRun: chosen('dry-run'), help: chosen('help') };
  if (flags.help) return { arguments: {}, options, ...flags };
  const byPlace = placed(call, positionals);
  const given = call.arguments.flatMap((argument): [string, unknown][] => {
    const typed = listOf(values[inDashes(argument.name)]) ?? byPlace.get(argument.name);
    if (typed !== undefined && argument.isSecret) throw new Usage(exposed(argument));
    const texts = typed ?? elsewhere(argument, values, sources);
    if (texts !== undefined) return [[argument.name, readValue(argument, texts, typed !== undefined)]];
    if (argument.optional) return [];
    const missing = argument.isSecret ? `--${inDashes(argument.name)}-file FILE` : inDashes(argument.name);
    throw new Usage(`Missing: ${missing}. ${argument.description ?? ''}`.trim());
  });
  return { arguments: Object.fromEntries(given), options, ...flags };
}

/** The option names of an argument; also those of a secret, so that it is refused with a reason. */
const optionsOf = ({ name, type, isSecret }: DescribedArgument): string[] => {
  const own = inDashes(name);
  // The argument is a path already.
  if (type === 'UploadContent') return [own];
  return [own, `${own}-file`, ...(isSecret ? [`${own}-env`] : [])];
};

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function understood(words: readonly string[], names: readonly string[]) {
  const options = Object.fromEntries([
    ...switches.map((name) => [name, { type: 'boolean' as const, ...(name === 'help' && { short: 'h' }) }]),
    ...addressOptions.map((name) => [name, { type: 'string' as const }]),
    ...names.map((name) => [name, { type: 'string' as const, multiple: true }]),
  ]);
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true }) as {
      readonly values: Values;
      readonly positionals: string[];
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Usage(why.replace(/(?<=\.)\s+To specify a positional argument .*$/s, ''));
  }
}

const textOf = (value: Values[string]) => (typeof value === 'string' ? value : undefined);
const listOf = (value: Values[string]) => (Array.isArray(value) ? value.map(String) : undefined);

const isList = ({ type }: DescribedArgument) => type.endsWith('[]');
const isFields = ({ type }: DescribedArgument) => type.startsWith('Record<');

/** Required arguments may be typed in order; a list takes all the remaining words. */
function placed(
  { arguments: all }: TypedCall,
  positionals: readonly string[],
): ReadonlyMap<string, string[]> {
  const left = [...positionals];
  const found = new Map<string, string[]>();
  for (const argument of all) {
    if (argument.optional || argument.isSecret || left.length === 0) continue;
    const takes = isList(argument) || isFields(argument) ? left.length : 1;
    found.set(argument.name, left.splice(0, takes));
  }
  const [surplus] = left;
  if (surplus !== undefined) throw new Usage(`Unexpected argument ${surplus}. Nothing was sent.`);
  return found;
}

/** From a file, from standard input, or from the environment. */
function elsewhere(argument: DescribedArgument, values: Values, { environment, read }: Sources) {
  const own = inDashes(argument.name);
  const [variable] = listOf(values[`${own}-env`]) ?? [];
  if (variable !== undefined) {
    const value = environment[variable];
    if (value === undefined || value === '') throw new Usage(`The variable ${variable} is not set.`);
    return [value];
  }
  const [path] = listOf(values[`${own}-file`]) ?? [];
  if (path === undefined) return undefined;
  const text = read(path);
  if (!isList(argument) && !isFields(argument)) return [text.replace(/\r?\n$/, '')];
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function exposed({ name }: Pick<DescribedArgument, 'name'>): string {
  const own = inDashes(name);
  return (
    `${own} is a secret, and others on this machine can read a command line. ` +
    `Use --${own}-file FILE (- for standard input) or --${own}-env VARIABLE. Nothing was sent.`
  );
}

function readValue(argument: DescribedArgument, texts: readonly string[], typed: boolean): unknown {
  const own = inDashes(argument.name);
  if (isFields(argument)) return fieldsOf(own, texts, typed);
  if (isList(argument)) {
    return argument.type.startsWith('number') ? texts.map((text) => numberOf(own, text)) : texts;
  }
  const [text = ''] = texts;
  if (texts.length > 1) throw new Usage(`${own} is given twice.`);
  switch (argument.type) {
    case 'number':
      return numberOf(own, text);
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw new Usage(`${own} must be true or false.`);
      return text === 'true';
    default:
      return argument.type.split(' | ').includes('number') && /^\d+$/.test(text) ? Number(text) : text;
  }
}

function numberOf(own: string, text: string): number {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new Usage(`${own} must be a number.`);
  return Number(text);
}

function fieldsOf(own: string, texts: readonly string[], typed: boolean): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf('=');
      if (at < 1) throw new Usage(`${own} must be NAME=VALUE.`);
      const name = text.slice(0, at);
      if (typed && isSecretName(name)) {
        throw new Usage(
          `${name} is a secret, and others on this machine can read a command line. ` +
            `Use --${own}-file FILE with lines NAME=VALUE (- for standard input). Nothing was sent.`,
        );
      }
      return [name, text.slice(at + 1)];
    }),
  );
}

/** @throws Usage */
export function readFile(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch {
    throw new Usage(`${path === '-' ? 'Standard input' : path} cannot be read. Nothing was sent.`);
  }
}
