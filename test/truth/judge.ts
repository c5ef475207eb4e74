import type { Action } from '../../src/journal/journal.ts';
import { columns } from '../kills/columns.ts';
import type { Case } from './matrix.ts';
import { mostTogether } from './state.ts';

/** A claim of the bot at a moment, and the appliance's own state then. */
export interface Look {
  readonly claim: Claim;
  readonly headline: string;
  /** All messages since the line was typed. */
  readonly text: string;
  /** The configurable state that has changed since then. */
  readonly places: ReadonlySet<string>;
  /** Whether all that is configured is in force. */
  readonly isLive: boolean;
}

/** The bot's claim, by how the action ended in the journal. */
export type Claim =
  | 'done'
  | 'in part'
  | 'accepted'
  | 'not done'
  | 'unknown'
  | 'answered'
  | 'could not be asked';

/** Whether the state has become what the same order makes of it where nothing goes wrong. */
type Shows = 'changed' | 'in part' | 'unchanged';

export type Falsehood = (typeof falsehoods)[number];

const falsehoods = [
  /** Done, and the state shows nothing of it. */
  'false success',
  /** Not done, and the state shows it. */
  'false failure',
  /** More than was done. */
  'false count',
  /** An answer that cannot have come. */
  'false answer',
  /** None, gone, already: and it is otherwise. */
  'false negative',
  /** Live, and its live state lacks it. */
  'false live',
  /** Not live, and it is. */
  'false not live',
  /** Carried out on an appliance that nobody has looked at. */
  'wrong appliance',
] as const;

/** The false claims of a case. A word such as *unknown* claims nothing and is never false. */
export function falsehoodsIn(one: Case): readonly Falsehood[] {
  return [...new Set(one.looks.flatMap((look) => [...told(one, look)]))];
}

function* told(one: Case, look: Look): Generator<Falsehood> {
  const { way, isChange, clean } = one;
  const shows = showsIn(look, clean);
  if (look.claim === 'done' && shows === 'unchanged' && clean.places.size > 0) yield 'false success';
  // A change that the bot retries may still come after its claim.
  if (look.claim === 'not done' && shows !== 'unchanged' && !/retried until/.test(look.headline))
    yield 'false failure';
  if (
    isChange &&
    way?.hits === 'questions after the yes' &&
    shows !== 'unchanged' &&
    !isToldUpgraded(one, look)
  )
    yield 'wrong appliance';
  if (one.takesSeveral && look.claim === 'done' && countIn(look.headline) > mostTogether(look.places))
    yield 'false count';
  if (isOfLists(way) && hasOtherCount(look.text, clean.text)) yield 'false count';
  if (isOfLists(way) && negativesIn(look.text, clean.text).length > 0) yield 'false negative';
  if (isFailing(way) && look.claim === 'answered') yield 'false answer';
  const [live, notLive] = [look.text.lastIndexOf('Live since'), look.text.lastIndexOf('Not live yet')];
  if (live >= 0 && live > notLive && !look.isLive) yield 'false live';
  if (notLive >= 0 && notLive > live && look.isLive) yield 'false not live';
}

/** The same serial number with another service pack is the same appliance: confirmed changes run, and the card says so. */
const isToldUpgraded = ({ way }: Case, { text }: Look): boolean =>
  way?.fault === 'other-service-pack' && /was upgraded since this was asked for/.test(text);

const isOfLists = (way: Case['way']): boolean => way !== undefined && /^lists-/.test(way.fault);

/** Words that say that something is not there, or was so before. */
const negative =
  /\bhas no \w|\bno longer exist|\b(?:is|are|was|were) gone\b|\bnot (?:found|categorized|blocked)\b|\bno such\b|\bnone of\b|^no \w[^.]* (?:contains?|match(?:es)?|found|open|connected)\b|\b0 other\b|\b(?:is|are|was|were) already\b/i;
/** Words that say by whose account, or that it may be otherwise. */
const reserved =
  /\b(?:lists?|listed|answered|answers|reports?|reported|says|said|names|named|incomplete|whole|at least|only|first|so far|may|might|could not|couldn’t|cannot|can’t|twice|repeated|\d of \d)\b/i;

