import { isDeepStrictEqual } from 'node:util';
import { tellsPassword } from '../../secrets.ts';
import type { AnyCommand } from '../command.ts';
import { areaOf, isLiteral, isParticle, nameOf } from '../command-name.ts';
import { type Asked, lineOf } from '../language/asked.ts';
import { spelled, withoutManners, wordsIn } from '../language/line.ts';
import type { Match, Suggestion } from '../language/match.ts';
import { createMatcher } from '../language/phrase.ts';
import { readAsked } from '../language/reading.ts';
import { wordsAmong } from '../lists/posted-file.ts';
import { readScheduled, saidOn, whatOf } from '../watch/recurrence.ts';
import { understandBeside, understandForTicket } from './beside.ts';
import type { Impossible } from './impossible.ts';
import { intentOf, moodOf, negation } from './intent.ts';
import { sayingsIn } from './sayings.ts';
import { type KnownThings, looksLikeSite } from './things.ts';
import { createUnderstanding, type Understand, type Understanding } from './understand.ts';
import { isFiller, nearTo, termOf } from './vocabulary.ts';

type Own = (line: string) => string | undefined;

/** Reads a cleaned line (`line.ts`): as a command if it is one, otherwise by its meaning. */
export interface Reader {
  (line: string, known?: KnownThings, own?: Own): Match;
  /**
   * Reads the line by its own words or a team's, without guessing and without the appliance's names. Undefined
   * if it takes a guess.
   */
  readonly plainly: (line: string, own?: Own) => Match | undefined;
  /** Other meanings of a line with a general verb, for when nothing has the name that follows it. */
  readonly otherwise: (line: string, command: AnyCommand) => readonly Suggestion[];
}

