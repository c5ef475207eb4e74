import { momentOn } from '../hours.ts';
import type { Freeze, Policy, RoleName } from '../policy.ts';
import type { RequestedCommand } from '../request.ts';
import { touches } from '../rule.ts';
import { nextSpan, type TimeSpan } from './spans.ts';

/** Why a change may not run at a time. */
export interface Frozen {
  readonly name: string;
  readonly reason: string | undefined;
  /** When it may run again: milliseconds since the epoch. */
  readonly until: number;
  /** The roles that none of them holds. */
  readonly except: readonly RoleName[];
  /** The names of those that follow on it without a pause. */
  readonly followedBy: readonly string[];
}

/** One after another may hold the same. */
const mostInRow = 20;

/** Whether a change is frozen at a moment, asked by somebody who holds these roles. What is not known yet is taken for what is frozen. */
export function frozenAt(
  subject: RequestedCommand,
  held: readonly RoleName[],
  at: number,
  { freezes = {}, timeZone }: Pick<Policy, 'freezes' | 'timeZone'>,
): Frozen | undefined {
  // The gate is opened and shut by rules of its own.
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

/** A freeze that is on, or comes within so many days. */
export interface FreezeAhead extends TimeSpan {
  readonly name: string;
  readonly freeze: Freeze;
}

/** In milliseconds. */
const ahead = 90 * 24 * 60 * 60_000;

/** What lies ahead of now, what comes first before the others; of hours of the week the next ones. */
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
