import { z } from 'zod';
import { codec } from '../../codec.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, quoted } from '../../handlers/language/asked.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { readStart, startSaid, startWanted, type TypedStart } from '../../handlers/language/times/start.ts';
import { type PlannedStart, startInWords } from '../../handlers/planned/words.ts';
import {
  type Acted,
  enumerate,
  person as personSpan,
  type Reply,
  say,
  type Text,
} from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { allAskedWith, plannedFor } from '../authority/asked-of.ts';
import { isNeverFrozen, keptOn, moveIn } from '../authority/freeze-over.ts';
import { isOpenAt, startAtOnce, startIn } from '../authority/starts.ts';
import { type Asking, accessRequestTo, askerIn, saidOf, type Terms, termsFor } from '../authority/terms.ts';
import type { Press, Submission, SubmissionResult } from '../base/chat.ts';
import { type Consent, consentOf, isDelegated } from '../base/consent.ts';
import { changeOf, isReadable, type Shown, shownOf, shownToStore, stepsIn } from '../base/stored.ts';
import { newQuestion, previewOf, shownNow } from '../change/question.ts';
import type { Gathering } from '../change/supervision.ts';
import { shortest, withStart } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { hold, holdAgain } from '../planned/hold.ts';
import { withoutMark } from '../showing/card.ts';
import { concernedBy } from '../showing/mentioned.ts';
import { faultIn, isSame } from '../target/target.ts';
import { explain, type Fault } from '../wording/faults.ts';

type By = Pick<Press, 'team' | 'person' | 'channel'>;

/** What is planned gets another time: it is looked at again, and held until then if nothing else has to be agreed to. */
interface Moving {
  /** What was typed as a time; or why it is none that it can be moved to. */
  readonly read: (said: string, action: Action | undefined) => NewStart | { readonly why: Text };
  /** Why somebody may not move it. */
  readonly bar: (person: string, action: Action, command: AnyChange) => Promise<Fault | undefined>;
  /** Moves it, where it still is the question that was looked at. Why it stays as it was, where it does; they may have been told. */
  readonly move: (
    about: { readonly action: string; readonly question: string },
    by: By,
    start: NewStart,
  ) => Promise<Reply | 'told' | undefined>;
}

interface NewStart {
  readonly start: PlannedStart;
  readonly typed: TypedStart;
}

