import { inWords } from '../../handlers/audit/recalled.ts';
import type { Gathers } from '../../handlers/command.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import {
  channel,
  clock,
  code,
  enumerate,
  messageLink,
  moment,
  type Offer,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Kept, Outcome } from '../../journal/journal.ts';
import { type JournalTrouble, type JournalUnavailable, journalTroubles } from '../../journal/unavailable.ts';
import { ownPace, slackAway } from '../base/chat.ts';
import type { Excess, LimitedKind, RequestExcess } from '../limits/limits.ts';
import { failedThere } from './appliance-failures.ts';
import { capitalized, denied, isDenialCode } from './denials.ts';
import { linesRefused } from './misread/misfits.ts';
import { isMistake, notUnderstood } from './misread/not-understood.ts';
import { type Choice, choosing, naming } from './no-such.ts';
import { approving } from './not-approved.ts';
import {
  type Chosen,
  clickDidNothing,
  didYouMean,
  type FactsOf,
  type FaultWords,
  inARow,
  noChanges,
  type Sentences,
  sentencesOf,
  words,
} from './sentences.ts';

/** What is wrong with a line of a plan. */
export interface LineFault {
  /** Which one it is of those that were typed. */
  readonly number: number;
  readonly text: string;
  readonly fault: Fault;
  /** What it does can be undone, and so be for a time. */
  readonly canEnd?: boolean;
}

/** Some lines of a plan cannot be run, so none of it is. */
interface PlanRefused {
  readonly lines: readonly LineFault[];
  readonly of: number;
  readonly gathers: Gathers;
  /** All of these could be run by others, who can be asked. */
  readonly forOthers: boolean;
}

/** The same command on several appliances, and something is in the way on each. */
interface OnNoAppliance {
  readonly faults: readonly { readonly appliance: string; readonly fault: Fault }[];
}

interface Frozen {
  readonly frozen: {
    readonly name: string;
    readonly reason: string | undefined;
    readonly until: number;
    readonly except: readonly string[];
    readonly followedBy: readonly string[];
  };
  /** Its wanted end, if it should last longer: milliseconds since the epoch. */
  readonly ends?: number | undefined;
  readonly timeZone: string;
}

interface Interrupted {
  readonly while: 'answering' | 'running' | 'clicked' | 'sending' | 'typed' | 'pressed' | 'submitted';
  readonly line: string;
  readonly form: string;
  readonly at: number;
}

const typeAgain = say`Type the command again.`;
const runWorkflowAgain = say`Run the workflow again.`;

/** Whoever gives the reason says what to do in it, too: only a command, or a file, knows. */
const saidBefore: Text = [];

/**
 * Everything that can stand between a person and what they asked for, each in one place: its code, its facts, and what
 * people read. The whisper, the card, the thread and the record of the audit are made of it.
 */
