import { isDeepStrictEqual } from 'node:util';
import { tellsPassword } from '../../secrets.ts';
import type { AnyCommand } from '../command.ts';
import { nameOf } from '../command-name.ts';
import { smallTalk } from '../conversation/small-talk.ts';
import { type Asked, lineOf } from '../language/asked.ts';
import { spelled, withoutManners, wordsIn } from '../language/line.ts';
import type { Match, Suggestion } from '../language/match.ts';
import { createMatcher } from '../language/phrase.ts';
import { readAsked } from '../language/reading.ts';
import { readScheduled, saidOn, whatOf } from '../watch/recurrence.ts';
import { understandBeside, understandForTicket } from './beside.ts';
import { readGeneralVerbs } from './general-verbs.ts';
import type { Impossible } from './impossible.ts';
import { moodOf } from './intent.ts';
import type { KnownThings } from './things.ts';
import { createUnderstanding, type Understand, type Understanding } from './understand.ts';
import { isFiller } from './vocabulary.ts';

type Own = (line: string) => string | undefined;

/** Reads a cleaned line (`line.ts`): as a command where it is one, and else by what it means. */
export interface Reader {
  (line: string, known?: KnownThings, own?: Own): Match;
  /** What it is by its own words or a team's, whatever there is on an appliance; undefined where that is to be guessed. */
  readonly plainly: (line: string, own?: Own) => Match | undefined;
  /** What else than this command a line may mean that begins with its general verb: nothing there is called so. */
  readonly otherwise: (line: string, command: AnyCommand) => readonly Suggestion[];
}

export function createReader(
  commands: readonly AnyCommand[],
  impossible: readonly Impossible[] = [],
): Reader {
  const match = createMatcher(commands);
  const general = readGeneralVerbs(commands);
  // Most lines are commands, and the start waits for nothing that they do not need.
  let made: Understand | undefined;
  const understand: Understand = (line, known) => {
    made ??= createUnderstanding(commands, impossible);
    const inTerms = made;
    return understandForTicket(line, (named) => understandBeside(named, (text) => inTerms(text, known)));
  };

  function plainly(line: string, own?: Own): Match | undefined {
    const found = match(asksTheBot.test(line) ? withoutManners(line) : line);
    if (found.kind === 'command' && isMeant(found, line, match) && !general.giveWay(found, line))
      return found;
    const heard = commands.find(({ hears }) => hears?.(line));
    if (heard !== undefined) return match(heard.phrase);
    if (isMeant(found, line, match) && !general.giveWay(found, line)) return found;
    const plain = spelledOut(line);
    const asked = plain === line || plain === '' ? found : match(plain);
    if (isMeant(asked, plain, match) && !general.giveWay(asked, plain)) return asked;
    const talk = smallTalk(line);
    if (talk !== undefined) return match(talk);
    // It is kept nowhere and repeated nowhere, whatever was meant.
    if (tellsPassword(line)) return { kind: 'secret', command: undefined };
    // "status every weekday at 8:00" says what and when, and is no guess; nor is "status every hour", which has no such time.
    const regular = readScheduled(line)?.line ?? whatOf(line);
    if (regular !== undefined && isLookup(matchAnywhere(regular, match))) return match(`schedule ${line}`);
    // A team's own words are no guess.
    const theirs = own?.(line);
    const meant = theirs === undefined ? undefined : match(theirs);
    if (meant?.kind === 'command') return { ...meant, understoodAs: lineOf(meant) };
    return meant?.kind === 'unknown' ? undefined : meant;
  }

  function read(line: string, known?: KnownThings, own?: Own): Match {
    const meant = plainly(line, own);
    if (meant !== undefined) return meant;
    const plain = spelledOut(line);
    const found = match(plain === '' ? line : plain);
    const understood = understand(line, known);
    // A general verb that has given way is meant after all where nothing else says it.
    const givesWay = general.giveWay(found, plain);
    const meantByVerb = givesWay && found.kind === 'command' ? sayingVerb(plain, understood) : understood;
    return aboutAnOrder(found, known) ?? better(found, meantByVerb, givesWay);
  }

  function sayingVerb(line: string, understood: Understanding): Understanding {
    if (understood.kind !== 'choices') return understood.kind === 'lookup' ? { kind: 'unknown' } : understood;
    const choices = general.saying(line, understood.choices);
    return choices.length === 0 ? { kind: 'unknown' } : { ...understood, choices };
  }

  /** What a line with a general verb may mean where nothing is called so that the verb takes. */
  function otherwise(line: string, command: AnyCommand): readonly Suggestion[] {
    const understood = sayingVerb(line, understand(line));
    return 'choices' in understood ? understood.choices.filter((one) => one.command !== command) : [];
  }

  /** "who can restart the rdp gateway": what may be meant by the line in it, where that orders something. */
  function aboutAnOrder(found: Match, known?: KnownThings): Match | undefined {
    const [name, line] = found.kind === 'command' ? (lineIn(found) ?? []) : [];
    if (found.kind !== 'command' || name === undefined || line === undefined) return undefined;
    if (moodOf(line, false) !== 'order') return undefined;
    const inner = understand(line, known);
    const choices = inner.kind === 'lookup' ? [inner.meant] : 'choices' in inner ? inner.choices : [];
    const nearest = choices.map(({ line }): Suggestion => {
      const { command, on } = found;
      const asked = { command, typed: { ...found.typed, [name]: wordsIn(line).map(spelled) }, on };
      return { command, line: lineOf(asked), asked };
    });
    return nearest.length === 0 ? undefined : { kind: 'unknown', nearest };
  }

  return Object.assign(read, { plainly, otherwise });
}

