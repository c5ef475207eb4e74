import { info } from '../declare.ts';
import { endOf, readTerm } from '../language/term.ts';
import {
  code,
  enumerate,
  messageLink,
  moment,
  person,
  plural,
  say,
  strong,
  tableOf,
  ticketLink,
} from '../reply.ts';
import { meantBy } from './called.ts';
import { buttonsOf, calendarParts, thing, withLines } from './parts.ts';

export const planned = info({
  anywhere: false,
  posted: true,
  phrase: 'planned [thing]…',
  says: `
    what is planned / what is scheduled / upcoming changes / what changes are coming / what will run tonight /
    list planned changes / show planned changes / planned changes / what is due / what runs next /
    which changes are scheduled / scheduled changes / what happens tonight / show the schedule of changes /
    what is planned for tomorrow / next changes / pending planned changes / what will be changed /
    when does <thing> run / when will <thing> run / when is <thing> planned / what of mine is planned
  `,
  also: [
    ...['planned list [thing]…', 'planned changes [thing]…', 'upcoming changes [thing]…'],
    ...['what is planned [thing]…', 'scheduled [thing]…'],
  ],
  summary: 'List the changes that are planned here, freezes and windows',
  example: 'planned',
  args: { thing },
  answer: async ({ args, planned: list, calendar, person: asker, now }) => {
    const there = await list();
    const typed = args.thing.join(' ');
    const by = timeSaid(typed, now, calendar().timeZone);
    const all = by === undefined ? meantBy(there, typed, asker) : there.filter(({ runsAt }) => runsAt <= by);
    if (there.length > 0 && all.length === 0)
      return {
        headline:
          by === undefined
            ? say`Nothing of what is planned in this channel is meant by ${code(typed)}. ${code('/appliance planned')} lists all of it.`
            : say`Nothing is planned in this channel until ${moment(by)}. ${code('/appliance planned')} lists what is planned for later.`,
      };
    if (all.length === 0) {
      return {
        headline: say`Nothing is planned in this channel. ${code('--at 22:00')} or ${code('--at "sat 02:00"')} behind a change runs it then. ${lookups}`,
        details: calendarParts(calendar(), now),
      };
    }
    // Windows have a list of their own, and would hide a single planned change here.
    const frozen = calendarParts({ ...calendar(), windows: [] }, now);
    return {
      headline: say`${strong(plural(all.length, 'planned change'))} in this channel`,
      details: [
        ...tableOf(all, {
          What: (one) => {
            const { channel, card } = one;
            const what = withLines(one);
            return card === undefined ? what : say`${what} (${messageLink('open', channel, card)})`;
          },
          On: ({ appliances }) => say`${appliances.join(', ')}`,
          Runs: ({ runsAt, window, waits }) =>
            say`${moment(runsAt)}${window === undefined ? [] : say`, in ${code(window)}`}${waits ? ', once it is confirmed or approved again' : ''}`,
          'Will not run': all.some(({ keptBack }) => keptBack !== undefined)
            ? ({ keptBack }) => (keptBack === undefined ? say`–` : say`⚠ ${keptBack}`)
            : undefined,
          Ends: all.some(({ ends }) => ends !== undefined) ? ({ ends }) => ends ?? say`–` : undefined,
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
          offers: all
            .slice(0, mostButtons)
            .flatMap((one) => buttonsOf(one, all.length === 1 ? '' : `${there.indexOf(one) + 1}: `)),
        },
        ...(all.length <= mostButtons
          ? []
          : [
              {
                kind: 'text',
                text: say`Buttons for the first ${mostButtons}; the others have theirs on their cards.`,
              } as const,
            ]),
        ...frozen,
        { kind: 'text', text: lookups },
      ],
    };
  },
});

/** The end in "today", "for tomorrow", "before 18:00". Undefined for words without a time. */
function timeSaid(typed: string, now: number, timeZone: string): number | undefined {
  const text = typed.replace(/^(?:for|on|by|before|until|till?) /i, '');
  const term = readTerm({ option: 'until', text });
  return term && endOf(term, now, timeZone);
}

/** Other lists for the same words. */
const lookups = say`${code('/appliance windows')} lists the windows; ${code('/appliance watches')} lists the scheduled lookups.`;

/** More buttons would fill the screen; each card has its own. */
const mostButtons = 10;
