import { beforeAll, describe, expect, test } from 'vitest';
import {
  type ReceivedRequest,
  type SimulatedAppliance,
  startSimulatedAppliance,
} from '../sandbox/appliance/index.ts';
import { operations } from '../src/api/index.ts';
import { call, connect, key } from './operations.ts';
import { usual } from './same-to-read.ts';

/** The simulated company is the same whenever it is started; only its moments go with the clock. */

const moments: readonly (readonly [when: string, moment: string])[] = [
  ['a Saturday', '2026-11-21T09:14:00Z'],
  ['a Sunday', '2026-11-22T16:40:21Z'],
  ['a Monday', '2026-11-23T10:00:00Z'],
  ['a Tuesday', '2026-11-24T02:07:13Z'],
  ['a Wednesday', '2026-11-25T21:30:00Z'],
  ['a Thursday', '2026-11-26T06:59:59Z'],
  ['midnight', '2026-11-27T00:00:00Z'],
  ['the first minute of a day', '2026-12-09T00:00:30Z'],
  ['the last minute of a day', '2026-12-09T23:59:30Z'],
  ['the last minute of a month', '2027-04-30T23:59:30Z'],
  ['the last minute of a year', '2026-12-31T23:59:30Z'],
  ['the first minute of a year', '2027-01-01T00:00:30Z'],
  ['the last day of a February', '2027-02-28T12:00:00Z'],
  ['a leap day', '2028-02-29T23:58:00Z'],
  ['the day after a leap day', '2028-03-01T00:00:30Z'],
  ['the night of a spring in which clocks are turned on, in New York', '2027-03-14T07:00:30Z'],
  ['the night of an autumn in which clocks are turned back, in New York', '2027-11-07T06:00:30Z'],
  ['the night of an autumn in which clocks are turned back, in Auckland', '2027-04-03T14:00:30Z'],
  ['a day in ten years', '2036-08-19T12:00:00Z'],
];

const reads = [...operations].flatMap(([name, { effect }]) => (effect === 'read' ? [name] : []));

/** How to ask for each reading operation, learned from the client. */
const asked = new Map<string, Pick<ReceivedRequest, 'service' | 'path'>>();

beforeAll(async () => {
  const simulated = await startSimulatedAppliance({ key });
  const appliance = connect(simulated);
  try {
    for (const name of reads) {
      await call(name, simulated, appliance);
      const request = simulated.requests.at(-1);
      if (request !== undefined) asked.set(name, request);
    }
  } finally {
    await appliance.close();
    await simulated.close();
  }
});

/** Answers of a company that was started at that moment, byte for byte, and its whole state. Its clock stands still. */
async function companyAt(moment: string) {
  const now = new Date(moment);
  const simulated = await startSimulatedAppliance({ key, clock: () => now });
  const answer = async ({ service, path }: Pick<ReceivedRequest, 'service' | 'path'>) =>
    (await fetch(simulated.urls[service] + path, { headers: { 'x-auth-token': key } })).text();
  try {
    const answers = await Promise.all(
      [...asked].map(async ([name, request]) => [
        name,
        (laidByDay.test(name) ? withoutMoments : relative)(await answer(request), now),
      ]),
    );
    return {
      answers: Object.fromEntries(answers),
      // A chart of a month, and what only further questions show: the 600th event, the next sync.
      daily: relative(await answer({ service: 'main', path: '/api/console/events/daily?days=60' }), now),
      known: withoutMoments(knownBy(simulated), now),
    };
  } finally {
    await simulated.close();
  }
}

const knownBy = ({ state }: SimulatedAppliance): string =>
  JSON.stringify(state, (_, value) => (value instanceof Map || value instanceof Set ? [...value] : value), 1);

/** Entries of these answers lie so long before a midnight, and closer together on a young day. */
const laidByDay = /^(?:rdp\.listEvents|rdp\.listVideos|mirror\.(?:status|syncStats|listEvents|eventStats))$/;

const written = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?Z?|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g;
const endOfLife = /"endoflife":\s*"(\d{10})"/g;

const withoutMoments = (answer: string, _now: Date): string =>
  answer.replaceAll(written, '[moment]').replaceAll(endOfLife, '[moment]');

const day = 86_400_000;

/** How long ago each moment is, in its place, and how many days ago each date. */
function relative(answer: string, now: Date): string {
  const ago = (at: number) => `[${(now.getTime() - at) / 1_000} s ago]`;
  const midnight = Math.floor(now.getTime() / day) * day;
  return answer
    .replaceAll(written, (moment) => ago(Date.parse(/[ZT]$/.test(moment) ? moment : `${moment}Z`)))
    .replaceAll(endOfLife, (_, seconds: string) => ago(Number(seconds) * 1_000))
    .replaceAll(
      /"(\d{4}-\d\d-\d\d)"/g,
      (_, date: string) => `[${(midnight - Date.parse(date)) / day} days ago]`,
    );
}

describe('the company gives the same answers, and has the same state,', () => {
  let expected: Awaited<ReturnType<typeof companyAt>>;
  beforeAll(async () => {
    expected = await companyAt(usual);
  });

  test.each(moments)('on %s', async (_, moment) => {
    const { answers, daily, known } = await companyAt(moment);
    for (const name of reads) expect(answers[name], name).toBe(expected.answers[name]);
    expect(daily).toBe(expected.daily);
    expect(known.split('\n')).toEqual(expected.known.split('\n'));
  });

  test('on days that are over, whatever the hour', async () => {
    const loggedOff = async (moment: string) => {
      const simulated = await startSimulatedAppliance({ clock: () => new Date(moment) });
      await simulated.close();
      const ended = simulated.state.rdp.events.filter(({ reason }) => reason === 'logoff');
      const midnight = Math.floor(Date.parse(moment) / day) * day;
      return [...Map.groupBy(ended, ({ date }) => Math.ceil((midnight - Date.parse(date)) / day))].map(
        ([daysAgo, { length }]) => [daysAgo, length],
      );
    };
    const usually = await loggedOff(usual);
    expect(usually).toHaveLength(22);
    for (const [when, moment] of moments) expect(await loggedOff(moment), when).toEqual(usually);
  });
});

test('every reading operation is asked', () => {
  expect(reads.length).toBeGreaterThan(50);
  expect([...asked.keys()]).toEqual(reads);
  for (const [name, { path }] of asked) expect(path, name).toMatch(/^\//);
});
