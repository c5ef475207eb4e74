import { type Part, say, type Text } from '../../handlers/reply.ts';

/** What people read about a fault: what happened, what did not, and what to do, in this order. */
export interface Sentences {
  readonly happened: Text;
  readonly not: Text;
  /** Where there are `choices`, it stands above them. Empty only where what happened says already what to do. */
  readonly todo: Text;
  readonly choices?: readonly Part[];
  readonly details?: readonly Part[];
}

type Words<Facts, Said> = Said | ((facts: Facts) => Said);

/** One fault of the catalogue: each of its sentences stands as it is, or is made of the facts. */
export interface FaultWords<Facts> {
  readonly happened: Words<Facts, Text>;
  readonly not: Words<Facts, Text>;
  readonly todo: Words<Facts, Text>;
  readonly choices?: (facts: Facts) => readonly Part[];
  readonly details?: (facts: Facts) => readonly Part[];
  /** Somebody may not do that; the audit counts it among the denials. */
  readonly denies?: true;
}

export const words = <Facts = unknown>(entry: FaultWords<Facts>): FaultWords<Facts> => entry;

/** Of a fault whose facts say which of several it is. */
export type Chosen<Facts> = (facts: Facts) => Sentences;

export type FactsOf<Entry> =
  Entry extends FaultWords<infer Facts> ? Facts : Entry extends Chosen<infer Facts> ? Facts : never;

export function sentencesOf<Facts>(entry: FaultWords<Facts> | Chosen<Facts>, facts: Facts): Sentences {
  if (typeof entry === 'function') return entry(facts);
  const { happened, not, todo, choices, details } = entry;
  const told = (text: Words<Facts, Text>): Text => (typeof text === 'function' ? text(facts) : text);
  return {
    ...{ happened: told(happened), not: told(not), todo: told(todo) },
    ...(choices && { choices: choices(facts) }),
    ...(details && { details: details(facts) }),
  };
}

export const didYouMean = say`Did you mean:`;
export const noChanges = say`No changes were made.`;
export const noChangesYet = say`No changes were made yet.`;
export const clickDidNothing = say`Your click did nothing.`;
export const notRequested = say`Nothing was requested.`;

/** Sentences one after the other; those that are empty leave no gap. */
export const inARow = (...sentences: readonly Text[]): Text =>
  sentences.filter((one) => one.length > 0).flatMap((one, index) => (index === 0 ? one : [' ', ...one]));
