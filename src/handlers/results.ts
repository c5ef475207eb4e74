/** What a command's code answers: what a change would hit, what came of its order, and what reading back showed. */

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

/** What identifies the thing that a change is about to hit; plain JSON, for the journal. */
export type Fingerprint = Readonly<Record<string, string | number | boolean | null>>;

/** What a change is about to hit, fetched live. */
export type Preview = Ready | NothingToDo;

export interface Ready {
  readonly kind: 'ready';
  /** The question above the buttons: "Disconnect session 12?" */
  readonly question: Text;
  readonly fields: readonly Field[];
  /**
   * What the person agrees to, as plain JSON. It is taken again at the click, and if it differs from what
   * was shown, the action is not run (docs/decisions, rule 7). Also what `verify` and `undo` know of how it was before.
   */
  readonly fingerprint: Fingerprint;
  /** It hits more than its words say, or is there in another form: it is asked about although it can be undone. */
  readonly asksFirst?: true;
}

/** There is nothing to act on, and the sentence says so; with what to do instead. */
export interface NothingToDo {
  readonly kind: 'nothing';
  readonly why: Text;
  readonly offers?: readonly Offer[];
}

/** What the appliance answered to an order. */
export interface Ran {
  /** Whether it said yes; what it says without a yes or a no is not confirmed. */
  readonly confirmed: boolean;
  /** It says that it has only begun. */
  readonly launched?: true;
  /** What only the answer tells, such as the ID of what was created. Joins the fingerprint for `verify`, `done` and `undo`. */
  readonly learned?: Fingerprint;
  /** What is worth showing in the thread, such as an installation's trace. */
  readonly details?: readonly Part[];
  /** Of an order in several requests: how one of them failed, after others had been accepted or may have been. */
  readonly failure?: ApplianceFailure;
}

/** What reading back showed. `evidence` is a full sentence. `final`: looking again will not show anything else. */
export type Verification =
  | { readonly kind: 'happened'; readonly evidence: Text; readonly details?: readonly Part[] }
  | {
      readonly kind: 'not_happened';
      readonly evidence: Text;
      readonly details?: readonly Part[];
      readonly final?: true;
    }
  /** Some of it happened and some did not, and `evidence` says which. `open`: of some it is not known. */
  | {
      readonly kind: 'in_part';
      readonly evidence: Text;
      readonly details?: readonly Part[];
      readonly open?: true;
      readonly final?: true;
    }
  /** This time, on this appliance, nothing shows it. `why` is the end of "not verified: …". `passing`: it may be shown in a while. */
  | {
      readonly kind: 'not_checkable';
      readonly why: string;
      readonly final?: true;
      readonly passing?: true;
    }
  /** It goes on, and this is how far it is. Only for what lasts. `unseen`: it may go on, but nothing shows it so far. */
  | { readonly kind: 'under_way'; readonly evidence: Text; readonly unseen?: true };

/** `evidence` is a full sentence. */
export type Lasting =
  | { readonly kind: 'lasts' | 'over'; readonly evidence: Text }
  /** The appliance has never shown it, and does not now, so nothing there will show that it is over. `why` ends "not verified: …". */
  | { readonly kind: 'unshown'; readonly evidence: Text; readonly why: string }
  /** The appliance does not show it; `offer`: what may help against that. */
  | { readonly kind: 'unclear'; readonly evidence: Text; readonly offer?: Offer };

/** Why no read of the appliance can show whether a change happened. */
export interface NotCheckable {
  readonly notCheckable: string;
}

/**
 * The field for what was named and is left alone, and why: "b.example, not in shopping". It stays on the card when the rest is done, and
 * reading back says the same (`withSkipped`).
 */
export const skippedField = (skipped: Text): readonly Field[] =>
  skipped.length === 0 ? [] : [{ name: skippedName, value: skipped }];
export const isSkipped = ({ name }: Field): boolean => name === skippedName;
const skippedName = 'Skipped';

/** What reading back showed, with what was left alone. */
export const withSkipped = <Judgement extends Verification>(
  judgement: Judgement,
  skipped: Text,
): Judgement =>
  'evidence' in judgement && skipped.length > 0
    ? { ...judgement, evidence: say`${judgement.evidence} ${skippedName}: ${skipped}.` }
    : judgement;

/** There is something to act on. Fields go by name, or in a list where their names come from the appliance. */
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

/** Each is a sentence with its kind, written like `say`. */
export const nothing = (...sentence: Sentence): NothingToDo => ({ kind: 'nothing', why: say(...sentence) });
export const happened = (...sentence: Sentence) => seen('happened', sentence);
export const notHappened = (...sentence: Sentence) => seen('not_happened', sentence);
export const underWay = (...sentence: Sentence) => seen('under_way', sentence);
export const notCheckable = (...sentence: Sentence) =>
  ({ kind: 'not_checkable', why: plainText(say(...sentence)) }) as const;

/** What cannot be seen now, and may be in a while. */
export const notSeenNow = (...sentence: Sentence) =>
  ({ ...notCheckable(...sentence), passing: true }) as const;

/** Looking again will not show anything else. */
export const final = <Judgement extends Exclude<Verification, { kind: 'happened' | 'under_way' }>>(
  judgement: Judgement,
): Judgement & { readonly final: true } => ({ ...judgement, final: true });

type Sentence = Parameters<typeof say>;

const seen = <Kind extends 'happened' | 'not_happened' | 'in_part' | 'under_way'>(
  kind: Kind,
  sentence: Sentence,
) => ({ kind, evidence: say(...sentence) });
