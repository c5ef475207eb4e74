/** An action: one invocation and what became of it. */

import { z } from 'zod';
import { codec, optional, type Stored } from '../../codec.ts';
import { asItIs, field, json, jsonBy, maybe, number, text, type ValuesOf, words } from './field.ts';
import { interactions } from './interaction.ts';
import type { initial, State } from './states.ts';

/** How an action ended: a code for programs, one plain sentence for people. */
export type Outcome = Stored<typeof outcomeShape>;
const outcomeShape = z.object({
  code: z.string(),
  says: z.string(),
  /** The line that stands on the card, where `says` is more than that. */
  headline: optional(z.string()),
  /** Whom the words of `headline`, or else of `says`, name: where, and as what in the chat. */
  named: optional(
    z.array(z.object({ at: z.number(), kind: z.enum(['person', 'group', 'channel']), id: z.string() })),
  ),
  /** What shows it, in a few lines that stand below that. */
  evidence: optional(z.array(z.string())),
  /** The same of what was temporary, after the bot has undone it. */
  undone: optional(z.array(z.string())),
  /** Why somebody has denied it, in their words. */
  because: optional(z.string()),
});

const outcomes = codec(outcomeShape);
const unreadable: Outcome = { code: 'unreadable', says: 'The result can no longer be read.' };

/** Everything of an action, with the column that it stands in. Times are milliseconds since the epoch. */
export const actionFields = {
  id: field('id', text),
  state: field('state', asItIs<State>()),
  /** What a button carries. New with every preview, so a click on an older preview finds nothing. */
  token: field('token', maybe(text)),
  createdAt: field('created_at', number),
  changedAt: field('changed_at', number),
  expiresAt: field('expires_at', maybe(number)),
  /** When it is to run, of what was planned. */
  runAt: field('run_at', maybe(number)),
  team: field('team', text),
  channel: field('channel', text),
  person: field('person', text),
  line: field('line', text),
  /** The line that it was taken for, where that is not the one that was typed: a lookup in other words, or a team's own word. */
  understoodAs: field('understood_as', maybe(text)),
  /** The phrase of the matched command; none when the line matched none. */
  phrase: field('phrase', maybe(text)),
  /** What that command may do to an appliance, kept here because a command can be renamed while an action is under way. */
  effect: field('effect', maybe(text)),
  appliance: field('appliance', maybe(text)),
  args: field('args_json', json),
  preview: field('preview_json', maybe(json)),
  /** Where its card stands: the message's timestamp in `channel`, or in `direct`. */
  card: field('card', maybe(text)),
  /** The first message of the thread that it was asked in, and is answered in. */
  thread: field('thread', maybe(text)),
  /** The direct message that it was asked in, and is answered in; `channel` is then the one whose rules count. */
  direct: field('direct', maybe(text)),
  outcome: field('outcome_json', maybe(jsonBy(outcomes, unreadable))),
  /** Who clicked last. */
  decidedBy: field('decided_by', maybe(text)),
  /** Whose yes it waits for, where the asker's own is not enough. */
  consent: field('consent_json', maybe(json)),
  /** The replica that wrote it down, or has taken it over since. */
  replica: field('replica', text),
  /** What somebody did where no line was typed; `line` is then that of the answer, the offer or the form. */
  interaction: field('interaction_json', maybe(jsonBy(interactions))),
  /** The ticket that it is done for, as its system calls it. */
  ticket: field('ticket', maybe(text)),
  /** The action that this one takes back. */
  undoes: field('undoes', maybe(text)),
  /** The plan that it is a step of; or that it goes on with, or takes back. */
  plan: field('plan', maybe(text)),
  /** Which step of that, from 1. */
  step: field('step', maybe(number)),
  /** What a step has left, by appliance. */
  left: field('left_json', maybe(json)),
  /** Of a site that somebody asked for who may not allow it: who wants it, and what was found. */
  request: field('request_json', maybe(json)),
};

/** What the journal gives it when it is written: by these numbers it is known what came first (`order.ts`). */
export const countedFields = {
  askedSeq: field('asked_seq', maybe(number)),
  /** Of a change that has begun to run. */
  ranSeq: field('ran_seq', maybe(number)),
};

export type Action = ValuesOf<typeof actionFields> & Partial<ValuesOf<typeof countedFields>>;

/** What is written down of an action once, and is no part of it. */
export const originFields = {
  /** Which version of the policy counted. */
  policy: field('policy', maybe(text)),
  /** The roles that allowed it. */
  allowedBy: field('allowed_by', maybe(words)),
  /** The delivery of the chat (`Deliveries`) that it comes of. */
  delivery: field('delivery', maybe(text)),
};

export type ActionOrigin = Partial<ValuesOf<typeof originFields>>;

/** What is known when an action is first written down. It has an ID where it may be written twice (`offline/`). */
export interface NewAction
  extends Pick<Action, 'team' | 'channel' | 'person' | 'line'>,
    Partial<
      Pick<
        Action,
        | 'id'
        | 'understoodAs'
        | 'phrase'
        | 'effect'
        | 'appliance'
        | 'args'
        | 'outcome'
        | 'decidedBy'
        | 'interaction'
        | 'ticket'
        | 'undoes'
        | 'thread'
        | 'direct'
        | 'plan'
        | 'step'
        | 'request'
      >
    >,
    ActionOrigin {
  /** By which it is known whoever asks for it, and in whatever words: while it is under way, there is no other one. */
  readonly only?: string | undefined;
  readonly state: (typeof initial)[number];
}

/** What may change together with the state. */
export type ChangedFields = Partial<
  Pick<
    Action,
    'token' | 'expiresAt' | 'runAt' | 'preview' | 'card' | 'outcome' | 'decidedBy' | 'consent' | 'ticket'
  >
>;
