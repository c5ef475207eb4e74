import { inWords } from '../../handlers/audit/recalled.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { clock, say, type Text } from '../../handlers/reply.ts';
import type { Action, Kept, Missed, ToSend } from '../../journal/journal.ts';
import { takenUp } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Button } from '../base/chat.ts';
import { inAction } from '../base/request-log.ts';
import { siteRequestOf } from '../base/site-request.ts';
import { appliancesOf, changeOf, isReadable, shownOf } from '../base/stored.ts';
import { interrupted } from '../change/outcome.ts';
import type { Runner } from '../change/run.ts';
import type { Gathering } from '../change/supervision.ts';
import type { Parts } from '../ground/ground.ts';
import { notBegun } from '../plan/words.ts';
import { holdAgain } from '../planned/hold.ts';
import { formIn } from '../showing/form-buttons.ts';
import { offerIn } from '../showing/kept-offer.ts';
import { answerCard, notifyPerson, whisperTo } from '../showing/messages.ts';
import { tellAskers } from '../showing/site-askers.ts';
import { siteInWords } from '../showing/site-request.ts';
import { isTimed } from '../timed/timed-changes.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { lostOutcome } from '../wording/restored.ts';

/**
 * Brings to an end what a crash has left half-way, here or on another replica: what this one has just taken over. Nothing
 * is run again: what had not been sent is given up, and what may have been sent is read back (docs/decisions, rule 3). A card
 * that waits for a click needs nothing: its buttons work, and one that was about to be posted is in the outbox.
 */
export type Recovery = (left: readonly Action[]) => Promise<void>;

/** Of very many the journal has the others. */
const mostNamed = 50;

export function createRecovery(
  parts: Parts & { readonly running: Runner; readonly gathering: Gathering; readonly log: Log },
): Recovery {
  const {
    commandByPhrase,
    appliances,
    journal,
    generations,
    notifications,
    outbox,
    running,
    gathering,
    log,
  } = parts;

  return async (left) => {
    const actions = left.map(({ id }) => id);
    if (left.length > 0) log.tell(takenUp, { left: left.length, actions: actions.slice(0, mostNamed) });
    const end = (action: Action) => inAction(parts, [action.id], async () => finish(action));
    const isPlan = (action: Action) => changeOf(commandByPhrase, action)?.gathers !== undefined;
    const [plans, others] = [left.filter(isPlan), left.filter((one) => !isPlan(one))];
    const ends = new Map(others.map((action) => [action, end(action)]));
    // What was under way of a plan comes to its end before the plan goes on. It waits for nothing else: that may take minutes.
    const goOn = async (plan: Action) => {
      await Promise.all([...ends].flatMap(([step, ended]) => (step.plan === plan.id ? [ended] : [])));
      await end(plan);
    };
    await Promise.all([giveBack(), tellMissed(), ...ends.values(), ...plans.map(goOn)]);
  };

  /** Of a click or a form nothing came but that it was taken. The person would wait, and could not do it again. */
  async function giveBack(): Promise<void> {
    const came = await generations.restoredUntil();
    const tell = (taken: Kept) => ((taken.takenAt ?? 0) <= came ? [] : tellTaker(taken));
    await outbox.deliver(await journal.giveBackTaken(tell));
  }

  /** Of a line nothing is known but who has typed it: it was acknowledged, and they would wait for an answer. */
  async function tellMissed(): Promise<void> {
    const came = await generations.restoredUntil();
    const tell = (missed: Missed) => (missed.at <= came ? [] : tellTyper(missed));
    await outbox.deliver(await journal.missed(tell));
  }

  async function finish(action: Action): Promise<void> {
    if (action.changedAt <= (await generations.restoredUntil())) return lose(action);
    switch (action.state) {
      case 'asked':
        // Nobody has asked for a step: its plan begins it once more.
        return action.step === undefined ? answerLate(action) : undefined;
      case 'approved':
        return giveUp(action);
      case 'running':
        if (action.effect === 'read' || commandByPhrase.get(action.phrase ?? '')?.kind === 'info')
          return answerLate(action);
        return goOn(action) ?? ((await isBegun(action)) ? doubt(action) : notSent(action));
      case 'unknown':
        // The last to look did not come to an end with it.
        return look(action);
      default:
        return undefined;
    }
  }

  /** It was under way when a backup was made that is restored now, and has ended since: that was told then. */
  async function lose(action: Action): Promise<void> {
    if (action.state === 'waiting') return;
    const isRead = action.effect === undefined || action.effect === 'read';
    const isOver = isRead && action.state !== 'unknown' && action.state !== 'approved';
    await journal.move(action, isOver ? 'failed' : 'unknown', { outcome: lostOutcome });
  }

  /** A question that was never answered: it can simply be asked again. */
  async function answerLate(action: Action): Promise<void> {
    const isBegun = action.state === 'running' && action.effect !== 'read';
    const words = stoppedWhile(isBegun ? 'running' : 'answering', action);
    const isSeen = action.card !== undefined;
    // Before it ends, or a second crash would leave a button that does nothing.
    await journal.releaseOf(action.id);
    const messages =
      action.request !== undefined
        ? // Whoever asked first is told of the line that they typed, or sees it on their page.
          tellAskers(action, siteNotAsked(action), [action.person])
        : [isSeen ? answerCard(action, 'failed', words) : whisperTo(action, { headline: words })];
    const failed = await journal.move(action, 'failed', { ...outcome(words), messages });
    if (failed !== undefined) await outbox.deliver(messages);
  }

  /** What is planned is looked at again at its time. */
  async function giveUp(action: Action): Promise<void> {
    if (shownOf(action)?.start !== undefined && (await holdAgain(parts, action)) !== undefined) return;
    const words = stoppedWhile('clicked');
    await notifications.transitionAndNotify(action, 'cancelled', outcome(words), {
      headline: words,
      threadReply: { headline: words },
    });
  }

  /** Of what is temporary the end is written down before anything is sent: without one, what is on there is what somebody else has on. */
  async function isBegun(action: Action): Promise<boolean> {
    const timed = changeOf(commandByPhrase, action)?.timed;
    return !isTimed(action, timed) || (await journal.timedChangesOf(action.id)).length > 0;
  }

  async function notSent(action: Action): Promise<void> {
    const words = stoppedWhile('sending');
    // A step is begun once more by its plan.
    const why = outcome(words, action.step === undefined ? interrupted : notBegun);
    await notifications.transitionAndNotify(action, 'failed', why, {
      headline: words,
      threadReply: { headline: words },
    });
  }

  /** A plan goes on where it came to: each of its steps tells whether it was sent. */
  function goOn(action: Action): Promise<void> | undefined {
    const command = changeOf(commandByPhrase, action);
    return command?.gathers === undefined || !isReadable(action)
      ? undefined
      : gathering.run(action, action, command);
  }

  async function doubt(action: Action): Promise<void> {
    const unknown = await journal.move(action, 'unknown', { ...outcome(uncertain), held: true });
    if (unknown !== undefined) await look(unknown);
  }

  async function look(unknown: Action): Promise<void> {
    const command = changeOf(commandByPhrase, unknown);
    const canLook =
      command !== undefined &&
      isReadable(unknown) &&
      appliancesOf(unknown).every((name) => appliances.has(name));
    if (canLook) return running.lookAfter(unknown, command);
    const why = isReadable(unknown)
      ? say`its command or its appliance is no longer there`
      : say`what was agreed to can no longer be read`;
    const blind = say`${uncertain} It can’t be checked: ${why}. Check on the appliance.`;
    const words = { headline: uncertain, threadReply: { headline: blind } };
    const cannotLook = { code: 'cannot_look', ...inWords(blind) };
    await notifications.transitionAndNotify(unknown, 'unknown', { outcome: cannotLook }, words);
  }
}

