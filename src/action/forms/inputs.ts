import type { ApprovalRule, TicketPolicy } from '../../auth/policy.ts';
import { type TicketNeed, ticketIn } from '../../auth/ticket.ts';
import type { Argument } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { isParticle } from '../../handlers/command-name.ts';
import { type Asked, quotedAmongOthers } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { isUndoable } from '../../handlers/language/options.ts';
import { readPattern, type Slot } from '../../handlers/language/pattern.ts';
import { readTerm, type TypedTerm, termMeant, termWanted } from '../../handlers/language/term.ts';
import { isTicket } from '../../handlers/language/ticket.ts';
import { readStart, startSaid, type TypedStart } from '../../handlers/language/times/start.ts';
import { filesAmong, type GivenValue, listEndings, wordsAmong } from '../../handlers/lists/posted-file.ts';
import { capital, code, enumerate, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { startIn } from '../authority/starts.ts';
import { type Entered, type Form, fileInputOf, type Input, longestEntered } from '../base/form.ts';
import { lastingOf } from '../change/temporary.ts';
import { explain } from '../wording/faults.ts';
import { notTaken } from '../wording/misread/not-understood.ts';
import { exampleOf, notATicket } from '../wording/not-approved.ts';

/** A slot of a phrase, and the small word that stands before it: "from", "to". */
export interface FormSlot extends Slot {
  readonly particle: string | undefined;
}

/** What a form asks for: every slot of the phrase in its order, then every option. */
export function slotsOf(command: AnyCommand): readonly FormSlot[] {
  const { rest, options } = readPattern(command.phrase, command);
  const positional = rest.flatMap((element, index): FormSlot[] => {
    if (element.kind === 'literal') return [];
    const before = rest[index - 1];
    const particle = before?.kind === 'literal' && isParticle(before.word) ? before.word : undefined;
    return [{ ...element, particle }];
  });
  return [...positional, ...[...options.values()].map((slot) => ({ ...slot, particle: undefined }))];
}

/** The inputs for a command, with what was typed already in them. What no input can hold is not asked for again. */
export function inputsFor({ command, typed, start }: Asked): readonly Input[] {
  const slots = slotsOf(command).filter(({ name }) => !isKept(argumentOf(command, name), typed[name]));
  const labels = slots.map(({ name }) => labelFor(name, argumentOf(command, name)));
  return slots.flatMap((slot, index): readonly Input[] => {
    const argument = argumentOf(command, slot.name);
    const label = labels[index] ?? slot.name;
    const isDouble = labels.filter((other) => other === label).length > 1;
    const isFirst = labels.indexOf(label) === index;
    const distinct = slot.particle
      ? `${slot.particle} ${label}`
      : isFirst
        ? label
        : `${label} (${slot.name})`;
    const { hint, kind } = inputFor(
      { ...argument, example: exampleFor(command, slot) ?? argument.example },
      slot,
      wordsAmong(typed[slot.name]),
      start !== undefined,
    );
    const isList = argument.fromFile === true;
    const input: Input = {
      name: slot.name,
      label: capital(isDouble ? distinct : label),
      optional: slot.optional || argument.input === 'flag' || isList,
      kind,
      ...(hint === undefined ? {} : { hint }),
    };
    return isList ? [input, fileInput(slot.name, label, argument)] : [input];
  });
}

/** For what has no room in an input. */
const fileInput = (name: string, label: string, { isLine, most }: Argument): Input => ({
  name: fileInputOf(name),
  label: `Or a file with ${isLine !== undefined || label.endsWith('s') ? label : `${label}s`}`,
  hint: `A CSV or text file${most === undefined ? '' : `, up to ${number(most)} in all`}. Lines that can’t be taken are listed before anything is changed.`,
  optional: true,
  kind: { is: 'file', endings: listEndings },
});

/** What is given already and stays as it is: a file, or more than fits into an input. */
export const isKept = ({ input, list, fromFile }: Argument, given: readonly GivenValue[] = []): boolean =>
  input === 'file' || fromFile
    ? filesAmong(given).length > 0 || (list === undefined && isTooLong(wordsAmong(given)))
    : false;

const isTooLong = (typed: readonly string[]): boolean =>
  typed.map(quotedAmongOthers).join('\n').length > longestEntered;

/** Of two of a kind, what the command's own example has behind the small word: from 252, to 260. */
const exampleFor = ({ example = '' }: AnyCommand, { particle, several }: FormSlot): string | undefined =>
  particle === undefined || several
    ? undefined
    : new RegExp(` ${particle} ("[^"]*"|\\S+)`).exec(example)?.[1];

/** Asks why, for those who approve it, where the command does not ask for a reason itself. */
export function reasonInput({ command, reason }: Asked, rules: readonly ApprovalRule[]): readonly Input[] {
  const rule = rules.find((one) => one.reason !== undefined);
  if (rule === undefined || command.args.reason !== undefined) return [];
  const { example } = rule.reason ?? {};
  return [
    {
      name: 'reason',
      label: 'Reason',
      hint: `Whoever approves it reads this.${example === undefined ? '' : ` For example: ${example}`}`,
      // With some values or some roles it may be approved without one.
      optional: rule.requesters !== undefined || rule.commands.some(({ where }) => where !== undefined),
      kind: { is: 'line', ...(reason === undefined ? {} : { initial: reason }) },
    },
  ];
}

/** A tick's own words stand beside it, so what stands above is the name of the option. */
const labelFor = (name: string, { input, what }: Argument): string =>
  input === 'flag' ? name.replaceAll('-', ' ') : bare(what);

/** What a form is opened with. `surplus`: typed words for which the command has no place. */
export type Opened = Asked & Pick<Extract<Match, { kind: 'missing' }>, 'surplus'>;

/** What the command does, where, and what happens when the form is sent. `isApproved`: somebody else has to agree. */
export function explanationFor(
  { command, typed, dryRun, term, start, surplus = [] }: Opened,
  appliances: readonly string[],
  isApproved: boolean,
  asksWhen: boolean,
): Text {
  const ends =
    term === undefined ? '' : say` It is undone automatically: ${code(`--${term.option} ${term.text}`)}.`;
  const on = enumerate(appliances.map((name) => strong(name)));
  const files = Object.values(typed).flatMap(filesAmong);
  const lists = Object.entries(typed).filter(
    ([slot, words]) => command.args[slot]?.fromFile && isTooLong(wordsAmong(words)),
  );
  const given = [
    ...(files.length === 0 ? [] : say` The file is ${enumerate(files.map(({ name }) => code(name)))}.`),
    ...lists.flatMap(([, words = []]) => say` What you typed, ${number(words.length)} in all, is kept.`),
    ...(surplus.length === 0 ? [] : say` ${notTaken(command, surplus)}.`),
  ];
  return say`${command.summary}.${ends}${given}${appliances.length === 0 ? '' : say` ${whatFollows()}`}`;

  function whatFollows(): Text {
    if (dryRun) return say`Shows what would be sent to ${on}. Nothing is sent.`;
    if (isApproved)
      return say`Before anything is done on ${on}, somebody else has to approve it.${start === undefined ? '' : say` It is planned for ${code(`--${start.option} ${start.text}`)}.`}`;
    if (command.kind !== 'change') return say`Asks ${on}.`;
    if (start !== undefined) {
      const then = code(`--${start.option} ${start.text}`);
      return asksFirst(command, appliances)
        ? say`It is planned for ${then}: you see a preview of the impact and confirm it now, and it runs on ${on} then.`
        : say`It is planned for ${then}: it runs on ${on} then, and not when you press ${strong('Plan')}.`;
    }
    return asksFirst(command, appliances)
      ? say`Before anything is done on ${on}, you see a preview of the impact and confirm it.`
      : say`It runs on ${on} as soon as you press ${strong(command.verb)}${asksWhen ? ', or at the time that you write below' : ''}${Object.values(command.args).some(({ fromFile }) => fromFile) ? '; a long list is shown with a question first' : ''}.`;
  }
}

/** The word on the button: what it does, where it does that at once. */
export function submitFor(
  { command, dryRun, start }: Asked,
  appliances: readonly string[],
  isApproved: boolean,
): Form['submit'] {
  if (dryRun) return 'Show';
  if (isApproved) return 'Continue';
  if (command.kind === 'info') return command.verb ?? 'Ask';
  if (command.kind !== 'change') return 'Ask';
  return asksFirst(command, appliances) ? 'Continue' : start === undefined ? command.verb : 'Plan';
}

/** As `propose.ts` does it, and `plan/` with what gathers several changes. */
const asksFirst = (command: AnyCommand, appliances: readonly string[]): boolean =>
  (command.kind === 'change' && command.gathers !== undefined) ||
  command.effect !== 'write' ||
  appliances.length > 1;

export function argumentOf(command: AnyCommand, name: string): Argument {
  const argument = command.args[name];
  if (argument === undefined) throw new Error(`${command.phrase} declares no argument ${name}`);
  return argument;
}

/** What a form takes of a file is much less than what a message takes (slack-facts.md §7). */
const tooLargeHere =
  'If it is too large for a Slack form, post it as a message and choose Send to appliance in the menu of that message.';

/** More picks do not fit into an input (slack-facts.md §2). */
const mostPicks = 100;

function inputFor(
  argument: Argument,
  { several }: Slot,
  typed: readonly string[],
  isPlanned: boolean,
): { readonly kind: Input['kind']; readonly hint?: string } {
  const { among, example, fromFile, input, isLine, list, most, what } = argument;
  if (input === 'secret') {
    return {
      kind: { is: 'secret' },
      hint: `${isPlanned ? 'It is kept encrypted until the change runs or is canceled, sent to the appliance then, and deleted.' : 'It is sent to the appliance and not stored.'} Slack cannot hide it while you type, so check who can see your screen.`,
    };
  }
  if (input === 'file') {
    const { endings = [] } = argument;
    const ending = endings.length === 0 ? [] : [`It must end in ${endings.join(' or ')}.`];
    return { kind: { is: 'file', endings }, hint: [...ending, tooLargeHere].join(' ') };
  }
  if (input === 'flag') return { kind: { is: 'flag', text: capital(what), initial: typed.length > 0 } };
  if (list !== undefined) {
    // What was typed may be a name: it is looked up when the form is sent, like that of a line.
    const initial = typed.length > mostPicks ? [] : typed.map((word) => ({ word, label: word }));
    const hints = [
      ...(several && most !== undefined ? [`At most ${most}.`] : []),
      ...(example === '' ? [] : [`For example: ${unquoted(example)}`]),
    ];
    return { kind: { is: 'search', several, initial }, ...(hints.length > 0 && { hint: hints.join(' ') }) };
  }
  if (among !== undefined && !several) {
    const initial = among.find((one) => one === typed[0]?.toLowerCase());
    return { kind: { is: 'choice', among, ...(initial === undefined ? {} : { initial }) } };
  }
  const whole = several && isLine === undefined ? typed.map(quotedAmongOthers).join('\n') : typed.join(' ');
  const fits = whole !== '' && whole.length <= longestEntered;
  const hints = [
    ...(several
      ? [
          fromFile
            ? `${isLine === undefined ? 'One per line or with commas' : 'One command per line'}. Up to about ${number(longestEntered / 20)} here; for more, upload a file.`
            : `One per line${most === undefined ? '' : `, at most ${number(most)}`}.`,
        ]
      : []),
    ...(example === '' ? [] : [`For example: ${several ? example : unquoted(example)}`]),
    ...(whole.length > longestEntered ? ['What you typed is too long for a form.'] : []),
  ];
  return {
    kind: { is: several || input === 'text' ? 'paragraph' : 'line', ...(fits ? { initial: whole } : {}) },
    ...(hints.length === 0 ? {} : { hint: hints.join(' ') }),
  };
}

/** In a line it needs its quotes, in a form nobody should copy them. */
const unquoted = (example: string): string => example.replace(/^"([^"]*)"$/, '$1');