const catalogue = {
  not_understood: notUnderstood,
  denied: ((facts) => ({
    ...denied(facts),
    ...(facts.choices?.length && {
      details: [{ kind: 'text', text: didYouMean }, ...choosing(facts.choices)],
    }),
  })) as Chosen<
    FactsOf<typeof denied> & {
      /** What they may have and is near to what they named, whether that is there or not. */
      readonly choices?: readonly Choice[];
    }
  >,
  appliance: failedThere,
  /** `offers`: what to do instead. */
  nothing_to_act_on: words<{ readonly why: Text; readonly offers?: readonly Offer[] }>({
    happened: ({ why }) => why,
    not: noChanges,
    todo: saidBefore,
    details: ({ offers = [] }) => (offers.length === 0 ? [] : [{ kind: 'offers', offers }]),
  }),
  ...naming,
  on_no_appliance: words<OnNoAppliance>({
    happened: ({ faults }) =>
      say`There is nothing to act on, on any of ${plural(faults.length, 'appliance')}.`,
    not: noChanges,
    todo: say`See why on each:`,
    choices: onEach,
  }),
  file: words<{ readonly why: string }>({
    happened: ({ why }) => say`${why}`,
    not: noChanges,
    todo: saidBefore,
  }),
  lines_refused: linesRefused,
  plan_refused: words<PlanRefused>({
    happened: ({ lines, of, gathers, forOthers }) => {
      const many = plural(lines.length, 'line');
      if (forOthers) return say`You can’t run ${many} of ${of}.`;
      return say`${many} of ${of} can’t be ${gathers === 'undos' ? 'undone' : 'run'}${gathers === 'typed' ? '' : ' as it is now'}.`;
    },
    not: ({ gathers, forOthers }) => {
      if (forOthers || gathers === 'typed') return say`Nothing is asked for, and no changes were made.`;
      return gathers === 'rest'
        ? say`The plan doesn’t go on, and no changes were made.`
        : say`Nothing is rolled back, and no changes were made.`;
    },
    todo: ({ lines, gathers, forOthers }) => {
      const them = lines.length === 1 ? 'it' : 'them';
      if (forOthers)
        return say`Ask those who can to approve all of it${gathers === 'typed' ? `, or send it without ${them}` : ''}.`;
      if (gathers === 'typed') return say`Correct ${them} and send the plan again.`;
      return say`When that is settled, press ${gathers === 'rest' ? strong('Go on') : 'the button'} again.`;
    },
    details: linesOfPlan,
  }),
  /** A command that cannot be a line of a plan. */
  not_in_a_plan: words<{ readonly why: Text }>({
    happened: ({ why }) => why,
    not: noChanges,
    todo: say`Send it on its own.`,
  }),

  /** A click on a button that stands for a line: it has been taken, or its time is over. */
  offer_gone: words<{ readonly taken: Kept | undefined }>({
    happened: ({ taken }) =>
      taken?.takenBy === undefined
        ? say`That button has expired.`
        : say`${person(taken.takenBy)} already pressed that button.`,
    not: clickDidNothing,
    todo: say`Type the command instead.`,
  }),
  not_your_offer: words({
    happened: say`That button is only for the person who typed the command.`,
    not: clickDidNothing,
    todo: say`Type the command to run it yourself.`,
    denies: true,
  }),
  /** An answer whose time is over. */
  result_gone: words({
    happened: say`This result is no longer kept.`,
    not: clickDidNothing,
    todo: say`Type the command again.`,
  }),
  /** A file of an answer that only one person sees. */
  no_thread: words({
    happened: say`Files are posted to a thread, and only you see this message.`,
    not: say`No file was posted.`,
    todo: say`Type the command in a channel that Appliance Bot is a member of.`,
  }),
  not_yours: words<{ readonly asker: string; readonly verb: string }>({
    happened: ({ asker, verb }) => say`Only ${person(asker)}, who asked for it, can press ${strong(verb)}.`,
    not: clickDidNothing,
    todo: say`To do it yourself, type the command.`,
    denies: true,
  }),
  /** It waits for others, and only its asker takes it back. */
  not_yours_to_withdraw: words<{ readonly asker: string }>({
    happened: ({ asker }) => say`Only ${person(asker)}, who asked for it, can withdraw it.`,
    not: clickDidNothing,
    todo: say`An approver can deny it instead.`,
    denies: true,
  }),
  /** It is planned. */
  not_yours_to_cancel: words<{ readonly asker: string }>({
    happened: ({ asker }) =>
      say`Only ${person(asker)}, who asked for it, and those who may run or approve it can cancel it.`,
    not: say`It was not canceled.`,
    todo: say`Ask one of them.`,
  }),
  not_yours_to_move: words<{ readonly asker: string }>({
    happened: ({ asker }) =>
      say`Only ${person(asker)}, who asked for it, and those who may run it can change its time.`,
    not: say`It was not moved.`,
    todo: say`Ask one of them.`,
  }),
  /** A click on a card that has ended, or goes on, or asks something else by now. */
  already: words<{ readonly action: Action; readonly clicker: string }>({
    happened: decidedBefore,
    not: ({ action: { state } }) => (state === 'expired' ? noChanges : clickDidNothing),
    todo: ({ action }) => afterDecision(action),
  }),
  card_gone: words({
    happened: say`These buttons have expired.`,
    not: clickDidNothing,
    todo: say`Check whether the card has changed, or type the command again.`,
  }),
  /** A button of a message that was said between a backup and its restore. Milliseconds since the epoch. */
  not_in_journal: words<{ readonly knownUntil: number; readonly now: number }>({
    happened: ({ knownUntil, now }) =>
      say`The bot’s journal was restored from a backup of ${when(knownUntil, now)}, and this message is newer: its buttons are unknown.`,
    not: clickDidNothing,
    todo: say`Type the command instead.`,
  }),
  /** The very same line of the same person, typed again while it is under way or waits for a click. */
  already_running: words<{ readonly action: Action }>({
    happened: ({ action: { line, createdAt, state, consent, runAt } }) => {
      const typed = say`you typed it at ${clock(createdAt)}`;
      if (state === 'waiting')
        return say`${code(line)} is already waiting to be ${consent === undefined ? 'confirmed' : 'approved'}: ${typed}.`;
      return state === 'planned' && runAt !== undefined
        ? say`${code(line)} is already planned for ${moment(runAt)}: ${typed}.`
        : say`${code(line)} is already running: ${typed}, and it has not finished.`;
    },
    not: ({ action: { state } }) => {
      if (state === 'waiting') return say`No second card was posted.`;
      return say`It was not ${state === 'planned' ? 'planned' : 'started'} a second time.`;
    },
    todo: ({ action: { channel: at, direct, card } }) =>
      card === undefined ? say`Wait for its answer.` : say`${messageLink('Here it is.', direct ?? at, card)}`,
  }),
  stopping: words({
    happened: say`Appliance Bot is restarting.`,
    not: noChanges,
    todo: say`Try again in a minute.`,
  }),
  /** A message that was written to the bot, or names it, only since it was edited. */
  edited: words({
    happened: say`Edited messages aren’t run.`,
    not: noChanges,
    todo: say`Send it as a new message.`,
  }),
  ...approving,

  /** To whoever may ask for sites there, and nothing else. */
  only_asking: words({
    happened: say`This line could not be read.`,
    not: noChanges,
    todo: say`Appliance Bot takes requests for blocked websites here, and nothing else.`,
  }),
  /** What somebody does from elsewhere does not count in a channel. */
  not_member: words({
    happened: say`You aren’t a member of this channel.`,
    not: noChanges,
    todo: say`Join the channel, or choose another one.`,
    denies: true,
  }),
  not_enabled: words({
    happened: say`Appliance Bot isn’t enabled in this channel.`,
    not: noChanges,
    todo: say`Choose another channel.`,
  }),
  lookup_failed: words({
    happened: say`Couldn’t find out from Slack which channels you are in, so this was refused.`,
    not: noChanges,
    todo: say`Try again in a minute.`,
    denies: true,
  }),

  /** Changes are frozen at that time. */
  frozen: words<Frozen>({
    happened: ({ frozen: { name, reason, until, followedBy }, ends }) => {
      const why = reason === undefined ? [] : say`: ${reason}`;
      const next =
        followedBy.length === 0 ? [] : say`, then ${enumerate(followedBy.map((one) => code(one)))}`;
      return say`Changes are frozen until ${moment(until)} (${code(name)}${why}${next})${ends === undefined ? '' : ', so this can’t be kept on for longer'}.`;
    },
    not: ({ ends }) =>
      ends === undefined ? noChanges : say`No changes were made: it still ends ${moment(ends)}.`,
    todo: ({ frozen: { until, except }, ends, timeZone }) => {
      const others =
        except.length === 0 ? [] : say`The role ${enumerate(except.map(strong), 'or')} is exempt.`;
      if (ends !== undefined)
        return inARow(others, say`Run it again after the freeze if it is still needed.`);
      const later = say`Plan it for after that with ${code(`--at ${quoted(typedMoment(until, timeZone))}`)} (${timeZone}).`;
      return inARow(
        later,
        say`Undo, the ends of temporary changes and emergency mode are not frozen; to undo an undo is.`,
        others,
      );
    },
  }),
  no_such_window: words<{ readonly name: string; readonly windows: readonly string[] }>({
    happened: ({ name }) => say`There is no window ${code(name)}.`,
    not: noChanges,
    todo: ({ windows }) =>
      windows.length === 0
        ? say`The policy has no windows: plan it with ${code('--at 22:00')}.`
        : say`Windows: ${enumerate(windows.map((one) => code(one)))}.`,
  }),
  /** The window has no further hours. */
  window_never: words<{ readonly name: string }>({
    happened: ({ name }) => say`The window ${code(name)} doesn’t open within the next two weeks.`,
    not: noChanges,
    todo: say`Plan it with ${code('--at')} instead.`,
  }),
  /** Milliseconds since the epoch. `nearest`: the next possible time, as people type it. */
  start_past: words<{
    readonly typed: string;
    readonly at: number;
    readonly nearest: string;
    readonly now: number;
  }>({
    happened: ({ typed, at, now }) =>
      say`${code(`--at ${quoted(typed)}`)} is over already, at ${when(at, now)}.`,
    not: noChanges,
    todo: ({ nearest }) => say`The nearest that would work: ${code(`--at ${quoted(nearest)}`)}.`,
  }),
  /** The time is ambiguous: `count` moments, of which `choices`, as people type them, are neither past nor too far ahead. */
  time_unclear: words<{
    readonly typed: { readonly option: string; readonly text: string };
    readonly count: number;
    readonly choices: readonly string[];
  }>({
    happened: ({ typed, count, choices }) => {
      const could = say`${code(`--${typed.option} ${quoted(typed.text)}`)} can be ${plural(count, 'time')}`;
      if (choices.length > 1) return say`${could}.`;
      return choices.length === 0
        ? say`${could}, each of which is over or too far ahead: 90 days at most.`
        : say`${could}, of which one can be had.`;
    },
    not: noChanges,
    todo: ({ typed, choices }) => {
      const each = choices.map((one) => say`${code(`--${typed.option} ${quoted(one)}`)}`);
      if (each.length === 0) return say`Write another time.`;
      return each.length === 1
        ? say`Type it if you mean it: ${enumerate(each)}.`
        : say`Write the one that you mean: ${enumerate(each, 'or')}.`;
    },
  }),
  start_far: words<{ readonly typed: string }>({
    happened: ({ typed }) => say`${code(`--at ${quoted(typed)}`)} is too far ahead.`,
    not: noChanges,
    todo: say`A change can be planned for the next 90 days.`,
  }),
  /** The end would come before the start. */
  ends_first: words<{ readonly starts: number; readonly ends: number; readonly now: number }>({
    happened: ({ starts, ends, now }) =>
      say`This would end at ${when(ends, now)}, and it may begin as late as ${when(starts, now)}.`,
    not: noChanges,
    todo: say`Give a later ${code('--until')}.`,
  }),

  /** More than one person may have at once. `lines`: those that were not run, as far as they were read. */
  too_many: words<{ readonly excess: Excess; readonly lines: readonly (string | undefined)[] }>({
    happened: ({ excess: { kind, most, again } }) => {
      const isClick = things[kind] === 'click';
      const what = isClick ? plural(most, again === undefined ? 'click' : 'button') : counted(most, kind);
      if (again === undefined) return say`You have ${what} under way, as many as one person can have.`;
      return say`You have ${isClick ? 'pressed' : 'asked'} ${what} within a minute, as many as one person can.`;
    },
    not: ({ excess: { kind }, lines }) =>
      things[kind] === 'click'
        ? clickDidNothing
        : say`${named(lines)} ${lines.length === 1 ? 'was' : 'were'} not run, and no changes were made.`,
    todo: ({ excess: { kind, again }, lines }) => {
      const [isClick, them] = [things[kind] === 'click', lines.length === 1 ? 'it' : 'them'];
      const once = again === undefined ? 'when one of those under way is over' : say`after ${clock(again)}`;
      return isClick ? say`Press again ${once}.` : say`Type ${them} again ${once}.`;
    },
  }),
  /** A click on a message whose last click by the same person is under way. */
  click_under_way: words({
    happened: say`Your last click on this message is still under way.`,
    not: say`This one did nothing.`,
    todo: say`Wait for its answer.`,
  }),
  too_many_requests: words<{ readonly excess: RequestExcess; readonly line: string }>({
    happened: ({ excess: { kind, most, ofWorkflowsIn } }) => {
      const requests = plural(most, 'request');
      if (ofWorkflowsIn === undefined)
        return kind === 'open'
          ? say`${requests} of yours wait for approval, as many as one person can have.`
          : say`You have asked for approval ${plural(most, 'time')} within an hour without getting it.`;
      const there = channel(ofWorkflowsIn);
      return kind === 'open'
        ? say`${requests} of workflows wait for approval in ${there}, as many as one channel can have.`
        : say`Workflows have asked for approval in ${there} ${plural(most, 'time')} within an hour without getting it.`;
    },
    not: ({ line }) => say`${code(line)} was not requested: nobody was asked, and no changes were made.`,
    todo: ({ excess }) => {
      if (excess.ofWorkflowsIn === undefined)
        return excess.kind === 'open'
          ? say`Withdraw one of them, or ask again when one is answered.`
          : say`You can ask again after ${clock(excess.again)}.`;
      return excess.kind === 'open'
        ? say`Run the workflow again when some of them are approved or denied there.`
        : say`Run the workflow again after ${clock(excess.again)}.`;
    },
  }),

  /** Something could not be said where it was asked. */
  cannot_post: words<CannotPost>({
    happened: (facts) => whyNotPosted(facts).happened,
    not: (facts) =>
      inARow(
        isUncertain(facts) ? say`It isn’t known whether it is here.` : say`Appliance Bot can’t answer here.`,
        facts.isOrder ? noChanges : [],
      ),
    todo: (facts) => whyNotPosted(facts).todo,
  }),
  /** What cannot be written down first is not done. */
  journal_unavailable: words<{ readonly trouble: JournalTrouble }>({
    happened: ({ trouble }) =>
      say`${capitalized([journalTroubles[trouble].is])}, and changes that cannot be recorded first are not made.`,
    not: noChanges,
    todo: ({ trouble }) =>
      say`Looking things up on an appliance still works. ${journalTroubles[trouble].until}`,
  }),
  /** `reference` finds it in the log; without one, it is certain that nothing was sent. */
  internal: words<{ readonly reference?: string }>({
    happened: ({ reference }) =>
      say`An internal error occurred${reference === undefined ? ' before anything was sent' : ''}.`,
    not: ({ reference }) => (reference === undefined ? noChanges : say`Your request was not completed.`),
    todo: ({ reference }) =>
      reference === undefined
        ? say`Type the command again. If it fails again, ask an admin of the bot to look at its log.`
        : say`Ask an admin of the bot to look for ${code(reference)} in the log.`,
  }),

  form_over: words({ happened: say`This form has expired.`, not: noChanges, todo: typeAgain }),
  form_sent: words<{ readonly at: number }>({
    happened: ({ at }) => say`You sent this form already, at ${clock(at)}.`,
    not: say`It was not sent a second time.`,
    todo: say`Wait for its answer.`,
  }),
  form_not_yours: words({
    happened: say`This form was opened for somebody else.`,
    not: noChanges,
    todo: say`Type the command to get one of your own.`,
  }),
  form_outdated: words<{ readonly command: string }>({
    happened: ({ command }) =>
      say`The command ${code(command)} no longer exists: the bot was updated since this form was opened.`,
    not: noChanges,
    todo: say`${code('/appliance help')} shows what there is now.`,
  }),

  /** What was confirmed, or planned, must not run after all. */
  unreadable: words({
    happened: say`The confirmed command can no longer be read.`,
    not: noChanges,
    todo: typeAgain,
  }),
  no_appliance: words<{ readonly appliance: string }>({
    happened: ({ appliance }) => say`${strong(appliance)} is no longer configured for this channel.`,
    not: noChanges,
    todo: say`Name another appliance, or ask an admin to add it.`,
  }),
  secret_forgotten: words({
    happened: say`The password from the form is no longer kept: passwords are kept for half an hour at most, or until the time that was planned.`,
    not: noChanges,
    todo: typeAgain,
  }),
  /** Its end has come while it waited. */
  ended: words<{ readonly until: number; readonly now: number }>({
    happened: ({ until, now }) => say`It was to last until ${when(until, now)}, which is now.`,
    not: noChanges,
    todo: say`Run the command again with a later end.`,
  }),
  /** The bot was away, or could not look, for so long that nobody expects it any more. */
  too_late: words<{ readonly at: number; readonly cause: Text }>({
    happened: ({ at, cause }) => inARow(say`Its time was ${moment(at)}, and it is too late now.`, cause),
    not: noChanges,
    todo: say`Ask for it again if it is still needed.`,
  }),
  window_changed: words<{ readonly window: string }>({
    happened: ({ window }) =>
      say`The window ${code(window)} is not in the policy any more, or has other hours now.`,
    not: noChanges,
    todo: say`Ask for it again with another time.`,
  }),
  /** `other`: another appliance answers there. `asks`: its card asks again, and by whom it must be agreed to. */
  preview_changed: words<{ readonly other?: Text | undefined; readonly asks?: 'clicker' | 'approvers' }>({
    happened: ({ other, asks }) =>
      other ??
      (asks === undefined
        ? say`It would now change something else than what was confirmed.`
        : say`This is not what you were shown a moment ago.`),
    not: noChanges,
    todo: ({ asks }) => {
      if (asks === undefined) return say`Ask for it again to see what it does now.`;
      const again = asks === 'clicker' ? '' : ' Whoever approved it before must approve it again.';
      return say`Look again before you press.${again}`;
    },
  }),

  /** The bot was stopped at that moment: `line` or `form` where that is known, `at` when it was typed. */
  interrupted: words<Interrupted>({
    happened: ({ while: moment, line, form, at }) => {
      switch (moment) {
        case 'answering':
          return say`The bot was stopped before it could answer ${line}.`;
        case 'running':
          return say`The bot was stopped before it could say what came of ${line}.`;
        case 'clicked':
          return say`The bot was stopped after the click and before anything was sent.`;
        case 'sending':
          return say`The bot was stopped before anything was sent.`;
        case 'typed':
          return say`The bot was stopped right after you typed something here at ${clock(at)}, before it was read.`;
        case 'pressed':
          return say`The bot was stopped right after you pressed ${line === '' ? 'a button' : say`the button for ${code(line)}`}.`;
        case 'submitted':
          return say`The bot was stopped right after you submitted ${form === '' ? 'a form' : say`the form of ${code(form)}`}.`;
      }
    },
    not: ({ while: moment }) => (moment === 'running' ? say`It may have been done.` : noChanges),
    todo: ({ while: moment, line, form }) => {
      switch (moment) {
        case 'answering':
          return say`Ask again.`;
        case 'running':
          return say`Look before you ask again.`;
        case 'clicked':
        case 'sending':
          return say`Run the command again if it is still needed.`;
        case 'typed':
          return say`Type it again.`;
        case 'pressed':
          return line === '' ? say`Type the command.` : say`The button works again.`;
        case 'submitted':
          return form === '' ? typeAgain : say`Submit it again.`;
      }
    },
  }),

  /** A step of a workflow that is nothing that can be asked. */
  step_incomplete: words<{ readonly missing: readonly string[] }>({
    happened: ({ missing }) => say`The workflow gave the step nothing for ${missing.join(', ')}.`,
    not: noChanges,
    todo: say`Fill it in in the workflow, and run it again.`,
  }),
  step_changes_nothing: words<{ readonly line: string }>({
    happened: ({ line }) => say`${code(line)} changes nothing, and this step takes changes only.`,
    not: noChanges,
    todo: say`Ask for a change, or use the step that looks up a website.`,
  }),
  step_for_people: words<{ readonly line: string }>({
    happened: ({ line }) =>
      say`${code(line)} is about something that people choose, so a workflow can’t run it.`,
    not: noChanges,
    todo: say`Type it in a channel instead.`,
  }),
  step_too_many: words<{ readonly most: number; readonly channel: string }>({
    happened: ({ most, channel: id }) =>
      say`${most} workflow steps wait in ${channel(id)} already, as many as one channel can have.`,
    not: noChanges,
    todo: runWorkflowAgain,
  }),
  step_waited: words({
    happened: say`This waited for 5 minutes behind other workflow steps, and was not begun.`,
    not: noChanges,
    todo: runWorkflowAgain,
  }),
  step_lost: words({
    happened: say`The bot was stopped before it could read this.`,
    not: noChanges,
    todo: runWorkflowAgain,
  }),
  step_stopping: words({
    happened: say`The bot is being stopped.`,
    not: noChanges,
    todo: runWorkflowAgain,
  }),
  no_such_plan: words<{ readonly plan: string }>({
    happened: ({ plan }) => say`There is no plan ${code(plan)} in this channel.`,
    not: noChanges,
    todo: say`Look for its number on its card.`,
  }),
};

