import type { ApplianceFailure } from '../../api/index.ts';
import { cut } from '../../graphemes.ts';
import { code, type Part, plainText, type Reply, say, strong, type Text } from '../../handlers/reply.ts';

/** In characters: what fits into a line. */
const longest = 200;

/**
 * What an appliance itself said, in one quoted line; where that is not all of it, all of it goes along as a file.
 * @param replies each in lines, as the client gives them (`OrderReply`)
 */
export function saidParts(appliance: string, replies: readonly string[]): readonly Part[] {
  if (replies.length === 0) return [];
  if (replies.every(isBareYes)) return [];
  const all = likeOnes([...new Set(replies.filter((one) => one !== ''))]).join('\n');
  if (all === '') return [{ kind: 'text', text: say`${strong(appliance)} said nothing in reply.` }];
  const joined = all.replaceAll('\n', ' · ');
  const isAll = joined.length <= longest;
  const [first = ''] = all.split('\n');
  const text = say`${strong(appliance)} said: ${code(isAll ? joined : `${cut(first, longest - 2)} …`)}`;
  return [{ kind: 'text', text }, ...(isAll ? [] : [wholeOf(appliance, all)])];
}

/** Words that say only that it went well. */
const plain: ReadonlySet<string> = new Set(
  'a an and been done has have is are now ok operation completed succeeded success successfully the was were'.split(
    ' ',
  ),
);
/** Words by which the same names say something else in another order. */
const relations: ReadonlySet<string> = new Set(
  'after before by for from in into instead never no not of off on out to with without'.split(' '),
);

const wordsIn = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .split(/[\s,;()“”"'’]+/u)
    .map((word) => word.replace(/(?<![.:!?…])[.:!?…]+$/u, ''))
    .filter((word) => word !== '' && !plain.has(word));

/**
 * Whether an appliance only repeats what people are told anyway. Every word and number of its reply stands there; where one relates
 * names to each other, all of them stand in one sentence and in the same order: a move from A to B is not one from B to A.
 */
export function isRepetition(reply: string, told: readonly Text[]): boolean {
  const words = wordsIn(reply);
  const known = told.map((text) => wordsIn(plainText(text)));
  if (words.some((word) => relations.has(word))) return known.some((sentence) => isWithin(words, sentence));
  const all = new Set(known.flat());
  return words.every((word) => all.has(word));
}

/** Whether these words stand in that sentence one after the other, with or without others between them. */
function isWithin(words: readonly string[], sentence: readonly string[]): boolean {
  let next = 0;
  for (const word of sentence) if (word === words[next]) next += 1;
  return next === words.length;
}

/** A list goes in several requests, and the appliance says the same of each but for its numbers. */
function likeOnes(replies: readonly string[]): readonly string[] {
  const alike = Map.groupBy(replies, (reply) => reply.replaceAll(/\d+/g, '#'));
  return [...alike.values()].flatMap((some) =>
    some.length > fewAlike ? [`${some[0]} (and ${some.length - 1} more like it)`] : some,
  );
}

/** So many are read without a word about them. */
const fewAlike = 2;

/**
 * `{"Status":true,"Error":""}`: that the order was taken, and no word more. `pushed: 500`: how many of a list were in one request,
 * which says nothing to people; whether they are there is read back.
 */
function isBareYes(reply: string): boolean {
  if (/^[\w ]{1,40}: \d+$/.test(reply)) return true;
  if (!reply.startsWith('{')) return false;
  try {
    return Object.values(JSON.parse(reply)).every(
      (value) => value === true || value === '' || value === null,
    );
  } catch {
    return false;
  }
}

/** The same of a failed question or order, where its sentence does not quote it already. */
export function saidIn(appliance: string, failure: ApplianceFailure): readonly Part[] {
  const { words } = failure;
  const isQuoted = !('obstacle' in failure && failure.obstacle !== undefined) && failure.excerpt !== '';
  const gaveNoReason = failure.code === 'refused' && failure.reason === '';
  if (words !== '' && (!isQuoted || gaveNoReason)) return saidParts(appliance, [words]);
  // Data that was not understood is no words; a survey tells what came.
  return words.length <= longest || failure.code === 'unexpected_reply' ? [] : [wholeOf(appliance, words)];
}

const wholeOf = (appliance: string, text: string): Part => ({ kind: 'log', name: `${appliance}.txt`, text });

/** What one of several appliances has to show, so that it is seen whose it is: under its name, and in files that have it in theirs. */
export function partsOf(appliance: string, details: readonly Part[] = []): readonly Part[] {
  const named = details.map(
    (part): Part => (part.kind === 'log' ? { ...part, name: ofAppliance(appliance, part.name) } : part),
  );
  // What says so itself needs no name above it.
  const isSaid = details.every(
    (part) =>
      (part.kind === 'text' && JSON.stringify(part.text[0]) === JSON.stringify(strong(appliance))) ||
      (part.kind === 'log' && part.name === ofAppliance(appliance, part.name)),
  );
  return isSaid ? named : [{ kind: 'text', text: [strong(appliance)] }, ...named];
}

const ofAppliance = (appliance: string, file: string): string =>
  file.startsWith(appliance) ? file : `${appliance}-${file}`;

/** How much of what is told has room on a card. */
const few = { lines: 3, characters: 300 };

/** What is told, as a few lines for a card; undefined where it is more than that, or where letters would not say it all. */
export function inFewLines({ headline, details = [] }: Reply): readonly string[] | undefined {
  const lines = [headline, ...details.map((part) => (part.kind === 'text' ? part.text : undefined))];
  const plain = lines.flatMap((line) => (line === undefined || !isLetters(line) ? [] : [plainText(line)]));
  const isAll = plain.length === lines.length && plain.length <= few.lines;
  return isAll && plain.every(({ length }) => length <= few.characters) ? plain : undefined;
}

const isLetters = (text: Text): boolean =>
  text.every((span) => typeof span === 'string' || ['strong', 'code', 'time'].includes(span.kind));
