import { say } from '../../handlers/reply.ts';
import type { Said } from '../base/chat.ts';
/** What became of the last of some messages. `later`: it goes out when Slack takes it. `refused`: it never will, and why. */
export type Delivered =
  | { readonly kind: 'sent' | 'later' }
  | { readonly kind: 'refused'; readonly code: string };

/** Why something is not there yet, as Slack calls it. */
export const reasonOf = (delivered: Delivered): string =>
  delivered.kind === 'refused' ? delivered.code : 'no_answer';

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