type Catalogue = typeof catalogue;

export type Fault = {
  [Code in keyof Catalogue]: { readonly code: Code } & FactsOf<Catalogue[Code]>;
}[keyof Catalogue];

/** The three sentences of a fault. */
export const wordsFor = (fault: Fault): Sentences =>
  // Each fault has the facts that the entry of its code takes.
  sentencesOf(catalogue[fault.code] as FaultWords<Fault> | Chosen<Fault>, fault);

/** All that is told of a fault. */
export function explain(fault: Fault): Reply {
  const { happened, not, todo, choices = [], details = [] } = wordsFor(fault);
  const hasChoices = choices.length > 0;
  const below = hasChoices ? [...details, { kind: 'text', text: todo } as const, ...choices] : details;
  return {
    headline: inARow(happened, not, ...(hasChoices ? [] : [todo])),
    ...(below.length > 0 && { details: below }),
  };
}

/** Why, and what to do: for whoever reads beside it already that nothing was changed. */
export function reasonFor(fault: Fault): Text {
  const { happened, todo, choices = [] } = wordsFor(fault);
  return inARow(happened, ...(choices.length > 0 ? [] : [todo]));
}

/** Why, as the journal has it: of what somebody may not, the reason for that. */
export function codeOf(fault: Fault): string {
  if (fault.code === 'denied') return fault.denial.code;
  return fault.code === 'not_understood' && isMistake(fault.match) ? 'malformed' : fault.code;
}