export function createMoving(
  parts: Parts & {
    readonly obstacle: Approvals['obstacle'];
    /** Asked for later than this is built: it builds on it. */
    readonly gathering: () => Gathering;
  },
): Moving {
  const { authority, commandByPhrase, journal, interactionLog, notifications, now } = parts;

  return { read, bar, move };

  function read(said: string, action: Action | undefined): ReturnType<Moving['read']> {
    const typed = startSaid(said, Object.keys(authority.policy().windows ?? {}));
    const start = readStart(typed) === undefined ? undefined : (startIn(typed, parts) ?? startAtOnce(parts));
    if (start === undefined) return { why: say`Write ${startWanted[typed.option]}. Nothing was moved.` };
    if ('code' in start) return { why: explain(start).headline };
    const early = action && endsTooEarly(action, start);
    return early === undefined ? { start, typed } : { why: say`${early} Nothing was moved.` };
  }

  /** What lasts until a moment must begin before it. */
  function endsTooEarly(action: Action, { latest }: PlannedStart): Text | undefined {
    const { until } = shownOf(action)?.temporary ?? {};
    return until === undefined || until >= latest + shortest
      ? undefined
      : explain({ code: 'ends_first', starts: latest, ends: until, now: now() }).headline;
  }

  /** Why somebody may not move it: it is not planned any more, or they may not run it; who was lent the role may move their own. */
  async function bar(person: string, action: Action, command: AnyChange): Promise<Fault | undefined> {
    if (action.state !== 'planned') return { code: 'already', action, clicker: person };
    if (!isReadable(action)) return { code: 'card_gone' };
    const planned = plannedFor(shownOf(action)?.start);
    const { channel, person: asker } = action;
    for (const asked of allAskedWith(commandByPhrase, action, command)) {
      const decision = await authority.decide({ ...asked, planned, person, channel, access: 'run' });
      if (decision.allow) continue;
      if (person !== asker) return { code: 'not_yours_to_move', asker };
      const isLent = isDelegated(action) && accessRequestTo(decision.denial).length > 0;
      if (!isLent) return authority.fault(decision.denial, channel);
    }
    return undefined;
  }

  async function move(
    { action: id, question }: Parameters<Moving['move']>[0],
    by: By,
    { start: given, typed }: NewStart,
  ): Promise<Reply | 'told' | undefined> {
    const action = await journal.byId(id);
    const command = changeOf(commandByPhrase, action);
    if (action === undefined || command === undefined) return explain({ code: 'card_gone' });
    const start = { ...given, line: lineAt(action, typed, given) };
    // The form may have lain open for a while.
    const fault =
      action.token === question
        ? await bar(by.person, action, command)
        : ({ code: 'already', action, clicker: by.person } as const);
    if (fault !== undefined) return declined(by, action, fault);
    const claimed = await journal.move(action, 'approved', {}, question);
    if (claimed === undefined) {
      const current = (await journal.byId(id)) ?? action;
      return declined(by, current, { code: 'already', action: current, clicker: by.person });
    }
    let isSettled = false;
    try {
      const why = await settle(by, claimed, command, start);
      isSettled = why === undefined;
      return why && (await stays(claimed, why.code === 'ticket_wanted' ? anew(claimed, start, why) : why));
    } finally {
      // A mistake of ours must not cost them what is planned.
      if (!isSettled && (await journal.byId(id))?.state === 'approved') await holdAgain(parts, claimed);
    }
  }

  async function declined(by: By, action: Action, fault: Fault): Promise<'told'> {
    await interactionLog.declineOn({ ...by, button: 'reschedule' }, action, fault);
    return 'told';
  }

  /** As it would be typed for that time: what quotes the line must not name another one. */
  function lineAt(action: Action, typed: TypedStart, { at, window }: PlannedStart): string {
    const text = window ?? typedMoment(at, authority.policy().timeZone);
    const option: TypedStart = window === undefined ? { option: 'at', text } : typed;
    const found = parts.match(action.understoodAs ?? action.line);
    if (found.kind === 'command' && action.phrase === found.command.phrase && stepsIn(action).length === 0)
      return lineOf({ ...found, start: option });
    return action.line.replace(
      /--(?:at|window)[= ](?:"[^"]*"|\S+)/,
      () => `--${option.option} ${quoted(option.text)}`,
    );
  }

  /** Why it stays as it is, where it does. */
  async function settle(
    by: By,
    claimed: Action,
    command: AnyChange,
    start: PlannedStart,
  ): Promise<Fault | undefined> {
    const before = shownOf(claimed);
    if (before?.start === undefined) return { code: 'card_gone' };
    const then = { ...before, fields: before.fields.filter(({ name }) => name !== 'Runs'), start: undefined };
    const wanted = withPreview(claimed, withStart(then, start));
    const seen = await see(wanted, command);
    if ('fault' in seen) return seen.fault;
    const moved = withPreview(claimed, seen.shown);
    const obstacle = await parts.obstacle(moved, command);
    if (obstacle !== undefined && !isForApprovers(obstacle)) return obstacle;
    const consent = consentOf(claimed);
    const isAgreed = seen.isSame && obstacle === undefined && isStillMeant(before.start, start, consent);
    if (!isAgreed) {
      const shown = { ...seen.shown, start: { ...start, was: before.start.at } };
      return askAgain(by, moved, shown, await seen.terms());
    }
    const events = [{ kind: 'shown', content: claimed.preview ?? null } as const];
    const preview = shownToStore(seen.shown);
    const concerned = (await concernedBy(journal, claimed)).filter((one) => one !== by.person);
    await hold(parts, by, claimed, start, { preview, events, decidedBy: by.person });
    const called = concerned.length === 0 ? [] : say`${enumerate(concerned.map(personSpan))}: `;
    await notifications.add(
      claimed,
      say`${called}${personSpan(by.person)} moved this from ${startInWords(before.start)} to ${startInWords(start)}.`,
    );
    return undefined;
  }

  async function see(wanted: Action, command: AnyChange): ReturnType<typeof lookAtAll> {
    const before = shownOf(wanted);
    if (before === undefined) return { fault: { code: 'card_gone' } };
    if (command.gathers !== undefined) return lookAtAll(parts.gathering(), wanted, command, before);
    const looks = await previewOf(parts, wanted, command);
    const shown = shownNow(wanted, command, looks, now());
    if (shown === undefined) return { fault: faultIn(looks) };
    const terms = () => termsOf(withPreview(wanted, shown), command);
    return { shown, isSame: isSame(before.targets, shown.targets), terms };
  }

  /** What was approved for a window of the policy was not approved for another time. */
  function isStillMeant(
    { window }: PlannedStart,
    { at, window: other }: PlannedStart,
    consent?: Consent,
  ): boolean {
    return (
      consent === undefined ||
      window === undefined ||
      window === other ||
      isOpenAt(at, window, authority.policy())
    );
  }

  /** It is put before people again, on the terms of that time. */
  async function askAgain(by: By, moved: Action, shown: Shown, terms: Terms): Promise<Fault | undefined> {
    if (terms.kind === 'fault') return terms.fault;
    const consent = terms.kind === 'consent' ? terms.consent : consentOf(moved);
    const notice = say`${personSpan(by.person)} wants to move this to another time, which needs a new confirmation or approval. Nothing runs before that.`;
    await notifications.transitionAndNotify(
      moved,
      'waiting',
      {
        ...newQuestion(now(), shown, consent),
        events: [{ kind: 'shown', content: moved.preview ?? null }],
      },
      { notice },
    );
    return undefined;
  }

  async function termsOf(action: Action, command: AnyChange): Promise<Terms> {
    const shown = shownOf(action);
    const move = moveIn(shown);
    const asking: Asking = {
      ...askerIn(action),
      ...saidOf(action),
      // Whether it lacks one was told before (`obstacle`).
      ticket: action.ticket ?? 'notNeeded',
      takesBack: await isNeverFrozen(journal, action),
      ends: move && (await keptOn(journal, move)),
    };
    const planned = plannedFor(shown?.start);
    const wanted = allAskedWith(commandByPhrase, action, command).map((asked) => ({ ...asked, planned }));
    return termsFor(authority, asking, wanted);
  }

  /** What is typed instead has the time that is wanted; a plan is typed with its lines below. */
  function anew(claimed: Action, { line, at, window }: PlannedStart, why: TicketWanted): TicketWanted {
    const time = window ?? typedMoment(at, authority.policy().timeZone);
    const plan = `plan --${window === undefined ? 'at' : 'window'} ${quoted(time)}`;
    return { ...why, line: stepsIn(claimed).length > 0 ? plan : (line ?? why.line), planned: 'moved' };
  }

  async function stays(claimed: Action, why: Fault): Promise<Reply> {
    await holdAgain(parts, claimed);
    const { start } = shownOf(claimed) ?? {};
    const { headline, details } = explain(why);
    const as = start === undefined ? [] : say` It stays planned for ${startInWords(start)}.`;
    return { headline: say`${headline}${as}`, ...(details && { details }) };
  }
}

