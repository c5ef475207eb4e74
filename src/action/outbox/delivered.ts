import { say } from '../../handlers/reply.ts';
import { type Said, slackAway } from '../base/chat.ts';

/** It goes out when Slack takes it. */
export interface Later {
  readonly kind: 'later';
  /** Why not now, as Slack calls it; undefined where somebody else is at it, or something before it waits. */
  readonly code: string | undefined;
  /** It is not known whether it stands there already. */
  readonly mayStand: boolean;
  /** Slack has said that it takes nothing there before that moment: milliseconds since the epoch. */
  readonly until: number | undefined;
  /** It takes nothing of the bot's until somebody has mended its token. */
  readonly isToken: boolean;
}

/** What is known of the last of some messages: that it is there, that it is not so far, or that it never will be, and why. */
export type Delivered =
  | { readonly kind: 'sent' }
  | Later
  | { readonly kind: 'refused'; readonly code: string };

/** Nothing of it has left, because nothing does at the moment. */
export const notTried: Later = {
  kind: 'later',
  code: slackAway,
  mayStand: false,
  until: undefined,
  isToken: false,
};

/** Somebody else may be sending it. */
export const behindOthers: Later = {
  kind: 'later',
  code: undefined,
  mayStand: true,
  until: undefined,
  isToken: false,
};

/** What would stand in a thread has no card to stand below. */
export const noCard = 'no_card';

/** Another version has written it, or somebody has edited the journal: no later try can read it either. */
export const unreadable = 'unreadable';

/** Why a card was refused says more than that nothing can stand below it. */
export const graver = (before: Delivered, after: Delivered): Delivered =>
  before.kind === 'refused' && after.kind === 'refused' && after.code === noCard ? before : after;

/** The same once more, for whoever may have seen it: it was not confirmed that they have. */
export const repeated = ({ headline, details = [], ...rest }: Said): Said => ({
  ...rest,
  headline,
  details: [
    ...details,
    { kind: 'text', text: say`You may have seen this before: Slack didn’t confirm it the first time.` },
  ],
});
