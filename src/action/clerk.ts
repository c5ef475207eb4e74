import { denialCodes } from '../auth/decide.ts';
import type { AuditPolicy } from '../auth/policy.ts';
import { type AnyCommand, nameOf } from '../handlers/command.ts';
import { plainText } from '../handlers/reply.ts';
import type { Clerk } from '../journal/journal.ts';
import { announce } from './audit-channel.ts';
import { isWithheld } from './card.ts';
import type { Shown } from './stored.ts';

/** Makes records of what is over: the journal keeps it, and here it is known what it says. */
export function createClerk(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  policy: () => AuditPolicy | undefined,
): Clerk {
  return {
    commandOf: ({ phrase }) => {
      const command = commandByPhrase.get(phrase ?? '');
      return command && nameOf(command);
    },
    isDenied: ({ outcome, state }) =>
      (state === 'refused' || state === 'cancelled') && outcome !== undefined && isDenial(outcome.code),
    previewOf: (preview) => {
      // Only `Shown` values are ever kept as a preview (`stored.ts`).
      const { question = [], fields = [] } = preview as unknown as Partial<Shown>;
      return {
        question: plainText(question),
        fields: fields.map(({ name, value }) => ({ name, value: plainText(value) })),
      };
    },
    isWithheld: (action) => isWithheld(action, commandByPhrase.get(action.phrase ?? '')),
    announce: (recorded, earlier) => announce(policy()?.channel, recorded, earlier),
  };
}

/** What somebody may not do, or might not any more when it was confirmed (`agreed.ts`). */
export const isDenial = (code: string): boolean =>
  Object.hasOwn(denialCodes, code) || code === 'denied' || code === 'asker_denied' || notTheirs.has(code);

/** A click on a button that is somebody else's, or for others. */
const notTheirs: ReadonlySet<string> = new Set([
  'not_your_offer',
  'not_yours',
  'not_yours_to_withdraw',
  'not_an_approver',
  'own_request',
]);
