import { type Approval, isReason } from '../../auth/approval.ts';
import type { ApprovalRule } from '../../auth/policy.ts';
import { longestReason } from '../../auth/reason.ts';
import type { Arguments } from '../../auth/request.ts';
import type { TicketNeed } from '../../auth/ticket.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf, titleOf } from '../../handlers/command-name.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { cleanLine, splitSites, splitValues } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { pastedIn } from '../../handlers/lists/pasted.ts';
import { filesAmong, type GivenValue, wordsAmong } from '../../handlers/lists/posted-file.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import type { Kept } from '../../journal/journal.ts';
import { pickerLate, pickerUnknown } from '../../telemetry/events/forms.ts';
import type { Log } from '../../telemetry/log.ts';
import { targetsIn, wantedWith } from '../authority/asked-of.ts';
import {
  type AskedIn,
  type Invocation,
  inPlaceOf,
  type Press,
  type Submission,
  type SubmissionResult,
} from '../base/chat.ts';
import { type Choosable, type Entered, fileInputOf, type Query } from '../base/form.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import { type After, inTime } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';
import { formIn, keepForm } from '../showing/form-buttons.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { notFitting, passwordInText, textProblem } from '../wording/misread/misfits.ts';
import { tooLong } from '../wording/not-approved.ts';
import {
  argumentOf,
  asksWhen,
  explanationFor,
  inputsFor,
  isKept,
  type Opened,
  reasonInput,
  slotsOf,
  submitFor,
  ticketInput,
  ticketProblem,
  timeInputs,
  timeProblems,
  timesIn,
} from './inputs.ts';
import { createFormSearch, readAlone } from './search.ts';

/** Asks for what was not typed, by a form made from the command's declaration. */
export interface Forms {
  /** False when no form could be opened: the person then gets the usage line. */
  readonly open: (invocation: Invocation, asked: Extract<Match, { kind: 'missing' }>) => Promise<boolean>;
  /** A click on a button that opens a form. */
  readonly press: (press: Press) => Promise<void>;
  /** Reads what was sent, with nothing but the journal to wait for. A form can be sent once. */
  readonly submit: (submission: Submission) => Promise<SubmissionResult>;
  /** What a picker offers; nothing when it cannot be had in time, and the log says why. */
  readonly search: (query: Query) => Promise<readonly Choosable[]>;
}

export interface FormParts extends Parts {
  readonly log: Log;
  readonly after: After;
}

/** How long what only one person reads can be answered to, in milliseconds (slack-facts.md §1). */
const replyable = 30 * 60_000;