/** Whether a code of an outcome is of what somebody may not do, or might not any more when it was confirmed. */
export function isDenial(outcome: string): boolean {
  const entry = Object.hasOwn(catalogue, outcome) ? catalogue[outcome as Fault['code']] : undefined;
  return outcome === 'denied' || isDenialCode(outcome) || (entry !== undefined && 'denies' in entry);
}

/** What came of it, as the journal has it. */
export const outcomeOf = (fault: Fault): Outcome => ({
  code: codeOf(fault),
  ...inWords(explain(fault).headline),
});

export const journalFault = ({
  trouble,
}: JournalUnavailable): Extract<Fault, { code: 'journal_unavailable' }> => ({
  code: 'journal_unavailable',
  trouble,
});

function onEach({ faults }: OnNoAppliance): NonNullable<Reply['details']> {
  const rows = faults.map(({ appliance, fault }) => [say`${appliance}`, reasonFor(fault)]);
  return [{ kind: 'table', columns: ['Appliance', 'Why'], rows }];
}

function linesOfPlan({ lines }: PlanRefused): NonNullable<Reply['details']> {
  const rows = lines.map(({ number, text, fault }) => [say`${number}`, say`${text}`, reasonFor(fault)]);
  return [{ kind: 'table', columns: ['Line', 'Command', 'Why'], rows }];
}

