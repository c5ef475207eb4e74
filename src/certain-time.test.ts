import { describe, expect, test } from 'vitest';
import { createCertainTime } from './certain-time.ts';
import { createLog } from './telemetry/log.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const noon = Date.parse('2027-03-01T12:00:00Z');

/** A process that has just begun, with clocks that are off by these amounts. */
function started(off: { own?: number; slack?: number } = {}) {
  const time = { passed: 0, own: 0, slack: 0, ...off };
  const logged: string[] = [];
  const { over, heard } = createCertainTime(
    () => noon + time.passed + time.own,
    createLog('warn', { write: (line) => void logged.push(line) }),
    { elapsed: () => 5_000 + time.passed },
  );
  return {
    ...{ time, over, heard, logged },
    slackAnswers: () => heard('slack', noon + time.passed + time.slack),
    databaseSays: (ahead = 0) => heard('database', noon + time.passed + ahead),
  };
}

describe('the certain time', () => {
  test('is unknown until another machine has reported its time', () => {
    const { over, slackAnswers } = started();
    expect(over()).toBeUndefined();
    slackAnswers();
    expect(over()).toBe(noon);
  });

  test('advances with time, also without further answers', () => {
    const { time, over, slackAnswers } = started();
    slackAnswers();
    time.passed += 90 * day;
    expect(over()).toBe(noon + 90 * day);
  });

  test('ignores a clock that has jumped ahead, and its time before it was set back', () => {
    const { time, over, slackAnswers } = started();
    slackAnswers();
    time.own = 400 * day;
    time.passed += hour;
    expect(over()).toBe(noon + hour);
    slackAnswers();
    expect(over()).toBe(noon + hour);
    time.own = -day;
    expect(over()).toBe(noon + hour - day);
  });

  test('ignores the process’s own clock at the start if Slack or the database disagree', () => {
    const ahead = started({ own: 400 * day });
    ahead.databaseSays();
    expect(ahead.over()).toBe(noon);
    const other = started({ own: 400 * day });
    other.slackAnswers();
    expect(other.over()).toBe(noon);
  });

  test('ignores another machine that is wrong, and both after they have jumped', () => {
    const { time, over, slackAnswers, databaseSays } = started();
    databaseSays(400 * day);
    expect(over()).toBe(noon);
    time.own = 400 * day;
    time.slack = 400 * day;
    slackAnswers();
    databaseSays(400 * day);
    time.passed += 20_000;
    expect(over()).toBe(noon + 20_000);
  });

  test('covers a long pause once another machine has seen it too', () => {
    const before = noon - 400 * day;
    const { over, slackAnswers } = started();
    expect(over() ?? before).toBe(before);
    slackAnswers();
    expect((over() ?? before) - before).toBe(400 * day);
  });

  test('is logged if two clocks differ by more than two minutes, at most once an hour', () => {
    const { time, slackAnswers, logged } = started();
    slackAnswers();
    expect(logged).toEqual([]);
    time.own = 60_000;
    slackAnswers();
    expect(logged).toEqual([]);
    time.own = -2 * hour;
    slackAnswers();
    slackAnswers();
    expect(logged).toEqual([expect.stringMatching(/"of":"slack","aheadMs":-7200000/)]);
  });
});