/** "an ACL object" as it stands above an input. */
const bare = (what: string): string => what.replace(/^(?:an?|the) /, '');

/** Asks for the ticket where the policy wants one, and shows the one that was given. */
export function ticketInput(
  { command, ticket }: Asked,
  need: TicketNeed,
  tickets: TicketPolicy | undefined,
): readonly Input[] {
  if (command.kind !== 'change' || (need === 'no' && ticket === undefined)) return [];
  return [
    {
      name: 'ticket',
      label: 'Ticket',
      hint: `The ticket for this change. For example: ${exampleOf(tickets)}`,
      optional: need !== 'yes',
      kind: { is: 'line', ...(ticket === undefined ? {} : { initial: ticket }) },
    },
  ];
}

/** What is wrong with it, below that input. */
export function ticketProblem(
  { command, ticket }: Asked,
  need: TicketNeed,
  tickets: TicketPolicy | undefined,
): Readonly<Record<string, Text>> {
  if (command.kind !== 'change') return {};
  if (ticket === undefined) return need === 'yes' ? { ticket: say`This is required.` } : {};
  return isTicket(ticket) && ticketIn(ticket, tickets) !== undefined ? {} : { ticket: notATicket(tickets) };
}

type Times = Pick<Asked, 'term' | 'start'>;

