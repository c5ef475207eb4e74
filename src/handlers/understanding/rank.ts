import type { AnyCommand } from '../command.ts';
import { isLiteral } from '../command-name.ts';
import type { Asked } from '../language/asked.ts';
import { type Filled, fill } from './fill.ts';
import type { Impossible } from './impossible.ts';
import { type Mood, moodOf } from './intent.ts';
import type { Saying, Sayings } from './sayings.ts';
import type { KnownThings } from './things.ts';
import { type SaidWord, type Token, tokenOf } from './token.ts';
import { isFiller } from './vocabulary.ts';

/** A command that a line may mean, with the words that fill it. */
export interface Ranked {
  readonly command: AnyCommand;
  readonly asked: Asked;
  /** From 0 to 1: how much of the line the command explains, and how many of its own words are there. */
  readonly score: number;
  /** Whether all required words are there. */
  readonly isWhole: boolean;
  /** Whether all values are known or look right. */
  readonly isSure: boolean;
  /** Whether no meaningful word of the line is left over. */
  readonly saysAll: boolean;
}

export interface RankedImpossible {
  readonly impossible: Impossible;
  readonly score: number;
  /** Whether the line has every word that identifies it, and no word with another meaning. */
  readonly isWhole: boolean;
}

export interface Ranking {
  readonly commands: readonly Ranked[];
  readonly impossible: RankedImpossible | undefined;
}

/** Lower scores are ignored. */
const least = 0.2;
/** A phrasing that explains every word wins against one that is at most this much better. */
const nearlyAsGood = 0.1;

export function rank(words: readonly SaidWord[], mood: Mood, sayings: Sayings, known: KnownThings): Ranking {
  const tokens = words.map((word) => tokenOf(word, sayings, known));
  const clauses = clausesOf(tokens);
  // Words that every command shares find nothing, unless there are no others.
  const telling = tokens.filter(({ weight }) => weight >= 0.2);
  const terms = [
    ...new Set((telling.length > 1 ? telling : tokens).flatMap(({ terms }) => [...terms.keys()])),
  ];
  const best = new Map<AnyCommand, Ranked>();
  const explained = new Map<AnyCommand, number>();
  let impossible: RankedImpossible | undefined;
  const areas = new Set(tokens.flatMap(({ area }) => area ?? []));
  const fillings = new Map<AnyCommand, Filled>();
  for (const saying of sayings.with(terms)) {
    const { meaning } = saying;
    if (meaning.kind === 'impossible') {
      const { score: own, saysAll, isSaid } = scoreIn(clauses, saying, undefined);
      const score = own * belonging(saying, areas);
      if (score > (impossible?.score ?? least)) {
        impossible = { impossible: meaning.impossible, score, isWhole: saysAll && isSaid };
      }
      continue;
    }
    const { command } = meaning;
    const named = namedBy(saying, tokens);
    const filled =
      named === undefined
        ? (fillings.get(command) ?? fill(tokens, meaning, known))
        : fill(tokens, meaning, known, named);
    if (named === undefined) fillings.set(command, filled);
    const { score, saysAll } = scoreIn(clauses, saying, filled);
    const { asked, isWhole, isSure } = filled;
    if (saying.isExplained) {
      explained.set(command, score);
      if (best.has(command)) continue;
    }
    // An exact phrasing is hardly ambiguous, unless nothing has the name in it: "block facebook" blocks no server.
    const isExact = named !== undefined && [...named.keys()].every((name) => asked.typed[name] !== undefined);
    const how = saying.isExplained ? 0.6 : isExact ? 1.15 : 1;
    const found = {
      command,
      asked,
      isWhole,
      isSure,
      saysAll,
      score: score * how * fitting(mood, command) * belonging(saying, areas),
    };
    const before = best.get(command);
    const isFuller =
      mood !== 'order' && saysAll && before?.saysAll === false && found.score > before.score - nearlyAsGood;
    if (found.score > (before?.score ?? least) || isFuller) best.set(command, found);
  }
  const commands = [...best.values()]
    .map((one) => ({ ...one, score: one.score + 0.06 * (explained.get(one.command) ?? 0) }))
    .toSorted((one, other) => other.score - one.score);
  return { commands, impossible };
}

