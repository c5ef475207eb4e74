import type { AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { cleanLine, cleanText, splitValues } from '../../handlers/language/line.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { isSeveral, readPattern } from '../../handlers/language/pattern.ts';
import { isFormatted } from '../../handlers/lists/formats.ts';
import { isFence, pastedIn } from '../../handlers/lists/pasted.ts';
import { type GivenValue, isMeantAsList, type PostedFile } from '../../handlers/lists/posted-file.ts';
import type { ForwardedMessage } from '../base/chat.ts';
import { forwardedValues } from './links.ts';

/** A line that is about what came with it: files, or entries in the lines below. */
export interface AboutGiven {
  readonly asked: Asked;
  /** Its words alone are no command: what it is taken for is put before the person. */
  readonly isGuess: boolean;
  /** What a list is read from that was pasted in the format of another program: it stands as a file among the words. */
  readonly pasted?: string;
}

/**
 * What a line asks of the files that came with it: "category add to 252 --for 2h", "add these to shopping for 2h". Undefined where
 * it is about none of them, or a command as it stands.
 */
export function aboutFiles(
  line: string,
  posted: readonly PostedFile[],
  read: (line: string) => Match,
): AboutGiven | undefined {
  // Where only a list is wanting, whatever came along is meant as one, and told what it is.
  const wanted = read(line);
  const isWanting = wanted.kind === 'missing' && takesFile(wanted.command, wanted.argument);
  const lists = posted.filter(isMeantAsList);
  return about(line, isWanting && lists.length === 0 ? posted : lists, read);
}

/** The same of a list in the lines below: "add these to 252 for 2h:", and a site in each line. */
export function aboutEntries(typed: string, read: (line: string) => Match): AboutGiven | undefined {
  const [first = '', ...below] = typed.trim().split(/\r\n|[\n\r]/);
  const lines = below.map((line) => cleanText(line.replaceAll('```', ''))).filter((line) => !isFence(line));
  if (isFormatted(lines.filter((line) => line !== '')))
    return aboutFormatted(cleanLine(first).replace(/ ?:$/, ''), lines.join('\n'), read);
  const words = pastedIn(below.join('\n')).map(cleanLine).flatMap(splitValues);
  if (words.length === 0 || read(cleanLine(typed)).kind === 'command') return undefined;
  return about(cleanLine(first).replace(/ ?:$/, ''), words, read);
}

/** A list in the format of another program is read as a file of it is: its lines are no words. */
function aboutFormatted(line: string, pasted: string, read: (line: string) => Match): AboutGiven | undefined {
  const list: PostedFile = { id: 'pasted', name: 'the pasted list', size: Buffer.byteLength(pasted) };
  const whole = read(line);
  const isExact = whole.kind === 'command' && whole.understoodAs === undefined;
  const slot = isExact
    ? Object.keys(whole.command.args).find((one) => takesFile(whole.command, one))
    : undefined;
  const found =
    isExact && slot !== undefined
      ? { asked: withWords(whole, slot, [list]), isGuess: false }
      : about(line, [list], read);
  return found && { ...found, pasted };
}

/**
 * The same of the messages that were forwarded with the line: "why can't they open this", and somebody's complaint. What stands
 * there is data: it fills in what the line leaves open and asks for nothing itself.
 */
export function aboutForwarded(
  line: string,
  forwarded: readonly ForwardedMessage[],
  read: (line: string) => Match,
): AboutGiven | undefined {
  const words = forwardedValues(forwarded);
  if (line === '') return undefined;
  const fits = ({ args, phrase, ...command }: AnyCommand, slot: string): boolean => {
    const argument = args[slot];
    if (argument === undefined) return false;
    const isThing =
      argument.recognisable === true || argument.fromFile === true || argument.list !== undefined;
    const { rest } = readPattern(phrase, { ...command, args, phrase });
    const isOne = !rest.some((element) => isSeveral(element) && element.name === slot);
    return isThing && !(isOne && words.length > 1) && words.every((word) => argument.read(word).ok);
  };
  const found = about(line, words, read, { said: saidOfMessage, fits, isBeside: true });
  return found && { ...found, isGuess: true };
}

interface Manner {
  /** How people speak of what they have handed over. */
  readonly said: RegExp;
  /** Whether a slot takes it. */
  readonly fits: (command: AnyCommand, slot: string) => boolean;
  /** What is handed over is meant also where the line has no word for it. */
  readonly isBeside: boolean;
}

function about(
  line: string,
  words: readonly GivenValue[],
  read: (line: string) => Match,
  { said, fits, isBeside }: Manner = { said: saidOfThem, fits: takesFile, isBeside: false },
): AboutGiven | undefined {
  if (words.length === 0) return undefined;
  const whole = read(line);
  const isSaid = said.test(line);
  // A line that was only understood may have taken "this" for nothing.
  const isExact = whole.kind === 'command' && !(isBeside && isSaid && whole.understoodAs !== undefined);
  if (isExact || whole.kind === 'secret') return undefined;
  if (whole.kind === 'missing' && fits(whole.command, whole.argument))
    return { asked: withWords(whole, whole.argument, words), isGuess: false };
  const found = read(isSaid || !isBeside ? line.replace(said, standIn) : `${line} ${standIn}`);
  const slotOf = ({ command, typed }: Asked): string | undefined =>
    Object.keys(typed).find((slot) => fits(command, slot) && typed[slot]?.includes(standIn));
  // What its words alone do not say is taken for what comes first, and put before the person.
  const likeliest =
    found.kind === 'unknown'
      ? found.nearest.find(({ asked }) => slotOf(asked) !== undefined)?.asked
      : undefined;
  const meant = found.kind === 'command' || found.kind === 'missing' ? found : likeliest;
  const slot = meant && slotOf(meant);
  if (meant === undefined || slot === undefined) return undefined;
  return { asked: withWords(meant, slot, words), isGuess: found.kind === 'unknown' };
}

/** Stands for them while the line is read: a domain, an address, and a pattern, and no site of anybody's (RFC 2606). */
const standIn = 'attached-file.invalid';

/** How people speak of what they have attached. */
const saidOfThem =
  /\b(?:(?:all|everything|the|these|those|this) )*(?:(?:attached|following) )?(?:sites|domains|hosts|urls|addresses|patterns|entries|list|file|csv|snippet|attachment|these|those|them|everything)(?: (?:in|from|of) (?:the |this )?(?:attached )?(?:file|list|csv|snippet|attachment))?\b/i;

/** How people speak of a message that they forward, or of what stands in it. */
const saidOfMessage =
  /\b(?:(?:all|each|both) (?:of )?)?(?:th(?:is|at|ese|ose)(?: (?:one|ones|sites?|websites?|pages?|domains?|hosts?|urls?|links?|address(?:es)?|entries|list|message))?|the (?:sites?|websites?|pages?|domains?|hosts?|urls?|links?|address(?:es)?|entries|list)(?: (?:in|from|of) (?:it|this|that|the message))?|them|it|everything|die(?:se[rnms]?)?(?: (?:seiten?|links?|adressen?))?|das)\b/i;

export const takesFile = ({ args }: AnyCommand, slot: string): boolean => args[slot]?.fromFile === true;

function withWords(asked: Asked, slot: string, words: readonly GivenValue[]): Asked {
  const others = asked.typed[slot]?.filter((word) => word !== standIn) ?? [];
  const { command, typed } = asked;
  return { ...mannerOf(asked), command, typed: { ...typed, [slot]: [...others, ...words] } };
}