export function createForms(parts: FormParts): Forms {
  const { commandByPhrase, authority, appliances, journal, chat, whisper, interactionLog, log, now, after } =
    parts;
  const pickers = createFormSearch(parts);
  const replyAddresses = createReplyAddresses(now);

  return {
    open: async (invocation, asked) => {
      const { trigger, channel } = invocation;
      if (trigger === undefined) return false;
      const targets = appliancesFor(asked, channel);
      if ('code' in targets) {
        await refuse(invocation, asked, targets);
        return true;
      }
      const { person, askedIn } = invocation;
      const token = await keepForm(asked, { channel, person, askedIn }, parts);
      return show({ ...invocation, trigger }, token, asked, targets);
    },

    press: async (press) => {
      const { person, token, trigger } = press;
      const opened = await openedAs(token, person, undefined);
      if ('code' in opened) return interactionLog.decline(press, {}, opened);
      const { channel } = opened.kept;
      const asked = { ...opened.asked, typed: opened.before };
      const decision = await authority.decide({
        ...wantedWith(asked, channel, parts),
        person,
        channel,
        access: 'run',
      });
      const about = { line: lineOf(asked), phrase: asked.command.phrase };
      if (!decision.allow) {
        return interactionLog.decline(press, about, await authority.fault(decision.denial, channel));
      }
      const targets = appliancesFor(asked, channel);
      if ('code' in targets) return interactionLog.decline(press, about, targets);
      const isOpen =
        trigger !== undefined && (await show({ ...press, channel, trigger }, token, asked, targets));
      if (!isOpen) await whisper(press, explain({ code: 'form_not_opened' }));
    },

    submit: async ({ team, person, token, entered, trigger }) => {
      const opened = await openedAs(token, person, entered);
      if ('code' in opened) return { kind: 'over', why: explain(opened).headline };
      const { asked, kept } = opened;
      const ticket = ticketProblem(asked, ticketNeedOf(asked, kept.channel), authority.policy().tickets);
      const problems = {
        ...problemsOf(asked),
        ...reasonProblem(asked, kept.channel),
        ...timeProblems(asked, parts),
        ...ticket,
      };
      if (Object.keys(problems).length > 0) return { kind: 'problems', problems };
      if ((await journal.take(token, person)) === undefined) {
        // Of two clicks at once the other one was first, or the time is over by now.
        const now = await openedAs(token, person, entered);
        return { kind: 'over', why: explain('code' in now ? now : { code: 'form_over' }).headline };
      }
      const { channel } = kept;
      const replyTo = replyAddresses.take(token);
      return {
        kind: 'accepted',
        invocation: {
          team,
          channel,
          person,
          line: lineOf(asked),
          asked,
          form: token,
          trigger,
          replyTo,
          ...inPlaceOf(opened.askedIn),
          ...(opened.delivery !== undefined && { delivery: opened.delivery }),
        },
      };
    },

    search: async (query) => {
      const found = await inTime(after, pick(query));
      if (found === undefined) log.tell(pickerLate, { input: query.input });
      return found ?? [];
    },
  };

  async function show(
    to: Pick<Press, 'team' | 'channel' | 'person' | 'replyTo'> & { readonly trigger: string },
    token: string,
    asked: Opened,
    targets: readonly string[],
  ): Promise<boolean> {
    const { trigger, replyTo, channel } = to;
    if (replyTo !== undefined) replyAddresses.remember(token, replyTo, now() + replyable);
    // Whether it is certain is known with its arguments only.
    const approval = approvalOf(asked, channel).kind !== 'not_needed';
    const reason = reasonInput(asked, rulesFor(asked, channel));
    const ticket = ticketInput(asked, ticketNeedOf(asked, channel), authority.policy().tickets);
    const isOpen = await chat.openForm(trigger, {
      token,
      title: titleOf(asked.command),
      submit: submitFor(asked, targets, approval),
      explanation: explanationFor(asked, targets, approval, asksWhen(asked)),
      inputs: [...inputsFor(asked), ...timeInputs(asked, windowsNow()), ...reason, ...ticket],
    });
    const { phrase } = asked.command;
    if (isOpen)
      await interactionLog.opened(to, { token, phrase, line: lineOf(asked), appliances: targets }, 'command');
    return isOpen;
  }

  function windowsNow(): readonly string[] {
    return Object.keys(authority.policy().windows ?? {});
  }

  function approvalOf(asked: Asked, channel: string): Approval {
    return authority.approvalFor(wantedWith(asked, channel, parts), []);
  }

  function ticketNeedOf(asked: Asked, channel: string): TicketNeed {
    if (asked.dryRun) return 'no';
    const need = authority.ticketFor(wantedWith(asked, channel, parts), channel);
    // What the lines of a plan need is known when they are read.
    const isOpen = need === 'no' && asked.command.kind === 'change' && asked.command.gathers !== undefined;
    return isOpen && (authority.policy().tickets?.required.length ?? 0) > 0 ? 'perhaps' : need;
  }

  function rulesFor(asked: Asked, channel: string): readonly ApprovalRule[] {
    const approval = approvalOf(asked, channel);
    return approval.kind === 'needed' ? approval.rules : [];
  }

  /** A reason that was given and may not be shown, or is none for those who approve it. */
  function reasonProblem(asked: Asked, channel: string): Readonly<Record<string, Text>> {
    const { reason } = asked;
    const unshown = reason === undefined ? undefined : textProblem(reason);
    if (unshown !== undefined) return { reason: unshown };
    const wrong = rulesFor(asked, channel).find((rule) => reason !== undefined && !isReason(reason, rule));
    if (wrong !== undefined && reason !== undefined && reason.length > longestReason)
      return { reason: tooLong(reason) };
    return wrong === undefined
      ? {}
      : { reason: say`It must look like ${code(wrong.reason?.example ?? wrong.reason?.pattern ?? '')}.` };
  }

  async function pick({ person, token, input, typed, entered }: Query): Promise<readonly Choosable[]> {
    const opened = await openedAs(token, person, entered);
    if ('code' in opened) return [];
    const { asked, kept, before } = opened;
    const { channel } = kept;
    const { command, ...wanted } = wantedWith(asked, channel, parts);
    const decide = await authority.decideEach({ person, channel, command, access: 'pick' });
    // A form that was allowed a while ago shows nothing to somebody whose role is gone.
    const targets = decide(wanted).allow ? appliancesFor(asked, channel) : [];
    const [first = '', ...others] = 'code' in targets ? [] : targets;
    const appliance = appliances.get(first);
    if (appliance === undefined) {
      log.tell(pickerUnknown, { command: asked.command.phrase, input, person });
      return [];
    }
    // The chat may leave out what was not touched.
    const known = { ...asked, typed: { ...before, ...asked.typed } };
    await journal.formSearched(token);
    const may = (args: Arguments) => decide({ ...wanted, args }).allow;
    return pickers.find(known, input, typed, { appliance, others: others.length > 0, may });
  }

  /** What a form was opened for, with what stands in it now, or why it cannot be sent. `given`: undefined before it is open. */
  async function openedAs(
    token: string,
    person: string,
    given: Entered | undefined,
  ): Promise<
    | {
        readonly kept: Kept;
        readonly asked: Asked;
        readonly before: Asked['typed'];
        readonly askedIn: AskedIn | undefined;
        readonly delivery: string | undefined;
      }
    | Fault
  > {
    const kept = await journal.kept(token);
    if (kept?.kind !== 'form') return { code: 'form_over' };
    if (kept.person !== person) return { code: 'form_not_yours' };
    if (kept.takenAt !== undefined) return { code: 'form_sent', at: kept.takenAt };
    const form = formIn(kept);
    if (form === undefined) return { code: 'form_over' };
    const { phrase, typed: before, manner } = form;
    const command = commandByPhrase.get(phrase);
    if (command === undefined) return { code: 'form_outdated', command: nameOf({ phrase }) };
    const entered = given ?? { words: {}, files: {} };
    const typed = wordsIn(command, entered, before);
    // A command that asks for a reason itself has it among its words.
    const reason = command.args.reason === undefined ? entered.words.reason?.[0]?.trim() : undefined;
    const ticket = entered.words.ticket?.[0]?.trim();
    const own = { ...manner, command, typed };
    const asked = {
      ...own,
      ...(form.asksTimes && given !== undefined && timesIn(own, given, windowsNow())),
      ...(ticket && { ticket }),
      ...(reason && { reason }),
    };
    return { kept, before, asked, askedIn: form.askedIn, delivery: form.delivery };
  }

  /** In the order of the configuration. None for what is asked of no appliance. */
  function appliancesFor(asked: Asked, channel: string): readonly string[] | Fault {
    const targets = targetsIn(asked, channel, parts);
    if (targets === undefined) return [];
    return targets.ok ? targets.names : { code: 'no_such_target', problem: targets.problem };
  }

  /** A form for an appliance that is not there would be filled in for nothing. */
  async function refuse(invocation: Invocation, asked: Asked, fault: Fault) {
    const { team, channel, person, line } = invocation;
    const reply = explain(fault);
    const { phrase, effect } = asked.command;
    const refused = await journal.write({
      team,
      channel,
      person,
      phrase,
      effect,
      line: cleanLine(line),
      state: 'refused',
      outcome: { code: fault.code, ...inWords(reply.headline) },
    });
    await whisper(invocation, reply, refused.id);
  }
}

