import { clock, elapsed, moment, type Span, say, type Text } from '../reply.ts';

/** Within this, the time of day is enough; milliseconds. */
const near = 6 * 60 * 60_000;

/** A moment for people: the time of day, with the date if it is not near. */
export const when = (at: number, now: number): Span => (Math.abs(at - now) < near ? clock(at) : moment(at));

/** An acceptable difference between clocks, in milliseconds. */
const skew = 2 * 60_000;

/**
 * How far the clock behind this moment is ahead of the bot's. The moment is known to be past, so it cannot be
 * in the future. Undefined if not ahead.
 */
const aheadBy = (at: number, now: number): number | undefined => (at - now > skew ? at - now : undefined);

/** A past moment by an appliance's clock: "35 min ago". If that clock is ahead, the text says so. */
export function ago(at: number, now: number): Text {
  const ahead = aheadBy(at, now);
  return ahead === undefined
    ? say`${elapsed(Math.max(0, now - at))} ago`
    : say`${moment(at)} by its own clock, which is at least ${elapsed(ahead)} ahead of the bot’s`;
}

export function toldMoment(at: number, now: number, shown: (at: number) => Span = moment): Text {
  const ahead = aheadBy(at, now);
  return ahead === undefined
    ? say`${shown(at)}`
    : say`${moment(at)} (its own clock, at least ${elapsed(ahead)} ahead)`;
}

/** *the end of Friday (Saturday 00:00)*: the typed words, and the moment for each reader. */
export const endCalled = (at: Span, called: string | undefined): Text =>
  called === undefined ? [at] : say`the ${called} (${at})`;

/** A date and time without a time zone, anywhere in an appliance's text. */
const zoneless =
  /\b(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[./]\d\d[./]\d{4})[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?![\d:.]*\s*(?:\d|Z|[+-]\d|[A-Z]{3,4}\b))/;

/** Marks a time in the appliance's own words, so that no reader takes it for their own time zone. */
export const itsClock = ' (appliance time)';

/** Marks words that contain such a time. */
export const clockOf = (told: string): string => (zoneless.test(told) ? itsClock : '');
