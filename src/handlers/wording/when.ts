import { clock, moment, type Span } from '../reply.ts';

/** Nearer than this the time of day says enough, in milliseconds. */
const near = 12 * 60 * 60_000;

/** A moment as people say it: the time of day, with the day where it is not soon or just now. */
export const when = (at: number, now: number): Span => (Math.abs(at - now) < near ? clock(at) : moment(at));
