import { info } from '../declare.ts';
import { readTerm } from '../language/term.ts';
import { typedMoment } from '../language/times/said-time.ts';
import { readStart, startSaid, startWanted } from '../language/times/start.ts';
import { code, type InfoReply, moment, type Offer, say, type Text } from '../reply.ts';
import { isExact, meantBy, namesNone } from './called.ts';
import type { PlannedThing } from './list.ts';
import { buttonsOf, thing, withLines } from './parts.ts';

const before = ['category add shop.example.net to 252 --at "in 2h"'];

export const cancel = info({
  anywhere: false,
  before,
  phrase: 'planned cancel <thing>…',
  also: ['cancel <thing>…', 'cancel planned <thing>…'],
  summary: 'Cancel what is planned here: by a word of it, or its number in the list',
  example: 'planned cancel shop.example.net',
  args: { thing },
  answer: async ({ args, planned, person, standing, otherwise }): Promise<InfoReply> => {
    const all = await planned();
    const words = args.thing.join(' ');
    const found = meantBy(all, words, person);
    if (found.length === 0) {
      // Other waiting cards have a word of their own.
      const waits = (await standing.waiting()).length > 0;
      const offers = waits ? [] : otherwise(`cancel ${words}`).filter(({ line }) => line !== 'cancel');
      if (offers.length === 0) return { headline: noneOf(words), next: { line: 'cancel' } };
      return {
        headline: say`${noneOf(words)} Nothing was canceled.`,
        details: [
          { kind: 'text', text: say`Or did you mean:` },
          { kind: 'offers', offers },
        ],
      };
    }
    const own = await Promise.all(found.map((one) => one.mayCancel()));
    const theirs = found.filter((_, index) => own[index]);
    return theirs.length === 0
      ? {
          headline: say`Nothing was canceled. Only whoever asked for it, and those who may run or approve it, can cancel it.`,
          details: [{ kind: 'list', items: found.map(described) }],
        }
      : {
          headline: say`Nothing was canceled so far. Canceling changes nothing on the appliance.`,
          details: listed(theirs),
        };
  },
});

export const move = info({
  anywhere: false,
  effect: 'write',
  before,
  phrase: 'planned move <thing>…',
  also: [
    ...['move planned <thing>…', 'reschedule <thing>…', 'reschedule planned <thing>…', 'postpone <thing>…'],
    ...['planned reschedule <thing>…'],
  ],
  says: `
    run <thing> now / start <thing> now / do <thing> now / run <thing> earlier / run planned <thing> now /
    move <thing> to another time / change the time of <thing> / delay <thing> / run <thing> later
  `,
  summary: 'Give what is planned here another time',
  example: 'planned move shop.example.net to 23:00',
  args: { thing },
  answer: async ({ args, planned, calendar, person, thread }): Promise<InfoReply> => {
    const { windows, timeZone } = calendar();
    const { words, to, by, day } = timeBehind(
      args.thing.join(' '),
      windows.map(({ name }) => name),
    );
    const all = await planned();
    const below = namesNone(words) ? all.filter(({ card }) => card !== undefined && card === thread) : [];
    const found = below.length > 0 ? below : meantBy(all, words, person);
    if (found.length === 0)
      return { headline: say`${noneOf(words)} ${code('/appliance planned')} lists what is.` };
    const [only, ...others] = found;
    if (only === undefined || others.length > 0)
      return { headline: say`Which one? Nothing was moved.`, details: listed(found) };
    if (only.waits)
      return {
        headline: say`${described(only)} Nothing was moved: it can get another time when it is agreed to. Cancel it to plan it anew.`,
        details: [{ kind: 'offers', offers: buttonsOf(only, '') }],
      };
    const said = by === undefined ? to : typedMoment(only.runsAt + by, timeZone);
    if (day !== undefined) {
      const same = `${day} ${typedMoment(only.runsAt, timeZone).slice(-5)}`;
      return {
        headline: say`${code(day)} says no hour. Nothing was moved. ${code(`reschedule ${words} to ${same}`)} moves it to the hour that it has.`,
        details: listed(found),
      };
    }
    if (said === undefined)
      return {
        headline: say`To which time? Nothing was moved. Type it behind ${code('to')}: ${startWanted.at}.`,
        details: listed(found, [{ label: 'Run now', line: `planned move ${only.reference} to now` }]),
      };
    const bar = await only.barTo(said);
    if (bar !== undefined) return bar;
    const label = /^now$/i.test(said) ? 'Run now' : `Move to ${said}`;
    const way: Offer = { label, line: `planned move ${only.reference} to ${said}` };
    return {
      headline: say`${described(only)} Nothing was moved so far.`,
      details: [...listed(found).slice(0, 1), { kind: 'offers', offers: [way, ...buttonsOf(only, '')] }],
      // The words may mean another change, so the answer names it first.
      ...((below.length > 0 || isExact(words, only)) && { next: { act: () => only.moveTo(said) } }),
    };
  },
});

