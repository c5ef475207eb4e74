import {
  clock,
  code,
  elapsed,
  moment,
  type Offer,
  type Part,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { WatchAnnouncement } from '../../handlers/watch/damping.ts';
import { stopLine } from '../../handlers/watch/list.ts';
import type { WatchPost } from '../target/watches.ts';

/** What is told of something on watch. */
export interface ToldWatch {
  readonly id: number;
  readonly name: string;
  readonly appliance: string;
  readonly person: string;
  /** The lookup that tells more. */
  readonly more: string;
}

/** A button that takes back what was done shortly before. */
export interface UndoStanding {
  readonly token: string;
  readonly where: string | undefined;
}

/** One thing on watch in a message. */
export interface ToldLine extends Pick<WatchPost, 'said' | 'over' | 'done'> {
  readonly told: ToldWatch;
  readonly undo: readonly UndoStanding[];
  /** Several watches that tell the same. */
  readonly isMerged?: true;
}

/** What stands alone in a message. */
export function announcementOf({ told, said, done, undo, isMerged }: ToldLine): Reply {
  const next = nextSteps(told, isMerged);
  const headline = headlineOf(told, said);
  switch (said.kind) {
    case 'changed': {
      const { now, before, wasQuiet } = said;
      return {
        headline,
        details: [
          since(now.since, wasQuiet, say`Before: ${before.says}`),
          ...texts(doneBefore(done, now.since).map((one) => say`${one}.`)),
          nextSteps(told, isMerged, undoOffers(done, undo, '')),
        ],
      };
    }
    case 'recovered':
      return { headline, details: [since(said.now.since, said.wasQuiet, say`Before: ${said.before.says}`)] };
    case 'flapping':
      return {
        headline,
        details: [...texts([say`Nothing more is posted until it has been steady for 15 minutes.`]), next],
      };
    case 'steady':
    case 'passed':
      return { headline };
    case 'news': {
      const { entries, count, isCut } = said;
      const left = count - entries.length;
      const earlier = left === 0 ? [] : [say`… and ${isCut ? 'at least ' : ''}${left} earlier ones.`];
      const cut = say`The appliance tells no more than its newest events, so there may have been more.`;
      return {
        headline,
        details: [
          { kind: 'list', items: entries.map(({ says }) => says) },
          ...texts([...earlier, ...(isCut ? [cut] : [])]),
          next,
        ],
      };
    }
  }
}

/** The same in one line. */
export function headlineOf(told: Pick<ToldWatch, 'name' | 'appliance'>, said: WatchAnnouncement): Text {
  const what = say`${strong(told.appliance)} ${told.name}`;
  switch (said.kind) {
    case 'changed':
      return say`${what}: ${said.now.says}`;
    case 'recovered':
      return say`${what}: ${said.now.says}. Recovered after ${elapsed(said.now.since - said.since)}`;
    case 'flapping':
      return say`${what} keeps changing: ${said.times} times since ${clock(said.since)}. Now: ${said.now.says}`;
    case 'steady':
      return say`${what} is steady again since ${clock(said.now.since)}: ${said.now.says}`;
    case 'passed':
      return say`${what} in the quiet hours: ${said.was}, from ${moment(said.from)} to ${moment(said.to)}. Now: ${said.now.says}`;
    case 'news':
      return say`${strong(told.appliance)}: ${said.isCut ? 'at least ' : ''}${strong(plural(said.count, 'logon'))} denied`;
  }
}

function since(at: number, wasQuiet: boolean, before: Text): Part {
  const quiet = wasQuiet ? ' It was not posted in the quiet hours.' : '';
  return { kind: 'text', text: say`Since ${moment(at)}. ${before}.${quiet}` };
}

/** What was done there before it began: sentences without their full stop. */
export function doneBefore({ here, elsewhere }: ToldLine['done'] = {}, began: number): readonly Text[] {
  const undone = here?.undoneAt === undefined ? say`` : say`, which was undone ${clock(here.undoneAt)}`;
  return [
    ...(here === undefined
      ? []
      : [say`Began ${elapsed(began - here.at)} after ${person(here.by)} ran ${code(here.line)}${undone}`]),
    ...(elsewhere === undefined
      ? []
      : [say`A change was made from another channel ${elapsed(began - elsewhere)} before`]),
  ];
}

export function undoOffers(
  done: ToldLine['done'],
  undo: readonly UndoStanding[],
  of: string,
): readonly Offer[] {
  return undo.map(({ token, where = of }) => ({
    label: where === '' ? 'Undo' : `Undo on ${where}`,
    line: done?.here?.line ?? '',
    standing: { press: 'offer', token },
  }));
}

export const texts = (all: readonly Text[]): readonly Part[] => all.map((text) => ({ kind: 'text', text }));

const nextSteps = (
  { id, more, appliance }: ToldWatch,
  isMerged = false,
  first: readonly Offer[] = [],
): Part => ({
  kind: 'offers',
  offers: [
    ...first,
    { label: more, line: `${more} --on ${appliance}` },
    isMerged ? { label: 'Watches', line: 'watches' } : { label: 'Stop watching', line: stopLine(id) },
  ],
});

/** What is said in the place of a problem when it is over. */
export function overNow({ appliance, name }: ToldWatch, how: WatchAnnouncement): Reply {
  const what = say`✅ ${strong(appliance)} ${name}`;
  if (how.kind !== 'recovered') return { headline: say`${what} is all right again` };
  return {
    headline: say`${what} recovered after ${elapsed(how.now.since - how.since)}`,
    details: [
      { kind: 'text', text: say`From ${moment(how.since)} to ${moment(how.now.since)}: ${how.before.says}.` },
    ],
  };
}
