/** What is told of one thing that was asked. */

import { tellsWhere } from '../language/asked.ts';
import { elapsed, enumerate, messageLink, person, plainText, say, strong, type Text } from '../reply.ts';
import { forTicket, ofPlan, typed } from './action-part.ts';
import { type HistoryEntry, marks } from './history.ts';

/** One line of an incident: what was asked, who agreed, and how it ended after how long. */
export function happened(entry: HistoryEntry): Text {
  const { approvedBy, decidedBy, asked, ended } = entry;
  const approved = approvedBy.length === 0 ? [] : say`; approved by ${enumerate(approvedBy.map(person))}`;
  const ending =
    decidedBy === undefined || approvedBy.includes(decidedBy) ? [] : say`; ended by ${person(decidedBy)}`;
  const lasted =
    ended !== undefined && ended - asked >= 60_000 ? say` (after ${elapsed(ended - asked)})` : [];
  return say`${typed(entry)}${onWhat(entry)}${forTicket(entry)}${ofPlan(entry)}${approved}${ending}: ${endedIn(entry)}${lasted}`;
}

/** How it ended, with one mark: an answer may begin with one of its own, which says more. */
export const endedIn = ({ state, outcome }: HistoryEntry): Text =>
  state === 'done' && /^\p{Extended_Pictographic}/u.test(plainText(outcome))
    ? outcome
    : say`${marks[state]} ${outcome}`;

/** Where, unless the line ends with just that. */
export const onWhat = ({ line, appliances }: Pick<HistoryEntry, 'line' | 'appliances'>): Text =>
  appliances.length === 0 || tellsWhere(line, appliances)
    ? []
    : say` on ${enumerate(appliances.map(strong))}`;

/** Where to read on. */
export const threadOf = ({ channel: place, card, reference }: HistoryEntry): Text =>
  card === undefined ? say`${reference}` : say`${messageLink(reference, place, card)}`;

/** Of a long outcome its first sentence, which says how it ended. */
const longest = 100;
export function shortened(words: string): string {
  if (words.length <= longest) return words;
  const [first = words] = words.split(/(?<=[.!?]) /, 1);
  return first.length <= longest ? first : `${first.slice(0, longest - 1).trimEnd()}…`;
}