/** What stands in the inputs, as words of a line: cleaned like one, but for passwords, and split where several are wanted. */
function wordsIn(command: AnyCommand, { words, files }: Entered, before: Asked['typed']): Asked['typed'] {
  const typed = slotsOf(command).map(({ name, several }): [string, readonly GivenValue[]] => {
    const argument = argumentOf(command, name);
    const { input, isLine, list, among, fromFile } = argument;
    if (isKept(argument, before[name])) return [name, before[name] ?? []];
    const file = files[fromFile ? fileInputOf(name) : name];
    if (input === 'file') return [name, file === undefined ? (before[name] ?? []) : [file]];
    const given = words[name] ?? [];
    const isChosen = list !== undefined || among !== undefined;
    const isWhole = input === 'secret' || input === 'flag' || (isLine !== undefined && input === 'text');
    if (isChosen || isWhole) return [name, fromFile && file !== undefined ? [...given, file] : given];
    const lines = several ? given.flatMap((text) => pastedIn(text, argument.recognisable !== true)) : given;
    const cleaned = lines.map(cleanLine).filter((line) => line !== '');
    const split = argument.holdsSites ? splitSites : splitValues;
    const own = several ? cleaned.flatMap(split) : cleaned;
    return [name, fromFile && file !== undefined ? [...own, file] : own];
  });
  return Object.fromEntries(typed.filter(([, given]) => given.length > 0));
}

/** Everything that is wrong at once, by input; each is read by the very reader of a typed line. */
function problemsOf(asked: Asked): Readonly<Record<string, Text>> {
  const problems = slotsOf(asked.command).flatMap((slot): [string, Text][] => {
    const given = asked.typed[slot.name];
    const typed = wordsAmong(given);
    // What stands in it is read when the form is sent.
    const isList = argumentOf(asked.command, slot.name).fromFile === true;
    if (isList && filesAmong(given).length > 0 && typed.length === 0) return [];
    const own = isList ? { ...asked, typed: { ...asked.typed, [slot.name]: typed } } : asked;
    const found = readAlone(own, slot);
    if (found.kind === 'missing' && isList)
      return [[slot.name, say`This is required: type it here, or choose a file below.`]];
    if (found.kind === 'missing') return [[slot.name, say`This is required.`]];
    if (found.kind === 'too_many') {
      return [
        [slot.name, say`Enter at most ${number(found.most)} at once. These are ${number(found.given)}.`],
      ];
    }
    if (found.kind === 'secret') {
      return [[slot.name, passwordInText]];
    }
    return found.kind === 'invalid' ? [[slot.name, notFitting(found)]] : [];
  });
  return Object.fromEntries(problems);
}
