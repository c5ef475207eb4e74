import { word } from '../argument.ts';
import { readReference } from '../audit/reference.ts';
import { info } from '../declare.ts';
import { endOf, longestTerm, readTerm, type Term, type TypedTerm } from '../language/term.ts';
import { momentsSaid, typedChoice } from '../language/times/said-time.ts';
import type { OpenPlan, PlanBook } from '../plan/plan-book.ts';
import {
  code,
  enumerate,
  type InfoReply,
  type Offer,
  type Part,
  plainText,
  plural,
  say,
  strong,
  type Text,
} from '../reply.ts';
import { when } from '../wording/when.ts';
import { isNumber, isOn, isWord, ofAll, saysNothing, thingsMeant } from './called.ts';
import { namesOf, type TemporaryThing } from './list.ts';
import { readSaidEnd, withoutReason } from './said-end.ts';

/** One match runs after a card that names it; several need a choice. */
const shared = {
  anywhere: false,
  effect: 'write',
  dryRun: true,
  args: {
    thing: { ...word('what is temporary', 'shop.example.net'), isLine: 'words', namesAny: 'temporary' },
  },
  before: ['category add shop.example.net to 252 --for 2h'],
} as const;

export const end = info({
  ...shared,
  verb: 'End',
  phrase: 'temporary end [thing]…',
  says: `
    stop <thing> / stop the exception for <thing> / stop the temporary <thing> / stop the exception of <thing> /
    stop allowing <thing> / finish <thing> / end the exception for <thing> / take back <thing> now
  `,
  also: ['end [thing]…', 'end temporary [thing]…', 'plan end [thing]…'],
  summary: 'End a temporary change here, now or at another time',
  example: 'temporary end shop.example.net',
  answer: async ({ args: { thing }, temporary, plans, calendar, ...asked }): Promise<InfoReply> => {
    const typed = withoutReason(thing)
      .replace(/^now /i, '')
      .replace(/ (?:now|for good)$/i, '');
    const { words, term } = readSaidEnd(typed, { bare: false });
    const how = { ...asked, undone: 'ended' } as const;
    if (isEmergency(words)) {
      const answer = nothing(words, how);
      if (term === undefined)
        return asked.dryRun ? answer : { ...answer, next: { line: 'emergency disable' } };
      return {
        headline: say`Emergency mode can’t be given an earlier end. Nothing was ended. ${code('emergency disable')} ends it now, and ${code('emergency extend')} puts its end off.`,
      };
    }
    const read = term && readTerm(term);
    if (read === undefined) {
      const ofPlan = await openPlan(plans, words);
      return meant(await temporary(), words, { ...how, ofPlan, offerOf: ({ end: way }) => way });
    }
    const { timeZone } = calendar();
    const unclear = unclearIn(term, read, { ...asked, timeZone });
    if (unclear !== undefined) return { headline: say`${unclear} Nothing was ended.` };
    const until = endOf(read, asked.now, timeZone);
    return meant(await temporary(), words, { ...how, ...movedTo(asked.now, () => until, 'end') });
  },
});

export const extend = info({
  ...shared,
  verb: 'Extend',
  phrase: 'temporary extend [thing]…',
  says: `
    prolong <thing> / prolong <thing> by <for> / prolong the exception for <thing> / lengthen <thing> /
    extend <thing> by <for> / extend the exception for <thing> / keep <thing> on longer /
    give <thing> another <for> / give <thing> <for> more
  `,
  also: ['extend [thing]…', 'extend temporary [thing]…', 'plan extend [thing]…'],
  summary: 'Extend a temporary change here: by 1h, or until 18:00',
  example: 'temporary extend shop.example.net by 1h',
  answer: async ({ args: { thing }, temporary, calendar, ...asked }): Promise<InfoReply> => {
    const typed = withoutReason(thing);
    const kept = withoutForGood(typed);
    if (kept !== undefined && !isEmergency(kept)) return keeping(await temporary(), kept, asked);
    const { words, term, unreadable } = readSaidEnd(kept ?? typed, { bare: true });
    if (unreadable !== undefined)
      return {
        headline: say`${code(unreadable)} is no time that can be read. Nothing was extended. Write ${code('by 1h')} or ${code('until 18:00')} behind it.`,
      };
    const read = term && readTerm(term);
    if (isEmergency(words)) {
      const minutes = read?.kind === 'for' ? ` --for ${Math.round(read.milliseconds / 60_000)}m` : '';
      const answer = nothing(words, { ...asked, undone: 'extended' });
      return asked.dryRun ? answer : { ...answer, next: { line: `emergency extend${minutes}` } };
    }
    const { timeZone } = calendar();
    const unclear = unclearIn(term, read, { ...asked, timeZone });
    if (unclear !== undefined) return { headline: say`${unclear} Nothing was extended.` };
    return extending(await temporary(), words, read, { ...asked, timeZone });
  },
});

