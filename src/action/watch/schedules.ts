import { nextAt } from '../../auth/hours.ts';
import type { Match } from '../../handlers/language/match.ts';
import { say, type Text } from '../../handlers/reply.ts';
import { scheduledDelivery, type WatchRow } from '../../journal/journal.ts';
import type { Log } from '../../log.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { wantedIn } from '../intake/asking.ts';
import { recurrenceIn } from '../target/watches.ts';
import { explain } from '../wording/faults.ts';

interface SchedulesParts extends Pick<Parts, 'journal' | 'authority' | 'fleet' | 'now'> {
  /** On its owner's behalf. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
  readonly end: (row: WatchRow, why: Text) => Promise<void>;
  readonly log: Log;
}

/** So many are asked at a time: what is due together must not keep anybody waiting who types, and a channel takes one message a second. */
const atATime = 3;

/** Asks a line whose time has come. Where others are due at the same time it is asked after them. */
export function createSchedules(parts: SchedulesParts): (row: WatchRow) => Promise<void> {
  const { journal, authority, log, now } = parts;
  const takePlace = createSemaphore(atATime);

  return async (row) => {
    const { id, team, channel, person, subject: line, state, nextAt: due } = row;
    const every = recurrenceIn(row);
    if (every === undefined) {
      log.error({ watch: id }, 'A schedule in the journal cannot be read');
      await journal.stopWatch(id);
      return;
    }
    const why = await refusalOf(row);
    if (why !== undefined) return parts.end(row, why);
    // Before it is asked: after a crash it is missed once, and never asked twice.
    await journal.watched(id, state, nextAt(every, now(), authority.policy().timeZone));
    const delivery = scheduledDelivery(id, due);
    const leave = await takePlace();
    await parts.ask({ team, channel, person, line, delivery, scheduled: true }).finally(leave);
  };

  /** Why its owner may not ask it any more, or not without others; what Slack does not say now is no refusal. */
  async function refusalOf({ subject: line, channel, person }: WatchRow): Promise<Text | undefined> {
    const found = await parts.read(line, { person, channel });
    if (found.kind !== 'command') return undefined;
    const wanted = wantedIn(found, channel, parts);
    const decision = await authority.decide({ ...wanted, person, channel, access: 'run' });
    if (!decision.allow) {
      if (decision.denial.code === 'lookup_failed') return undefined;
      return explain(await authority.fault(decision.denial, channel)).headline;
    }
    const isFree = authority.approvalFor(wanted, decision.by).kind === 'not_needed';
    return isFree ? undefined : say`it needs an approval each time it is asked now`;
  }
}