const agreedTo = ({ consent }: Action): string => (consent === undefined ? 'confirmed' : 'approved');

function decidedBefore({ action, clicker }: { readonly action: Action; readonly clicker: string }): Text {
  const { decidedBy, state, outcome, consent, changedAt } = action;
  const who = decidedBy === clicker ? 'you' : decidedBy === undefined ? 'somebody' : person(decidedBy);
  const at = clock(changedAt);
  switch (state) {
    case 'waiting':
      return say`The question has changed since you were shown it.`;
    case 'cancelled':
      if (outcome?.code === 'denied') return say`This was already denied by ${who} at ${at}.`;
      return outcome?.code === 'cancelled'
        ? say`This was already ${consent === undefined ? 'canceled' : 'withdrawn'} by ${who} at ${at}.`
        : say`This ended at ${at} without anything being done.`;
    case 'expired':
      return say`This card expired at ${at}${consent === undefined ? '' : ', before it was approved'}.`;
    case 'planned':
      return say`This was already ${agreedTo(action)} and is planned.`;
    case 'approved':
    case 'running':
      return say`This was already ${agreedTo(action)} by ${who} at ${at} and is under way.`;
    default:
      return say`This was already ${agreedTo(action)} by ${who}, and it ended at ${at}.`;
  }
}