/** The names of the two inputs, where the command has none of its own that is called so. */
const [whenInput, howLongInput] = ['at', 'for'];

/** Whether its form asks when it is to run, and for how long. Emergencies are now, and a plan has its options above its lines. */
export const asksWhen = ({ command, dryRun }: Asked): boolean =>
  command.kind === 'change' &&
  !dryRun &&
  command.timed === undefined &&
  command.gathers === undefined &&
  command.args[whenInput] === undefined;
const asksHowLong = (asked: Asked): boolean =>
  asksWhen(asked) && isUndoable(asked.command) && asked.command.args[howLongInput] === undefined;

/** When a change is to run and for how long it is to last, with what was typed already; empty means now, and for good. */
export function timeInputs(asked: Asked, windows: readonly string[]): readonly Input[] {
  const { term, start } = asked;
  const hint = `Empty: now. Or ${windows.length === 0 ? '' : `a window (${plainText(enumerate(windows))}), or `}22:00, sat 02:00, tomorrow 6:00, in 2h`;
  return [
    ...(asksWhen(asked) ? [line(whenInput, 'Run at', hint, start && spelledStart(start))] : []),
    ...(asksHowLong(asked)
      ? [
          line(
            howLongInput,
            'Undo after',
            'Empty: it stays. Or 30m, 2h, 3d, until 18:00, until friday',
            term && (term.option === 'until' ? `until ${term.text}` : term.text),
          ),
        ]
      : []),
  ];
}