/** The words in the slots of a phrasing that the line matches exactly; undefined if it does not. */
function namedBy(
  { words, slots, isExplained, meaning }: Saying,
  tokens: readonly Token[],
): ReadonlyMap<string, Token> | undefined {
  if (isExplained || slots.size === 0 || meaning.kind !== 'command') return undefined;
  const { args, effect } = meaning.command;
  const literal = words.filter(isLiteral);
  // "check printer" is about a site only if it is written as one; "why is tiktok blocked" is always about one.
  const isAboutSite = effect === 'read' && literal.length > 1 && !literal.every(isFiller);
  const isTime = (index: number) => /^(?:since|until)$/i.test(tokens[index]?.word.text ?? '');
  const length = isTime(tokens.length - 2) ? tokens.length - 2 : tokens.length;
  if (length !== words.length) return undefined;
  const named = new Map<string, Token>();
  for (const [index, word] of words.entries()) {
    const token = tokens[index] as Token;
    const [, slot] = /^<([^<>]+)>$/.exec(word) ?? [];
    if (slot === undefined) {
      if (token.word.text.toLowerCase() !== word.toLowerCase()) return undefined;
    } else if (token.isWritten || isFiller(token.word.text)) return undefined;
    else if (!args[slot]?.recognisable || isAboutSite) named.set(slot, token);
  }
  return named;
}

/** Naming an area means one of its commands, unless none of them is close. */
function belonging({ areas }: Saying, named: ReadonlySet<string>): number {
  return named.size === 0 || areas.size === 0 || [...areas].some((area) => named.has(area)) ? 1 : 0.8;
}

/** Questions prefer lookups, and orders prefer changes. */
function fitting(mood: Mood, { effect }: AnyCommand): number {
  if (mood === 'question') return effect === 'read' ? 1 : 0.6;
  if (mood === 'order') return effect === 'read' ? 0.8 : 1;
  return effect === 'read' ? 1 : effect === 'write' ? 0.92 : 0.88;
}

/** Tokens that may be the whole meaning, and their weight. */
interface Clause {
  readonly tokens: readonly Token[];
  readonly counts: number;
}

/** The whole line, and each of its clauses: "AD is back, stop the emergency" reports one thing and wants another. */
function clausesOf(tokens: readonly Token[]): readonly Clause[] {
  const parts = [...Map.groupBy(tokens, ({ word }) => word.clause).values()];
  const whole = { tokens, counts: 1 };
  if (parts.length === 1) return [whole];
  const texts = parts.map((part) => part.map(({ word }) => word.text).join(' '));
  // An order after a report is the wish.
  const wanted = moodOf(texts[0] ?? '', false) === 'unclear' ? texts.findIndex(isOrder) : -1;
  const clauses = parts.map((part, index) => ({
    tokens: part,
    counts: wanted === -1 ? 0.85 : index === wanted ? 1 : 0.6,
  }));
  return [wanted === -1 ? whole : { tokens, counts: 0.9 }, ...clauses.filter((one) => one.tokens.length > 1)];
}

const isOrder = (text: string): boolean => moodOf(text, false) === 'order';

function scoreIn(clauses: readonly Clause[], saying: Saying, filled: Filled | undefined) {
  const [whole, ...others] = clauses.map(({ tokens, counts }) => {
    const found = scoreOf(tokens, saying, filled);
    return { ...found, score: found.score * counts };
  });
  const score = Math.max(...[whole, ...others].map((one) => one?.score ?? 0));
  return { score, saysAll: whole?.saysAll === true, isSaid: whole?.isSaid === true };
}

