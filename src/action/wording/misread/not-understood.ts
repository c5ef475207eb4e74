import type { AnyCommand } from '../../../handlers/command.ts';
import { nameOf, wantsWords } from '../../../handlers/command-name.ts';
import type { Asked } from '../../../handlers/language/asked.ts';
import { mannerOf } from '../../../handlers/language/manner.ts';
import type { Match, Suggestion } from '../../../handlers/language/match.ts';
import {
  code,
  enumerate,
  type Offer,
  type Part,
  type Reply,
  say,
  type Text,
} from '../../../handlers/reply.ts';
import { number } from '../../../handlers/wording/quantities.ts';
import { shorten } from '../../../handlers/wording/shorten.ts';
import { misfitsOf, notFitting, wantedFor } from './misfits.ts';
import { optionsOf, wrongOption } from './wrong-option.ts';

/** Whether somebody may run a command where they ask. */
export type MayRun = (command: AnyCommand) => boolean;

/** Whether a line names its command, or begins as one does, and only something in it is wrong or missing. */
export const isMistake = ({ kind }: Match): boolean =>
  kind !== 'unknown' && kind !== 'astray' && kind !== 'surplus' && kind !== 'impossible';

/**
 * The words for a line that is no command, or not a whole one: what is wrong with it, and lines that would do. Buttons
 * are for what whoever asks may run.
 */
export function notUnderstood(match: Exclude<Match, { kind: 'command' }>, line: string, may: MayRun): Reply {
  switch (match.kind) {
    case 'unknown': {
      if (match.longest !== undefined)
        return {
          headline: say`This text has ${number(line.length)} characters, and the bot reads at most ${number(match.longest)} to understand what is meant. No changes were made.`,
          details: [
            {
              kind: 'text',
              text: say`Say in a sentence or two what you need. ${help()} shows what you can do here.`,
            },
          ],
        };
      const headline = say`Unknown command ${code(shorten(line))}. No changes were made.`;
      const cannot: readonly Text[] =
        match.impossible === undefined
          ? []
          : [say`Otherwise the appliance can’t do that: ${match.impossible.why}`];
      return match.nearest.length === 0 && cannot.length === 0
        ? { headline: say`${headline} ${help()} shows what you can do here.` }
        : {
            headline,
            details: [
              { kind: 'text', text: say`Did you mean:` },
              ...suggestionsOf(match.nearest, may, cannot),
            ],
          };
    }
    case 'impossible':
      return {
        headline: say`The appliance can’t do that: ${code(shorten(line))}. No changes were made.`,
        details: [
          { kind: 'text', text: say`${match.impossible.why}` },
          ...(match.nearest.length === 0
            ? []
            : [
                { kind: 'text', text: say`Closest commands:` } as const,
                ...suggestionsOf(match.nearest, may),
              ]),
        ],
      };
    case 'astray':
      return {
        headline: say`Unknown command ${code(shorten(line))}. No changes were made. Commands that start with ${code(match.known)}:`,
        details: [examplesOf(match.continuations, may, match.known), ...offersOf(match.continuations, may)],
      };
    case 'incomplete':
      return {
        headline: say`Commands that start with ${code(shorten(line))}:`,
        details: [examplesOf(match.continuations, may, line), ...offersOf(match.continuations, may)],
      };
    case 'missing':
      return {
        headline: say`${code(nameOf(match.command))} needs ${wantedFor(match.command, match.argument)}. No changes were made.`,
        details: [examplesOf([match.command], may), formOf(match, line)],
      };
    case 'invalid':
      return {
        headline: say`${notFitting(match)} No changes were made.`,
        details: [
          ...misfitsOf(match),
          examplesOf([match.command], may),
          ...formFor(match, line, match.argument),
        ],
      };
    case 'too_many':
      return {
        headline: say`${code(nameOf(match.command))} takes at most ${number(match.most)} at once, and these are ${number(match.given)}. No changes were made. ${match.command.args[match.argument]?.fromFile ? 'Split the list' : 'Ask for them in several lines'}.`,
      };
    case 'wrong_option':
      return {
        headline: say`${wrongOption(match)} No changes were made.`,
        details: [
          {
            kind: 'text',
            text: say`It takes ${enumerate(optionsOf(match.command).map((option) => code(option)))}.`,
          },
          // Who has said an end is shown no line that would stay.
          match.problem === 'no_term' || match.problem === 'end_in_text' || match.problem === 'one_end'
            ? {
                kind: 'list',
                items: [
                  suggested({ command: match.command, line: `${match.command.example} --for 2h` }, may),
                  suggested({ command: match.command, line: `${match.command.example} --until 18:00` }, may),
                ],
              }
            : examplesOf([match.command], may),
        ],
      };
    case 'secret':
      return {
        headline: say`That line contains a password, so it was not run and not stored. No changes were made.`,
        details: [
          {
            kind: 'text',
            text: say`Chats keep what is typed, and others can read or export it. Delete your line if you can see it, and change the password if it is in use.`,
          },
          {
            kind: 'text',
            text:
              match.command === undefined
                ? say`Passwords are entered only in forms: type the command without the password and a form opens.`
                : say`Passwords are entered only in forms: type ${code(`/appliance ${nameOf(match.command)}`)} without the password and a form opens.`,
          },
          ...(match.command === undefined ? [] : formFor({ command: match.command, typed: {} }, line)),
        ],
      };
    case 'surplus':
      return {
        headline: say`${code(nameOf(match.command))} ${Object.keys(match.command.args).length === 0 ? 'takes no arguments' : say`doesn’t take ${code(shorten(match.words.join(' ')))}`}. No changes were made.`,
        details: [examplesOf([match.command], may), ...formFor(match, line)],
      };
  }
}

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
    ? { label: `${line}…`, line, form: { ...mannerOf(asked), phrase: command.phrase, typed } }
    : { label: line, line, guess: true };
}

/** A line to type, what it does, and whether it takes more than whoever asks has. */
const suggested = (one: Usage, may: MayRun): Text =>
  may(one.command) ? usage(one) : say`${usage(one)} (requires another role)`;

/** A line to type, and what it does. */
const usage = ({ command, line, isPartial }: Usage): Text =>
  say`${code(`/appliance ${line}${isPartial ? ' …' : ''}`)} – ${command.summary}`;

type Usage = Pick<Suggestion, 'command' | 'line' | 'isPartial'>;

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
