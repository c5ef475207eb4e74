import type { AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { cleanLine, splitValues } from '../../handlers/language/line.ts';
import { fileWord } from '../../handlers/lists/posted-file.ts';
import { say, type Text } from '../../handlers/reply.ts';
import type { Entered } from '../base/form.ts';
import { notFitting, passwordInText } from '../wording/misfits.ts';
import { argumentOf, slotsOf } from './inputs.ts';
import { readAlone } from './search.ts';

/** What stands in the inputs, as words of a line: cleaned like one, but for passwords, and split where several are wanted. */
export function wordsIn(
  command: AnyCommand,
  { words, files }: Entered,
  before: Asked['typed'],
): Asked['typed'] {
  const typed = slotsOf(command).map(({ name, several }): [string, readonly string[]] => {
    const { input, isLine, list, among } = argumentOf(command, name);
    const file = files[name];
    if (input === 'file') return [name, file === undefined ? (before[name] ?? []) : [fileWord(file)]];
    const given = words[name] ?? [];
    const isChosen = list !== undefined || among !== undefined;
    const isWhole = input === 'secret' || input === 'flag' || (isLine !== undefined && input === 'text');
    if (isChosen || isWhole) return [name, given];
    const lines = several ? given.flatMap((text) => text.split('\n')) : given;
    const cleaned = lines.map(cleanLine).filter((line) => line !== '');
    return [name, several ? cleaned.flatMap(splitValues) : cleaned];
  });
  return Object.fromEntries(typed.filter(([, given]) => given.length > 0));
}

/** Everything that is wrong at once, by input; each is read by the very reader of a typed line. */
export function problemsOf(asked: Asked): Readonly<Record<string, Text>> {
  const problems = slotsOf(asked.command).flatMap((slot): [string, Text][] => {
    const found = readAlone(asked, slot);
    if (found.kind === 'missing') return [[slot.name, say`This is needed.`]];
    if (found.kind === 'too_many') {
      return [[slot.name, say`At most ${found.most} fit at once, and these are ${found.given}.`]];
    }
    if (found.kind === 'secret') {
      return [[slot.name, passwordInText]];
    }
    return found.kind === 'invalid' ? [[slot.name, notFitting(found)]] : [];
  });
  return Object.fromEntries(problems);
}