function afterDecision({ state, outcome, consent, person: asker }: Action): Text {
  switch (state) {
    case 'waiting':
      return say`Look at the card again.`;
    case 'cancelled':
      return outcome?.code === 'denied' || outcome?.code === 'cancelled'
        ? say`Type the command again if it is still needed.`
        : say`The card says why.`;
    case 'expired':
      return consent === undefined
        ? say`Type the command again if it is still needed.`
        : say`${person(asker)} can request it again if it is still needed.`;
    case 'planned':
      return say`${strong('Cancel')} on its card takes it back.`;
    case 'approved':
    case 'running':
      return say`Wait for its result.`;
    default:
      return say`Result: ${outcome?.says ?? 'unknown'}`;
  }
}

/** As they are counted. */
const things: Readonly<Record<LimitedKind, string>> = {
  line: 'line',
  lookup: 'question',
  history: 'question about what was done',
  change: 'change',
  click: 'click',
  decision: 'click',
  form: 'form',
  search: 'search',
  home: 'page',
};

/** Where it is not the same with an s. */
const manyOf: Partial<Readonly<Record<LimitedKind, string>>> = {
  history: 'questions about what was done',
  search: 'searches',
};

const counted = (most: number, kind: LimitedKind): string => plural(most, things[kind], manyOf[kind]);