/** Sentences that deny something, unless the faultless run has them, too. */
function negativesIn(text: string, cleanText: string): readonly string[] {
  const right = new Set(sentencesOf(cleanText).map(withoutNumbers));
  return sentencesOf(text).filter(
    (one) =>
      negative.test(one) && !reserved.test(one) && (!right.has(withoutNumbers(one)) || noOther.test(one)),
  );
}

const noOther = /\b0 other\b/;

const sentencesOf = (text: string): readonly string[] =>
  text.split(/(?<=[.!?:])\s+|\n/).map((one) => one.trim().replaceAll(/\d?\d:\d\d(?::\d\d)?(?: [AP]M)?/g, ''));

/** The same sentence with other numbers; measured values, and the bot's own earlier work, may differ each time. */
function hasOtherCount(text: string, cleanText: string): boolean {
  // Rows of a table are of one kind, and each of them is right.
  const right = Map.groupBy(sentencesOf(cleanText), withoutNumbers);
  return sentencesOf(text).some((one) => {
    const as = right.get(withoutNumbers(one));
    return as !== undefined && !as.includes(one) && !measured.test(one) && !reserved.test(one);
  });
}

const withoutNumbers = (text: string) => text.replaceAll(/\d[\d,.]*/g, '#');
const measured =
  /\d (?:s|min|h|d|ms|seconds?|minutes?|hours?|days?|[KMGT]B|bytes|%|skipped)(?:\W|$)|[│┃]|\d{4}-\d\d|\d (?:Jan|Feb|Mar|Apr|May|June|July|Aug|Sept|Oct|Nov|Dec) \d{4}|, lowest |^connection IDs |^(?:Clients|Open connections) /;

const isFailing = (way: Case['way']): boolean =>
  way?.hits === 'questions' && !/^(?:lists|clock)-/.test(way.fault);

/** The result of every fault, as a table in Markdown. */
export function tableOf(cases: readonly Case[]): string {
  const rows = [...Map.groupBy(cases, wayOf)].map(([way, those]) => {
    const told = those.map(falsehoodsIn);
    const unknown = those.filter(({ looks }) => looks.at(-1)?.claim === 'unknown').length;
    const each = falsehoods.map((one) => told.filter((all) => all.includes(one)).length);
    return [way, those.length, told.filter((all) => all.length === 0).length, unknown, ...each].map(String);
  });
  return columns([['fault', 'cases', 'true', 'unknown', ...falsehoods], ...rows]);
}

/** Such as `lists-empty: questions after the order`. */
export const wayOf = ({ way }: Case): string => (way === undefined ? 'none' : `${way.fault}: ${way.hits}`);

function showsIn({ places }: Look, clean: Look): Shows {
  const as = [...clean.places].filter((place) => places.has(place)).length;
  return as === 0 ? 'unchanged' : as === clean.places.size ? 'changed' : 'in part';
}

/** "2 sites removed from shopping" */
const countIn = (headline: string): number =>
  Number(/^([\d,]+) /.exec(headline)?.[1]?.replaceAll(',', '') ?? 0);

export function claimOf(action: Action | undefined): Claim {
  switch (action?.state) {
    case 'done':
      // One of several questions was not answered, and the headline says so.
      if (action.effect === 'read')
        return /could not be asked/i.test(headlineOf(action)) ? 'could not be asked' : 'answered';
      return action.outcome?.code === 'accepted' ? 'accepted' : 'done';
    case 'failed':
    case 'refused':
    case 'cancelled':
      if (action.outcome?.code === 'in_part' || hasDoneLines(action)) return 'in part';
      return action.effect === 'read' || action.effect === undefined ? 'could not be asked' : 'not done';
    default:
      return 'unknown';
  }
}

/** A plan that stopped says how many of its lines were done before. */
const hasDoneLines = ({ outcome }: Action): boolean =>
  outcome?.code === 'plan_stopped' && /\. \d+ lines? done/.test(outcome.says);

export const headlineOf = (action: Action | undefined): string =>
  action?.outcome?.says ?? action?.state ?? 'nothing';
