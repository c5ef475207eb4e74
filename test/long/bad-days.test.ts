import { describe, expect, test } from 'vitest';
import { days, flows, live, type When } from '../bad-days.ts';
import { someOf } from '../kills/in-turns.ts';
import { everyNth } from '../size.ts';

/** Every log line at `warn` and above that may appear; the load of the machine decides on which day. */
const mayBeLogged: readonly string[] = [
  'A connection to Slack was closed soon after it was opened; trying again after a pause',
  'A message waits until Slack takes it',
  'Could not open a form in Slack',
  'Could not send a message to Slack',
  'Could not send a private answer',
  'Could not send an acknowledgement to Slack',
  'Slack does not answer; messages wait until it does',
  'Slack limits messages to a channel; they wait',
  'Slack no longer accepts SLACK_BOT_TOKEN. No command is run until the token is replaced and the bot restarted; what waits to be told is kept',
  'Slack’s library has a warning',
  'Slack’s library has an error',
  'Resuming unfinished work',
];

/** Every third of what people do on each day, and other things on the next. */
const every = everyNth(3);

describe.each(Object.keys(days).map((day, from) => ({ day, from })))(
  'on a day on which $day',
  ({ day, from }) => {
    test.each(someOf(Object.entries(flows), { every, from }))(
      '%s is reported once, at the latest a minute after the day is over',
      async (_, flow) => {
        const { count, times, when, said, read } = await live(day, flow);
        expect(count, read()).toBeGreaterThan(0);
        expect(count, read()).toBeLessThanOrEqual(times);
        expect(minutes(when), read()).toBeLessThanOrEqual(1);
        expect([...said].filter((line) => !mayBeLogged.includes(line))).toEqual([]);
      },
    );
  },
);

const minutes = (when: When): number => {
  if (when === 'never') return Number.POSITIVE_INFINITY;
  return when === 'at once' ? 0 : when;
};
