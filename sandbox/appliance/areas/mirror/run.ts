import { type SyncEvent, scheduledSync } from '../../company/mirror/syncs.ts';
import type { MirrorState } from '../../company/mirror.ts';

/** How long a sync takes that was triggered. */
const runMs = 30_000;

/** The results of a sync, complete or so far. */
interface Progress {
  readonly startedAt: Date;
  readonly files: number;
  readonly bytes: number;
  readonly failedFiles: number;
}

/** Starts a sync of the repository whose last one is the longest ago, and tells which. There must be none running. */
export function startSync(mirror: MirrorState, now: Date): string {
  const files = 240 + ((lastId(mirror) * 37) % 160);
  const repository = longestUnsynced(mirror.events);
  const at = new Date(now.getTime() + runMs);
  mirror.run = {
    startedAt: now,
    planned: {
      ...{ at, repository, files, bytes: files * 1_830_411, milliseconds: runMs },
      failedFiles: mirror.failing,
    },
  };
  return repository;
}

/**
 * Writes the events of the ended syncs in the order of their ends: the triggered one, and the scheduled ones, which
 * appear only then.
 */
export function continueSyncs(mirror: MirrorState, now: Date): void {
  if (mirror.opensAt !== undefined && mirror.opensAt <= now) {
    if (mirror.isWaiting && mirror.run === undefined) startSync(mirror, mirror.opensAt);
    mirror.opensAt = undefined;
    mirror.isWaiting = false;
  }
  for (;;) {
    const due = mirror.schedule.toSorted((one, other) => one.next.getTime() - other.next.getTime())[0];
    const planned = mirror.run?.planned;
    if (planned !== undefined && planned.at <= now && (due === undefined || planned.at <= due.next)) {
      mirror.run = undefined;
      record(mirror, { id: lastId(mirror) + 1, ...planned });
    } else if (due !== undefined && due.next <= now) {
      // Outside of its hours it does not sync by schedule either.
      if (mirror.opensAt === undefined)
        record(mirror, scheduledSync(lastId(mirror) + 1, due.repository, due.next));
      due.next = new Date(due.next.getTime() + due.every);
    } else return;
  }
}

/** A sync that brought something fills the disk, as far as there is room, and leaves nothing to update. */
function record(mirror: MirrorState, event: SyncEvent): void {
  const { disk } = mirror;
  const kept = Math.min(event.bytes, disk.total - disk.used);
  mirror.events.push(event);
  mirror.lastError = kept < event.bytes ? 'disk space exceeded during sync' : undefined;
  disk.used += kept;
  disk.repositories += kept;
  if (event.files > 0) mirror.updatesAvailable = false;
}

function lastId({ events }: MirrorState): number {
  return events.at(-1)?.id ?? 0;
}

/** The progress of the running sync; otherwise of the last one. */
export function progress({ run, events }: MirrorState, now: Date): Progress | undefined {
  if (run !== undefined) {
    const { files, bytes } = run.planned;
    const part = Math.min(1, Math.max(0, (now.getTime() - run.startedAt.getTime()) / runMs));
    return {
      startedAt: run.startedAt,
      files: Math.floor(files * part),
      bytes: Math.floor(bytes * part),
      failedFiles: Math.floor(run.planned.failedFiles * part),
    };
  }
  const last = events.at(-1);
  return last && { ...last, startedAt: new Date(last.at.getTime() - last.milliseconds) };
}

function longestUnsynced(events: readonly SyncEvent[]): string {
  const last = new Map(events.map(({ repository, at }) => [repository, at.getTime()]));
  const [oldest] = [...last].toSorted(([, one], [, other]) => one - other);
  return oldest?.[0] ?? 'appliance-core';
}
