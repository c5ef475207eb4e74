/** The terms by which records are found: those that a record has, and those that are looked for. */

import { storedText } from '../../stored-text.ts';
import { referenceOf } from '../actions/reference.ts';
import { aboutTerm, aboutTerms } from './about.ts';
import { type AuditRecord, isChange } from './record.ts';

/** By what a record is found. */
export function termsOf({
  person,
  channel,
  command,
  appliances,
  effect,
  decision,
  ...record
}: AuditRecord): readonly string[] {
  const words = command?.split(' ') ?? [];
  const terms = [
    everything,
    `by:${person}`,
    `in:${channel}`,
    ...words.map((_, index) => `command:${words.slice(0, index + 1).join(' ')}`),
    ...new Set(appliances.map((name) => `on:${name}`)),
    ...(record.ticket ? [ticketTerm(record.ticket)] : []),
    ...(record.plan ? [planTerm(referenceOf(record.plan.action))] : []),
    ...(record.about ? [...aboutTerms(record.about), ...endedAs(record)] : []),
    ...(decision.allowed === false ? ['denied'] : []),
    ...(isChange(effect) ? ['change'] : []),
    // Those of earlier versions, which are not told from lines with a mistake in them, are not found so.
    ...('understoodAs' in record && decision.code === notUnderstood ? [notUnderstood] : []),
  ];
  // Records of earlier versions hold texts that their terms do not.
  return terms.map(storedText);
}

/** Of records of earlier versions this is not told. */
const endedAs = ({ state, approvals }: Pick<AuditRecord, 'state' | 'approvals'>): readonly string[] => [
  ...(state === 'failed' ? ['failed'] : []),
  ...(approvals.some(({ counts }) => counts) ? ['approved'] : []),
];

/** The code of a line that is no command by its words. */
const notUnderstood = 'not_understood';

/** However somebody writes its letters. */
const ticketTerm = (ticket: string): string => `ticket:${ticket.toLowerCase()}`;

const planTerm = (reference: string): string => `plan:${reference.toLowerCase()}`;

/** What every record is found by. */
const everything = 'all';

/** What is looked for; all of it must be so. */
export interface AuditFilter {
  /** Slack IDs. */
  readonly by?: string | undefined;
  readonly in?: string | undefined;
  /** The name of a command, or its first words. */
  readonly command?: string | undefined;
  /** One of these appliances is enough. */
  readonly on?: readonly string[] | undefined;
  /** The ticket that it was done for, in any case. */
  readonly ticket?: string | undefined;
  /** The plan that it belongs to, as people call it. */
  readonly plan?: string | undefined;
  /** Refused, because whoever asked may not do that. */
  readonly denied?: boolean | undefined;
  /** What it is about, by name: a site, or a domain that it belongs to, an object, a person. */
  readonly about?: string | undefined;
  /** Done, and it did not work. */
  readonly failed?: boolean | undefined;
  /** Others said yes to it. */
  readonly approved?: boolean | undefined;
  readonly changes?: boolean | undefined;
  /** A line that is no command. */
  readonly notUnderstood?: boolean | undefined;
  /** What has ended since then: milliseconds since the epoch. */
  readonly since?: number | undefined;
  /** What has ended by then. */
  readonly until?: number | undefined;
}

/** The terms of which a record must have one each. */
export function termsFor({
  by,
  in: where,
  command,
  on,
  ticket,
  plan,
  denied,
  about,
  failed,
  approved,
  changes,
  notUnderstood: isUnclear,
}: AuditFilter): readonly (readonly string[])[] {
  const wanted = [
    [everything],
    ...(by === undefined ? [] : [[`by:${by}`]]),
    ...(where === undefined ? [] : [[`in:${where}`]]),
    ...(command === undefined ? [] : [[`command:${command.trim().toLowerCase().split(/\s+/).join(' ')}`]]),
    ...(on === undefined ? [] : [on.map((name) => `on:${name}`)]),
    ...(ticket === undefined ? [] : [[ticketTerm(ticket)]]),
    ...(plan === undefined ? [] : [[planTerm(plan)]]),
    ...(denied ? [['denied']] : []),
    ...(about === undefined ? [] : [[aboutTerm(about)]]),
    ...(failed ? [['failed']] : []),
    ...(approved ? [['approved']] : []),
    ...(changes ? [['change']] : []),
    ...(isUnclear ? [[notUnderstood]] : []),
  ];
  return wanted.map((some) => some.map(storedText));
}

/** Whether a record, by its terms, is one that is looked for. */
export function isWanted(terms: readonly string[], wanted: readonly (readonly string[])[]): boolean {
  return wanted.every((some) => some.some((term) => terms.includes(term)));
}