/** More of them are counted. */
const mostNamed = 3;

function named(lines: readonly (string | undefined)[]): Text {
  const known = lines.filter((line) => line !== undefined).slice(0, mostNamed);
  const more = lines.length - known.length;
  if (known.length === 0) return lines.length === 1 ? say`Your command` : say`${plural(more, 'line')}`;
  const others = more === 0 ? [] : [[plural(more, 'more line', 'more lines')]];
  return enumerate([...known.map((line) => [code(line)]), ...others]);
}

interface CannotPost {
  /** Slack's code, or ours; undefined where nothing is known but that it is not there yet. */
  readonly reason: string | undefined;
  /** What nobody can see is not done. */
  readonly isOrder?: true;
  /** It is no verdict on the message: it goes out when Slack takes it. */
  readonly waits?: {
    readonly mayStand: boolean;
    readonly until: number | undefined;
    readonly isToken: boolean;
  };
}

const isUncertain = ({ reason, waits }: CannotPost): boolean =>
  reason !== ownPace && waits?.isToken !== true && waits?.until === undefined && waits?.mayStand === true;

const inAMoment = say`Try again in a moment.`;

/** What is known of a message that is not there, and what to do. */
function whyNotPosted(facts: CannotPost): Pick<Sentences, 'happened' | 'todo'> {
  const { reason, waits } = facts;
  const by = code(reason ?? '');
  if (reason === ownPace)
    return { happened: say`This channel is too busy right now.`, todo: say`Try again in a minute.` };
  if (waits?.isToken === true)
    return {
      happened: say`Slack doesn’t accept the token of Appliance Bot (${by}).`,
      todo: say`Ask an admin of the bot to look at its log.`,
    };
  if (waits?.until !== undefined)
    return {
      happened: say`Slack takes no more messages of Appliance Bot here until ${clock(waits.until)}.`,
      todo: say`Try again after that.`,
    };
  if (isUncertain(facts))
    return {
      happened: say`Slack didn’t confirm the message${reason === undefined ? '' : say` (${by})`}.`,
      todo: inAMoment,
    };
  if (reason === slackAway) return { happened: say`Slack isn’t responding.`, todo: inAMoment };
  if (waits !== undefined)
    return { happened: say`Slack didn’t take the message now (${by}).`, todo: inAMoment };
  return whyRefused(reason ?? '');
}

