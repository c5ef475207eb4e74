import type { ApprovalRule } from '../../auth/policy.ts';
import type { Argument } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { isParticle } from '../../handlers/command-name.ts';
import { type Asked, quotedAmongOthers } from '../../handlers/language/asked.ts';
import { readPattern, type Slot } from '../../handlers/language/pattern.ts';
import { listEndings, readPosted } from '../../handlers/lists/posted-file.ts';
import { capital, code, enumerate, say, strong, type Text } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { type Form, fileInputOf, type Input, longestEntered } from '../base/form.ts';

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
      typed[slot.name] ?? [],
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
export const isKept = ({ input, list, fromFile }: Argument, typed: readonly string[] = []): boolean =>
  input === 'file' || fromFile
    ? typed.some((word) => readPosted(word) !== undefined) || (list === undefined && isTooLong(typed))
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

/** What the command does, where, and what happens when the form is sent. `isApproved`: somebody else has to agree. */
export function explanationFor(
  { command, typed, dryRun, term, start }: Asked,
  appliances: readonly string[],
  isApproved: boolean,
  asksWhen: boolean,
): Text {
  const ends =
    term === undefined ? '' : say` It is undone automatically: ${code(`--${term.option} ${term.text}`)}.`;
  const on = enumerate(appliances.map((name) => strong(name)));
  const files = Object.values(typed).flatMap((words = []) => words.flatMap((word) => readPosted(word) ?? []));
  const lists = Object.entries(typed).filter(
    ([slot, words]) => command.args[slot]?.fromFile && isTooLong(words ?? []),
  );
  const given = [
    ...(files.length === 0 ? [] : say` The file is ${enumerate(files.map(({ name }) => code(name)))}.`),
    ...lists.flatMap(([, words = []]) => say` What you typed, ${number(words.length)} in all, is kept.`),
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
