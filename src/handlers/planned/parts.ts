import { word } from '../argument.ts';
import { quoted } from '../language/asked.ts';
import { code, enumerate, moment, type Offer, type Part, plural, say, strong, type Text } from '../reply.ts';
import type { Calendar, PlannedThing } from './list.ts';

/** A planned change, by a word of it, its number in the list, or its owner. */
export const thing = {
  ...word('what is planned', 'shop.example.net'),
  isLine: 'words',
  namesAny: 'planned',
} as const;

/** Buttons of a planned change. `which`: "2: ", if there are several. */
export const buttonsOf = ({ line, token, waits }: PlannedThing, which: string): readonly Offer[] =>
  // While it waits for approval, its time is the question.
  waits
    ? [cancelOf(line, token, which)]
    : [
        cancelOf(line, token, which),
        { label: `${which}Change the time…`, line, standing: { press: 'reschedule', token } },
      ];

const cancelOf = (line: string, token: string, which: string): Offer => ({
  label: `${which}Cancel`,
  line,
  standing: { press: 'cancel', token },
});

/** The card has the rest. */
const mostLines = 3;

/** Its description; for a plan, with its lines. */
export function withLines({ what, lines }: Pick<PlannedThing, 'what' | 'lines'>): Text {
  if (lines.length === 0) return what;
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => code(line));
  return say`${what}: ${enumerate(more > 0 ? [...shown, plural(more, 'more line')] : shown)}`;
}

export function calendarParts({ freezes, windows, timeZone }: Calendar, now: number): readonly Part[] {
  const items = [
    ...freezes.map((one) => freezeInWords(one, now)),
    ...windows.map(({ name, hours, next }) => {
      const when = next === undefined ? [] : say`, ${windowTime(next, now)}`;
      return say`Window ${code(quoted(name))}: ${hours} (${timeZone})${when}`;
    }),
  ];
  return items.length === 0 ? [] : [{ kind: 'list', items }];
}

function freezeInWords(
  { name, from, to, holds, except, reason }: Calendar['freezes'][number],
  now: number,
): Text {
  const others = except.length === 0 ? [] : say`, but for ${enumerate(except.map(strong))}`;
  const why = reason === undefined ? [] : say`: ${reason}`;
  const when = from <= now ? say`now, until ${moment(to)}` : say`from ${moment(from)} to ${moment(to)}`;
  return say`Freeze ${code(name)} holds ${holds} ${when}${others}${why}`;
}

/** *open now until today 05:00*, *next today 22:00 to tomorrow 05:00* */
const windowTime = ({ from, to }: { readonly from: number; readonly to: number }, now: number): Text =>
  from <= now ? say`open now until ${moment(to)}` : say`next ${moment(from)} to ${moment(to)}`;
