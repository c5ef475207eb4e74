import { dateAt, type Hours, momentOn } from '../hours.ts';
import type { Freeze, Policy, RoleName } from '../policy.ts';
import type { RequestedCommand } from '../request.ts';
import { touches } from '../rule.ts';

export interface Frozen {
  readonly name: string;
  readonly reason: string | undefined;
  /** When the change may run: milliseconds since the epoch. */
  readonly until: number;
  readonly except: readonly RoleName[];
  /** Names of the freezes that follow without a pause. */
  readonly followedBy: readonly string[];
}

/** Several consecutive freezes may block the same change. */
const mostInRow = 20;

/** Whether a change by somebody with these roles is frozen at a moment. Unknown arguments count as frozen. */
export function frozenAt(
  subject: RequestedCommand,
  held: readonly RoleName[],
  at: number,
  { freezes = {}, timeZone }: Pick<Policy, 'freezes' | 'timeZone'>,
): Frozen | undefined {
  // Emergency mode has rules of its own.
  if (subject.effect === 'read' || subject.area === 'emergency') return undefined;
  const holding = Object.entries(freezes).filter(
    ([, { commands, except }]) =>
      (commands === undefined || commands.some((one) => touches(one, subject))) &&
      !except.some((role) => held.includes(role)),
  );
  let found: Frozen | undefined;
  for (let count = 0; count < mostInRow; count += 1) {
    const now = found?.until ?? at;
    const next = holding.flatMap(([name, freeze]) => {
      const span = spanOf(freeze, now, timeZone);
      return span !== undefined && span.from <= now && now < span.to
        ? [{ name, freeze, until: span.to }]
        : [];
    });
    const [longest] = next.toSorted((one, other) => other.until - one.until);
    if (longest === undefined) break;
    const { name, freeze, until } = longest;
    found =
      found === undefined
        ? { name, reason: freeze.reason, except: freeze.except, until, followedBy: [] }
        : {
            ...found,
            until,
            except: found.except.filter((role) => freeze.except.includes(role)),
            followedBy:
              name === found.name || found.followedBy.includes(name)
                ? found.followedBy
                : [...found.followedBy, name],
          };
  }
  return found;
}

/** A freeze that is active, or begins within `ahead`. */
export interface FreezeAhead extends TimeSpan {
  readonly name: string;
  readonly freeze: Freeze;
}

const ahead = 90 * 24 * 60 * 60_000;

/** Active and coming freezes, the earliest first. Freezes by hours of the week give their next span. */
export function freezesAhead(
  now: number,
  { freezes = {}, timeZone }: Pick<Policy, 'freezes' | 'timeZone'>,
): readonly FreezeAhead[] {
  return Object.entries(freezes)
    .flatMap(([name, freeze]) => {
      const span = spanOf(freeze, now, timeZone);
      return span === undefined || span.to <= now || span.from > now + ahead
        ? []
        : [{ name, freeze, ...span }];
    })
    .toSorted((one, other) => one.from - other.from);
}

function spanOf({ during }: Freeze, at: number, timeZone: string): TimeSpan | undefined {
  if ('hours' in during) return nextSpan(during.hours, at, timeZone);
  const { from, to } = during;
  return {
    from: momentOn(from.date, from.minute, timeZone),
    to: momentOn(to.date, to.minute, timeZone),
  };
}

/** A span of time in milliseconds since the epoch, without its end. */
interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** Days to look ahead for hours that follow each other without a pause. */
const daysAhead = 15;

/**
 * The first span of these hours that is not over at `after`; it may have begun. Overlapping hours make one
 * span. Undefined if there is none: a span that the clock skips is no span.
 */
export function nextSpan(hours: readonly Hours[], after: number, timeZone: string): TimeSpan | undefined {
  const today = dateAt(after, timeZone);
  const spans: TimeSpan[] = [];
  for (let date = today - 1; date <= today + daysAhead; date += 1) {
    for (const { days, from, to } of hours) {
      // The epoch began on a Thursday.
      if (!days.includes((date + 3) % 7)) continue;
      const span = {
        from: momentOn(date, from, timeZone),
        to: momentOn(to > from ? date : date + 1, to, timeZone),
      };
      if (span.to > span.from && span.to > after) spans.push(span);
    }
  }
  const [first, ...others] = spans.toSorted((one, other) => one.from - other.from);
  if (first === undefined) return undefined;
  let { to } = first;
  for (const other of others) if (other.from <= to) to = Math.max(to, other.to);
  return { from: first.from, to };
}
