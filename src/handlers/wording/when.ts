import { clock, elapsed, moment, type Span, say, type Text } from '../reply.ts';

/** Nearer than this the time of day says enough, in milliseconds. */
const near = 12 * 60 * 60_000;

/** A moment as people say it: the time of day, with the day where it is not soon or just now. */
export const when = (at: number, now: number): Span => (Math.abs(at - now) < near ? clock(at) : moment(at));

/** Clocks differ by so much without anybody minding, in milliseconds. */
const skew = 2 * 60_000;

/** How far the clock that told this moment is ahead of ours, where the moment is over and so cannot lie ahead; else undefined. */
const aheadBy = (at: number, now: number): number | undefined => (at - now > skew ? at - now : undefined);

/** When something was, by the clock of an appliance: "35 min ago"; of a clock that is ahead of ours, whose time it is. */
export function ago(at: number, now: number): Text {
  const ahead = aheadBy(at, now);
  return ahead === undefined
    ? say`${elapsed(Math.max(0, now - at))} ago`
    : say`at ${moment(at)} by its own clock, which is at least ${elapsed(ahead)} ahead of the bot’s`;
}

/** The same as a moment. */
export function toldMoment(at: number, now: number, shown: (at: number) => Span = moment): Text {
  const ahead = aheadBy(at, now);
  return ahead === undefined
    ? say`${shown(at)}`
    : say`${moment(at)} (its own clock, at least ${elapsed(ahead)} ahead)`;
}

/** *the end of Friday (Saturday 00:00)*: what people have said, and when that is for whoever reads it. */
export const endCalled = (at: Span, called: string | undefined): Text =>
  called === undefined ? [at] : say`the ${called} (${at})`;

/** A day and a time of which nobody knows the zone, anywhere in what an appliance tells. */
const zoneless =
  /\b(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[./]\d\d[./]\d{4})[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?![\d:.]*\s*(?:\d|Z|[+-]\d|[A-Z]{3,4}\b))/;

/** Behind a time that stays as the appliance tells it: no reader may take it for one of their own zone. */
export const itsClock = ' (appliance time)';

/** The same behind words in which there may be such a time. */
export const clockOf = (told: string): string => (zoneless.test(told) ? itsClock : '');
