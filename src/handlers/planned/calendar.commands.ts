import { info } from '../declare.ts';
import { code, enumerate, moment, say } from '../reply.ts';
import { calendarParts } from './parts.ts';

export const freezes = info({
  anywhere: false,
  posted: true,
  phrase: 'planned freezes',
  also: [
    ...['freezes', 'freeze', 'change freezes', 'what is frozen', 'is it frozen', 'windows'],
    ...['maintenance windows', 'next window', 'when is the next window', 'calendar'],
  ],
  says: `
    are changes frozen / when are changes frozen / is there a freeze / which freezes are there / which windows are there /
    when is the next maintenance window / when does the freeze end / change calendar / is anything frozen /
    can i change something now / until when is it frozen / when does the window open / is the window open /
    when may i change things / what are the windows / list freezes / show freezes / show windows
  `,
  summary: 'Say whether changes are frozen, and when the windows are',
  answer: ({ calendar, now }) => {
    const { freezes: all, windows, ...zone } = calendar();
    const on = all.filter(({ from }) => from <= now);
    const details = calendarParts({ freezes: all, windows, ...zone }, now);
    if (on.length === 0)
      return {
        headline:
          all.length === 0
            ? say`Nothing is frozen now or in the next 90 days.`
            : say`Nothing is frozen now. The next freeze begins ${moment(Math.min(...all.map(({ from }) => from)))}.`,
        details,
      };
    const each = on.map(({ name, to, holds }) => say`${holds}, until ${moment(to)} (${code(name)})`);
    return { headline: say`Frozen now: ${enumerate(each)}.`, details };
  },
});
