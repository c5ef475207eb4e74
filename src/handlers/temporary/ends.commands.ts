import { word } from '../argument.ts';
import { readReference } from '../audit/reference.ts';
import { info } from '../declare.ts';
import { endOf, longestTerm, readTerm, type Term, type TypedTerm } from '../language/term.ts';
import { momentsSaid, typedChoice } from '../language/times/said-time.ts';
import type { OpenPlan, PlanBook } from '../plan/plan-book.ts';
import { code, enumerate, type InfoReply, type Offer, plural, say, type Text } from '../reply.ts';
import { when } from '../wording/when.ts';
import type { TemporaryThing } from './list.ts';
import { type Meant, meant, nothing } from './meant.ts';
import { readSaidEnd, withoutReason } from './said-end.ts';

/**
 * The words for the buttons: the only one that is meant goes the way of its button, behind a card that names it, and of several
 * people choose.
 */
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
  summary: 'End now what is temporary here, or at another time: it is undone then',
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
    extend <thing> by <for> / extend the exception for <thing> / keep <thing> on longer
  `,
  also: ['extend [thing]…', 'extend temporary [thing]…', 'plan extend [thing]…'],
  summary: 'Extend what is temporary here: by 1h, or until 18:00',
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
  also: ['keep [thing]…', 'keep temporary [thing]…', 'plan keep [thing]…'],
  summary: 'Keep for good what is temporary here',
  example: 'temporary keep shop.example.net',
  answer: async ({ args: { thing }, temporary, calendar, ...asked }): Promise<InfoReply> => {
    const typed = withoutReason(thing);
    const { words, term } = readSaidEnd(withoutForGood(typed) ?? typed, { bare: false });
    // "keep it until 18:00" is no wish to have it for good.
    const read = term && readTerm(term);
    const { timeZone } = calendar();
    const unclear = unclearIn(term, read, { ...asked, timeZone });
    if (unclear !== undefined) return { headline: say`${unclear} Nothing was extended.` };
    return read === undefined
      ? keeping(await temporary(), withoutForGood(typed) ?? typed, asked)
      : extending(await temporary(), words, read, { ...asked, timeZone });
  },
});

/** The plan that is called so, where something can be decided about it: it may be that what is meant to end. */
async function openPlan({ list }: PlanBook, words: string): Promise<OpenPlan | undefined> {
  const reference = readReference(words.replace(/^(?:the )?plan /i, ''));
  if (reference === undefined) return undefined;
  return (await list()).find((one) => one.reference === reference && one.buttons.length > 0);
}

/** A time that can be several, none of which is taken by a guess. */
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

/** To a moment: where that is not what its word says, it is asked about first. */
function movedTo(
  now: number,
  to: (one: TemporaryThing) => number,
  verb: 'end' | 'extend',
): Pick<Meant, 'offerOf' | 'barTo' | 'doubtOf'> {
  return {
    offerOf: (one): Offer | undefined => {
      const offer = one.extend(to(one));
      // A mode has no way to an earlier end.
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

/** What is left without a wish to have it for good; undefined where there is none. */
function withoutForGood(typed: string): string | undefined {
  const words = typed.replace(/ (?:for good|for ?ever|permanently|indefinitely|always)$/i, '');
  return words === typed ? undefined : words;
}

const isEmergency = (words: string): boolean => /^(?:the )?emergency(?: mode)?$/i.test(words);
