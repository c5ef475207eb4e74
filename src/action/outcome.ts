import type { Change } from '../handlers/command.ts';
import { plainText, type Reply, say, strong, type Text } from '../handlers/reply.ts';
import type { Outcome } from '../journal/journal.ts';
import type { State } from '../journal/states.ts';
import type { Execution, Order } from './execute.ts';
import { applianceFailure } from './faults.ts';

/** The journal's code for an action that the bot itself broke off: at the next start it is looked at once more. */
export const interrupted = 'interrupted';

/** How a change ended: its state, one line for the card, the story for the thread, and both for the journal. */
export interface Conclusion {
  readonly state: Extract<State, 'done' | 'failed' | 'unknown'>;
  readonly headline: Text;
  readonly story: Reply;
  readonly outcome: Outcome;
}

/** The words *checked*, *failed* and *unknown* mean what design rule 6 says, here and nowhere else. */
export function conclude<Args>(
  change: Pick<Change<Args>, 'doing' | 'done'>,
  args: Args,
  appliance: string,
  execution: Execution,
): Conclusion {
  const failed = say`${change.doing(args)} failed`;
  const unknown = say`${change.doing(args)}: outcome unknown`;
  const repeat = 'I will not send it again by myself';
  switch (execution.kind) {
    case 'happened': {
      const detour =
        execution.order.kind === 'accepted'
          ? []
          : say`${toldOf(execution.order, appliance)} So I looked, and it did happen. `;
      const story = say`${detour}${strong('Checked.')} ${execution.evidence}`;
      return conclusion('done', 'checked', say`${change.done(args)}`, story);
    }
    case 'not_done': {
      const story = say`${strong('Failed.')} ${applianceFailure(appliance, execution.failure)} Nothing was changed.`;
      return conclusion('failed', execution.failure.code, failed, story);
    }
    case 'not_happened': {
      const story = say`${strong('Failed.')} ${toldOf(execution.order, appliance)} But it did not happen: ${execution.evidence} ${repeat}.`;
      return conclusion('failed', 'not_happened', failed, story);
    }
    case 'not_yet': {
      const story = say`${strong('Unknown.')} ${toldOf(execution.order, appliance)} It has not happened so far: ${execution.evidence} It may still happen, so look again before you decide. ${repeat}.`;
      return conclusion('unknown', 'not_yet', unknown, story);
    }
    case 'unreadable': {
      const story = say`${strong('Unknown.')} ${toldOf(execution.order, appliance)} I could not read back whether it happened: ${applianceFailure(appliance, execution.reading)} ${repeat}: look first, then decide.`;
      return conclusion('unknown', 'unreadable', unknown, story);
    }
  }
}

function toldOf(order: Order, appliance: string): Text {
  switch (order.kind) {
    case 'accepted':
      return say`${strong(appliance)} accepted the order.`;
    case 'unconfirmed':
      return say`${strong(appliance)} took the order without saying whether it would carry it out.`;
    case 'failed':
      return applianceFailure(appliance, order.failure);
    case 'interrupted':
      return say`I was stopped while this was under way.`;
  }
}

function conclusion(state: Conclusion['state'], code: string, headline: Text, story: Text): Conclusion {
  return {
    state,
    headline,
    story: { headline: story },
    outcome: { code, says: `${plainText(headline)}. ${plainText(story)}` },
  };
}
