import type { AnyCommand } from '../command.ts';
import { areaOf, isLiteral, isParticle, nameOf } from '../command-name.ts';
import type { Match, Suggestion } from '../language/match.ts';
import { sayingsIn } from './sayings.ts';
import { isFiller, nearTo, termOf } from './vocabulary.ts';

interface GeneralVerbs {
  /**
   * Whether a line is not about what its verb takes: all that stands behind it is what other commands speak of, as in "end all
   * sessions" and "show interfaces". It is understood by what it says.
   */
  readonly giveWay: (found: Match, line: string) => boolean;
  /** Of what a line with such a verb may mean, those that say the verb, too: whoever ends the sync does not want to begin one. */
  readonly saying: (line: string, nearest: readonly Suggestion[]) => readonly Suggestion[];
}

/** Verbs that take the name of anything: "end …", "keep …", "show …". */
export function readGeneralVerbs(commands: readonly AnyCommand[]): GeneralVerbs {
  const general = commands.filter((command) => slotOf(command) !== undefined);
  const special = commands.filter((command) => !general.includes(command));
  const all = termsOf(special);
  const own = {
    temporary: termsOf(special.filter(canBeTemporary)),
    planned: termsOf(special.filter(({ kind }) => kind === 'change')),
    action: new Set<string>(),
  } as const;

  return { giveWay, saying };

  function giveWay(found: Match, line: string): boolean {
    if (!('typed' in found)) return false;
    const { command, typed } = found;
    const slot = slotOf(command);
    const names = slot === undefined ? undefined : command.args[slot]?.namesAny;
    if (slot === undefined || names === undefined || isWithArea(command, line)) return false;
    // It is no name of an action, be it with a slip.
    if (names === 'action')
      return found.kind === 'invalid' && !/^(?:a-|#?\d+$)|\/archives\//i.test(found.word);
    const words = (typed[slot] ?? []).flatMap((one) => one.split(/\s+/)).map(bare);
    const isTheirs = (word: string) => all.has(termOf(word)) && !own[names].has(termOf(word));
    return (
      words.some(isTheirs) &&
      words.every(
        (word, index) => saysNoName(word) || isSomebody(word, words[index - 1]) || all.has(termOf(word)),
      )
    );
  }

  function saying(line: string, nearest: readonly Suggestion[]): readonly Suggestion[] {
    const verb = termOf(line.trim().split(/\s+/, 1)[0] ?? '');
    const near = nearTo(verb);
    const says = (term: string) => term === verb || (near.get(term) ?? 0) >= 0.5;
    return nearest.filter(({ command }) => saidOf(command).some((word) => says(termOf(word))));
  }
}

const saidOf = ({ phrase, also = [], says }: AnyCommand): readonly string[] =>
  [phrase, ...also, ...sayingsIn(says)].flatMap((said) => said.split(' ').filter(isLiteral));

/** "temporary end …" says what is meant by the area that stands before it. */
const isWithArea = (command: AnyCommand, line: string): boolean =>
  areaOf(command) !== nameOf(command) && line.toLowerCase().startsWith(`${areaOf(command)} `);

const slotOf = ({ args }: AnyCommand): string | undefined =>
  Object.keys(args).find((name) => args[name]?.namesAny !== undefined);

const canBeTemporary = (command: AnyCommand): boolean =>
  command.kind === 'change' && (command.undo ?? command.timed) !== undefined;

/** What commands speak of: the words that they are written with, what their arguments are called, and what they switch on for a time. */
function termsOf(commands: readonly AnyCommand[]): ReadonlySet<string> {
  return new Set(
    commands.flatMap((command) =>
      [
        ...[command.phrase, ...(command.also ?? [])].flatMap((phrase) => phrase.split(' ').filter(isLiteral)),
        ...Object.entries(command.args).flatMap(([name, { what }]) => [name, what.split(' ').at(-1) ?? name]),
        ...(command.kind === 'change' ? (command.timed?.name.split(' ') ?? []) : []),
      ]
        .filter((word) => !isParticle(word) && !isFiller(word))
        .map(termOf),
    ),
  );
}

const bare = (word: string): string => word.replace(/^[("“]+/, '').replace(/(?<![.,;!?)"”])[.,;!?)"”]+$/, '');

const saysNoName = (word: string): boolean =>
  isFiller(word) || isParticle(word) || /^#?\d*$/.test(word) || /^mine$/i.test(word);

/** "bob’s", "of bob", "@bob". */
const isSomebody = (word: string, before: string | undefined): boolean =>
  /['’]s$|^<?@/.test(word) || /^(?:of|by)$/i.test(before ?? '');
