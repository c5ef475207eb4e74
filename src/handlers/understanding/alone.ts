import { isIP } from 'node:net';
import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import type { Asked } from '../language/asked.ts';
import { type Pattern, readPattern } from '../language/pattern.ts';
import { fitOf, type KnownThings } from './things.ts';
import type { SaidWord } from './token.ts';

/** What a thing may be that is typed without a word about it. */
export interface Alone {
  /** The lookups that tell what it is. */
  readonly meant: readonly Asked[];
  /** Whether it is known to be what they are about. */
  readonly isSure: boolean;
}

/** `maria.lopez`, `example.com`, `google_sni`: the lookups that tell about the one thing that was typed. */
export function createAlone(
  commands: readonly AnyCommand[],
): (words: readonly SaidWord[], known: KnownThings) => Alone | undefined {
  const lookups = commands
    .filter(({ byNameAlone }) => byNameAlone === true)
    .map((command) => ({ command, slot: slotOf(readPattern(command.phrase, command)) }));

  return (words, known) => {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0) return undefined;
    const appliance = known.appliances.get(word.text.toLowerCase());
    const found = lookups.flatMap(({ command, slot }) => {
      const argument = slot === undefined ? undefined : command.args[slot];
      if (slot === undefined || argument === undefined)
        return appliance === undefined
          ? []
          : [{ asked: { command, typed: {}, on: appliance }, isSure: true }];
      const isSure = isNameOf(argument, word, known);
      return isSure === undefined ? [] : [{ asked: { command, typed: { [slot]: [word.text] } }, isSure }];
    });
    const sure = found.filter(({ isSure }) => isSure);
    const meant = (sure.length > 0 ? sure : found).map(({ asked }) => asked);
    return meant.length === 0 ? undefined : { meant, isSure: sure.length === 1 };
  };
}

const slotOf = ({ rest }: Pattern): string | undefined =>
  rest.flatMap((one) => (one.kind === 'slot' ? one.name : []))[0];

/** Whether a word is the name of what an argument takes; undefined where it is not. Of an address nobody knows what it is. */
function isNameOf(argument: Argument, word: SaidWord, known: KnownThings): boolean | undefined {
  const found = fitOf(argument, word, known);
  if (found === undefined) return undefined;
  if (argument.list !== undefined) return found.fit === 1 ? true : undefined;
  if (argument.recognisable) return found.fit < 0.9 ? undefined : isIP(word.text) === 0;
  // What takes any word is known by none; an ID has a form of its own.
  if (!argument.read('x').ok) return true;
  return found.fit < 0.6 ? undefined : false;
}
