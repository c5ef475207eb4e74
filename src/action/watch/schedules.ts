import { nextAt } from '../../auth/hours.ts';
import type { Match } from '../../handlers/language/match.ts';
import { scheduledDelivery, type WatchRow } from '../../journal/journal.ts';
import { createSemaphore } from '../../semaphore.ts';
import { scheduleUnreadable } from '../../telemetry/events/watches.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { wantedIn } from '../taking/asking.ts';
import { keptWatch, recurrenceIn, watchToKeep } from '../target/watches.ts';
import type { Pause } from './pause.ts';
import type { MayGoOn } from './rights.ts';

export interface ScheduleParts extends Parts {
  /** On its owner's behalf. */
  readonly ask: (invocation: Invocation) => Promise<void>;
  readonly read: (line: string, asker: Pick<Invocation, 'person' | 'channel'>) => Promise<Match>;
  readonly mayGoOn: MayGoOn;
  readonly pause: Pause;
  readonly log: Log;
}

/** So many are asked at a time: what is due together must not keep anybody waiting who types, and a channel takes one message a second. */
const atATime = 3;

/** Asks a line whose time has come. Where others are due at the same time it is asked after them. */
export function createSchedules(parts: ScheduleParts): (row: WatchRow) => Promise<void> {
  const { journal, authority, mayGoOn, pause, log, now } = parts;
  const takePlace = createSemaphore(atATime);

  return async (row) => {
    const { id, team, channel, person, subject: line, nextAt: due } = row;
    const every = recurrenceIn(row);
    if (every === undefined) {
      log.tell(scheduleUnreadable, { watch: id });
      await journal.stopWatch(id);
      return;
    }
    const found = await parts.read(line, { person, channel });
    const asked = found.kind === 'command' ? wantedIn(found, channel, parts) : undefined;
    const kept = keptWatch(row);
    const going = await mayGoOn(row, kept, asked);
    if (going.kind !== 'may') return pause(row, line, kept, going);
    const { paused: _, ...others } = kept;
    const state = watchToKeep({ ...others, place: going.place });
    // Before it is asked: after a crash it is missed once, and never asked twice.
    await journal.watched(id, state, nextAt(every, now(), authority.policy().timeZone));
    const delivery = scheduledDelivery(id, due);
    const leave = await takePlace();
    await parts.ask({ team, channel, person, line, delivery, scheduled: true }).finally(leave);
  };
}
