import { clock, moment, type Span, say, type Text } from '../reply.ts';

/** Nearer than this the time of day says enough, in milliseconds. */
const near = 12 * 60 * 60_000;

/** A moment as people say it: the time of day, with the day where it is not soon or just now. */
export const when = (at: number, now: number): Span => (Math.abs(at - now) < near ? clock(at) : moment(at));

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
