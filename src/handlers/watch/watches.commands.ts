import { commandLine, word } from '../argument.ts';
import { info } from '../declare.ts';
import {
  channel as channelName,
  code,
  type InfoReply,
  moment,
  type Offer,
  type Part,
  paragraph,
  person,
  plural,
  say,
  strong,
  type Text,
  tableOf,
} from '../reply.ts';
import { areNumbers, stopLine, type WatchedThing, type WatchList } from './list.ts';
import { readScheduled, recurrenceInWords } from './recurrence.ts';

export const watches = info({
  anywhere: false,
  posted: true,
  phrase: 'watches',
  says: `
    what is watched / list watches / show watches / what do you watch here / which alerts are set /
    list alerts / show subscriptions / list schedules / what is monitored
  `,
  also: ['watch list', 'schedules'],
  summary: 'List what is watched and scheduled in this channel',
  answer: async ({ watches: list, channel }) => {
    const all = await list.all();
    const here = placeOf(list, channel);
    if (all.length === 0) {
      return {
        headline: say`Nothing is watched or scheduled in ${here}. ${code('/appliance watch status')} makes the bot post there when the health of the appliance changes. ${changes}`,
      };
    }
    return {
      headline: say`${strong(plural(all.length, 'watch', 'watches'))} in ${here}`,
      details: [
        ...tableOf(all, {
          No: (one) => say`#${one.id}`,
          What: (one) => say`${one.name}${one.over === undefined ? '' : ` > ${one.over} %`}`,
          On: (one) => say`${one.appliance ?? ''}`,
          State: stateOf,
          Owner: (one) => person(one.person),
          Quiet: all.some(({ quiet }) => quiet !== undefined) ? (one) => say`${one.quiet ?? ''}` : undefined,
        }),
        ...stopOffers(all),
        { kind: 'text', text: changes },
      ],
    };
  },
});

/** Other lists for the same words. */
const changes = say`${code('/appliance planned')} lists planned changes.`;

/** A thread or a direct message needs the channel's name. */
const placeOf = ({ isElsewhere }: WatchList, channel: string): Text =>
  isElsewhere ? [channelName(channel)] : say`this channel`;

const mostButtons = 10;

function stateOf({ says, since, every, next }: WatchedThing): Text {
  if (every !== undefined) return say`${recurrenceInWords(every)}, next ${moment(next)}`;
  return says === undefined || since === undefined ? say`watching` : say`${says}, since ${moment(since)}`;
}

/** A button for each, which stops exactly that one. */
function stopOffers(things: readonly WatchedThing[]): readonly Part[] {
  if (things.length === 0) return [];
  const shown = things.slice(0, mostButtons);
  const left = things.length - shown.length;
  return [
    {
      kind: 'offers',
      offers: shown.map((one): Offer => ({ label: `Stop ${calledBy(one, ' on ')}`, line: stopLine(one.id) })),
    },
    ...(left === 0
      ? []
      : [
          paragraph`${plural(left, 'more', 'more')}: stop one by its number, as in ${code(stopLine(things.at(-1)?.id ?? 0))}.`,
        ]),
  ];
}

function calledBy({ name, appliance, every }: WatchedThing, of: string): string {
  if (every !== undefined) return `${name} ${recurrenceInWords(every)}`;
  return appliance === undefined ? name : `${name}${of}${appliance}`;
}

