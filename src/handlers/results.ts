/** Results of a command's code: the impact of a change, the answer to its order, and the read-back. */

import { createHash } from 'node:crypto';
import type { ApplianceFailure } from '../api/index.ts';
import {
  type Field,
  type FieldsByName,
  fieldsOf,
  type Offer,
  type Part,
  plainText,
  say,
  type Text,
} from './reply.ts';

/** Identifies the target of a change, as plain JSON for the journal. */
export type Fingerprint = Readonly<Record<string, string | number | boolean | null>>;

export type Preview = Ready | NothingToDo;

export interface Ready {
  readonly kind: 'ready';
  /** Shown above the buttons: "Disconnect session 12?" */
  readonly question: Text;
  readonly fields: readonly Field[];
  /**
   * The state that the person agrees to, as plain JSON. The click reads it again and runs nothing if it differs
   * (docs/decisions, rule 7). `verify` and `undo` also use it as the state before.
   */
  readonly fingerprint: Fingerprint;
  /**
   * The impact is larger than the words suggest, or the state has another form. Ask first although it can be
   * undone.
   */
  readonly asksFirst?: true;
}

/** There is nothing to change; the sentence says so, and suggests what to do. */
export interface NothingToDo {
  readonly kind: 'nothing';
  readonly why: Text;
  readonly offers?: readonly Offer[];
}

export interface Ran {
  /** Whether the appliance said yes. An answer without yes or no is not confirmed. */
  readonly confirmed: boolean;
  /** The appliance says that it has only begun. */
  readonly launched?: true;
  /**
   * Facts that only the answer has, such as the ID of a created thing. They join the fingerprint for `verify`,
   * `done` and `undo`.
   */
  readonly learned?: Fingerprint;
  /** Details for the thread, such as an installation's trace. */
  readonly details?: readonly Part[];
  /** The failure of one of several requests, after others were or may have been accepted. */
  readonly failure?: ApplianceFailure;
}

/** The result of reading back. `evidence` is a full sentence. `final`: reading again will show nothing else. */
export type Verification =
  | { readonly kind: 'happened'; readonly evidence: Text; readonly details?: readonly Part[] }
  | {
      readonly kind: 'not_happened';
      readonly evidence: Text;
      readonly details?: readonly Part[];
      readonly final?: true;
    }
  /** Some parts happened and some did not, and `evidence` says which. `open`: some are unknown. */
  | {
      readonly kind: 'in_part';
      readonly evidence: Text;
      readonly details?: readonly Part[];
      readonly open?: true;
      readonly final?: true;
    }
  /** This appliance shows nothing this time. `why` completes "not verified: …". `passing`: it may show it later. */
  | {
      readonly kind: 'not_checkable';
      readonly why: string;
      readonly final?: true;
      readonly passing?: true;
    }
  /**
   * It continues, and `evidence` says how far it is. Only for changes with `lasts`. `unseen`: it may continue,
   * but nothing shows it so far.
   */
  | { readonly kind: 'under_way'; readonly evidence: Text; readonly unseen?: true };

export type Lasting =
  | { readonly kind: 'lasts' | 'over'; readonly evidence: Text }
  /** The appliance has never shown it, so nothing there can show its end. `why` completes "not verified: …". */
  | { readonly kind: 'unshown'; readonly evidence: Text; readonly why: string }
  /** The appliance does not show it now. `offer`: a possible remedy. */
  | { readonly kind: 'unclear'; readonly evidence: Text; readonly offer?: Offer };

export interface NotCheckable {
  readonly notCheckable: string;
}

/**
 * The field for things that were named but skipped, with reasons: "b.example, not in shopping". It stays on the
 * card afterwards, and the read-back repeats it (`withSkipped`).
 */
export const skippedField = (skipped: Text): readonly Field[] =>
  skipped.length === 0 ? [] : [{ name: skippedName, value: skipped }];
export const isSkipped = ({ name }: Field): boolean => name === skippedName;
const skippedName = 'Skipped';

/** The read-back together with the skipped things. */
export const withSkipped = <Judgement extends Verification>(
  judgement: Judgement,
  skipped: Text,
): Judgement =>
  'evidence' in judgement && skipped.length > 0
    ? { ...judgement, evidence: say`${judgement.evidence} ${skippedName}: ${skipped}.` }
    : judgement;

/** There is something to change. Fields are given by name, or as a list if the appliance supplies the names. */
export const ready = ({
  question,
  fields = [],
  fingerprint,
  asksFirst = false,
}: {
  readonly question: Text;
  readonly fields?: readonly Field[] | FieldsByName;
  readonly fingerprint: Fingerprint;
  readonly asksFirst?: boolean;
}): Ready => ({
  kind: 'ready',
  question,
  fields: fieldsOf(fields),
  fingerprint,
  ...(asksFirst && { asksFirst }),
});

/** Each takes a sentence, written like `say`. */
export const nothing = (...sentence: Sentence): NothingToDo => ({ kind: 'nothing', why: say(...sentence) });
export const happened = (...sentence: Sentence) => seen('happened', sentence);
export const notHappened = (...sentence: Sentence) => seen('not_happened', sentence);
export const underWay = (...sentence: Sentence) => seen('under_way', sentence);
export const notCheckable = (...sentence: Sentence) =>
  ({ kind: 'not_checkable', why: plainText(say(...sentence)) }) as const;

/** Not visible now, but perhaps later. */
export const notSeenNow = (...sentence: Sentence) =>
  ({ ...notCheckable(...sentence), passing: true }) as const;

/** Reading again will show nothing else. */
export const final = <Judgement extends Exclude<Verification, { kind: 'happened' | 'under_way' }>>(
  judgement: Judgement,
): Judgement & { readonly final: true } => ({ ...judgement, final: true });

type Sentence = Parameters<typeof say>;

const seen = <Kind extends 'happened' | 'not_happened' | 'in_part' | 'under_way'>(
  kind: Kind,
  sentence: Sentence,
) => ({ kind, evidence: say(...sentence) });

/**
 * Identifies content in the fingerprint of a preview that shows only a number. Other content needs a new
 * confirmation.
 */
export const digestOf = (content: unknown): string =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 32);
