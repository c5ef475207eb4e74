/** The account of a single request. */

import { cut } from '../../graphemes.ts';
import { tellsWhere } from '../language/asked.ts';
import type { FieldsByName } from '../part.ts';
import {
  channel,
  code,
  elapsed,
  enumerate,
  messageLink,
  moment,
  person,
  plainText,
  say,
  strong,
  type Text,
  ticketLink,
} from '../reply.ts';
import { type HistoryEntry, marks } from './history.ts';
import { recalled } from './recalled.ts';

/** One line of an incident: the request, the approvers, the result and its duration. */
export function happened(entry: HistoryEntry): Text {
  const { approvedBy, decidedBy, asked, ended } = entry;
  const approved = approvedBy.length === 0 ? [] : say`; approved by ${enumerate(approvedBy.map(person))}`;
  const ending =
    decidedBy === undefined || approvedBy.includes(decidedBy) ? [] : say`; ended by ${person(decidedBy)}`;
  const lasted =
    ended !== undefined && ended - asked >= 60_000 ? say` (after ${elapsed(ended - asked)})` : [];
  return say`${typed(entry)}${onWhat(entry)}${forTicket(entry)}${ofPlan(entry)}${approved}${ending}: ${endedIn(entry)}${lasted}`;
}

/** The result with one mark. An answer may begin with its own mark, which says more. */
export const endedIn = ({ state, outcome }: HistoryEntry): Text =>
  state === 'done' && /^\p{Extended_Pictographic}/u.test(plainText(outcome))
    ? outcome
    : say`${marks[state]} ${outcome}`;

/** The appliances, unless the line ends with exactly these. */
export const onWhat = ({ line, appliances }: Pick<HistoryEntry, 'line' | 'appliances'>): Text =>
  appliances.length === 0 || tellsWhere(line, appliances)
    ? []
    : say` on ${enumerate(appliances.map(strong))}`;

/** Links to the action's thread. */
export const threadOf = ({ channel: place, card, reference }: HistoryEntry): Text =>
  card === undefined ? say`${reference}` : say`${messageLink(reference, place, card)}`;

/** The first sentence of a long result says how it ended. */
const longest = 100;
export function shortened(words: string): string {
  if (words.length <= longest) return words;
  const [first = words] = words.split(/(?<=[.!?]) /, 1);
  return first.length <= longest ? first : `${cut(first, longest - 1).trimEnd()}…`;
}

export const typed = ({ line, understoodAs }: Pick<HistoryEntry, 'line' | 'understoodAs'>): Text =>
  understoodAs === undefined ? say`${code(line)}` : say`${code(line)} (understood as ${code(understoodAs)})`;

export const forTicket = ({ ticket }: Pick<Partial<HistoryEntry>, 'ticket'>): Text =>
  ticket === undefined ? [] : say` for ${ticketLink(ticket)}`;

export const ofPlan = ({ plan }: Pick<Partial<HistoryEntry>, 'plan'>): Text =>
  plan === undefined ? [] : say` (${planOf(plan)})`;

const planOf = ({ step, reference }: NonNullable<HistoryEntry['plan']>): string =>
  `${step === undefined ? '' : `step ${step} `}of the plan ${reference}`;

/** All facts except the result. */
export function factsOf(entry: HistoryEntry): FieldsByName {
  const { ticket, plan, asked, ended, appliances, approvedBy, evidence, card } = entry;
  return {
    'Asked by': say`${person(entry.person)}, ${moment(asked)}`,
    Line: typed(entry),
    Ticket: ticket === undefined ? undefined : say`${ticketLink(ticket)}`,
    Plan: plan === undefined ? undefined : say`${planOf(plan)}`,
    On: appliances.length === 0 ? undefined : enumerate(appliances.map(strong)),
    Ended: ended === undefined ? undefined : say`${moment(ended)}`,
    'Approved by': approvedBy.length === 0 ? undefined : enumerate(approvedBy.map(person)),
    Evidence: evidence.length === 0 ? undefined : recalled(evidence.join(' ')),
    Where:
      card === undefined
        ? say`${channel(entry.channel)}`
        : say`${messageLink('open its thread', entry.channel, card)}`,
  };
}
