import type { TargetProblem } from '../../auth/targets.ts';
import { code, enumerate, type Offer, type Part, say, strong, type Text } from '../../handlers/reply.ts';
import { shorten } from '../../handlers/wording/shorten.ts';
import { didYouMean, noChanges, noChangesYet, words } from './sentences.ts';

/** What may have been meant, and the whole line for it. */
export interface Choice {
  readonly word: string;
  readonly name: string;
  readonly hint: string | undefined;
  readonly line: string;
}

/** What was typed for something that an appliance lists. */
export interface NamedThing {
  readonly appliance: string;
  readonly what: string;
  readonly word: string;
  /** What it was looked up in, where that was named, too. */
  readonly within?: string | undefined;
  readonly choices: readonly Choice[];
  /** The appliance lists nothing of the kind. */
  readonly isNoneListed?: true;
  /** Asks for it again, and searches in what there is. */
  readonly form?: Offer;
}

/** Something was named and is not there, or is there more than once. */
export const naming = {
  /** The appliance lists nothing under that ID or name; `choices` are near it. */
  no_such_thing: words<NamedThing>({
    happened: (thing) =>
      say`${strong(thing.appliance)} ${thing.isNoneListed ? noneOf(thing) : say`lists no ${called(thing)}`}.`,
    not: noChanges,
    todo: ({ choices, what }) =>
      choices.length === 0 ? say`Check the name, or look up ${what} first.` : didYouMean,
    choices: ({ choices }) => choosing(choices),
    details: ({ choices, form }) =>
      choices.length > 0 || form === undefined ? [] : [{ kind: 'offers', offers: [form] }],
  }),
  /** It lists several under that name. */
  which_one: words<NamedThing>({
    happened: ({ appliance, what, word, choices }) =>
      // Of those that others are to decide about, whoever asks is offered none that they may not have.
      say`${strong(appliance)} has ${choices.length > 1 ? choices.length : 'several'} of that name: which ${bare(what)} ${code(shorten(word))} do you mean?`,
    not: noChangesYet,
    todo: ({ choices }) => (choices.length === 0 ? say`Type its ID.` : say`Choose one:`),
    choices: ({ choices }) => choosing(choices),
  }),
  /** Nobody is called so, or the chat did not say who is (`isAsked` is false then). */
  no_such_person: words<{ readonly word: string; readonly isAsked: boolean }>({
    happened: ({ word, isAsked }) =>
      isAsked
        ? say`Nobody in this workspace is called ${code(shorten(word))}.`
        : say`Couldn’t look up ${code(shorten(word))}: Slack didn’t list the people of this workspace.`,
    not: noChanges,
    todo: say`Type @ and choose the person.`,
  }),
  which_person: words<{ readonly word: string; readonly choices: readonly Offer[] }>({
    happened: ({ word, choices }) =>
      say`${choices.length} people are called ${code(shorten(word))}: which one do you mean?`,
    not: noChangesYet,
    todo: say`Choose one:`,
    choices: ({ choices }) => firstOf(choices, 'Type @ and choose the person.'),
  }),
  no_such_target: words<{ readonly problem: TargetProblem }>({
    happened: ({ problem }) => {
      switch (problem.code) {
        case 'none_named':
          return say`${code('--on')} needs the name of an appliance.`;
        case 'appliance_unknown':
          return say`Unknown appliance ${code(shorten(problem.name))}.`;
        case 'appliance_not_allowed':
          return say`${code(shorten(problem.name))} isn’t available in this channel.`;
        case 'tag_unknown':
          return say`No appliance of this channel has the tag ${code(shorten(problem.tag))}.`;
      }
    },
    not: noChanges,
    todo: ({ problem }) => {
      if (problem.code === 'tag_unknown')
        return problem.tags.length === 0
          ? say`None has a tag: name an appliance.`
          : say`The tags are ${names(problem.tags)}.`;
      const here = say`Appliances in this channel: ${names(problem.allowed)}.`;
      return problem.code === 'appliance_unknown' && problem.nearest.length > 0
        ? say`Did you mean ${names(problem.nearest)}? ${here}`
        : here;
    },
  }),
};

/** Where it was there before. */
export const goneText = (thing: NamedThing): Text =>
  say`${strong(thing.appliance)} lists no ${called(thing)} any more.`;

/** By whose account there is none: a service that restarts lists nothing, too. */
const noneOf = ({ what, word, within }: NamedThing): Text =>
  say`lists no ${bare(what)}${within === undefined ? '' : say` in ${strong(within)}`} at all, so ${code(shorten(word))} could not be looked up`;

const called = ({ what, word, within }: NamedThing): Text =>
  say`${bare(what)} ${code(shorten(word))}${within === undefined ? '' : say` in ${strong(within)}`}`;

/** A button for each thing that may be meant. */
export const choosing = (choices: readonly Choice[]): readonly Part[] =>
  firstOf(
    choices.map(({ word, name, hint, line }) => ({
      label: [name === word ? word : `${name} (${word})`, ...(hint === undefined ? [] : [hint])].join(', '),
      line,
    })),
    'Type the ID of the one you mean.',
  );

/** More buttons are a list to read, and the reader has typed a name for it. */
const mostButtons = 10;

function firstOf(offers: readonly Offer[], otherwise: string): readonly Part[] {
  const left = offers.length - mostButtons;
  return offers.length === 0
    ? []
    : [
        { kind: 'offers', offers: offers.slice(0, mostButtons) },
        ...(left > 0 ? [{ kind: 'text', text: say`… and ${left} more. ${otherwise}` } as const] : []),
      ];
}

const names = (some: readonly string[]) =>
  enumerate(
    some.map((name) => code(name)),
    'or',
  );

/** "an ACL object", or "a policy, or all", as it stands after "no". */
const bare = (what: string): string => what.replace(/^(?:an?|the) /, '').split(',')[0] ?? '';
