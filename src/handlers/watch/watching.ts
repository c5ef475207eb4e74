import { minutesIn, readHours } from '../../auth/hours.ts';
import type { Argument } from '../argument.ts';
import type { LookupDeclaration } from '../command.ts';
import { channel as channelName, type Part, person, say, strong, type Text } from '../reply.ts';
import { settle, whyNot } from '../wording/answer.ts';
import { stopLine } from './list.ts';
import type { Observation, WatchArgs, WatchStarted } from './observation.ts';
import type { Watchable, WatchLook, WatchReads } from './watchable.ts';

/** The hours in which nothing is posted: `22:00-07:00`, `Sat,Sun`. */
export const quiet: Argument<string> = {
  what: 'hours without posts',
  example: '22:00-07:00',
  words: 2,
  read: (word) => {
    const hours = readHours(word);
    if (hours === undefined) return malformed('hours such as 22:00-07:00 or Sat,Sun');
    return minutesIn(hours) > mostQuiet
      ? malformed('hours that leave seven hours a week in which it is posted, such as 22:00-07:00')
      : { ok: true, value: word };
  },
};

/** Minutes of a week. A watch that never posts makes no sense. */
const mostQuiet = 7 * 23 * 60;
const malformed = (wanted: string) => ({ ok: false, problem: { code: 'malformed', wanted } }) as const;

/** The parts of a command that starts a watch. */
export function watching<Reading>(
  watchable: Omit<Watchable, 'read' | 'see'> & {
    readonly read: (context: WatchReads) => Promise<Reading>;
    readonly see: (reading: Reading, look: WatchLook) => Observation;
  },
): Pick<LookupDeclaration<WatchArgs>, 'answer' | 'watches'> {
  const { name, read, see, posts } = watchable;
  return {
    watches: watchable,
    answer: async (context) => {
      const { appliance, args, now, watch, person: asker, channel } = context;
      const sight = await seen(read(context), (reading) => see(reading, { now, over: args.over }));
      const started = await watch(sight, args);
      const whose = started.owner === asker ? say`` : say`, set up by ${person(started.owner)}`;
      const what = say`${begun[started.kind]} ${name} of ${strong(appliance.name)}${limitOf(started)}${whose}`;
      const state = sight.kind === 'state' ? say`. Now: ${sight.says}` : say``;
      const where = started.isElsewhere
        ? say`in ${channelName(channel)}, not in this conversation,`
        : say`here`;
      return {
        headline: say`${what}${state}`,
        brief: sight.kind === 'state' ? sight.says : say`watching`,
        details: [whatHappens(started, posts(started.terms.over), where), stopOffer(started.id)],
      };
    },
  };
}

const begun: Readonly<Record<WatchStarted['kind'], string>> = {
  new: 'Watching',
  same: 'Already watching',
  changed: 'Changed: watching',
  not_yours: 'Already watching',
};

/** The threshold of an existing watch; for a new one it was just typed. */
const limitOf = ({ kind, terms: { over } }: WatchStarted): string =>
  kind === 'new' || over === undefined ? '' : ` > ${over} %`;

/** A failed read is an observation too. */
export async function seen<Reading>(
  reading: Promise<Reading>,
  see: (reading: Reading) => Observation,
): Promise<Observation> {
  const read = await settle(reading);
  if (read.answered) return see(read.value);
  const says = say`⚠️ could not be asked: ${whyNot(read.failure)}`;
  return { kind: 'state', is: 'unasked', key: 'unasked', says };
}

function whatHappens(
  { kind, owner, terms: { quiet: hours } }: WatchStarted,
  happens: string,
  where: Text,
): Part {
  const until =
    hours === undefined
      ? ''
      : ` Nothing is posted in the hours ${hours}: what happened then is told at their end.`;
  const stays =
    kind === 'not_yours'
      ? say` It was not changed: that is for ${person(owner)}, or somebody who may make changes here.`
      : say``;
  return {
    kind: 'text',
    text: say`A message is posted ${where} within a minute when ${happens}.${until}${stays}`,
  };
}

const stopOffer = (id: number): Part => ({
  kind: 'offers',
  offers: [{ label: 'Stop watching', line: stopLine(id) }],
});
