import { info } from '../declare.ts';
import { quoted } from '../language/asked.ts';
import {
  code,
  elapsed,
  enumerate,
  messageLink,
  moment,
  type Part,
  person,
  plural,
  say,
  strong,
  tableOf,
  ticketLink,
} from '../reply.ts';
import type { Calendar } from './list.ts';

export const planned = info({
  anywhere: false,
  posted: true,
  phrase: 'planned',
  says: `
    what is planned / what is scheduled / upcoming changes / what changes are coming / what will run tonight /
    list planned changes / show planned changes / planned changes / what is due / what runs next /
    which changes are scheduled / scheduled changes / what happens tonight / show the schedule of changes /
    what is planned for tomorrow / next changes / pending planned changes / what will be changed /
    are changes frozen / when are changes frozen / is there a freeze / which freezes are there / which windows are there /
    when is the next maintenance window / when does the freeze end / change calendar
  `,
  also: [
    ...['planned list', 'planned changes', 'upcoming changes', 'what is planned', 'scheduled'],
    ...['freezes', 'change freezes', 'windows', 'maintenance windows', 'calendar'],
  ],
  summary: 'List the changes that are planned here, freezes and windows',
  answer: async ({ planned: list, calendar }) => {
    const all = await list();
    const times = calendarParts(calendar());
    if (all.length === 0) {
      return {
        headline: say`Nothing is planned in this channel. ${code('--at 22:00')} or ${code('--at "sat 02:00"')} behind a change runs it then. ${lookups}`,
        details: times,
      };
    }
    return {
      headline: say`${strong(plural(all.length, 'planned change'))} in this channel`,
      details: [
        ...tableOf(all, {
          What: ({ what, channel, card }) =>
            card === undefined ? what : say`${what} (${messageLink('open', channel, card)})`,
          On: ({ appliances }) => say`${appliances.join(', ')}`,
          Runs: ({ runsAt, window }) =>
            window === undefined ? say`${moment(runsAt)}` : say`${moment(runsAt)}, in ${code(window)}`,
          Frozen: all.some(({ frozen }) => frozen !== undefined)
            ? ({ frozen }) => (frozen === undefined ? say`–` : say`⚠ ${code(frozen)}: it will not run`)
            : undefined,
          Ends: all.some(({ lasts, until }) => lasts !== undefined || until !== undefined)
            ? ({ lasts, until }) =>
                until !== undefined
                  ? say`${moment(until)}`
                  : lasts === undefined
                    ? say`–`
                    : say`after ${elapsed(lasts)}`
            : undefined,
          By: (one) => person(one.person),
          'Approved by': all.some(({ approvedBy }) => approvedBy.length > 0)
            ? ({ approvedBy }) => enumerate(approvedBy.map(person))
            : undefined,
          Ticket: all.some(({ ticket }) => ticket !== undefined)
            ? ({ ticket }) => say`${ticket === undefined ? '–' : ticketLink(ticket)}`
            : undefined,
          Reason: all.some(({ reason }) => reason !== '') ? ({ reason }) => say`${reason}` : undefined,
        }),
        {
          kind: 'offers',
          offers: all.slice(0, mostButtons).map(({ line, token }, index) => ({
            label: all.length === 1 ? 'Cancel' : `${index + 1}: Cancel`,
            line,
            standing: { press: 'cancel', token } as const,
          })),
        },
        ...(all.length <= mostButtons
          ? []
          : [
              {
                kind: 'text',
                text: say`Buttons for the first ${mostButtons}; the others have theirs on their cards.`,
              } as const,
            ]),
        ...times,
        { kind: 'text', text: lookups },
      ],
    };
  },
});

/** What people may mean by the same words. */
const lookups = say`${code('/appliance watches')} lists lookups that are scheduled.`;

/** More would be a wall of buttons; each stands on its card, too. */
const mostButtons = 10;

/** The freezes that lie ahead, and the windows. */
function calendarParts({ freezes, windows, timeZone }: Calendar): readonly Part[] {
  const items = [
    ...freezes.map(({ name, from, to, holds, except, reason }) => {
      const others = except.length === 0 ? [] : say`, but for ${enumerate(except.map(strong))}`;
      const why = reason === undefined ? [] : say`: ${reason}`;
      return say`Freeze ${code(name)} holds ${holds} from ${moment(from)} to ${moment(to)}${others}${why}`;
    }),
    ...windows.map(({ name, hours, next }) => {
      const when = next === undefined ? [] : say`, next ${moment(next.from)} to ${moment(next.to)}`;
      return say`Window ${code(`--window ${quoted(name)}`)}: ${hours} (${timeZone})${when}`;
    }),
  ];
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}