export const unwatch = info({
  anywhere: false,
  effect: 'write',
  posted: true,
  phrase: 'unwatch [watch]…',
  also: [
    ...['unschedule [watch]…', 'stop watching [watch]…', 'stop watch [watch]…', 'stop schedule [watch]…'],
    ...['end watch [watch]…', 'end schedule [watch]…', 'cancel watch [watch]…', 'cancel schedule [watch]…'],
  ],
  says: `
    stop watching <watch> / do not watch <x> any more / no more alerts / stop alerts for <x> / stop the alerts /
    unsubscribe from <x> / remove the watch / stop posting <x> / cancel the schedule of <x>
  `,
  args: { watch: { ...word('what is watched', 'status'), isLine: 'words' } },
  summary: 'Stop watching or scheduling something in this channel',
  before: ['watch status'],
  example: 'unwatch status',
  answer: async ({ args, on, channel, watches: list }): Promise<InfoReply> => {
    const wanted = args.watch.join(' ');
    const found = await list.called(wanted, on);
    if (found.length === 0) {
      const all = await list.all();
      const where = on === undefined ? say`` : say` on ${code(on)}`;
      const what = wanted === '' ? say`Nothing` : say`Nothing called ${code(wanted)}`;
      return {
        headline: say`${what} is watched or scheduled in ${placeOf(list, channel)}${where}. Nothing was stopped.`,
        details: stopOffers(all),
      };
    }
    // A bare number means exactly that watch. A guess could stop one that somebody relies on.
    if (!areNumbers(wanted)) {
      const [only] = found;
      const which =
        found.length === 1 && only !== undefined
          ? say`Stop ${calledBy(only, ' of ')}, set by ${person(only.person)}?`
          : wanted === ''
            ? say`Which one?`
            : say`${code(wanted)} can be each of these ${found.length}. Which one?`;
      const everyOne: Offer = {
        label: `Stop all ${found.length}`,
        line: stopLine(...found.map(({ id }) => id)),
      };
      return {
        headline: say`${which} Nothing was stopped so far.`,
        details: [
          ...stopOffers(found),
          ...(found.length === 1 ? [] : [{ kind: 'offers', offers: [everyOne] } as const]),
        ],
      };
    }
    const names = (things: readonly WatchedThing[]) => things.map((one) => calledBy(one, ' of ')).join(', ');
    return {
      next: {
        act: async () => {
          const stopped: WatchedThing[] = [];
          for (const one of found) if (await list.stop(one.id)) stopped.push(one);
          return {
            ...(stopped.length > 0 && { changed: true }),
            headline:
              stopped.length === 0
                ? say`Somebody else has just stopped ${names(found)}.`
                : say`Stopped: ${names(stopped)}`,
          };
        },
      },
      headline: say`This would stop ${names(found)}.`,
      details: stopOffers(found),
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
  answer: async ({ args, on, channel, watches: list }): Promise<InfoReply> => {
    const typed = args.line.join(' ');
    const read = readScheduled(typed);
    if (read === undefined) {
      return {
        headline: say`${code(typed)} has no time at which it can be scheduled. Write one behind the command: ${code('every weekday at 8:00')}, ${code('daily at 17:30')} or ${code('every Monday and Friday at 9')}.`,
        details: [
          paragraph`A schedule has one time of day, in ${list.timeZone}. To hear of changes in between, set up a watch: ${code('/appliance watch status')}.`,
        ],
      };
    }
    const { line, every } = read;
    const where = list.isElsewhere ? say`in ${channelName(channel)}, not in this conversation` : say`here`;
    return {
      next: {
        act: async () => {
          const scheduling = await list.schedule(line, on, every);
          if (scheduling.kind === 'refused') return { headline: scheduling.why };
          const { thing, isNew } = scheduling;
          const what = say`${code(thing.name)} ${recurrenceInWords(every)} (${list.timeZone})`;
          const stop: Part = { kind: 'offers', offers: [{ label: 'Stop', line: stopLine(thing.id) }] };
          return isNew
            ? {
                headline: say`Scheduled: ${what}, first ${moment(thing.next)}`,
                details: [paragraph`It runs with your rights, and the answer is posted ${where}.`, stop],
              }
            : {
                headline: say`Already scheduled by ${person(thing.person)}: ${what}, next ${moment(thing.next)}`,
                details: [stop],
              };
        },
      },
      headline: say`This would post ${code(line)} ${recurrenceInWords(every)} (${list.timeZone}).`,
    };
  },
});
