import { readHours } from '../../auth/hours.ts';
import type { Argument } from '../argument.ts';
import type { LookupDeclaration } from '../command.ts';
import { type Part, paragraph, say, strong } from '../reply.ts';
import { settle, whyNot } from '../wording/answer.ts';
import type { Observation, WatchArgs } from './observation.ts';
import type { Watchable, WatchLook, WatchReads } from './watchable.ts';

/** The hours in which nothing is posted: `22:00-07:00`, `Sat,Sun`. */
export const quiet: Argument<string> = {
  what: 'hours without posts',
  example: '22:00-07:00',
  words: 2,
  read: (word) =>
    readHours(word) === undefined
      ? { ok: false, problem: { code: 'malformed', wanted: 'hours such as 22:00-07:00 or Sat,Sun' } }
      : { ok: true, value: word },
};

/** Of what can be watched, what a command needs that puts it on watch. */
export function watching<Reading>(
  watchable: Omit<Watchable, 'read' | 'see'> & {
    readonly read: (context: WatchReads) => Promise<Reading>;
    readonly see: (reading: Reading, look: WatchLook) => Observation;
  },
): Pick<LookupDeclaration<WatchArgs>, 'answer' | 'watches'> {
  const { name, read, see } = watchable;
  return {
    watches: watchable,
    answer: async (context) => {
      const { appliance, args, now, watch } = context;
      const sight = await seen(read(context), (reading) => see(reading, { now, over: args.over }));
      const { isNew } = await watch(sight, args);
      const what = say`${isNew ? 'Watching' : 'Already watching'} ${name} of ${strong(appliance.name)}`;
      const state = sight.kind === 'state' ? say`. Now: ${sight.says}` : say``;
      return {
        headline: say`${what}${state}`,
        brief: sight.kind === 'state' ? sight.says : say`watching`,
        details: [...whatHappens(args), stopOffer(name, appliance.name)],
      };
    },
  };
}

/** That it could not be read is something to see, too. */
export async function seen<Reading>(
  reading: Promise<Reading>,
  see: (reading: Reading) => Observation,
): Promise<Observation> {
  const read = await settle(reading);
  if (read.answered) return see(read.value);
  const says = say`⚠️ could not be asked: ${whyNot(read.failure)}`;
  return { kind: 'state', is: 'unasked', key: 'unasked', says };
}

function whatHappens({ quiet: hours }: WatchArgs): readonly Part[] {
  const until =
    hours === undefined
      ? ''
      : ` Nothing is posted in the hours ${hours}: what happened then is told at their end.`;
  return [paragraph`Every change is posted here within a minute.${until}`];
}

const stopOffer = (name: string, appliance: string): Part => ({
  kind: 'offers',
  offers: [{ label: 'Stop watching', line: `unwatch ${name} --on ${appliance}` }],
});
