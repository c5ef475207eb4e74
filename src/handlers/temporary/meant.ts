import type { OpenPlan } from '../plan/plan-book.ts';
import {
  code,
  enumerate,
  type InfoReply,
  type Offer,
  type Part,
  plainText,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { when } from '../wording/when.ts';
import { isNumber, isOn, isWord, ofAll, saysNothing, thingsMeant } from './called.ts';
import { namesOf, type TemporaryThing } from './list.ts';

/** What is to be done about what is meant, and by whom. */
export interface Meant {
  readonly now: number;
  readonly person: string;
  /** The IDs of those who are called so. */
  readonly called: (name: string) => Promise<readonly string[]>;
  /** The appliances that were named, as they were typed. */
  readonly on: string | undefined;
  /** The thread in which it is said: in that of a card, its change is meant where nothing else is named. */
  readonly thread: string | undefined;
  /** Only what would happen is told. */
  readonly dryRun: boolean;
  readonly undone: 'ended' | 'extended' | 'kept';
  readonly offerOf: (one: TemporaryThing) => Offer | undefined;
  /** Why it cannot be, though it is meant. */
  readonly barTo?: (one: TemporaryThing) => Text | undefined;
  /** Why it is asked about, though it is clear what is meant. */
  readonly doubtOf?: (one: TemporaryThing) => { readonly why: Text; readonly label: string } | undefined;
  /** What else a line may mean, as buttons. */
  readonly otherwise: (line: string) => readonly Offer[];
  /** The plan that is called so: what can be decided about it may be meant as well. */
  readonly ofPlan?: OpenPlan | undefined;
}

/**
 * What is done about those whose words all of these are among: of several people choose, and the only one is named by a card before
 * anything happens, as the words can mean something else. At once it is done below its own card, and where its action is named.
 */
export async function meant(all: readonly TemporaryThing[], typed: string, how: Meant): Promise<InfoReply> {
  const there = all.filter((one) => isOn(one, how.on));
  const below = saysNothing(typed)
    ? there.filter(({ card }) => card !== undefined && card === how.thread)
    : [];
  const { words, isAll, wanted, whose, ...meantBy } =
    below.length > 0
      ? { found: below, words: '', isAll: true, wanted: [], whose: undefined }
      : await thingsMeant(there, typed, how.person, how.called);
  const named = meantBy.found;
  const isLeft = (one: TemporaryThing) => how.undone !== 'kept' && isLeftToPeople(one);
  const bars = named.map((one) => (isLeft(one) ? undefined : how.barTo?.(one)));
  const found = named.flatMap((one, index): readonly Found[] => {
    if (isLeft(one)) return one.offers.slice(0, 1).map((offer) => ({ one, offer, isLeft: true }));
    const offer = how.offerOf(one);
    return offer === undefined || bars[index] !== undefined ? [] : [{ one, offer }];
  });
  const [only, ...others] = found;
  if (how.ofPlan !== undefined) return whichOfPlan(found, how.ofPlan, how);
  const bar = bars.find((one) => one !== undefined);
  if (only === undefined && bar !== undefined) return { headline: say`${bar} Nothing was ${how.undone}.` };
  if (only === undefined) return nothing(isAll && wanted.length === 0 ? '' : words, how, whose);
  const isReference = (part: string) => part.toUpperCase() === only.one.reference;
  const saysWhich = (part: string) =>
    (isWord(part) && !ofAll.has(part)) || isNumber(part) || isReference(part);
  const isClear = others.length === 0 && (isAll || wanted.some(saysWhich));
  if (isClear && only.isLeft)
    return {
      headline: say`${described(only.one, how.now)}. Undo it now, or keep it? Nothing was ${how.undone}.`,
      details: how.dryRun ? [] : [{ kind: 'offers', offers: only.one.offers }],
    };
  if (how.dryRun) return dryRunOf(found, how);
  if (!isClear) return choice(found, isAll ? '' : words, how);
  const { line, moves } = only.offer;
  const asks = below.length === 0 && !isReference(words);
  const some = isAll ? undefined : partOf(only, wanted, how);
  const doubt = some ?? how.doubtOf?.(only.one);
  const headline = say`${described(only.one, how.now)}.${doubt === undefined ? [] : say` ${doubt.why}`} Nothing was ${how.undone} so far.`;
  const offer = doubt === undefined ? only.offer : { ...only.offer, label: doubt.label };
  return {
    ...(doubt === undefined && { next: { line, moves, asks } }),
    headline,
    details: [{ kind: 'offers', offers: [offer, ...(some?.others ?? [])] }],
  };
}

/** Somebody who names one site of a list may not mean the others. */
function partOf(
  { one, offer }: Found,
  wanted: readonly string[],
  { undone }: Meant,
): { readonly why: Text; readonly label: string; readonly others: readonly Offer[] } | undefined {
  const { parts = [], back } = one.list ?? {};
  const some = parts.filter((part) => wanted.includes(part.toLowerCase()));
  if (back === undefined || some.length === 0 || some.length === parts.length) return undefined;
  const are = some.length === 1 ? 'is one' : `are ${some.length}`;
  const line = back(some);
  return {
    why: say`${enumerate(some)} ${are} of its ${parts.length}, and all of them would be ${undone}.`,
    label: `${offer.label}: all ${parts.length}`,
    others: undone === 'ended' ? [{ label: line, line, guess: true }] : [],
  };
}

interface Found {
  readonly one: TemporaryThing;
  readonly offer: Offer;
  /** Its time is over: what is offered is to undo it now. */
  readonly isLeft?: true;
}

/** It waits for something else to end, or people are to decide about it. */
const isLeftToPeople = ({ state, keep }: TemporaryThing): boolean => state === 'ending' && keep !== undefined;

/** More would be a wall of buttons. */
const mostButtons = 10;
/** More lines nobody reads. */
const mostNamed = 30;
/** Each is told of in the channel by a card of its own. */
const mostAtOnce = 30;

/** Each by its button, and all of them by one. */
function choice(found: readonly Found[], words: string, how: Meant): InfoReply {
  const which =
    words === ''
      ? say`Which one?`
      : found.length === 1
        ? say`${code(words)} can be this one.`
        : say`${code(words)} can be each of these ${found.length}. Which one?`;
  return {
    headline: say`${which} Nothing was ${how.undone}.`,
    details: [
      listOf(found, how.now),
      { kind: 'offers', offers: waysOf(found, how) },
      ...(found.length <= mostButtons ? [] : [{ kind: 'text', text: notAll(found.length) } as const]),
      ...(found.length <= mostAtOnce
        ? []
        : [{ kind: 'text', text: say`More than ${mostAtOnce} can’t be ${how.undone} at once.` } as const]),
    ],
  };
}

function waysOf(found: readonly Found[], how: Meant): readonly Offer[] {
  const isOnly = found.length === 1 && how.ofPlan !== undefined;
  return [
    ...allOf(
      found.filter(({ isLeft }) => !isLeft),
      how,
    ),
    ...found.slice(0, mostButtons).map(({ one, offer, isLeft }, index) => {
      const label = (isLeft ? undefined : how.doubtOf?.(one)?.label) ?? offer.label;
      return { ...offer, label: isOnly ? label : `${index + 1}: ${label}` };
    }),
  ];
}

/** A plan that waits, runs or has stopped is not over by the end of what it has made temporary, and the other way round. */
function whichOfPlan(
  found: readonly Found[],
  { reference, stands, buttons }: OpenPlan,
  how: Meant,
): InfoReply {
  const labels = enumerate(
    buttons.map(({ label }) => strong(label)),
    'or',
  );
  const state = say`${code(reference)}: ${stands}${plainText(stands).endsWith('.') ? '' : '.'}`;
  if (how.dryRun)
    return {
      headline: say`Dry run: you would be asked what is meant of the plan: ${labels}${found.length === 0 ? '' : ', or the end of what it has on for a time'}. No changes were made.`,
    };
  if (found.length === 0)
    return {
      headline: say`${state} It has nothing on for a time, so nothing was ${how.undone}. Do you mean ${labels}?`,
      details: [{ kind: 'offers', offers: buttons }],
    };
  return {
    headline: say`${state} Do you mean what it has on for a time, which is undone then, or ${labels}? Nothing was ${how.undone}.`,
    details: [listOf(found, how.now), { kind: 'offers', offers: [...waysOf(found, how), ...buttons] }],
  };
}

/**
 * Each is asked for as if its own button was pressed, with its roles and approvals. What is kept for good is decided one by one, but for
 * what is of one plan.
 */
function allOf(found: readonly Found[], { undone, doubtOf }: Meant): readonly Offer[] {
  const isSafe = found.every(({ one }) => doubtOf?.(one) === undefined);
  if (found.length < 2 || found.length > mostAtOnce || !isSafe) return [];
  const [{ one: first }] = found as [Found];
  const isOnePlan = found.every(({ one: { plan } }) => plan !== undefined && plan === first.plan);
  if (undone === 'kept' && !isOnePlan) return [];
  const [verb, loud] =
    undone === 'ended'
      ? (['End', true] as const)
      : ([undone === 'kept' ? 'Keep' : 'Extend', undefined] as const);
  const isLater = loud && found.some(({ offer: { moves } }) => typeof moves?.to === 'number');
  return [
    {
      label: `${verb} all ${found.length}${isLater ? ' then' : ''}`,
      line: `${verb.toLowerCase()} all`,
      ...(loud && { loud }),
      each: found.map(({ offer: { line, moves } }) => ({ line, ...(moves && { moves }) })),
    },
  ];
}

function dryRunOf(found: readonly Found[], { now, undone }: Meant): InfoReply {
  const would =
    undone === 'kept' ? 'stay for good' : undone === 'extended' ? 'be extended' : 'end early, and be undone';
  return {
    headline:
      found.length === 1
        ? say`Dry run: this would ${would}. Its own roles and approvals count. No changes were made.`
        : say`Dry run: each of these ${found.length} is meant, and you would be asked which of them would ${would}. No changes were made.`,
    details: [listOf(found, now)],
  };
}

function listOf(found: readonly Found[], now: number): Part {
  const more = found.length - mostNamed;
  const names = namesOf(found.map(({ one }) => one));
  return {
    kind: 'list',
    items: [
      ...found.slice(0, mostNamed).map(({ one, offer: { moves } }, index) => {
        const to = typeof moves?.to === 'number' ? say`; then until ${when(moves.to, now)}` : [];
        return say`${index + 1}: ${described({ ...one, what: names[index] ?? one.what }, now)}${to}`;
      }),
      ...(more > 0 ? [say`and ${more} more; ${code('/appliance temporary')} lists all`] : []),
    ],
  };
}

const described = ({ what, appliance, state, until }: TemporaryThing, now: number): Text =>
  say`${what} on ${appliance}, until ${when(until, now)}${state === 'on' ? '' : ', not undone yet'}`;

const notAll = (count: number): Text =>
  say`Buttons for the first ${mostButtons} of ${count}; say more of what you mean for the others.`;

export function nothing(
  words: string,
  { undone, otherwise }: Pick<Meant, 'undone' | 'otherwise'>,
  whose?: Text,
): InfoReply {
  const which = whose ?? (words === '' ? undefined : say`called ${code(words)}`);
  const offers = words === '' ? [] : otherwise(`${verbs[undone]} ${words}`);
  return {
    headline: say`Nothing ${which === undefined ? [] : say`${which} `}is temporary in this channel, so nothing was ${undone}. ${code('/appliance temporary')} lists what is.`,
    ...(offers.length > 0 && {
      details: [
        { kind: 'text', text: say`Or did you mean:` },
        { kind: 'offers', offers },
      ],
    }),
  };
}

const verbs: Readonly<Record<Meant['undone'], string>> = { ended: 'end', extended: 'extend', kept: 'keep' };
