import type { TargetProblem } from '../../auth/targets.ts';
import { code, enumerate, type Offer, type Reply, say, strong, type Text } from '../../handlers/reply.ts';
import { shorten } from '../../handlers/wording/shorten.ts';

/** What may have been meant, and the whole line for it. */
export interface Choice {
  readonly word: string;
  readonly name: string;
  readonly hint: string | undefined;
  readonly line: string;
}

/** The words for something that was named and is not there, or is there more than once. */

interface NamedThing {
  readonly appliance: string;
  readonly what: string;
  readonly word: string;
  /** What it was looked up in, where that was named, too. */
  readonly within?: string | undefined;
  readonly choices: readonly Choice[];
  /** Asks for it again, and searches in what there is. */
  readonly form?: Offer;
}

/** More buttons are a list to read, and the reader has typed a name for it. */
const mostChoices = 10;

/** Where it was there before. */
export const goneText = (thing: NamedThing): Text =>
  say`${strong(thing.appliance)} has no ${called(thing)} any more.`;

const called = ({ what, word, within }: NamedThing): Text =>
  say`${bare(what)} ${code(shorten(word))}${within === undefined ? '' : say` in ${strong(within)}`}`;

export function noSuchThing(thing: NamedThing): Reply {
  const { appliance, choices, form } = thing;
  const headline = say`${strong(appliance)} has no ${called(thing)}. No changes were made.`;
  return choices.length === 0
    ? { headline, ...(form && { details: [{ kind: 'offers', offers: [form] }] }) }
    : { headline, details: didYouMean(choices) };
}

export const didYouMean = (choices: readonly Choice[]): NonNullable<Reply['details']> => [
  { kind: 'text', text: say`Did you mean:` },
  ...choosing(choices),
];

export function whichOne({ appliance, what, word, choices }: NamedThing): Reply {
  // Of those that others are to decide about, whoever asks is offered none that they may not have.
  const many = choices.length > 1 ? choices.length : 'several';
  return {
    headline: say`${strong(appliance)} has ${many} of that name: which ${bare(what)} ${code(shorten(word))} do you mean? No changes were made yet.`,
    details: choosing(choices),
  };
}

function choosing(choices: readonly Choice[]): NonNullable<Reply['details']> {
  const shown = choices.slice(0, mostChoices);
  const left = choices.length - shown.length;
  return [
    {
      kind: 'offers',
      offers: shown.map(({ word, name, hint, line }) => ({
        label: [name === word ? word : `${name} (${word})`, ...(hint === undefined ? [] : [hint])].join(', '),
        line,
      })),
    },
    ...(left === 0
      ? []
      : [{ kind: 'text', text: say`… and ${left} more. Type the ID of the one you mean.` } as const]),
  ];
}

export type PersonFault =
  /** Nobody is called so, or the chat did not say who is (`isAsked` is false then). */
  | { readonly code: 'no_such_person'; readonly word: string; readonly isAsked: boolean }
  | { readonly code: 'which_person'; readonly word: string; readonly choices: readonly Offer[] };

/** People are named without an @ only where something is looked up. */
export function whichPerson(fault: PersonFault): Reply {
  const word = code(shorten(fault.word));
  if (fault.code === 'no_such_person') {
    const why = fault.isAsked
      ? say`Nobody in this workspace is called ${word}.`
      : say`Couldn’t look up ${word}: Slack didn’t list the people of this workspace.`;
    return { headline: say`${why} Type @ and choose the person. No changes were made.` };
  }
  const { choices } = fault;
  const left = choices.length - mostChoices;
  return {
    headline: say`${choices.length} people are called ${word}: which one do you mean? No changes were made yet.`,
    details: [
      { kind: 'offers', offers: choices.slice(0, mostChoices) },
      ...(left > 0
        ? [{ kind: 'text', text: say`… and ${left} more. Type @ and choose the person.` } as const]
        : []),
    ],
  };
}

export function noSuchTarget(problem: TargetProblem): Reply {
  switch (problem.code) {
    case 'none_named':
      return {
        headline: say`${code('--on')} needs the name of an appliance: ${names(problem.allowed)}. No changes were made.`,
      };
    case 'appliance_unknown': {
      const meant = problem.nearest.length === 0 ? [] : say` Did you mean ${names(problem.nearest)}?`;
      return {
        headline: say`Unknown appliance ${code(shorten(problem.name))}.${meant} Appliances in this channel: ${names(problem.allowed)}. No changes were made.`,
      };
    }
    case 'appliance_not_allowed':
      return {
        headline: say`${code(shorten(problem.name))} isn’t available in this channel. Appliances in this channel: ${names(problem.allowed)}. No changes were made.`,
      };
    case 'tag_unknown':
      return {
        headline: say`No appliance of this channel has the tag ${code(shorten(problem.tag))}. ${
          problem.tags.length === 0 ? 'None has a tag.' : say`The tags are ${names(problem.tags)}.`
        } No changes were made.`,
      };
  }
}

const names = (some: readonly string[]) =>
  enumerate(
    some.map((name) => code(name)),
    'or',
  );

/** "an ACL object", or "a policy, or all", as it stands after "no". */
const bare = (what: string): string => what.replace(/^(?:an?|the) /, '').split(',')[0] ?? '';