const line = (name: string, label: string, hint: string, initial: string | undefined): Input => ({
  name,
  label,
  hint,
  optional: true,
  kind: { is: 'line', ...(initial === undefined ? {} : { initial }) },
});

const spelledStart = ({ option, text }: TypedStart): string =>
  option === 'window' ? `window ${text}` : text;

/** What stands in the two, in the place of what was typed before. */
export function timesIn(asked: Asked, { words }: Entered, windows: readonly string[]): Times {
  const when = words[whenInput]?.[0]?.trim() ?? '';
  const howLong = words[howLongInput]?.[0]?.trim() ?? '';
  return {
    start: !asksWhen(asked) ? asked.start : when === '' ? undefined : startSaid(when, windows),
    term: !asksHowLong(asked) ? asked.term : howLong === '' ? undefined : termSaid(howLong),
  };
}

function termSaid(said: string): TypedTerm {
  const [, until] = /^(?:until|till) (.+)$/i.exec(said) ?? [];
  return until === undefined
    ? { option: 'for', text: said.replace(/^for (?=\S)/i, '') }
    : { option: 'until', text: until };
}

/** What is wrong with them, below each. */
export function timeProblems(
  asked: Asked,
  clock: Parameters<typeof startIn>[1],
): Readonly<Record<string, Text>> {
  const { start, term } = asked;
  const found = asksWhen(asked) && start !== undefined ? startIn(start, clock) : undefined;
  const isRead = start === undefined || readStart(start) !== undefined;
  // What begins at no time ends at none.
  const lasts =
    !isRead || (found !== undefined && 'code' in found)
      ? undefined
      : lastingOf(clock, termMeant({ term, start }, clock.now(), clock.authority.policy().timeZone), found);
  const lasting = lasts !== undefined && 'code' in lasts ? lasts : undefined;
  return {
    ...(asksWhen(asked) &&
      !isRead && { [whenInput]: say`Write a time such as 22:00, “sat 02:00” or “in 2h”.` }),
    ...(found !== undefined && 'code' in found && { [whenInput]: explain(found).headline }),
    ...(asksHowLong(asked) &&
      term !== undefined &&
      readTerm(term) === undefined && { [howLongInput]: say`Write ${termWanted[term.option]}.` }),
    ...(asksHowLong(asked) && lasting !== undefined && { [howLongInput]: explain(lasting).headline }),
  };
}