const uncertain = say`The bot was stopped while this was in progress, so it is not known whether it happened.`;

function siteNotAsked(action: Action): Text | undefined {
  const request = siteRequestOf(action);
  return (
    request &&
    say`The bot was stopped before anybody could be asked about ${siteInWords(request.site)}. Nothing was requested. Ask again.`
  );
}

function tellTyper({ channel, person, at, action }: Missed): readonly ToSend[] {
  const says = action?.state === 'done' ? undefined : action?.outcome?.says;
  // Who may not run it could have asked for an approval below it, and of what was not understood something was offered.
  const offered = action?.state === 'refused' ? ' If it offered buttons, type it again.' : '';
  const headline =
    action === undefined
      ? stoppedWhile('typed', { at })
      : says === undefined
        ? say`The bot was stopped right after you typed something here at ${clock(at)}, so you may have missed the answer. Type it again.`
        : say`The bot was stopped right after you typed something here at ${clock(at)}, so you may have missed this: ${says}${offered}`;
  return [whisperTo({ channel, person }, { headline })];
}

function tellTaker(taken: Kept): readonly ToSend[] {
  const { kind, token, takenBy } = taken;
  if (takenBy === undefined) return [];
  if (kind !== 'form') {
    const line = offerIn(taken)?.line;
    return [notifyPerson(takenBy, { headline: stoppedWhile('pressed', { ...(line && { line }) }) })];
  }
  const form = formIn(taken);
  const headline = stoppedWhile('submitted', { ...(form && { form: nameOf(form) }) });
  if (form === undefined) return [notifyPerson(takenBy, { headline })];
  const button: Button = { press: 'form', label: 'Open the form', token };
  return [notifyPerson(takenBy, { headline, details: [{ kind: 'buttons', buttons: [button] }] })];
}

type Interrupted = Extract<Fault, { code: 'interrupted' }>;

const stoppedWhile = (
  moment: Interrupted['while'],
  known: Partial<Pick<Interrupted, 'line' | 'form' | 'at'>> = {},
): Text => {
  const { line = '', form = '', at = 0 } = known;
  return explain({ code: 'interrupted', while: moment, line, form, at }).headline;
};

const outcome = (words: Text, why = interrupted) => ({ outcome: { code: why, ...inWords(words) } });
