import type { AnyCommand } from '../../../handlers/command.ts';
import { nameOf, wantsWords } from '../../../handlers/command-name.ts';
import { type Asked, lineOf } from '../../../handlers/language/asked.ts';
import { mannerOf } from '../../../handlers/language/manner.ts';
import type { Match, Suggestion } from '../../../handlers/language/match.ts';
import { code, enumerate, type Offer, type Part, say, type Text } from '../../../handlers/reply.ts';
import { number } from '../../../handlers/wording/quantities.ts';
import { shorten } from '../../../handlers/wording/shorten.ts';
import { type Chosen, didYouMean, type FaultWords, noChanges, sentencesOf } from '../sentences.ts';
import { misfitsOf, notFitting, wantedFor } from './misfits.ts';
import { optionsOf, wrongOption } from './wrong-option.ts';

/** Whether somebody may run a command where they ask. */
export type MayRun = (command: AnyCommand) => boolean;

/** Whether a line names its command, or begins as one does, and only something in it is wrong or missing. */
export const isMistake = ({ kind }: Match): boolean =>
  kind !== 'unknown' && kind !== 'astray' && kind !== 'surplus' && kind !== 'impossible';

/** A line that is no command, or not a whole one, and for whom. */
interface Misread<Kind extends Match['kind'] = Exclude<Match['kind'], 'command'>> {
  readonly line: string;
  readonly match: Extract<Match, { kind: Kind }>;
  readonly may: MayRun;
}

const likeThis = say`Type it like this:`;
const seeHelp = () => say`${help()} shows what you can do here.`;

/** For each kind what is wrong with it, and lines that would do. Buttons are for what whoever asks may run. */
const kinds: { readonly [Kind in Exclude<Match['kind'], 'command'>]: FaultWords<Misread<Kind>> } = {
  unknown: {
    happened: ({ line, match }) =>
      match.longest === undefined
        ? say`Unknown command ${code(shorten(line))}.`
        : say`This text has ${number(line.length)} characters, and the bot reads at most ${number(match.longest)} to understand what is meant.`,
    not: noChanges,
    todo: ({ match: { longest, nearest, impossible } }) => {
      if (longest !== undefined) return say`Say in a sentence or two what you need. ${seeHelp()}`;
      return nearest.length === 0 && impossible === undefined ? seeHelp() : didYouMean;
    },
    choices: ({ match: { longest, nearest, impossible }, may }) => {
      if (longest !== undefined || (nearest.length === 0 && impossible === undefined)) return [];
      const cannot = impossible && [say`Otherwise the appliance can’t do that: ${impossible.why}`];
      return suggestionsOf(nearest, may, cannot);
    },
  },
  impossible: {
    happened: ({ line, match }) =>
      say`The appliance can’t do that: ${code(shorten(line))}. ${match.impossible.why}`,
    not: noChanges,
    todo: ({ match: { nearest } }) => (nearest.length === 0 ? seeHelp() : say`Closest commands:`),
    choices: ({ match: { nearest }, may }) => (nearest.length === 0 ? [] : suggestionsOf(nearest, may)),
  },
  astray: {
    happened: ({ line }) => say`Unknown command ${code(shorten(line))}.`,
    not: noChanges,
    todo: ({ match }) => say`Commands that start with ${code(match.known)}:`,
    choices: ({ match, may }) => startsOf(match.continuations, may, match.known),
  },
  incomplete: {
    happened: ({ line }) => say`${code(shorten(line))} alone is not a command.`,
    not: noChanges,
    todo: ({ line }) => say`Commands that start with ${code(shorten(line))}:`,
    choices: ({ line, match, may }) => startsOf(match.continuations, may, line),
  },
  missing: {
    happened: ({ match: { command, argument, surplus } }) =>
      say`${code(nameOf(command))} needs ${wantedFor(command, argument)}.${surplus === undefined ? [] : say` ${notTaken(command, surplus)}.`}`,
    not: noChanges,
    todo: likeThis,
    choices: ({ line, match, may }) => [examplesOf([match.command], may), formOf(match, line)],
  },
  invalid: {
    happened: ({ match }) => notFitting(match),
    not: noChanges,
    todo: likeThis,
    details: ({ match }) => misfitsOf(match),
    choices: ({ line, match, may }) => [
      examplesOf([match.command], may),
      ...formFor(match, line, match.argument),
    ],
  },
  too_many: {
    happened: ({ match: { command, most, given } }) =>
      say`${code(nameOf(command))} takes at most ${number(most)} at once, and these are ${number(given)}.`,
    not: noChanges,
    todo: ({ match: { command, argument } }) =>
      command.args[argument]?.fromFile ? say`Split the list.` : say`Ask for them in several lines.`,
  },
  wrong_option: {
    happened: ({ match }) => wrongOption(match),
    not: noChanges,
    todo: ({ match: { command } }) =>
      say`It takes ${enumerate(optionsOf(command).map((option) => code(option)))}. ${likeThis}`,
    // Who has said an end is shown no line that would stay.
    choices: ({ match: { command, problem }, may }) =>
      problem === 'no_term' || problem === 'end_in_text' || problem === 'one_end'
        ? [
            {
              kind: 'list',
              items: ['--for 2h', '--until 18:00'].map((end) =>
                suggested({ command, line: `${command.example} ${end}` }, may),
              ),
            },
          ]
        : [examplesOf([command], may)],
  },
  secret: {
    happened: say`That line contains a password, so it was not run and not stored.`,
    not: noChanges,
    todo: say`Delete your line if you can see it, and change the password if it is in use: chats keep what is typed, and others can read or export it.`,
    details: ({ line, match: { command } }) => [
      {
        kind: 'text',
        text:
          command === undefined
            ? say`Passwords are entered only in forms: type the command without the password and a form opens.`
            : say`Passwords are entered only in forms: type ${code(`/appliance ${nameOf(command)}`)} without the password and a form opens.`,
      },
      ...(command === undefined ? [] : formFor({ command, typed: {} }, line)),
    ],
  },
  surplus: {
    happened: ({ match }) => say`${notTaken(match.command, match.words)}.`,
    not: noChanges,
    todo: likeThis,
    choices: ({ line, match, may }) => [examplesOf([match.command], may), ...formFor(match, line)],
  },
};