/** The change to move, and the target: a time, a difference (milliseconds), or a day without an hour. */
interface Wanted {
  readonly words: string;
  readonly to?: string;
  readonly by?: number;
  readonly day?: string;
}

/**
 * "shop.example.net to 18:00", "2 tomorrow 6pm", "it into window night", "1 by an hour", "1 to friday": the
 * longest readable time.
 */
function timeBehind(typed: string, windows: readonly string[]): Wanted {
  const words = typed
    .replace(/["“”]/g, '')
    .replace(/ please$/i, '')
    .split(' ');
  const behind = words.map((_, at) => ({
    before: words.slice(0, at).join(' '),
    text: words.slice(at).join(' '),
  }));
  const read = [lengthIn, timeIn, dayIn].flatMap((reads) =>
    behind.flatMap(({ before, text }): readonly Wanted[] => {
      const found = reads(text, windows);
      return found === undefined ? [] : [{ words: before, ...found }];
    }),
  );
  return read[0] ?? { words: words.join(' ') };
}

const withoutLead = (text: string) => text.replace(/^(?:to|for|until|into|on|at) (?=\S)/i, '');

function timeIn(text: string, windows: readonly string[]): Omit<Wanted, 'words'> | undefined {
  const to = withoutLead(text);
  const start = startSaid(to, windows);
  return start.option === 'window' || readStart(start) !== undefined ? { to } : undefined;
}

/** "by 1h", "+1h", "by an hour", "one hour later", "back 15 min", "by 30 min earlier". */
function lengthIn(text: string): Omit<Wanted, 'words'> | undefined {
  const [, lead, length = '', way = ''] =
    /^((?:back )?by |back |[+-])?(?:another )?(.+?)( later| earlier)?$/i.exec(text) ?? [];
  const read = lead === undefined && way === '' ? undefined : readTerm({ option: 'for', text: length });
  if (read?.kind !== 'for') return undefined;
  return { by: way.toLowerCase() === ' earlier' || lead === '-' ? -read.milliseconds : read.milliseconds };
}

function dayIn(text: string): Omit<Wanted, 'words'> | undefined {
  const day = withoutLead(text);
  return readTerm({ option: 'until', text: day }) === undefined ? undefined : { day };
}

const noneOf = (words: string): Text =>
  words === ''
    ? say`Nothing is planned in this channel.`
    : say`Nothing planned in this channel is called ${code(words)}.`;

const described = ({ runsAt, waits, ...one }: PlannedThing): Text =>
  waits
    ? say`${withLines(one)}, moved to ${moment(runsAt)}, which has to be agreed to on its card.`
    : say`${withLines(one)}, planned for ${moment(runsAt)}.`;

/** More buttons would fill the screen. */
const mostButtons = 10;

const listed = (found: readonly PlannedThing[], more: readonly Offer[] = []) =>
  [
    {
      kind: 'list',
      items: found.map((one, index) => say`${found.length === 1 ? '' : `${index + 1}: `}${described(one)}`),
    },
    {
      kind: 'offers',
      offers: found
        .slice(0, mostButtons)
        .flatMap((one, index) => buttonsOf(one, found.length === 1 ? '' : `${index + 1}: `))
        .concat(more),
    },
  ] as const;
