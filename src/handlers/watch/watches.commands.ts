import { commandLine, text } from '../argument.ts';
import { info } from '../declare.ts';
import {
  code,
  type InfoReply,
  moment,
  type Offer,
  paragraph,
  person,
  plural,
  say,
  strong,
  type Text,
  tableOf,
} from '../reply.ts';
import { readScheduled, recurrenceInWords, type WatchedThing } from './list.ts';

export const watches = info({
  anywhere: false,
  posted: true,
  phrase: 'watches',
  says: `
    what is watched / list watches / show watches / what do you watch here / which alerts are set /
    list alerts / show subscriptions / what is scheduled / list schedules / what is monitored
  `,
  also: ['watch list', 'schedules'],
  summary: 'List what is watched and scheduled in this channel',
  answer: async ({ watches: list }) => {
    const all = await list.all();
    if (all.length === 0) {
      return {
        headline: say`Nothing is watched or scheduled in this channel. ${code('/appliance watch status')} posts here when the health of the appliance changes.`,
      };
    }
    return {
      headline: say`${strong(plural(all.length, 'watch', 'watches'))} in this channel`,
      details: [
        ...tableOf(all, {
          What: (one) => say`${one.name}${one.over === undefined ? '' : ` > ${one.over} %`}`,
          On: (one) => say`${one.appliance ?? ''}`,
          State: stateOf,
          Owner: (one) => person(one.person),
          Quiet: all.some(({ quiet }) => quiet !== undefined) ? (one) => say`${one.quiet ?? ''}` : undefined,
        }),
        { kind: 'offers', offers: all.slice(0, mostButtons).map(stopOffer) },
      ],
    };
  },
});

const mostButtons = 10;

function stateOf({ says, since, every, next }: WatchedThing): Text {
  if (every !== undefined) return say`${recurrenceInWords(every)}, next ${moment(next)}`;
  return says === undefined || since === undefined ? say`watching` : say`${says}, since ${moment(since)}`;
}

const stopOffer = (one: WatchedThing): Offer => ({
  label: `Stop ${one.name}${one.appliance === undefined ? '' : ` on ${one.appliance}`}`,
  line: lineOf(one),
});

const lineOf = ({ name, appliance }: WatchedThing): string =>
  `unwatch ${name}${appliance === undefined ? '' : ` on ${appliance}`}`;

export const unwatch = info({
  anywhere: false,
  posted: true,
  phrase: 'unwatch <watch>…',
  says: `
    stop watching <watch> / do not watch <x> any more / no more alerts / stop alerts for <x> / stop the alerts /
    unsubscribe from <x> / remove the watch / stop posting <x> / cancel the schedule of <x>
  `,
  args: { watch: text('what is watched', 'status', 200) },
  summary: 'Stop watching or scheduling something in this channel',
  before: ['watch status'],
  example: 'unwatch status',
  answer: async ({ args, watches: list }): Promise<InfoReply> => {
    const wanted = args.watch.join(' ').toLowerCase();
    const all = await list.all();
    const [, named = wanted, where] = /^(.+?) on ([\w.-]+)$/.exec(wanted) ?? [];
    const found = all.filter(
      ({ name, appliance }) =>
        (name.toLowerCase() === named || named === 'all') && (where === undefined || appliance === where),
    );
    if (found.length === 0) {
      return {
        headline: say`Nothing called ${code(wanted)} is watched or scheduled in this channel. ${code('/appliance watches')} lists what is.`,
      };
    }
    const what = found
      .map(({ name, appliance }) => (appliance === undefined ? name : `${name} of ${appliance}`))
      .join(', ');
    return {
      next: {
        act: async () => {
          for (const { id } of found) await list.stop(id);
          return { headline: say`Stopped: ${what}` };
        },
      },
      headline: say`This would stop ${what}.`,
      details: [{ kind: 'offers', offers: found.slice(0, mostButtons).map(stopOffer) }],
    };
  },
});

export const schedule = info({
  anywhere: false,
  posted: true,
  phrase: 'schedule <line>…',
  says: `
    post the status every morning / daily report / send me the status every day / run <x> every weekday /
    regular status report / post <x> every monday / status every morning
  `,
  args: { line: commandLine() },
  summary: 'Post the answer of a lookup at set times',
  example: 'schedule status every weekday at 8:00',
  answer: async ({ args, watches: list }): Promise<InfoReply> => {
    const read = readScheduled(args.line.join(' '));
    if (read === undefined) {
      return {
        headline: say`When? Write it behind the command: ${code('/appliance schedule status every weekday at 8:00')}, ${code('daily at 17:30')} or ${code('every Monday and Friday at 9')}. Times are in ${list.timeZone}.`,
      };
    }
    const { line, every } = read;
    const what = say`${code(line)} ${recurrenceInWords(every)} (${list.timeZone})`;
    return {
      next: {
        act: async () => {
          const started = await list.schedule(line, every);
          return started === undefined
            ? {
                headline: say`${code(line)} is no lookup that can be run as it stands, so it was not scheduled.`,
              }
            : {
                headline: say`Scheduled: ${what}, first ${moment(started.next)}`,
                details: [
                  paragraph`It is asked with your rights, and answered here.`,
                  { kind: 'offers', offers: [{ label: 'Stop', line: `unwatch ${line}` }] },
                ],
              };
        },
      },
      headline: say`This would post ${what}.`,
    };
  },
});