export const notUnderstood: Chosen<Misread> = (misread) =>
  // Each kind is worded by the entry of its own.
  sentencesOf(kinds[misread.match.kind] as FaultWords<Misread>, misread);

const startsOf = (continuations: readonly AnyCommand[], may: MayRun, topic: string): readonly Part[] => [
  examplesOf(continuations, may, topic),
  ...offersOf(continuations, may),
];

/** The sentence about words that a command has no place for, without its full stop. */
export const notTaken = (command: AnyCommand, words: readonly string[]): Text =>
  say`${code(nameOf(command))} ${Object.keys(command.args).length === 0 ? 'takes no arguments' : say`doesn’t take ${code(shorten(words.join(' ')))}`}`;

/** More would be a wall of text; the help has them all. */
const mostExamples = 15;

/** @param topic what the help calls them */
function examplesOf(commands: readonly AnyCommand[], may: MayRun, topic = ''): Part {
  const shown = commands.length > mostExamples ? commands.slice(0, mostExamples - 1) : commands;
  const more = commands.length - shown.length;
  return {
    kind: 'list',
    items: [
      ...shown.map((command) => suggested({ command, line: command.example }, may)),
      ...(more === 0 ? [] : [say`… and ${more} more: ${help(topic)} lists them.`]),
    ],
  };
}

/** More buttons are a wall of them. */
const mostOffers = 5;

/** Buttons for what can follow, where that is a handful. */
const offersOf = (commands: readonly AnyCommand[], may: MayRun): readonly Part[] =>
  commands.length > mostOffers
    ? []
    : buttonsFor(
        commands.filter(may).map((command) => {
          const name = nameOf(command);
          return { label: wantsWords(command) ? `${name}…` : name, line: name, guess: true };
        }),
      );

const buttonsFor = (offers: readonly Offer[]): readonly Part[] =>
  offers.length === 0 ? [] : [{ kind: 'offers', offers }];

/** What may have been meant, with a button for each that whoever asks may run, and what else is to be said. */
const suggestionsOf = (
  nearest: readonly Suggestion[],
  may: MayRun,
  others: readonly Text[] = [],
): readonly Part[] => [
  { kind: 'list', items: [...nearest.map((one) => suggested(one, may)), ...others] },
  ...buttonsFor(nearest.filter(({ command }) => may(command)).map(offerOf)),
];

/** What is still wanted is asked for by a form, which has what is known already. */
export function offerOf({ line, isPartial, asked }: Suggestion): Offer {
  const { command, typed } = asked;
  return isPartial
    ? {
        label: withGaps(asked).replace(/ …$/, '…'),
        line,
        form: { ...mannerOf(asked), phrase: command.phrase, typed },
      }
    : { label: line, line, guess: true };
}

/** A line to type, what it does, and whether it takes more than whoever asks has. */
const suggested = (one: Usage, may: MayRun): Text =>
  may(one.command) ? usage(one) : say`${usage(one)} (requires another role)`;

/** A line to type, and what it does. */
const usage = ({ command, line, isPartial, asked }: Usage): Text =>
  say`${code(`/appliance ${isPartial && asked !== undefined ? withGaps(asked) : line}`)} – ${command.summary}`;

type Usage = Pick<Suggestion, 'command' | 'line' | 'isPartial'> & Partial<Pick<Suggestion, 'asked'>>;

/** "category move example.com from … to …": with a mark where something is still to be said. */
function withGaps(asked: Asked): string {
  const line = lineOf(asked, '…');
  return / …(?: |$)/.test(line) ? line.replace(/(?: …)+$/, ' …') : `${line} …`;
}

const help = (topic = '') => code(`/appliance help ${topic}`.trim());

/** The form of a command with what was typed in it, but for the word that does not fit. None where the command wants nothing. */
function formFor(asked: Asked, line: string, wrong?: string): readonly Part[] {
  if (!wantsWords(asked.command)) return [];
  const typed = Object.entries(asked.typed).filter(([name]) => name !== wrong);
  return [formOf({ ...asked, typed: Object.fromEntries(typed) }, line)];
}

const formOf = ({ command: { phrase }, typed, ...manner }: Asked, line: string): Part => ({
  kind: 'offers',
  offers: [{ label: 'Fill in a form', line, form: { ...mannerOf(manner), phrase, typed } }],
});

/** Below the answer to a lookup that was asked in other words. */
export const asUnderstood = (line: string): TextPart => ({
  kind: 'text',
  text: say`Understood as ${code(`/appliance ${line}`)}.`,
});

type TextPart = Extract<Part, { kind: 'text' }>;
