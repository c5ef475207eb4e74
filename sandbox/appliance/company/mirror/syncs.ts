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

type Repository = readonly [syncsADay: number, offset: number, files: number, averageFileBytes: number];

/** `offset`: how long ago the last sync was, in parts of the time between two. */
const repositories: ReadonlyMap<string, Repository> = new Map([
  ['appliance-core', [2, 0.1, 34, 2_100_000]],
  ['appliance-security', [6, 0.2, 12, 640_000]],
  ['antivirus-signatures', [8, 0.3, 5, 11_800_000]],
  ['categories', [4, 0.4, 58, 1_450_000]],
  ['debian-main', [2, 0.5, 410, 1_900_000]],
  ['debian-security', [4, 0.6, 47, 3_200_000]],
]);

const day = 86_400_000;
const daysKept = 30;

/** In milliseconds, by repository, the longest first. */
const sinceLast: ReadonlyMap<string, number> = new Map(
  [...repositories]
    .map(([repository, [syncsADay, offset]]) => [repository, (offset * day) / syncsADay] as const)
    .toSorted(([, one], [, other]) => other - one),
);

/**
 * Thirty whole days of syncs, each repository at its own pace, and one sync of each today; the oldest first. The mirror
 * counts by days in UTC, so what was before today lies so long before midnight, whatever the hour. Today's syncs lie so
 * long before `now`, and closer together where today is still too young for that. So every day has the same syncs at
 * every start.
 */
export function pastSyncs(now: Date): SyncEvent[] {
  const random = seeded(20_260_923);
  const midnight = Math.floor(now.getTime() / day) * day;
  const before = [...repositories]
    .flatMap(([repository, [syncsADay, offset]]) =>
      Array.from({ length: daysKept * syncsADay }, (_, index) => {
        const daysBefore = (index + offset + random() * 0.05) / syncsADay;
        return { repository, at: midnight - daysBefore * day };
      }),
    )
    .toSorted((one, other) => one.at - other.at);
  const share = Math.min(1, (now.getTime() - midnight) / Math.max(...sinceLast.values()));
  const today = [...sinceLast].map(([repository, ago]) => ({ repository, at: now.getTime() - share * ago }));
  return [...before, ...today].map(({ repository, at }, index) =>
    scheduledSync(index + 1, repository, new Date(at)),
  );
}

/** Each repository continues at its own pace. */
export function scheduleAfter(now: Date): Schedule {
  return [...sinceLast].map(([repository, ago]) => {
    const every = day / (repositories.get(repository)?.[0] ?? 1);
    return { repository, every, next: new Date(now.getTime() - ago + every) };
  });
}

/**
 * The result of a scheduled sync: for the same ID and repository always the same. Every 23rd misses some files, every
 * 61st does not reach its source at all.
 */
export function scheduledSync(id: number, repository: string, at: Date): SyncEvent {
  const [, , usualFiles, averageFileBytes] = repositories.get(repository) ?? [0, 0, 0, 0];
  const random = seeded(id);
  const files = Math.round(usualFiles * (0.4 + 1.2 * random()));
  const bytes = Math.round(files * averageFileBytes * (0.7 + 0.6 * random()));
  const sync = { id, at, repository };
  if (id % 61 === 0) return { ...sync, files: 0, bytes: 0, milliseconds: 30_000, failedFiles: files };
  const failedFiles = id % 23 === 0 ? Math.ceil(files / 9) : 0;
  const milliseconds = 1800 + files * 24 + Math.round(bytes / 24_000);
  return { ...sync, files: files - failedFiles, bytes, milliseconds, failedFiles };
}