/** "can you undo" is not about somebody who is called so. */
const asksTheBot = /^can you /i;

/** Without manners; "is @bob allowed to …" asks what "can @bob …" does. */
const spelledOut = (line: string): string =>
  withoutManners(line).replace(/^(?:am|is|are) (\S+) (?:allowed|permitted) to (?=\S)/i, 'can $1 ');

/** What needs no guess: a command, or a mistake in one that says itself what is wrong. */
function isMeant(found: Match, line: string, match: (line: string) => Match): boolean {
  switch (found.kind) {
    case 'command':
      return !isAboutNoLine(found, match);
    case 'invalid':
      // "can people reach ebay.de" names nobody, and "what happened to ebay.de" no action; "categorize foo" names something that
      // is no domain.
      return (
        isOnlyThat(found, line) || (!isFiller(found.word) && !/^what /i.test(line) && !isBareSite(found))
      );
    case 'missing':
    case 'secret':
    case 'wrong_option':
    case 'too_many':
      return true;
    default:
      return false;
  }
}

/** "who can reach srv-hr-01" asks about no command. */
function isAboutNoLine(found: Asked, match: (line: string) => Match): boolean {
  const [, line] = lineIn(found) ?? [];
  if (line === undefined) return false;
  const { kind } = matchAnywhere(readScheduled(line)?.line ?? whatOf(line) ?? line, match);
  return kind === 'unknown' || kind === 'astray';
}

/** Says where in words, where it is a command by that. */
function matchAnywhere(line: string, match: (line: string) => Match): Match {
  const found = match(line);
  const said = found.kind === 'command' ? undefined : saidOn(line);
  const there = said && match(`${said.line} --on ${said.on}`);
  return there?.kind === 'command' ? there : found;
}

const isLookup = (found: Match): boolean => found.kind === 'command' && found.command.kind === 'lookup';

/** The line that stands in the line, and the name of its argument. */
function lineIn({ command, typed }: Asked): readonly [string, string] | undefined {
  const name = Object.keys(command.args).find((one) => command.args[one]?.isLine === 'command');
  return name === undefined ? undefined : [name, (typed[name] ?? []).join(' ')];
}

/** "directory connect ldap" begins like some changes, in words that nobody says by chance, and this is none of them. */
const leadsElsewhere = (found: Match, meant: AnyCommand): boolean =>
  found.kind === 'astray' &&
  found.known.includes(' ') &&
  found.continuations.every((one) => one.effect !== 'read' && one !== meant);

/** "categorize foo": its command and this word, and nothing that says more. */
const isOnlyThat = ({ command, word }: Extract<Match, { kind: 'invalid' }>, line: string): boolean =>
  !isFiller(word) && line.toLowerCase() === `${nameOf(command)} ${word}`.toLowerCase();

/** "why is tiktok blocked": what is looked up may be a site without its end. */
const isBareSite = ({ command, argument, word }: Extract<Match, { kind: 'invalid' }>): boolean =>
  command.effect === 'read' &&
  command.args[argument]?.recognisable === true &&
  /^[a-z][a-z0-9-]+$/i.test(word);

/**
 * What was understood, where that says more than what the words themselves are.
 * @param givesWay its verb takes anything, and its words are those of other commands
 */
function better(found: Match, understood: Understanding, givesWay: boolean): Match {
  if (found.kind === 'invalid' && !givesWay && !isFiller(found.word)) {
    const [first] = understood.kind === 'choices' ? understood.choices : [];
    const isSite = first?.command === found.command && first.isPartial !== true;
    return isSite && isBareSite(found) ? { kind: 'unknown', nearest: [first] } : found;
  }
  switch (understood.kind) {
    case 'lookup': {
      // An area by itself is asked for as a whole.
      if (found.kind === 'incomplete' || leadsElsewhere(found, understood.meant.command)) return found;
      const read = readAsked(understood.meant.asked);
      return read.kind === 'command' ? { ...read, understoodAs: lineOf(read) } : read;
    }
    case 'impossible':
      return { kind: 'impossible', impossible: understood.impossible, nearest: understood.choices };
    case 'choices': {
      // A value that does not fit into the command that is meant anyway is told with its reason.
      const [first] = understood.choices;
      // What is typed too much after a command is said to be, unless other words of the line fit better.
      const isSame =
        'typed' in found &&
        found.command === first?.command &&
        isDeepStrictEqual(found.typed, first.asked.typed);
      const isSaid = isSame && (first.isPartial === true || !understood.saysAll);
      const isMeantAfterAll = found.kind === 'command' && found.command === first?.command;
      if (isSaid || isMeantAfterAll || (found.kind === 'incomplete' && !understood.isClear)) return found;
      // Whoever types the words of a command means it, also where more follows than it takes.
      const isTyped = ({ command }: Suggestion) => found.kind === 'surplus' && command === found.command;
      const [typed, others] = [
        understood.choices.filter(isTyped),
        understood.choices.filter((one) => !isTyped(one)),
      ];
      return { kind: 'unknown', nearest: [...typed, ...others], impossible: understood.impossible };
    }
    case 'wrong_option':
      return understood;
    case 'unknown':
      return understood.longest !== undefined && (found.kind === 'unknown' || found.kind === 'astray')
        ? { kind: 'unknown', nearest: [], longest: understood.longest }
        : found;
  }
}