/** How well a line matches a phrasing: its words that are there, and the line's words that are left over. */
function scoreOf(tokens: readonly Token[], saying: Saying, filled: Filled | undefined) {
  const taken = new Map<Token, number>();
  let said = 0;
  let sayable = 0;
  let isSaid = true;
  for (const { term, weight } of saying.terms) {
    let nearest: Token | undefined;
    let how = 0;
    for (const token of tokens) {
      const near = taken.has(token) ? 0 : (token.terms.get(term) ?? 0);
      if (near > how) [nearest, how] = [token, near];
    }
    // People leave out the kind of a thing that its name identifies.
    sayable += nearest === undefined && filled?.isNamed ? weight / 2 : weight;
    if (how < sameWord && weight > mostOfFiller) isSaid = false;
    if (nearest === undefined) continue;
    taken.set(nearest, how);
    said += weight * how;
  }
  // "block <site>" is a full phrasing; the form asks for the category.
  for (const [name, fit] of filled?.slots ?? []) {
    if (saying.slots.size > 0 && !saying.slots.has(name)) continue;
    sayable += slotWeight;
    said += fit * slotWeight;
  }
  // "add a site to a category" gives the wish without the values.
  for (const { term, isFilled } of filled?.nouns ?? []) {
    const token = tokens.find((one) => !taken.has(one) && one.terms.get(term) === 1);
    if (token === undefined) continue;
    taken.set(token, 0.9);
    if (!isFilled) said += slotWeight / 2;
  }
  // "rdp sessions of bob": the area adds nothing to a command of that area.
  for (const token of tokens) {
    if (token.area !== undefined && saying.areas.has(token.area) && !taken.has(token)) taken.set(token, 0.8);
  }
  let saysAll = true;
  let line = 0;
  let told = 0;
  let { holes } = saying;
  const isOpen = filled === undefined || saying.isForAnybody;
  for (const [index, token] of tokens.entries()) {
    const how = taken.get(token);
    const isHole =
      how === undefined && !filled?.fits.has(token) && holes > 0 && isName(token, tokens[index - 1]?.noun);
    if (isHole) holes -= 1;
    // A list of all may contain the thing; an impossible or general answer holds for any thing.
    const ofHole = isOpen ? 0.8 : 0.5;
    const fit = isHole ? ofHole : filled === undefined ? namesAppliance(token) : filled.fits.get(token);
    const weight = fit === undefined ? token.weight : Math.max(token.weight, fit);
    if (
      how === undefined &&
      (isHole ? !isOpen : fit === undefined) &&
      (token.word.isQuoted || !isFiller(token.word.text))
    ) {
      saysAll = false;
    }
    line += how === undefined && fit === undefined && looksMeant(token) ? Math.max(weight, 0.8) : weight;
    told += weight * Math.max(how ?? 0, fit === undefined ? 0 : 0.4 + 0.6 * fit);
  }
  const ofSaying = sayable === 0 ? 0 : said / sayable;
  const ofLine = line === 0 ? 0 : told / line;
  const score = ofSaying + ofLine === 0 ? 0 : (2 * ofSaying * ofLine) / (ofSaying + ofLine);
  // "show <member>" fits anything, unless a member has that name.
  const isVague =
    (filled?.slots.size ?? 0) > 0 && !filled?.isNamed && saying.terms.every(({ weight }) => weight <= 0.25);
  return { score: said === 0 || told === 0 ? 0 : isVague ? score * 0.75 : score, saysAll, isSaid };
}

/** Below this, it is a related word or a typing mistake. */
const sameWord = 0.85;
/** Above this, the word has a meaning. */
const mostOfFiller = 0.25;

/** A limit holds on every appliance. */
const namesAppliance = ({ appliance }: Token): number | undefined =>
  appliance === undefined ? undefined : 1;

/** The weight of a slot, compared with a word that only one command has. */
const slotWeight = 0.35;

/** Whether the word may be a name: it has no meaning of its own, or its kind stands before it ("user reports"). */
const isName = (token: Token, before: string | undefined): boolean =>
  looksMeant(token) || ((!token.isWritten || before !== undefined) && !isFiller(token.word.text));

/** A domain, a number or a quoted name is typed on purpose. */
const looksMeant = ({ word: { text, isQuoted } }: Token): boolean => isQuoted || /[0-9@_]|\w\.\w/.test(text);
