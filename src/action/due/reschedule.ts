import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, quoted } from '../../handlers/language/asked.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { readStart, startSaid, startWanted, type TypedStart } from '../../handlers/language/times/start.ts';
import { notPlanned, type PlannedStart, startInWords } from '../../handlers/planned/words.ts';
import { enumerate, person as personSpan, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import type { Approvals } from '../approval/approvals.ts';
import { allAskedWith, plannedFor } from '../authority/asked-of.ts';
import { isNeverFrozen } from '../authority/freeze-over.ts';
import { isOpenAt, startAtOnce, startIn } from '../authority/starts.ts';
import { accessRequestTo, type Terms, termsFor } from '../authority/terms.ts';
import type { Press } from '../base/chat.ts';
import { type Consent, consentOf, consentToStore, isDelegated } from '../base/consent.ts';
import { changeOf, isReadable, type Shown, shownOf, shownToStore, stepsIn } from '../base/stored.ts';
import { newQuestion, previewOf, shownNow } from '../change/question.ts';
import type { Gathering } from '../change/supervision.ts';
import { shortest, withStart } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { hold, holdAgain } from '../planned/hold.ts';
import { concernedBy } from '../showing/mentioned.ts';
import { faultIn, isSame } from '../target/target.ts';
import { explain, type Fault } from '../wording/faults.ts';
import type { TicketFault } from '../wording/not-approved.ts';
import { lookAtAll } from './look-at-all.ts';
import { withPreview } from './move-end.ts';

export type By = Pick<Press, 'team' | 'person' | 'channel'>;

/** What is planned gets another time: it is looked at again, and held until then if nothing else has to be agreed to. */
export interface Moving {
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
    if (start === undefined) return { why: say`Write ${startWanted[typed.option]}.` };
    if ('code' in start) return { why: notPlanned(start) };
    const early = action && endsTooEarly(action, start);
    return early === undefined ? { start, typed } : { why: early };
  }

  /** What lasts until a moment must begin before it. */
  function endsTooEarly(action: Action, { latest }: PlannedStart): Text | undefined {
    const { until } = shownOf(action)?.temporary ?? {};
    return until === undefined || until >= latest + shortest
      ? undefined
      : notPlanned({ code: 'ends_first', starts: latest, ends: until, now: now() });
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
    if (!isAgreed) return askAgain(by, moved, command, seen.shown, start);
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

  async function see(
    wanted: Action,
    command: AnyChange,
  ): Promise<{ readonly fault: Fault } | { readonly shown: Shown; readonly isSame: boolean }> {
    const before = shownOf(wanted);
    if (before === undefined) return { fault: { code: 'card_gone' } };
    if (command.gathers !== undefined) return lookAtAll(parts.gathering(), wanted, command, before);
    const looks = await previewOf(parts, wanted, command);
    const shown = shownNow(wanted, command, looks, now());
    return shown === undefined
      ? { fault: faultIn(looks) }
      : { shown, isSame: isSame(before.targets, shown.targets) };
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
  async function askAgain(
    by: By,
    moved: Action,
    command: AnyChange,
    shown: Shown,
    start: PlannedStart,
  ): Promise<Fault | undefined> {
    const terms = await termsOf(moved, command, start);
    if (terms.kind === 'fault') return terms.fault;
    const consent = terms.kind === 'consent' ? terms.consent : consentOf(moved);
    const notice = say`${personSpan(by.person)} wants another time for this, for which it has to be agreed to again. Nothing runs before that.`;
    await notifications.transitionAndNotify(
      moved,
      'waiting',
      {
        ...newQuestion(now(), shown, consent),
        ...(consent !== undefined && { consent: consentToStore(consent) }),
        events: [{ kind: 'shown', content: moved.preview ?? null }],
      },
      { notice },
    );
    return undefined;
  }

  async function termsOf(action: Action, command: AnyChange, start: PlannedStart): Promise<Terms> {
    const { person, channel, line, ticket } = action;
    const reason = consentOf(action)?.reason ?? undefined;
    const asking = {
      ...{ person, channel, reason, line, access: 'run' as const, accessRequest: isDelegated(action) },
      ticket: ticket ?? ('notNeeded' as const),
      takesBack: await isNeverFrozen(journal, action),
    };
    const planned = plannedFor(start);
    const wanted = allAskedWith(commandByPhrase, action, command).map((asked) => ({ ...asked, planned }));
    return termsFor(authority, asking, wanted);
  }

  /** What is typed instead has the time that is wanted; a plan is typed with its lines below. */
  function anew(claimed: Action, { line, at, window }: PlannedStart, why: TicketFault): TicketFault {
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
