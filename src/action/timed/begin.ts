import type { Timed } from '../../handlers/command.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
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
  const wishes = await broughtBack(parts, running);
  const { taken } = await journal.startTimedChanges(
    targetsIn(running).map((target) => {
      const { appliance } = target;
      const args = argsOf(target);
      const wish = wishes.find((one) => one.appliance === appliance);
      return {
        ...{ action, channel, appliance, subject: timed?.end ?? action },
        person: wish?.person ?? person,
        reason: wish?.reason ?? timed?.reason(args) ?? saidReason(parts, running),
        endsAt: timed === undefined ? until : at + timed.lasts(args),
      };
    }),
  );
  return taken;
}

/** Those whose temporary changes come back with it, because what had ended them is undone: that it is on is their wish still. */
async function broughtBack({ journal }: BeginParts, { undoes }: Action): Promise<readonly TimedChangeRow[]> {
  if (undoes === undefined) return [];
  const ended = (await journal.timedChangesEndedBy(undoes)).filter(isPutBack);
  // That end is the one that has come back, too (`change/undo.ts`).
  return ended.filter(({ endsAt }) => endsAt === ended[0]?.endsAt);
}

/** Why, in the words of whoever asked: before those who had to agree, or behind `--reason`. */
function saidReason({ match }: BeginParts, action: Action): string {
  const agreed = consentOf(action)?.reason;
  if (agreed) return agreed;
  const typed = match(action.understoodAs ?? action.line);
  return typed.kind === 'command' ? (typed.reason ?? '') : '';
}