/** By its verdict on the message: sent again, it is refused again. */
function whyRefused(reason: string): Pick<Sentences, 'happened' | 'todo'> {
  const by = code(reason);
  switch (reason) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        happened: say`Appliance Bot is not a member of this channel.`,
        todo: say`Type ${code('/invite @appliance-bot')} and try again.`,
      };
    case 'is_archived':
      return { happened: say`This channel is archived.`, todo: say`Ask in another channel.` };
    case 'team_access_not_granted':
    case 'access_denied':
    case 'no_permission':
    case 'ekm_access_denied':
      return {
        happened: say`Appliance Bot may not post here (${by}).`,
        todo: say`Ask a workspace admin to give the app access.`,
      };
    case 'msg_too_long':
    case 'msg_blocks_too_long':
    case 'attachment_payload_limit_exceeded':
      return {
        happened: say`The message is longer than Slack takes (${by}).`,
        todo: say`Ask for less at once.`,
      };
    case 'invalid_blocks':
    case 'invalid_blocks_format':
    case 'invalid_arguments':
      return {
        happened: say`Slack can’t read the message (${by}): that is a fault of Appliance Bot, and trying again doesn’t help.`,
        todo: say`Tell an admin of the bot.`,
      };
    default:
      return reason.startsWith('restricted_action') || reason === 'posting_to_channel_denied'
        ? {
            happened: say`The settings of this channel or workspace don’t let Appliance Bot post here (${by}).`,
            todo: say`Ask a workspace admin.`,
          }
        : { happened: say`Slack rejected the message (${by}).`, todo: inAMoment };
  }
}
