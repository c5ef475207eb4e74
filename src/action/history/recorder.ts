import { denialCodes } from '../../auth/decide.ts';
import type { Policy } from '../../auth/policy.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Recorder } from '../../journal/journal.ts';
import { shownIn } from '../base/stored.ts';
import { isWithheld } from '../showing/card.ts';
import { announce } from './audit-channel.ts';

/** Makes records of what is over: the journal keeps it, and here it is known what it says. */
export function createRecorder(
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  policy: () => Policy,
): Recorder {
  return {
    commandOf: ({ phrase }) => {
      const command = commandByPhrase.get(phrase ?? '');
      return command && nameOf(command);
    },
    isDenied: ({ outcome, state }) =>
      (state === 'refused' || state === 'cancelled') && outcome !== undefined && isDenial(outcome.code),
    previewOf: (preview) => {
      const shown = shownIn(preview);
      if (shown === undefined) return { question: '(can no longer be read)', fields: [] };
      const { question, fields } = shown;
      return {
        question: plainText(question),
        fields: fields.map(({ name, value }) => ({ name, value: plainText(value) })),
      };
    },
    isWithheld: (action) => isWithheld(action, commandByPhrase.get(action.phrase ?? '')),
    announce: (recorded, earlier) => announce(policy(), recorded, earlier),
  };
}

/** What somebody may not do, or might not any more when it was confirmed (`recheck.ts`). */
export const isDenial = (code: string): boolean =>
  Object.hasOwn(denialCodes, code) || code === 'denied' || code === 'asker_denied' || notTheirs.has(code);

/** A click on a button that is somebody else's, or for others; a channel that is none of theirs. */
const notTheirs: ReadonlySet<string> = new Set([
  'not_your_offer',
  'not_yours',
  'not_yours_to_withdraw',
  'not_an_approver',
  'own_request',
  'not_member',
]);