export function createReader(
  commands: readonly AnyCommand[],
  impossible: readonly Impossible[] = [],
): Reader {
  const match = createMatcher(commands);
  const general = readGeneralVerbs(commands);
  // Built on first use, because most lines are commands and the start should not wait.
  let made: Understand | undefined;
  const understand: Understand = (line, known) => {
    made ??= createUnderstanding(commands, impossible);
    const inTerms = made;
    return understandForTicket(line, (named) => understandBeside(named, (text) => inTerms(text, known)));
  };

  /** Asks every command with `hears`, so a line that is plainly a command skips it. */
  function heardIn(line: string): AnyCommand | undefined {
    return commands.find(({ hears }) => hears?.(line));
  }

  function plainly(line: string, own?: Own): Match | undefined {
    const found = match(asksTheBot.test(line) ? withoutManners(line) : line);
    // "can i approve it myself" asks about what waits, and not about who may look at that.
    const [, inner] = found.kind === 'command' ? (lineIn(found) ?? []) : [];
    const isHeard = inner !== undefined && heardIn(line)?.hears?.(inner) === true;
    if (found.kind === 'command' && !isHeard && isMeant(found, line, match) && !general.giveWay(found, line))
      return found;
    const heard = heardIn(line);
    if (heard !== undefined) return match(heard.phrase);
    if (isMeant(found, line, match) && !general.giveWay(found, line)) return found;
    const plain = spelledOut(line);
    const asked = plain === line || plain === '' ? found : match(plain);
    if (isMeant(asked, plain, match) && !general.giveWay(asked, plain)) return asked;
    const talk = smallTalk(line);
    if (talk !== undefined) return match(talk);
    // The line contains a password, so it is neither stored nor repeated, whatever it means.
    if (tellsPassword(line)) return { kind: 'secret', command: undefined };
    // "status every weekday at 8:00" gives command and time, so it is no guess. The same holds for "status
    // every hour", which lacks a time.
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
    // If no other command fits, the general verb was meant after all.
    const givesWay = general.giveWay(found, plain);
    const meantByVerb =
      givesWay && found.kind === 'command' ? sayingVerb(plain, understood, found.command) : understood;
    return aboutAnOrder(found, known) ?? byItsName(better(found, meantByVerb, givesWay), plain);
  }

  /** The meanings besides the general one. What no command can do is said beside all that comes close. */
  function sayingVerb(line: string, understood: Understanding, command: AnyCommand): Understanding {
    if (understood.kind !== 'choices') return understood.kind === 'lookup' ? { kind: 'unknown' } : understood;
    const others = understood.choices.filter((one) => one.command !== command);
    const saying = general.saying(line, others);
    const choices = saying.length === 0 && understood.impossible !== undefined ? others : saying;
    return choices.length === 0 ? { kind: 'unknown' } : { ...understood, choices };
  }

  /** Other meanings of a line with a general verb when nothing has the name that follows it. */
  function otherwise(line: string, command: AnyCommand): readonly Suggestion[] {
    const understood = sayingVerb(line, understand(line), command);
    return 'choices' in understood ? understood.choices : [];
  }

  /** "who can restart the rdp gateway": the meanings of the inner line, if it orders something. */
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

/** "can you undo" is not about a person called "you". */
const asksTheBot = /^can you /i;

/** Removes filler; "is @bob allowed to …" means "can @bob …". */
const spelledOut = (line: string): string =>
  withoutManners(line).replace(/^(?:am|is|are) (\S+) (?:allowed|permitted) to (?=\S)/i, 'can $1 ');

/**
 * "no such thing" is no mistake in `approvals`, of which "no" is another name: nobody typed that it takes
 * arguments.
 */
function byItsName(found: Match, line: string): Match {
  // "never mind" withdraws a request, and "never foo" does not begin like it.
  if (found.kind === 'astray' && negation.test(found.known)) return { kind: 'unknown', nearest: [] };
  if (found.kind !== 'surplus') return found;
  const { command } = found;
  const name = nameOf(command);
  if (Object.keys(command.args).length > 0 || `${line} `.toLowerCase().startsWith(`${name} `)) return found;
  return { kind: 'unknown', nearest: [{ command, line: name, asked: { command, typed: {} } }] };
}

/** Whether the line needs no guess: a command, or a mistake that explains itself. */
function isMeant(found: Match, line: string, match: (line: string) => Match): boolean {
  switch (found.kind) {
    case 'command':
      return !isAboutNoLine(found, match);
    case 'invalid':
      // "can people reach ebay.de" names nobody, and "what happened to ebay.de" no action; "categorize foo"
      // names something that is no domain.
      return (
        isOnlyThat(found, line) || (!isFiller(found.word) && !/^what /i.test(line) && !isBareSite(found))
      );
    case 'missing':
      // "delete category games" names no site.
      return !namesNoSite(found);
    case 'wrong_option':
      // "add it because they asked for more": the words of a reason are no options.
      return !/\sbecause\s/i.test(line);
    case 'secret':
    case 'too_many':
      return true;
    default:
      return false;
  }
}

/** Whether a plain word stands where a site is wanted. */
const namesNoSite = ({ command, typed }: Asked): boolean =>
  Object.entries(command.args).some(
    ([name, argument]) =>
      argument.recognisable === true &&
      wordsAmong(typed[name]).some((word) => /^[\w-]+$/.test(word) && !argument.read(word).ok),
  );

/** "who can reach srv-hr-01" asks about no command. */
function isAboutNoLine(found: Asked, match: (line: string) => Match): boolean {
  const [, line] = lineIn(found) ?? [];
  if (line === undefined) return false;
  const { kind } = matchAnywhere(readScheduled(line)?.line ?? whatOf(line) ?? line, match);
  return kind === 'unknown' || kind === 'astray';
}

/** Reads the appliance in words, if the rest is a command. */
function matchAnywhere(line: string, match: (line: string) => Match): Match {
  const found = match(line);
  const said = found.kind === 'command' ? undefined : saidOn(line);
  const there = said && match(`${said.line} --on ${said.on}`);
  return there?.kind === 'command' ? there : found;
}

const isLookup = (found: Match): boolean => found.kind === 'command' && found.command.kind === 'lookup';

/** The line inside the line, and the name of its argument. */
function lineIn({ command, typed }: Asked): readonly [string, string] | undefined {
  const name = Object.keys(command.args).find((one) => command.args[one]?.isLine === 'command');
  return name === undefined ? undefined : [name, wordsAmong(typed[name]).join(' ')];
}

/** "directory connect ldap" begins like several changes in unusual words, but the meant command is none of them. */
const leadsElsewhere = (found: Match, meant: AnyCommand): boolean =>
  found.kind === 'astray' &&
  found.known.includes(' ') &&
  found.continuations.every((one) => one.effect !== 'read' && one !== meant);

/** "categorize foo": just a command and this word. */
const isOnlyThat = ({ command, word }: Extract<Match, { kind: 'invalid' }>, line: string): boolean =>
  !isFiller(word) && line.toLowerCase() === `${nameOf(command)} ${word}`.toLowerCase();

/** "why is tiktok blocked": a lookup of a site may leave out its ending. */
const isBareSite = ({ command, argument, word }: Extract<Match, { kind: 'invalid' }>): boolean =>
  command.effect === 'read' &&
  command.args[argument]?.recognisable === true &&
  /^[a-z][a-z0-9-]+$/i.test(word);

/**
 * The guess, if it says more than the words by themselves.
 * @param givesWay the verb takes anything, and its words belong to other commands
 */
function better(found: Match, understood: Understanding, givesWay: boolean): Match {
  if (found.kind === 'invalid' && !givesWay && !isFiller(found.word)) {
    const [first] = understood.kind === 'choices' ? understood.choices : [];
    const isSite = first?.command === found.command && first.isPartial !== true;
    return isSite && isBareSite(found) ? { kind: 'unknown', nearest: [first] } : found;
  }
  switch (understood.kind) {
    case 'lookup': {
      // A bare area means the whole area.
      if (found.kind === 'incomplete' || leadsElsewhere(found, understood.meant.command)) return found;
      const read = readAsked(understood.meant.asked);
      return read.kind === 'command' ? { ...read, understoodAs: lineOf(read) } : read;
    }
    case 'impossible':
      return { kind: 'impossible', impossible: understood.impossible, nearest: understood.choices };
    case 'choices': {
      // A wrong value of the command that is meant anyway is reported with its reason.
      const [first] = understood.choices;
      // Surplus words are reported as such, unless another command explains them better.
      const isSame =
        'typed' in found &&
        found.command === first?.command &&
        isDeepStrictEqual(found.typed, first.asked.typed);
      const isSaid = isSame && (first.isPartial === true || !understood.saysAll);
      const isMeantAfterAll = found.kind === 'command' && found.command === first?.command;
      if (isSaid || isMeantAfterAll || (found.kind === 'incomplete' && !understood.isClear)) return found;
      // Typing a command's words means that command, also with surplus words after them.
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

/**
 * Greetings and thanks, and the line of the command that answers them. They come in any language, so each word
 * is listed, and a line counts only if it has no other words.
 */

const greetings = `hi hello hey heya hiya howdy hallo hullo moin servus grüezi greetings morning yo hola bonjour salut bonsoir ciao salve
  buongiorno buonasera olá ola oi hej hei hejsan ahoj cześć czesc dzień dobry namaste merhaba privet привет guten goedemorgen goedemiddag
  morgen tag abend grüß grüss gott buenos buenas días dias tardes bom dia good afternoon evening day test testing ping`;
const gratitude = `thanks thank thx thanx tnx ty tysm cheers danke dankeschön dankeschoen dank vielen herzlichen besten merci beaucoup gracias
  muchas grazie mille obrigado obrigada bedankt dankjewel tack tak takk kiitos dzięki dziękuję appreciated`;
const farewells = `bye goodbye cya tschüss tschuess tschau adieu au revoir adiós adios arrivederci night nite nacht gute schönen feierabend
  buenas noches bonne nuit wiedersehen auf see you later tomorrow soon weekend`;
const remarks = `ok okay okey okidoki k kk alright cool nice great awesome perfect super excellent wow fine good prima gut toll klasse genial
  lol lmao rofl haha hehe hihi hmm hm oh ah aha well done job work one love it amazing brilliant sweet neat interesting funny`;
/** Words beside a greeting without a meaning of their own. */
const beside = `bot appliance-bot appliance there all everyone everybody team folks guys mate friend you so very much again for the your help
  that this is works worked it now a lot to and ! you're the best i we was were have has had got am are really appreciate please dir euch ihnen sehr schön tout le monde`;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const kinds = [
  { line: 'thanks', words: setOf(gratitude) },
  { line: 'hello', words: setOf(greetings) },
  { line: 'bye', words: new Set([...setOf(farewells), ...setOf(remarks)]) },
] as const;
const known: ReadonlySet<string> = new Set([...kinds.flatMap(({ words }) => [...words]), ...setOf(beside)]);

/** `haaaha`, `:wave:`, `👍`, `:)`, `1 2 3`: a sound, a sign or a count. */
const signs =
  /^(?:(?:a?(?:ha){2,}h?|he(?:he)+|lo+l|:[\w+-]+:(?::skin-tone-\d:)?|[:;=8x]-?[()dpo3*]+|<3|\d|(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+)[.!?]*)$/iu;
/** Such a word alone is no small talk: "all", "1", "help". */
const tells = (word: string): boolean =>
  kinds.some(({ words }) => words.has(word)) || (signs.test(word) && !/^\d$/.test(word));

/** Undefined if the line says anything else. */
function smallTalk(line: string): string | undefined {
  if (line.length > 80) return undefined;
  const words = line
    .toLowerCase()
    .split(/[\s,]+/)
    .map((word) =>
      signs.test(word) ? word : word.replace(/^[.!?¡¿"'()*~-]+|(?<![.!?"'()*~-])[.!?"'()*~-]+$/g, ''),
    )
    .filter((word) => word !== '');
  if (/^(?:are|r) (?:you|u) (?:there|alive|up|awake|ok)$/.test(words.join(' '))) return 'hello';
  if (!words.some(tells) || !words.every((word) => known.has(word) || signs.test(word))) return undefined;
  // "good" begins a greeting and a farewell, so the last distinctive word decides.
  if (words.some((word) => kinds[0].words.has(word))) return 'thanks';
  if (words.some((word) => farewellWords.has(word))) return 'bye';
  return words.some((word) => kinds[1].words.has(word) && word !== 'good') ? 'hello' : 'bye';
}

const farewellWords = new Set([
  'bye',
  'night',
  'nite',
  'nacht',
  'tomorrow',
  'later',
  'weekend',
  'revoir',
  'noches',
  'nuit',
  'wiedersehen',
]);

interface GeneralVerbs {
  /**
   * Whether the words after the verb are about other commands, as in "end all sessions" and "show interfaces".
   * The line is then understood by its words.
   */
  readonly giveWay: (found: Match, line: string) => boolean;
  /** Keeps the suggestions that share the verb: "end the sync" must not suggest starting one. */
  readonly saying: (line: string, nearest: readonly Suggestion[]) => readonly Suggestion[];
}

/** The nouns of all other commands, and the nouns of those whose actions a verb takes. */
interface Terms {
  readonly all: ReadonlySet<string>;
  readonly own: Readonly<Record<'temporary' | 'planned', ReadonlySet<string>>>;
}

/** Verbs that take the name of anything: "end …", "keep …", "show …". */
function readGeneralVerbs(commands: readonly AnyCommand[]): GeneralVerbs {
  const general = commands.filter((command) => slotOf(command) !== undefined);
  const special = commands.filter((command) => !general.includes(command));
  // Built on first use, because most lines do not need it and the start should not wait.
  let made: Terms | undefined;
  const terms = (): Terms => {
    made ??= {
      all: termsOf(special),
      own: {
        temporary: termsOf(special.filter(canBeTemporary)),
        planned: termsOf(special.filter(({ kind }) => kind === 'change')),
      },
    };
    return made;
  };

  return { giveWay, saying };

  function giveWay(found: Match, line: string): boolean {
    if (!('typed' in found)) return false;
    const { command, typed } = found;
    const slot = slotOf(command);
    const names = slot === undefined ? undefined : command.args[slot]?.namesAny;
    if (slot === undefined || names === undefined || isWithArea(command, line)) return false;
    // The word is no name of an action, even with a typing mistake.
    if (names === 'action')
      return found.kind === 'invalid' && !/^(?:a-|#?\d+$)|\/archives\//i.test(found.word);
    const { all, own } = terms();
    const words = wordsAmong(typed[slot])
      .flatMap((one) => one.split(/\s+/))
      .map(bare);
    // "cancel the block of example.com" is about the access to a site.
    if (names === 'planned' && words.some(looksLikeSite) && intentOf(line).access !== undefined) return true;
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

/** "temporary end …" is clear by the area before it. */
const isWithArea = (command: AnyCommand, line: string): boolean =>
  areaOf(command) !== nameOf(command) && line.toLowerCase().startsWith(`${areaOf(command)} `);

const slotOf = ({ args }: AnyCommand): string | undefined =>
  Object.keys(args).find((name) => args[name]?.namesAny !== undefined);

const canBeTemporary = (command: AnyCommand): boolean =>
  command.kind === 'change' && (command.undo ?? command.timed) !== undefined;

/** The nouns of commands: their words, their arguments' names, and the timed changes that they start. */
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
