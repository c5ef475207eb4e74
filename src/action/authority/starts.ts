import { nextSpan } from '../../auth/calendar/freeze.ts';
import { type Hours, minuteAt, nextAt } from '../../auth/hours.ts';
import type { Policy } from '../../auth/policy.ts';
import type { TypedTerm } from '../../handlers/language/term.ts';
import {
  momentsSaid,
  type SaidTime,
  typedChoice,
  typedMoment,
} from '../../handlers/language/times/said-time.ts';
import { readStart, type TypedStart } from '../../handlers/language/times/start.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import type { Fault } from '../wording/faults.ts';
import type { Authority } from './authority.ts';

/** Why it cannot be planned for a typed time. */
type StartFault = Extract<
  Fault,
  { code: 'no_such_window' | 'window_never' | 'start_past' | 'time_unclear' | 'start_far' }
>;

interface StartClock {
  readonly authority: Pick<Authority, 'policy'>;
  readonly now: () => number;
}

const minute = 60_000;
/** In milliseconds: how late something planned may run for a moment, and how far ahead that may lie. */
const grace = 10 * minute;
const farthest = 90 * 24 * 60 * minute;
/** A window that closes sooner is not the one that is meant. */
const least = 5 * minute;

/** The hours of a window of the policy; undefined where it has none that is called so. */
function hoursOf(window: string, { windows = {} }: Pick<Policy, 'windows'>): readonly Hours[] | undefined {
  return Object.hasOwn(windows, window) ? windows[window] : undefined;
}

/** Whether a window is open at a moment. The policy may have other hours for it by now, or none. */
export function isOpenAt(at: number, window: string, policy: Pick<Policy, 'windows' | 'timeZone'>): boolean {
  const hours = hoursOf(window, policy);
  const span = hours && nextSpan(hours, at, policy.timeZone);
  return span !== undefined && span.from <= at;
}

const isNow = (time: SaidTime): boolean => time.kind === 'span' && time.milliseconds === 0;

/** What was said can be several moments, and none of them is taken by a guess. */
export function unclearIn(
  { option, text }: TypedStart | TypedTerm,
  time: SaidTime,
  now: number,
  timeZone: string,
): Extract<StartFault, { code: 'time_unclear' }> | undefined {
  const moments = momentsSaid(time, now, timeZone);
  if (moments.length < 2) return undefined;
  const choices = moments
    .filter((one) => one > now && one <= now + farthest)
    .map((one) => typedChoice(time, one, timeZone));
  return { code: 'time_unclear', typed: { option, text }, count: moments.length, choices };
}

/** The next time that it is so late. */
export const nearestTo = (moment: number, now: number, timeZone: string): number =>
  nextAt({ days: everyDay, minute: minuteAt(moment, timeZone) }, now, timeZone);
const everyDay = [0, 1, 2, 3, 4, 5, 6];

/** What was planned for later, and is to run at once. */
export const startAtOnce = ({ authority, now }: StartClock): PlannedStart => ({
  at: now(),
  latest: now() + grace,
  zone: authority.policy().timeZone,
});

/** When it is to run: by the clock of the policy, and in its windows. Undefined where it is not planned. */
export function startIn(
  start: TypedStart | undefined,
  { authority, now }: StartClock,
): PlannedStart | StartFault | undefined {
  const read = start && readStart(start);
  if (start === undefined || read === undefined) return undefined;
  const policy = authority.policy();
  const { timeZone } = policy;
  const at = now();
  if (read.kind === 'window') {
    const { name } = read;
    const hours = hoursOf(name, policy);
    if (hours === undefined)
      return { code: 'no_such_window', name, windows: Object.keys(policy.windows ?? {}) };
    const span = nextSpan(hours, at + least, timeZone);
    if (span === undefined) return { code: 'window_never', name };
    return { at: Math.max(at, span.from), latest: span.to, window: name, zone: timeZone };
  }
  // Who says "now" plans nothing.
  if (isNow(read.time)) return undefined;
  const unclear = unclearIn(start, read.time, at, timeZone);
  if (unclear !== undefined) return unclear;
  const [moment = at] = momentsSaid(read.time, at, timeZone);
  if (moment <= at) {
    const nearest = typedMoment(nearestTo(moment, at, timeZone), timeZone);
    return { code: 'start_past', typed: start.text, at: moment, nearest, now: at };
  }
  if (moment > at + farthest) return { code: 'start_far', typed: start.text };
  return { at: moment, latest: moment + grace, zone: timeZone };
}