export const keep = info({
  ...shared,
  verb: 'Keep',
  phrase: 'temporary keep [thing]…',
  says: 'make <thing> permanent / leave <thing> on for good / make <thing> stay / <thing> should stay for good',
  also: ['keep [thing]…', 'keep temporary [thing]…', 'plan keep [thing]…'],
  summary: 'Keep a temporary change here for good',
  example: 'temporary keep shop.example.net',
  answer: async ({ args: { thing }, temporary, calendar, ...asked }): Promise<InfoReply> => {
    const typed = withoutReason(thing);
    const { words, term } = readSaidEnd(withoutForGood(typed) ?? typed, { bare: false });
    // "keep it until 18:00" does not make it permanent.
    const read = term && readTerm(term);
    const { timeZone } = calendar();
    const unclear = unclearIn(term, read, { ...asked, timeZone });
    if (unclear !== undefined) return { headline: say`${unclear} Nothing was extended.` };
    return read === undefined
      ? keeping(await temporary(), withoutForGood(typed) ?? typed, asked)
      : extending(await temporary(), words, read, { ...asked, timeZone });
  },
});

/** The plan with this name, if it waits for a decision: its end may be meant instead. */
async function openPlan({ list }: PlanBook, words: string): Promise<OpenPlan | undefined> {
  const reference = readReference(words.replace(/^(?:the )?plan /i, ''));
  if (reference === undefined) return undefined;
  return (await list()).find((one) => one.reference === reference && one.buttons.length > 0);
}

