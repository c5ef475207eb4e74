import type { Timed } from '../../handlers/command.ts';
import type { Action } from '../../journal/journal.ts';
import { consentOf } from '../base/consent.ts';
import { argsOf, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';

type BeginParts = Pick<Parts, 'journal' | 'match' | 'now'>;

/** Whether something ends by itself that this action changes; where only an end moves, nothing new does. */
export function isTimed(action: Action, timed: Timed<never> | undefined): boolean {
  const { temporary: { extends: of, lasts, until } = {} } = shownOf(action) ?? {};
  return timed !== undefined || (of === undefined && (lasts !== undefined || until !== undefined));
}

/** Writes down when it ends, on each of its appliances or on none; resolves to the one on which the same is on already. */
export async function writeEnds(
  parts: BeginParts,
  running: Action,
  timed: Timed<never> | undefined,
): Promise<string | undefined> {
  const { journal, now } = parts;
  const { temporary } = shownOf(running) ?? {};
  const { id: action, channel, person } = running;
  const at = now();
  const until = temporary?.until ?? at + (temporary?.lasts ?? 0);
  const targets = targetsIn(running);
  for (const target of targets) {
    const { appliance } = target;
    const args = argsOf(target);
    const timedChange = await journal.startTimedChange({
      ...{ action, channel, person, appliance, subject: timed?.end ?? action },
      reason: timed?.reason(args) ?? saidReason(parts, running),
      endsAt: timed === undefined ? until : at + timed.lasts(args),
    });
    if (timedChange !== undefined) continue;
    for (const other of targets) await journal.voidTimedChange(action, other.appliance);
    return appliance;
  }
  return undefined;
}

/** Why, in the words of whoever asked: before those who had to agree, or behind `--reason`. */
function saidReason({ match }: BeginParts, action: Action): string {
  const agreed = consentOf(action)?.reason;
  if (agreed) return agreed;
  const typed = match(action.understoodAs ?? action.line);
  return typed.kind === 'command' ? (typed.reason ?? '') : '';
}
