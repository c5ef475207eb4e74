import type { AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { cleanLine, splitSites, splitValues } from '../../handlers/language/line.ts';
import { pastedIn } from '../../handlers/lists/pasted.ts';
import { fileWord, readPosted } from '../../handlers/lists/posted-file.ts';
import { say, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { type Entered, fileInputOf } from '../base/form.ts';
import { notFitting, passwordInText } from '../wording/misread/misfits.ts';
import { argumentOf, isKept, slotsOf } from './inputs.ts';
import { readAlone } from './search.ts';

/** What stands in the inputs, as words of a line: cleaned like one, but for passwords, and split where several are wanted. */
export function wordsIn(
  command: AnyCommand,
  { words, files }: Entered,
  before: Asked['typed'],
): Asked['typed'] {
  const typed = slotsOf(command).map(({ name, several }): [string, readonly string[]] => {
    const argument = argumentOf(command, name);
    const { input, isLine, list, among, fromFile } = argument;
    if (isKept(argument, before[name])) return [name, before[name] ?? []];
    const file = files[fromFile ? fileInputOf(name) : name];
    if (input === 'file') return [name, file === undefined ? (before[name] ?? []) : [fileWord(file)]];
    const given = words[name] ?? [];
    const isChosen = list !== undefined || among !== undefined;
    const isWhole = input === 'secret' || input === 'flag' || (isLine !== undefined && input === 'text');
    if (isChosen || isWhole)
      return [name, fromFile && file !== undefined ? [...given, fileWord(file)] : given];
    const lines = several ? given.flatMap((text) => pastedIn(text, argument.recognisable !== true)) : given;
    const cleaned = lines.map(cleanLine).filter((line) => line !== '');
    const split = argument.holdsSites ? splitSites : splitValues;
    const own = several ? cleaned.flatMap(split).map(asTyped) : cleaned;
    return [name, fromFile && file !== undefined ? [...own, fileWord(file)] : own];
  });
  return Object.fromEntries(typed.filter(([, given]) => given.length > 0));
}

/** Only what somebody has chosen as a file stands for one. */
const asTyped = (word: string): string => (readPosted(word) === undefined ? word : '(a file)');

/** Everything that is wrong at once, by input; each is read by the very reader of a typed line. */
export function problemsOf(asked: Asked): Readonly<Record<string, Text>> {
  const problems = slotsOf(asked.command).flatMap((slot): [string, Text][] => {
    const words = asked.typed[slot.name] ?? [];
    const typed = words.filter((word) => readPosted(word) === undefined);
    // What stands in it is read when the form is sent.
    const isList = argumentOf(asked.command, slot.name).fromFile === true;
    if (isList && typed.length < words.length && typed.length === 0) return [];
    const own = isList ? { ...asked, typed: { ...asked.typed, [slot.name]: typed } } : asked;
    const found = readAlone(own, slot);
    if (found.kind === 'missing' && isList)
      return [[slot.name, say`This is needed: write it here, or choose a file below.`]];
    if (found.kind === 'missing') return [[slot.name, say`This is needed.`]];
    if (found.kind === 'too_many') {
      return [
        [slot.name, say`At most ${number(found.most)} fit at once, and these are ${number(found.given)}.`],
      ];
    }
    if (found.kind === 'secret') {
      return [[slot.name, passwordInText]];
    }
    return found.kind === 'invalid' ? [[slot.name, notFitting(found)]] : [];
  });
  return Object.fromEntries(problems);
}
