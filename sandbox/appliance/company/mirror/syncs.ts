import { seeded } from '../../random.ts';

/** A sync of one repository (appliance-api.md §2.13). */
export interface SyncEvent {
  readonly id: number;
  /** When the sync ended. */
  readonly at: Date;
  readonly repository: string;
  readonly files: number;
  readonly bytes: number;
  readonly milliseconds: number;
  readonly failedFiles: number;
}

/** When a repository is synchronised by itself. */
interface Scheduled {
  readonly repository: string;
  /** Milliseconds from one sync to the next. */
  readonly every: number;
  /** When the next one ends. */
  next: Date;
}

export type Schedule = readonly Scheduled[];

type Repository = readonly [syncsADay: number, files: number, averageFileBytes: number];

const repositories: ReadonlyMap<string, Repository> = new Map([
  ['appliance-core', [2, 34, 2_100_000]],
  ['appliance-security', [6, 12, 640_000]],
  ['antivirus-signatures', [8, 5, 11_800_000]],
  ['categories', [4, 58, 1_450_000]],
  ['debian-main', [2, 410, 1_900_000]],
  ['debian-security', [4, 47, 3_200_000]],
]);

const day = 86_400_000;

/** Thirty days of syncs, oldest first: each repository at its own pace. */
export function pastSyncs(now: Date): SyncEvent[] {
  const random = seeded(20_260_923);
  return [...repositories]
    .flatMap(([repository, [syncsADay]], order) =>
      Array.from({ length: 30 * syncsADay }, (_, index) => {
        const daysAgo = (index + 0.1 + order / 10 + random() * 0.05) / syncsADay;
        return { repository, at: new Date(now.getTime() - daysAgo * day) };
      }),
    )
    .toSorted((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ repository, at }, index) => scheduledSync(index + 1, repository, at));
}

/** Goes on at the same pace after the last sync of each repository. */
export function scheduleAfter(events: readonly SyncEvent[]): Schedule {
  const last = new Map(events.map(({ repository, at }) => [repository, at.getTime()]));
  return [...repositories].map(([repository, [syncsADay]]) => {
    const every = day / syncsADay;
    return { repository, every, next: new Date((last.get(repository) ?? 0) + every) };
  });
}

/**
 * What a sync by schedule brings: for the same ID and repository always the same. Every 23rd misses some files, every
 * 61st does not reach its source at all.
 */
export function scheduledSync(id: number, repository: string, at: Date): SyncEvent {
  const [, usualFiles, averageFileBytes] = repositories.get(repository) ?? [0, 0, 0];
  const random = seeded(id);
  const files = Math.round(usualFiles * (0.4 + 1.2 * random()));
  const bytes = Math.round(files * averageFileBytes * (0.7 + 0.6 * random()));
  const sync = { id, at, repository };
  if (id % 61 === 0) return { ...sync, files: 0, bytes: 0, milliseconds: 30_000, failedFiles: files };
  const failedFiles = id % 23 === 0 ? Math.ceil(files / 9) : 0;
  const milliseconds = 1800 + files * 24 + Math.round(bytes / 24_000);
  return { ...sync, files: files - failedFiles, bytes, milliseconds, failedFiles };
}
