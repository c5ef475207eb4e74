import { word } from '../argument.ts';
import { quoted } from '../language/asked.ts';
import { code, enumerate, moment, type Offer, type Part, plural, say, strong, type Text } from '../reply.ts';
import type { Calendar, PlannedThing } from './list.ts';

/** What is planned, by a word of it, its number in the list, or whose it is. */
export const thing = {
  ...word('what is planned', 'shop.example.net'),
  isLine: 'words',
  namesAny: 'planned',
} as const;

/** What can be pressed for something planned. `which`: "2: ", where there are several. */
export const buttonsOf = ({ line, token, waits }: PlannedThing, which: string): readonly Offer[] =>
  // Until it is agreed to, its time is the question.
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

/** More is told by the card. */
const mostLines = 3;

/** What it is; of a plan with its lines. */
export function withLines({ what, lines }: Pick<PlannedThing, 'what' | 'lines'>): Text {
  if (lines.length === 0) return what;
  const more = lines.length - mostLines;
  const shown = lines.slice(0, mostLines).map((line) => code(line));
  return say`${what}: ${enumerate(more > 0 ? [...shown, plural(more, 'more line')] : shown)}`;
}

/** The freezes that lie ahead, and the windows. */
export function calendarParts({ freezes, windows, timeZone }: Calendar, now: number): readonly Part[] {
  const items = [
    ...freezes.map((one) => freezeInWords(one, now)),
    ...windows.map(({ name, hours, next }) => {
      const when = next === undefined ? [] : say`, ${windowTime(next, now)}`;
      return say`Window ${code(`--window ${quoted(name)}`)}: ${hours} (${timeZone})${when}`;
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
