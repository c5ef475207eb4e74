import { type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { inWords, namedIn } from '../../handlers/audit/recalled.ts';
import type { AnyChange, ChangeDeclaration } from '../../handlers/command.ts';
import {
  clock,
  elapsed,
  enumerate,
  type Field,
  moment,
  type Part,
  plainText,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { reasonOf } from '../../handlers/wording/reason.ts';
import { notVisibleYet, type State } from '../../journal/actions/states.ts';
import type { Action, Outcome } from '../../journal/journal.ts';
import { targetsIn } from '../base/stored.ts';
import { doingIn } from '../showing/card.ts';
import { applianceFailure } from '../wording/appliance-failures.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import { partsOf } from '../wording/said.ts';
import {
  type Execution,
  maybeShownLater,
  type Order,
  shownWithinOf,
  wasAnswered,
  wasRefused,
} from './execute.ts';

/** The journal's code for an action that the bot itself broke off: at the next start it is looked at once more. */
export const interrupted = 'interrupted';

/** How a change ended: its state, one line for the card, the reply in its thread, and both for the journal. */
export interface Conclusion {
  readonly state: Extract<State, 'done' | 'failed' | 'unknown'>;
  readonly headline: Text;
  readonly threadReply: Reply;
  readonly outcome: Outcome;
  /** What reading back showed, where it showed that it happened. */
  readonly evidence?: Text;
}

/**
 * The words *checked*, *accepted*, *failed* and *unknown* mean what rule 6 of docs/decisions says, here and nowhere else. `minded`:
 * the bot itself goes on with it until it is seen to have happened (`timed/`). `until`: so long it looks again at what is not visible
 * yet.
 */
export function conclude<Args>(
  change: Pick<ChangeDeclaration<Args>, 'doing' | 'done' | 'lasts' | 'sendsNothing' | 'shownWithin'>,
  args: Args,
  appliance: string,
  execution: Execution,
  { minded = false, until }: { readonly minded?: boolean; readonly until?: number | undefined } = {},
): Conclusion {
  const { details, fingerprint } = execution;
  const [doing, done] = [change.doing(args, fingerprint), change.done(args, fingerprint)];
  const failed = say`${doing} failed`;
  const unknown = say`${doing}: outcome unknown`;
  const onward = minded ? 'It is retried until it is verified' : 'It is not sent again automatically';
  const yourself = minded ? `${onward}.` : `${onward}: look first, then decide.`;
  const refusal = refusalIn(execution, appliance);
  if (refusal !== undefined) {
    const threadReply = say`${strong('Failed.')} ${applianceFailure(appliance, refusal.failure)} ${refusal.seen}`;
    return conclusion('failed', refusal.failure.code, failed, threadReply, details);
  }
  if (minded && execution.kind === 'not_yet' && wasAnswered(execution.order)) {
    const threadReply = say`${soFarOf(execution, appliance)} ${yourself}`;
    return conclusion('unknown', 'not_yet', say`${doing}: not visible yet`, threadReply, details);
  }
  if (until !== undefined && maybeShownLater(execution)) {
    const threadReply = say`${soFarOf(execution, appliance)} Looking again until ${shownWithinOf(change) > longestClock ? moment(until) : clock(until)}. ${onward}.`;
    return conclusion(
      'unknown',
      notVisibleYet,
      say`${doing}: ${wasAccepted(execution) ? 'accepted, ' : ''}not visible yet`,
      threadReply,
      details,
    );
  }
  switch (execution.kind) {
    case 'happened': {
      const detour =
        execution.order.kind === 'accepted'
          ? []
          : say`${troubleOf(execution.order, appliance)} A check showed that it did happen. `;
      const threadReply = say`${detour}${strong('Verified.')} ${execution.evidence}`;
      const checked = conclusion('done', 'checked', done, threadReply, details);
      return { ...checked, evidence: execution.evidence };
    }
    case 'not_checkable': {
      if (isLaunched(execution.order)) {
        const threadReply = say`${strong('Started, not verified:')} ${strong(appliance)} says that it continues in the background, and ${execution.why}.`;
        return conclusion('done', 'accepted', say`${doing}: started`, threadReply, details);
      }
      // That it was accepted is said already.
      const told = wasAccepted(execution) ? [] : say` ${toldOf(execution.order, appliance)}`;
      const next = minded ? ` ${onward}.` : execution.passing ? ' Look before you rely on it.' : '';
      const threadReply = say`${strong('Accepted, not verified:')} ${execution.why}.${told}${next}`;
      const headline = say`${done} (accepted, not verified)`;
      return conclusion('done', 'accepted', headline, threadReply, details);
    }
    case 'not_done': {
      const why = isApplianceFailure(execution.failure)
        ? applianceFailure(appliance, execution.failure)
        : say`${execution.failure.message}`;
      const threadReply = say`${strong('Failed.')} ${why} No changes were made.`;
      return conclusion('failed', execution.failure.code, failed, threadReply, details);
    }
    case 'not_happened': {
      const threadReply = change.sendsNothing
        ? say`${strong('Failed.')} ${execution.evidence} No changes were made.`
        : say`${strong('Failed.')} ${toldOf(execution.order, appliance)} A check showed that it did not happen. ${execution.evidence} ${onward}.`;
      return conclusion('failed', 'not_happened', failed, threadReply, details);
    }
    case 'in_part': {
      const threadReply = say`${strong(execution.open ? 'Unknown in part.' : 'Only in part.')} ${toldOf(execution.order, appliance)} ${execution.evidence} ${onward}.`;
      return execution.open
        ? conclusion('unknown', 'in_part', unknown, threadReply, details)
        : conclusion('failed', 'in_part', say`${doing} succeeded only in part`, threadReply, details);
    }
    case 'not_yet': {
      if (wasAnswered(execution.order)) {
        const isNever = wasAccepted(execution) && !execution.isUnderWay;
        const headline = isNever ? say`${doing}: accepted, never seen` : unknown;
        const never = execution.isUnderWay ? 'it is still not seen to be done' : 'it still doesn’t show';
        const threadReply = say`${strong(isNever ? 'Never seen.' : 'Unknown.')} ${toldOf(execution.order, appliance)} ${elapsed(shownWithinOf(change))} later ${never}. ${execution.evidence} ${yourself}`;
        return conclusion('unknown', 'never_seen', headline, threadReply, details);
      }
      const soFar = execution.isUnderWay ? 'It was not seen to be done so far' : 'It has not happened so far';
      const threadReply = say`${strong('Unknown.')} ${toldOf(execution.order, appliance)} ${soFar}. ${execution.evidence} ${minded ? '' : 'It may still happen, so look again before you decide. '}${onward}.`;
      return conclusion('unknown', 'not_yet', unknown, threadReply, details);
    }
    case 'unseen': {
      const threadReply = say`${strong('Unknown.')} ${toldOf(execution.order, appliance)} ${execution.passing ? 'Whether it happened could not be seen' : 'Nothing on the appliance can show whether it happened'}: ${execution.why}. ${yourself}`;
      return conclusion('unknown', 'unseen', unknown, threadReply, details);
    }
    case 'unreadable': {
      const threadReply = say`${strong('Unknown.')} ${toldOf(execution.order, appliance)} Couldn’t read back whether it happened: ${applianceFailure(appliance, execution.reading)} ${yourself}`;
      return conclusion('unknown', 'unreadable', unknown, threadReply, details);
    }
  }
}

/**
 * One conclusion of several: a line for each appliance, and the gravest state.
 * @param what what was done on each of them, as it begins a line: "Disabling ACL object google_sni"
 * @param left under the name of each appliance that was asked for and left alone, why
 */
export function concludeAll(
  what: Text | string,
  conclusions: readonly { readonly appliance: string; readonly conclusion: Conclusion }[],
  left: readonly Field[] = [],
): Conclusion {
  const [only] = conclusions;
  if (only !== undefined && conclusions.length + left.length === 1) return only.conclusion;
  const count = (state: Conclusion['state']) =>
    conclusions.filter(({ conclusion: one }) => one.state === state).length;
  const state = count('unknown') > 0 ? 'unknown' : count('failed') > 0 ? 'failed' : 'done';
  const late = conclusions.filter(({ conclusion: one }) => one.outcome.code === notVisibleYet).length;
  const parts = [
    `done on ${count('done')} of ${plural(conclusions.length + left.length, 'appliance')}`,
    ...(count('failed') > 0 ? [`failed on ${count('failed')}`] : []),
    ...(count('unknown') > late ? [`unknown on ${count('unknown') - late}`] : []),
    ...(late > 0 ? [`not visible yet on ${late}`] : []),
    ...(left.length > 0 ? [`skipped: ${namesOf(left)}`] : []),
  ];
  const headline = say`${what}: ${parts.join(', ')}`;
  return {
    state,
    headline,
    threadReply: {
      headline: [],
      details: [
        {
          kind: 'table',
          columns: ['Appliance', 'Result'],
          rows: [
            ...conclusions.map(({ appliance, conclusion: one }) => [
              say`${appliance}`,
              one.threadReply.headline,
            ]),
            ...left.map(({ name, value }) => [say`${name}`, value]),
          ],
        },
        ...conclusions.flatMap(({ appliance, conclusion: one }) =>
          partsOf(appliance, one.threadReply.details),
        ),
      ],
    },
    outcome: {
      code: late > 0 ? notVisibleYet : state === 'done' ? weakest(conclusions) : gravest(conclusions, state),
      headline: plainText(headline),
      ...namedIn(headline),
      says: `${plainText(headline)}. ${[
        ...conclusions.map(({ appliance, conclusion: one }) => `${appliance}: ${one.outcome.says}`),
        ...left.map(({ name, value }) => `${name}: ${plainText(value)}`),
      ].join(' ')}`,
    },
  };
}

/** A headline has room for five. */
function namesOf(left: readonly Field[]): string {
  const names = left.map(({ name }) => name);
  return names.length <= 5
    ? plainText(enumerate(names))
    : `${names.slice(0, 4).join(', ')} and ${names.length - 4} more`;
}

/** In milliseconds: later than that the time of day leaves the day open. */
const longestClock = 12 * 60 * 60_000;

/** What is true of all of them: *checked* only where each was. */
const weakest = (conclusions: readonly { readonly conclusion: Conclusion }[]): string =>
  conclusions.some(({ conclusion: one }) => one.outcome.code === 'accepted') ? 'accepted' : 'checked';

/** Of all that was done on none of them, the reason of the first. */
const gravest = (
  conclusions: readonly { readonly conclusion: Conclusion }[],
  state: Conclusion['state'],
): string => {
  const each = conclusions.map(({ conclusion: one }) => one);
  const isSome = each.some((one) => one.state === 'done' || one.outcome.code === 'in_part');
  return isSome ? `partly_${state}` : (each.find((one) => one.state === state)?.outcome.code ?? state);
};

/** Where the appliance said no to the order, and nothing shows that it was carried out all the same. */
function refusalIn(
  execution: Execution,
  appliance: string,
): { readonly failure: ApplianceFailure; readonly seen: Text } | undefined {
  if (!('order' in execution) || execution.order.kind !== 'failed' || !wasRefused(execution.order)) return;
  const { failure } = execution.order;
  switch (execution.kind) {
    case 'not_happened':
      return { failure, seen: say`No changes were made: ${execution.evidence}` };
    case 'not_yet':
      // What is seen to go on was not refused, whatever was said.
      if (execution.isUnderWay) return;
      return { failure, seen: say`Nothing shows that it was done all the same: ${execution.evidence}` };
    case 'unseen':
      return {
        failure,
        seen: say`Nothing on the appliance can show whether something was changed all the same: ${execution.why}.`,
      };
    case 'unreadable':
      return {
        failure,
        seen: say`Couldn’t read back whether something was changed all the same: ${applianceFailure(appliance, execution.reading)}`,
      };
    default:
      return;
  }
}

const wasAccepted = (execution: Execution): boolean =>
  'order' in execution && execution.order.kind === 'accepted';

/** What is known of something that the appliance may show later. */
function soFarOf(execution: Execution, appliance: string): Text {
  if (!('order' in execution)) return [];
  const told = toldOf(execution.order, appliance);
  switch (execution.kind) {
    case 'unreadable':
      return say`${told} Whether it happened can’t be read back so far: ${applianceFailure(appliance, execution.reading)}`;
    case 'not_checkable':
    case 'unseen':
      return say`${told} Whether it happened can’t be seen so far: ${execution.why}.`;
    case 'in_part':
      return say`${told} Only a part is visible so far. ${execution.evidence}`;
    case 'not_yet':
      return execution.isUnderWay
        ? say`${told} It is not seen to be done so far. ${execution.evidence}`
        : say`${told} It is not visible so far. ${execution.evidence}`;
    default:
      return told;
  }
}

/** It has begun; that it has ended is nowhere told. */
export const isLaunched = (order: Order): boolean => order.kind === 'accepted' && order.launched === true;

/** The same where it happened all the same: what would help against the trouble is not needed. */
function troubleOf(order: Order, appliance: string): Text {
  const hasCure = order.kind === 'failed' && 'obstacle' in order.failure && order.failure.obstacle;
  return order.kind === 'failed' && hasCure
    ? say`${strong(appliance)} reported a problem (${reasonOf(order.failure)}).`
    : toldOf(order, appliance);
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
      return say`The bot was stopped while this was in progress.`;
    case 'open':
      return say`It was not known whether it had happened.`;
    case 'stumbled':
      return say`An internal error occurred while this was in progress.`;
  }
}

function conclusion(
  state: Conclusion['state'],
  code: string,
  headline: Text,
  threadReply: Text,
  details: readonly Part[],
): Conclusion {
  return {
    state,
    headline,
    threadReply: { headline: threadReply, details },
    outcome: {
      code,
      // The headline has said how it ended.
      says: `${plainText(headline)}. ${plainText(threadReply).replace(/^(?:Failed|Unknown)\. /, '')}`,
      headline: plainText(headline),
      ...namedIn(headline),
    },
  };
}

/** Of two who switch on the same at the same moment, one is first; the other's would have no end of its own. */
export function tooLate(command: AnyChange, action: Action, appliance: string): Conclusion {
  const words = say`${command.timed?.name ?? command.verb} was enabled on ${strong(appliance)} a moment ago by somebody else, and that end time counts. Yours was not sent. No changes were made.`;
  return {
    state: 'failed',
    headline: say`${doingIn(command, targetsIn(action))}: somebody else was first`,
    threadReply: { headline: words },
    outcome: { code: 'lease_taken', ...inWords(words) },
  };
}

export function unwritten(doing: Text, fault: Fault): Conclusion {
  return {
    state: 'failed',
    headline: say`${doing}: not sent`,
    threadReply: explain(fault),
    outcome: outcomeOf(fault),
  };
}

const doubt = say`An internal error occurred while this was in progress, so it is not known whether it happened. It is not sent again automatically: check first, then decide.`;

/** A mistake of ours in mid-change, and again when it was looked at: all that is certain is that the order may be out. */
export const stumble = (action: Action, command: AnyChange): Conclusion => ({
  state: 'unknown',
  headline: say`${doingIn(command, targetsIn(action))}: internal error, outcome unknown`,
  threadReply: { headline: doubt },
  outcome: { code: 'internal', ...inWords(doubt) },
});