/** What others must agree to at that time. */
const isForApprovers = ({ code }: Fault): boolean => code === 'approval_changed' || code === 'approval_gone';

/** The form by which what is planned gets another time. */
export interface Reschedule {
  /** A click on *Change the time…*: opens the form that asks for it. */
  readonly press: (press: Press) => Promise<void>;
  /** Takes that form. Undefined when the submission is of another one. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult | undefined>;
  /** Why somebody cannot move it to what they have typed as a time, as far as that is known before it is looked at again. */
  readonly bar: (by: By, token: string, said: string) => Promise<Reply | undefined>;
  /** The same as the form for what somebody has typed. */
  readonly typed: (by: By, token: string, said: string) => Promise<Acted>;
}

type TicketWanted = Extract<Fault, { code: 'ticket_wanted' }>;

/** What is kept of the form. */
const timeQuestions = codec(
  z.object({ holds: z.literal('time form'), action: z.string(), question: z.string() }),
);

/** How long such a form may lie open, in milliseconds. */
const lifetime = 30 * 60_000;

export function createReschedule(parts: Parts & { readonly moving: Moving }): Reschedule {
  const { authority, commandByPhrase, chat, journal, interactionLog, whisper, moving, now } = parts;

  return {
    bar: async (by, token, said) => {
      const wanted = await wantedIn(by, token, said);
      return 'headline' in wanted ? wanted : undefined;
    },

    typed: async (by, token, said) => {
      const wanted = await wantedIn(by, token, said);
      if ('headline' in wanted) return wanted;
      const { action, start } = wanted;
      const why = await moving.move({ action: action.id, question: token }, by, start);
      if (why !== undefined) return why === 'told' ? { headline: say`Nothing was moved.` } : why;
      const moved = (await journal.byId(action.id)) ?? action;
      const { question = [] } = shownOf(moved) ?? {};
      const when = startInWords(start.start);
      return {
        changed: true,
        headline:
          moved.state === 'planned'
            ? say`Planned for ${when} now: ${withoutMark(question)}.`
            : say`The move to ${when} needs a new confirmation or approval, on its card: ${withoutMark(question)}. Nothing runs before that.`,
      };
    },

    press: async (press) => {
      const { channel, person, token, trigger } = press;
      const action = await journal.byToken(token);
      const command = changeOf(commandByPhrase, action);
      if (action?.channel !== channel || command === undefined)
        return interactionLog.decline(press, {}, { code: 'card_gone' });
      const fault = await moving.bar(person, action, command);
      if (fault !== undefined) return interactionLog.declineOn(press, action, fault);
      const { start, question = [] } = shownOf(action) ?? {};
      if (start === undefined) return interactionLog.declineOn(press, action, { code: 'card_gone' });
      const content = timeQuestions.store({ holds: 'time form', action: action.id, question: token });
      const form = await journal.keep({ kind: 'form', content, person, channel, until: now() + lifetime });
      const { timeZone } = authority.policy();
      const isOpen =
        trigger !== undefined &&
        (await chat.openForm(trigger, {
          token: form,
          title: 'Change the time',
          submit: 'Change',
          explanation: say`${withoutMark(question)}. Planned for ${startInWords(start)}. The bot checks the new time first, and keeps the old one if the check fails. If the new time needs a new confirmation or approval, nothing runs at the old one.`,
          inputs: [
            {
              name: 'at',
              label: 'Run at',
              optional: false,
              hint: `${startWanted.at}, or a window; in ${timeZone}`,
              kind: {
                is: 'line',
                initial:
                  start.window === undefined ? typedMoment(start.at, timeZone) : `window ${start.window}`,
              },
            },
          ],
        }));
      const { id, line, phrase } = action;
      if (isOpen) await interactionLog.opened(press, { line, phrase, action: id }, 'command');
      else await whisper(press, explain({ code: 'form_not_opened', button: 'Change the time' }));
    },

    submit: async ({ team, person, token, entered }) => {
      const kept = await journal.kept(token);
      const about = kept && timeQuestions.read(kept.content);
      if (kept === undefined || about === undefined) return undefined;
      if (kept.person !== person) return { kind: 'over', why: explain({ code: 'form_not_yours' }).headline };
      const start = moving.read(entered.words.at?.[0] ?? '', await journal.byId(about.action));
      if ('why' in start) return { kind: 'problems', problems: { at: start.why } };
      const by = { team, person, channel: kept.channel };
      return {
        kind: 'closed',
        listener: by,
        follow: async () => {
          const why = await moving.move(about, by, start);
          if (typeof why === 'object') await whisper(by, why);
        },
      };
    },
  };

  async function wantedIn(by: By, token: string, said: string) {
    const action = await journal.byToken(token);
    const command = changeOf(commandByPhrase, action);
    if (action === undefined || command === undefined) return explain({ code: 'card_gone' });
    const fault = await moving.bar(by.person, action, command);
    if (fault !== undefined) return explain(fault);
    const start = moving.read(said, action);
    return 'why' in start ? { headline: start.why } : { action, start };
  }
}

/** What is planned and gathers several lines, looked at once more: each of its lines is. */
export async function lookAtAll(
  gathering: Gathering,
  action: Action,
  command: AnyChange,
  before: Shown,
): Promise<
  | { readonly fault: Fault }
  | { readonly shown: Shown; readonly isSame: boolean; readonly terms: () => Promise<Terms> }
> {
  const looked = await gathering.lookAgain(action, command);
  if ('code' in looked) return { fault: looked };
  const { terms } = looked;
  return looked.kind === 'same'
    ? { shown: before, isSame: true, terms }
    : { shown: looked.shown, isSame: false, terms };
}

/** As it is looked at now. */
export const withPreview = (action: Action, shown: Shown): Action => ({
  ...action,
  preview: shownToStore(shown),
});