/** An ambiguous time needs a question. */
function unclearIn(
  term: TypedTerm | undefined,
  read: Term | undefined,
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Text | undefined {
  const moments = read?.kind === 'until' ? momentsSaid(read.end, now, timeZone) : [];
  if (term === undefined || moments.length < 2) return undefined;
  const { end } = read as Extract<Term, { kind: 'until' }>;
  const can = moments.filter((one) => one > now && one <= now + longestTerm);
  const each = can.map((one) => code(typedChoice(end, one, timeZone)));
  if (each.length === 0) return say`${code(term.text)} is over, or too far ahead: 90 days at most.`;
  return each.length === 1
    ? say`${code(term.text)} can be ${plural(moments.length, 'time')}, of which one can be had: write ${enumerate(each)} if you mean that.`
    : say`${code(term.text)} can be ${enumerate(each, 'or')}: write the one that you mean.`;
}

type Asked = Pick<Meant, 'now' | 'person' | 'on' | 'thread' | 'dryRun' | 'called' | 'otherwise'>;

const keeping = (all: readonly TemporaryThing[], words: string, asked: Asked): Promise<InfoReply> =>
  meant(all, words, { ...asked, undone: 'kept', offerOf: (one) => one.keep });

function extending(
  all: readonly TemporaryThing[],
  words: string,
  read: Term | undefined,
  { timeZone, ...asked }: Asked & { readonly timeZone: string },
): Promise<InfoReply> {
  const to = (until: number) =>
    read === undefined ? undefined : endOf(read, read.kind === 'for' ? until : asked.now, timeZone);
  if (read === undefined)
    return meant(all, words, { ...asked, undone: 'extended', offerOf: (one) => one.extend(undefined) });
  return meant(all, words, {
    ...asked,
    undone: 'extended',
    ...movedTo(asked.now, ({ until }) => to(until) ?? until, 'extend'),
  });
}

/** Moves to a moment. If that differs from the word's direction, a question comes first. */
function movedTo(
  now: number,
  to: (one: TemporaryThing) => number,
  verb: 'end' | 'extend',
): Pick<Meant, 'offerOf' | 'barTo' | 'doubtOf'> {
  return {
    offerOf: (one): Offer | undefined => {
      const offer = one.extend(to(one));
      // Emergency mode cannot end earlier this way.
      return one.keep === undefined && to(one) < one.until ? undefined : offer;
    },
    barTo: (one) =>
      to(one) > now + longestTerm
        ? say`${when(to(one), now)} is too far ahead: a change can be temporary for 90 days at most.`
        : undefined,
    doubtOf: (one) =>
      verb === 'end' && to(one) > one.until
        ? { why: say`${when(to(one), now)} is later than it ends now.`, label: 'Extend to then' }
        : verb === 'extend' && to(one) < one.until
          ? { why: say`${when(to(one), now)} is earlier than it ends now.`, label: 'End it then' }
          : undefined,
  };
}

/** The words without "for good"; undefined if they lack it. */
function withoutForGood(typed: string): string | undefined {
  const words = typed.replace(/ (?:for good|for ?ever|permanently|indefinitely|always)$/i, '');
  return words === typed ? undefined : words;
}

const isEmergency = (words: string): boolean => /^(?:the )?emergency(?: mode)?$/i.test(words);

/** The wanted act on the selected things, and its author. */
interface Meant {
  readonly now: number;
  readonly person: string;
  /** The IDs of people with this name. */
  readonly called: (name: string) => Promise<readonly string[]>;
  readonly on: string | undefined;
  /** The thread. In the thread of a card, words without a name mean its change. */
  readonly thread: string | undefined;
  readonly dryRun: boolean;
  readonly undone: 'ended' | 'extended' | 'kept';
  readonly offerOf: (one: TemporaryThing) => Offer | undefined;
  /** Why a selected thing does not allow it. */
  readonly barTo?: (one: TemporaryThing) => Text | undefined;
  /** Why a clear selection still needs a question. */
  readonly doubtOf?: (one: TemporaryThing) => { readonly why: Text; readonly label: string } | undefined;
  readonly otherwise: (line: string) => readonly Offer[];
  /** The plan with this name: a decision about it may be meant instead. */
  readonly ofPlan?: OpenPlan | undefined;
}

/**
 * Acts on the things that match all words. Several need a choice. A single one gets a card first, because words
 * can mean something else. It runs at once below its own card, or if its action is named.
 */
async function meant(all: readonly TemporaryThing[], typed: string, how: Meant): Promise<InfoReply> {
  const there = all.filter((one) => isOn(one, how.on));
  const below = saysNothing(typed)
    ? there.filter(({ card }) => card !== undefined && card === how.thread)
    : [];
  const { words, isAll, wanted, whose, ...meantBy } =
    below.length > 0
      ? { found: below, words: '', isAll: true, wanted: [], whose: undefined, contrary: undefined }
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
  if (only === undefined && meantBy.contrary !== undefined)
    return {
      headline: say`${described(meantBy.contrary, how.now)}: that is the opposite of what you typed. Nothing was ${how.undone}.`,
    };
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
  if (!isClear) return choice(found, isAll || saysNothing(words) ? '' : words, how);
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

/** Naming one site of a list may exclude the others. */
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
  /** Its time is over, so the offer is to undo it now. */
  readonly isLeft?: true;
}

/** It waits for something else to end, or for a person's decision. */
const isLeftToPeople = ({ state, keep }: TemporaryThing): boolean => state === 'ending' && keep !== undefined;

const mostButtons = 10;
const mostNamed = 30;
/** Each gets a card of its own in the channel. */
const mostAtOnce = 30;

/** A button for each, and one for all. */
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

/** A waiting, running or stopped plan does not end with its temporary changes, nor the reverse. */
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
 * Requests each as if its own button was pressed, with its roles and approvals. Permanent keeping needs one
 * decision each, except within one plan.
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

function nothing(
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
