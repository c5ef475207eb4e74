import { clockDoubted } from './telemetry/events/process.ts';
import { type Log, onceIn, seldom } from './telemetry/log.ts';

/**
 * The certain time. Old data is deleted permanently by this time only: with a wrong clock, even minutes-old
 * data would be lost.
 */
export interface CertainTime {
  /**
   * The latest moment that is certainly past, in milliseconds since the epoch; undefined until another machine
   * has reported its time. It is never later than any clock, nor than the process's own runtime allows: data
   * written since the start is only as old as the runtime.
   */
  readonly over: () => number | undefined;
  /** Another machine's time at this moment, as a minimum. */
  readonly heard: (machine: 'database' | 'slack', time: number) => void;
}

export interface OtherClocks {
  /** Monotonic milliseconds, never faster than real time. */
  readonly elapsed?: (() => number) | undefined;
  readonly slackTime?: ((real: number) => number) | undefined;
}

/** In milliseconds: a clock off by more deserves attention. At five minutes Slack's signatures expire. */
const doubtful = 2 * 60_000;
const hour = 60 * 60_000;

/** `own`: this machine's clock. */
export function createCertainTime(
  own: () => number,
  log: Log,
  { elapsed = () => performance.now(), slackTime = (real) => real }: OtherClocks = {},
): CertainTime {
  const began = own() - elapsed();
  /** The readings of each clock, relative to `elapsed`. */
  const others = new Map<string, number>();
  const tell = seldom(log, onceIn(hour));

  return {
    over: () =>
      others.size === 0 ? undefined : Math.min(own(), elapsed() + Math.min(began, ...others.values())),
    heard: (machine, time) => {
      const theirs = machine === 'slack' ? slackTime(time) : time;
      others.set(machine, theirs - elapsed());
      const aheadMs = Math.round(own() - theirs);
      if (Math.abs(aheadMs) > doubtful) tell(clockDoubted, { of: machine, aheadMs });
    },
  };
}
