import { dateAt } from '../../auth/hours.ts';
import { quoted } from '../language/asked.ts';
import { typedMoment } from '../language/times/said-time.ts';
import { clock, code, enumerate, moment, plural, say, strong, type Text } from '../reply.ts';
import { when } from '../wording/when.ts';

/** When something is to run that is not to run at once. Milliseconds since the epoch. */
export interface PlannedStart {
  readonly at: number;
  /** Later it does not run any more. */
  readonly latest: number;
  /** The window of the policy that was named. */
  readonly window?: string;
  /** By whose clock it was meant; people read it by their own. */
  readonly zone?: string;
  /** The line as it would be typed for this time, where it was typed for another one. */
  readonly line?: string;
  /** Why it could not be looked at when it was tried last. */
  readonly held?: string;
}

/** *today 22:00 (22:00 in Europe/Berlin)*: whoever reads it may live by another clock. */
export const startByBothClocks = (start: PlannedStart): Text =>
  start.zone === undefined
    ? startInWords(start)
    : say`${startInWords(start)} (${typedMoment(start.at, start.zone).slice(-5)} in ${start.zone})`;

/** *today 22:00*, *today 22:00 in window night, until tomorrow 05:00*. */
export function startInWords({ at, latest, window, zone = 'UTC' }: PlannedStart): Text {
  if (window === undefined) return say`${moment(at)}`;
  const until = dateAt(at, zone) === dateAt(latest, zone) ? clock(latest) : moment(latest);
  return say`${moment(at)} in window ${code(window)}, until ${until}`;
}

/** Why something cannot be planned for the time that was typed. */
export type StartFault =
  | { readonly code: 'no_such_window'; readonly name: string; readonly windows: readonly string[] }
  /** The hours of a window are none that come. */
  | { readonly code: 'window_never'; readonly name: string }
  /** Milliseconds since the epoch. */
  | {
      readonly code: 'start_past';
      readonly typed: string;
      readonly at: number;
      /** As it can be typed: the next time that would do. */
      readonly nearest: string;
      readonly now: number;
    }
  /** It can be each of these moments. Milliseconds since the epoch. */
  | {
      readonly code: 'time_unclear';
      readonly typed: { readonly option: string; readonly text: string };
      /** How many it can be. */
      readonly count: number;
      /** As they can be typed: those that are neither over nor too far ahead. */
      readonly choices: readonly string[];
    }
  | { readonly code: 'start_far'; readonly typed: string }
  /** It would end before it begins. */
  | { readonly code: 'ends_first'; readonly starts: number; readonly ends: number; readonly now: number };

/** Changes are frozen at its time. */
export interface FrozenFault {
  readonly code: 'frozen';
  readonly frozen: {
    readonly name: string;
    readonly reason: string | undefined;
    readonly until: number;
    readonly except: readonly string[];
    /** Those that follow on it without a pause. */
    readonly followedBy: readonly string[];
  };
  /** When something ends that was to stay on for longer: milliseconds since the epoch. */
  readonly ends?: number | undefined;
  readonly timeZone: string;
}

export function frozenInWords({
  frozen: { name, reason, until, except, followedBy },
  ends,
  timeZone,
}: FrozenFault): Text {
  const why = reason === undefined ? [] : say`: ${reason}`;
  const next = followedBy.length === 0 ? [] : say`, then ${enumerate(followedBy.map((one) => code(one)))}`;
  const others = except.length === 0 ? [] : say` The role ${enumerate(except.map(strong), 'or')} is exempt.`;
  if (ends !== undefined)
    return say`Changes are frozen until ${moment(until)} (${code(name)}${why}${next}), so this can’t be kept on for longer. No changes were made: it still ends ${moment(ends)}.${others}`;
  return say`Changes are frozen until ${moment(until)} (${code(name)}${why}${next}). No changes were made. Plan it for after that with ${code(`--at ${quoted(typedMoment(until, timeZone))}`)} (${timeZone}). Undo, the ends of temporary changes and emergency mode are not frozen.${others}`;
}

/** The words for each. */
export function notPlanned(fault: StartFault): Text {
  switch (fault.code) {
    case 'no_such_window': {
      const { name, windows } = fault;
      const known =
        windows.length === 0
          ? say`The policy has no windows: plan it with ${code('--at 22:00')}.`
          : say`Windows: ${enumerate(windows.map((one) => code(one)))}.`;
      return say`There is no window ${code(name)}. No changes were made. ${known}`;
    }
    case 'window_never':
      return say`The window ${code(fault.name)} doesn’t open within the next two weeks. No changes were made.`;
    case 'start_past':
      return say`${code(`--at ${quoted(fault.typed)}`)} is over already, at ${when(fault.at, fault.now)}. No changes were made. The nearest that would work: ${code(`--at ${quoted(fault.nearest)}`)}.`;
    case 'time_unclear': {
      const { typed, count, choices } = fault;
      const option = (text: string) => code(`--${typed.option} ${quoted(text)}`);
      const each = choices.map((one) => say`${option(one)}`);
      const could = say`${option(typed.text)} can be ${plural(count, 'time')}`;
      if (each.length === 0)
        return say`${could}, each of which is over or too far ahead: 90 days at most. No changes were made.`;
      return each.length === 1
        ? say`${could}, of which one can be had: ${enumerate(each)}. No changes were made. Type that if you mean it.`
        : say`${could}. No changes were made. Write the one that you mean: ${enumerate(each, 'or')}.`;
    }
    case 'start_far':
      return say`${code(`--at ${quoted(fault.typed)}`)} is too far ahead: a change can be planned for the next 90 days. No changes were made.`;
    case 'ends_first':
      return say`This would end at ${when(fault.ends, fault.now)}, and it may begin as late as ${when(fault.starts, fault.now)}. No changes were made. Give a later ${code('--until')}.`;
  }
}
