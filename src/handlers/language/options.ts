import type { Argument } from '../argument.ts';
import type { Asked } from './asked.ts';
import type { Pattern, Typed } from './pattern.ts';

type Words = readonly string[];

/** How a command is to be run, whatever it is. */
export type Manner = Pick<Asked, 'on' | 'dryRun' | 'reason'>;

/** The options that every command has. They may stand anywhere. */
export function takeGeneral(words: Words, quoted: ReadonlySet<string>): Manner & { readonly words: Words } {
  if (!words.some((word) => word.startsWith('--'))) return { words };
  const own: string[] = [];
  const on: string[] = [];
  let dryRun: true | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [name, value] = splitOption(word);
    // What stands in quotes may come from an appliance, and gives no orders.
    if (quoted.has(word)) own.push(word);
    else if (name === '--dry-run' && value === undefined) dryRun = true;
    else if (name === '--on') {
      const next = value ?? words[index + 1] ?? '';
      // People list appliances with a comma and a space.
      on.push(on.length === 0 ? next : `,${next}`);
      if (value === undefined) index += 1;
      while (on.at(-1)?.endsWith(',') && index + 1 < words.length) {
        index += 1;
        on.push(words[index] ?? '');
      }
    } else own.push(word);
  }
  return {
    words: own,
    ...(on.length === 0 ? {} : { on: on.join('') }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}

function splitOption(word: string): readonly [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word.toLowerCase(), undefined] : [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
}

type Options =
  | {
      readonly ok: true;
      readonly positional: Words;
      readonly typed: Typed;
      /** Why it is asked, where the command itself has no such option. */
      readonly reason?: string;
      /** One that wants a value, and has none. */
      readonly empty?: string;
    }
  | { readonly ok: false; readonly unknown: string };

/** Tells the options of a command from its other words. */
export function takeOptions(
  { command, options }: Pattern,
  words: Words,
  quoted: ReadonlySet<string>,
): Options {
  const isOption = (word: string) => /^--[a-z]/i.test(word) && !quoted.has(word);
  const isLine = Object.values(command.args).some((argument) => argument.isLine === true);
  if (isLine || !words.some((word) => word.startsWith('--'))) {
    return { ok: true, positional: words, typed: {} };
  }
  const positional: string[] = [];
  const typed: Record<string, Words> = {};
  let reason: string | undefined;
  let empty: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    const [name, value] = splitOption(word);
    const slot = options.get(name.slice(2));
    const isReason = slot === undefined && name === '--reason' && reason === undefined;
    if (!isOption(word)) positional.push(word);
    else if (!isReason && (slot === undefined || typed[slot.name] !== undefined)) {
      return { ok: false, unknown: word };
    } else if (slot !== undefined && command.args[slot.name]?.input === 'flag') typed[slot.name] = [''];
    else {
      const argument = slot && command.args[slot.name];
      const isText = slot === undefined || argument?.input === 'text';
      let end = index + 1;
      while (end < words.length && (!words[end]?.startsWith('--') || quoted.has(words[end] ?? ''))) end += 1;
      const free = words.slice(index + 1, end);
      const taken = value !== undefined ? [] : isText ? free : readable(free, argument);
      index += taken.length;
      const whole = value ?? taken.join(' ');
      if (slot === undefined) reason = whole;
      // A name is no file, and nobody may write one down for another: the form asks for it.
      else if (argument?.input === 'file') continue;
      else if (whole === '') empty ??= slot.name;
      else typed[slot.name] = [whole];
    }
  }
  return {
    ...{ ok: true, positional, typed },
    ...(reason !== undefined && { reason }),
    ...(empty !== undefined && { empty }),
  };
}

/** As many of the words as can be read together; the first, where none can. */
function readable(words: Words, argument: Argument | undefined): Words {
  for (let count = Math.min(words.length, argument?.words ?? 1); count > 1; count -= 1) {
    const taken = words.slice(0, count);
    if (argument?.read(taken.join(' ')).ok) return taken;
  }
  return words.slice(0, 1);
}
