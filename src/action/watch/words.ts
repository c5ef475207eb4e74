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
import type { WatchRow } from '../../journal/journal.ts';

/** What is told of something on watch. */
export interface ToldWatch {
  readonly id: number;
  readonly name: string;
  readonly appliance: string;
  readonly person: string;
  /** The lookup that tells more. */
  readonly more: string;
}

/** What was done there shortly before, and the buttons that take it back. */
export interface DoneBefore {
  readonly by: string;
  readonly line: string;
  readonly at: number;
  readonly undo: readonly { readonly token: string; readonly where: string | undefined }[];
}

/** So many things that happened stand in one message. */
const mostNews = 20;

export function announcementOf(told: ToldWatch, say_: WatchAnnouncement, before?: DoneBefore): Reply {
  const what = say`${strong(told.appliance)} ${told.name}`;
  switch (say_.kind) {
    case 'changed': {
      const { now, before: was } = say_;
      return {
        headline: say`${what}: ${now.says}`,
        details: [
          since(now.since, say_.wasQuiet, say`Before: ${was.says}`),
          ...(before === undefined ? [] : [doneBefore(before, now.since)]),
          nextSteps(told, before && undoOffers(before)),
        ],
      };
    }
    case 'recovered':
      return {
        headline: say`${what}: ${say_.now.says}. Recovered after ${elapsed(say_.now.since - say_.since)}`,
        details: [since(say_.now.since, say_.wasQuiet, say`Before: ${say_.before.says}`)],
      };
    case 'flapping':
      return {
        headline: say`${what} keeps changing: ${say_.times} times since ${clock(say_.since)}. Now: ${say_.now.says}`,
        details: [
          { kind: 'text', text: say`Nothing more is posted until it has been steady for 15 minutes.` },
          nextSteps(told),
        ],
      };
    case 'steady':
      return { headline: say`${what} is steady again since ${clock(say_.now.since)}: ${say_.now.says}` };
    case 'passed':
      return {
        headline: say`${what} in the quiet hours: ${say_.was}, from ${moment(say_.from)} to ${moment(say_.to)}. Now: ${say_.now.says}`,
      };
    case 'news': {
      const { entries } = say_;
      const shown = entries.slice(-mostNews);
      const left = entries.length - shown.length;
      return {
        headline: say`${strong(told.appliance)}: ${strong(plural(entries.length, 'logon'))} denied`,
        details: [
          { kind: 'list', items: shown.map(({ says }) => says) },
          ...(left === 0 ? [] : [{ kind: 'text', text: say`… and ${left} earlier ones.` } as const]),
          nextSteps(told),
        ],
      };
    }
  }
}

function since(at: number, wasQuiet: boolean, before: Text): Part {
  const quiet = wasQuiet ? ' It was not posted in the quiet hours.' : '';
  return { kind: 'text', text: say`Since ${moment(at)}. ${before}.${quiet}` };
}

const doneBefore = ({ by, line, at }: DoneBefore, began: number): Part => ({
  kind: 'text',
  text: say`Began ${elapsed(began - at)} after ${person(by)} ran ${code(line)}.`,
});

const undoOffers = ({ line, undo }: DoneBefore): readonly Offer[] =>
  undo.map(({ token, where }) => ({
    label: where === undefined ? 'Undo' : `Undo on ${where}`,
    line,
    standing: { press: 'offer', token },
  }));

const nextSteps = ({ id, more, appliance }: ToldWatch, first: readonly Offer[] = []): Part => ({
  kind: 'offers',
  offers: [
    ...first,
    { label: more, line: `${more} --on ${appliance}` },
    { label: 'Stop watching', line: stopLine(id) },
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

/** Why it is not looked at any more. */
export const watchEnded = (
  { name, appliance, person: owner }: Pick<ToldWatch, 'name' | 'appliance' | 'person'>,
  why: Text,
): Reply => ({
  headline: say`Stopped watching ${name} of ${strong(appliance)}: ${why}`,
  details: [
    {
      kind: 'text',
      text: say`It was looked at with the rights of ${person(owner)}. Anybody with the rights for it can start it again.`,
    },
    { kind: 'offers', offers: [{ label: `Watch ${name}`, line: `watch ${name} --on ${appliance}` }] },
  ],
});

export const scheduleEnded = (
  { subject: line, person: owner }: Pick<WatchRow, 'subject' | 'person'>,
  why: Text,
): Reply => ({
  headline: say`${code(line)} is not scheduled any more: ${why}`,
  details: [
    {
      kind: 'text',
      text: say`It was asked with the rights of ${person(owner)}. Anybody with the rights for it can schedule it again.`,
    },
  ],
});
