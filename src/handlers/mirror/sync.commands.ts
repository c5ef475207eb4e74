import type { MirrorStatus, SyncStats } from '../../api/index.ts';
import { change } from '../declare.ts';
import { clock, code, moment, plural, say, strong } from '../reply.ts';
import { type Fingerprint, happened, notCheckable, nothing, ready, underWay } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { bytes, readDuration } from '../wording/quantities.ts';
import { diskOf, failuresIn, momentOf } from './mirror.ts';

/** A mirror that has not begun this long after the order, by its own clock, will not begin; milliseconds. */
const slowest = 2 * 60_000;

const watched = 60 * 60_000;
/** A mirror's allowed hours come once a day. */
const waits = 24 * 60 * 60_000;

export const sync = change({
  phrase: 'mirror sync',
  says: `
    start sync / sync now / sync the mirror / run a sync / trigger mirror update / update the mirror /
    fetch new packages / refresh mirror / start the mirror sync / sync the mirror now / refresh the mirror /
    pull new packages into the mirror / fetch updates to the mirror / start a sync / sync mirror /
    force a sync / run the mirror sync / let the mirror sync / get the newest packages /
    update repositories / update the mirror now / trigger a sync / kick off the sync /
    the mirror is old, sync it
  `,
  also: ['mirror sync start', 'mirror sync trigger'],
  summary: 'Start a mirror sync and wait for the result',
  effect: 'write',
  verb: 'Sync',
  doing: () => say`Syncing the mirror`,
  done: () => say`Mirror sync finished`,
  preview: async ({ appliance }) => {
    const mirror = await appliance.mirror.status();
    const { syncStats: last, diskSpace: disk } = mirror;
    if (last?.isRunning === true) {
      const since = last.lastSyncStart === undefined ? say`` : say` since ${moment(last.lastSyncStart)}`;
      return nothing`The mirror of ${strong(appliance.name)} is already syncing${since}. ${code('/appliance mirror status')} shows its progress.`;
    }
    return ready({
      question: say`Start a sync of the mirror of ${strong(appliance.name)}?`,
      fields: {
        'Last sync': last?.hasNeverSynced ? say`never` : momentOf(last?.lastSyncEnd),
        'Last error': last?.lastError === undefined ? undefined : say`${code(last.lastError)}`,
        Disk: diskOf(disk?.usedPercent, disk?.freeBytes, disk?.totalBytes),
      },
      fingerprint: lastOf(mirror),
    });
  },
  run: async ({ appliance, now }) => {
    // A scheduled sync may come in between, and is not this one.
    const before = await appliance.mirror.status();
    const { confirmed } = await appliance.mirror.triggerSync();
    const { totalFiles, totalBytes, isRunning } = before.syncStats ?? {};
    const { allSyncs } = failuresIn(before);
    return {
      confirmed,
      learned: {
        ...lastOf(before),
        at: now,
        age: ageOf(before) ?? null,
        files: totalFiles ?? null,
        bytes: totalBytes ?? null,
        failed: allSyncs ?? null,
        wasRunning: isRunning ?? null,
      },
    };
  },
  verify: async ({ appliance, now: time }, shown) => {
    const mirror = await appliance.mirror.status();
    const { syncStats: now } = mirror;
    const amount = now && amountSince(shown, now);
    if (now?.isRunning === true) {
      const since = now.lastSyncStart === undefined ? say`` : say` since ${clock(now.lastSyncStart)}`;
      return underWay`The sync is running${since}${amount === undefined ? '' : `: ${amount} so far`}.`;
    }
    const last = lastOf(mirror);
    const error = now?.lastError;
    const says = error === undefined ? say`` : say` The mirror replied: ${code(error)}.`;
    if (last.began === null && last.ended === null && now?.hasNeverSynced !== true)
      return notCheckable`the mirror does not report when it last synced`;
    if (last.began === shown.began && last.ended === shown.ended) {
      if (now?.isRunning === undefined)
        return notCheckable`the mirror does not report whether a sync is running`;
      // A new error belongs to this order, which was refused before anything began.
      const isRefused = error !== undefined && error !== shown.error;
      const which = now?.hasNeverSynced
        ? say`it has never synced`
        : say`the last sync is still ${momentOf(now?.lastSyncEnd ?? now?.lastSyncStart)}`;
      const evidence = say`Mirror status read back: no sync is running, and ${which}.${says}`;
      // `age` is stored with the answer to an accepted order, so without it nothing is awaited.
      if (!isRefused && mirror.atLeast !== undefined && shown.age !== undefined)
        return underWay`${evidence} It begins in the mirror’s allowed hours, which its API does not report.`;
      const isLate = typeof shown.at === 'number' && time - shown.at >= watched;
      const isOver = isRefused || isLate || isPast(shown.age, ageOf(mirror));
      return { kind: 'not_happened', evidence, ...(isOver ? { final: true } : {}) };
    }
    const end = now?.lastSyncEnd === undefined ? say`finished` : say`ended at ${clock(now.lastSyncEnd)}`;
    const fetched = amount === undefined ? '' : ` with ${amount}`;
    const failed = failedSince(shown, mirror);
    const left =
      failed === undefined || failed === 0 ? '' : `, and could not fetch ${plural(failed, 'file')}`;
    if (error !== undefined || left !== '')
      return {
        kind: 'in_part',
        evidence: say`Mirror status read back: the sync ${end}${fetched}${left}${error === undefined ? '' : ', and failed'}.${says}`,
        final: true,
      };
    // The mirror reports a start even if a sync is already running.
    const other = shown.wasRunning === true ? ' It was already running, so no second sync was started.' : '';
    const untold = failed === undefined ? ' It does not tell how many files failed.' : '';
    return happened`Mirror status read back: the sync ${end}${fetched}.${untold}${other}`;
  },
  lasts: watched,
  shownWithin: waits + watched,
});

/** The difference to the totals from before. Undefined if they are missing or were reset. */
function amountSince({ files, bytes: size }: Fingerprint, now: SyncStats): string | undefined {
  const { totalFiles, totalBytes } = now;
  const more = (after: number | undefined, before: Fingerprint[string] | undefined) =>
    after !== undefined && typeof before === 'number' && after >= before ? after - before : undefined;
  const [ofFiles, ofBytes] = [more(totalFiles, files), more(totalBytes, size)];
  return ofFiles === undefined || ofBytes === undefined
    ? undefined
    : `${plural(ofFiles, 'file')}, ${bytes(ofBytes)}`;
}

/** The failed files of this sync. Undefined if they are missing or were reset. */
function failedSince({ failed }: Fingerprint, mirror: MirrorStatus): number | undefined {
  const { lastRun, allSyncs } = failuresIn(mirror);
  if (allSyncs === undefined) return lastRun;
  return typeof failed === 'number' && allSyncs >= failed ? allSyncs - failed : undefined;
}

const lastOf = ({ syncStats }: MirrorStatus): Fingerprint => ({
  began: syncStats?.lastSyncStart?.toISOString() ?? null,
  ended: syncStats?.lastSyncEnd?.toISOString() ?? null,
  error: syncStats?.lastError ?? null,
});

/** The service's uptime, as its own clock; milliseconds. */
const ageOf = ({ uptime }: MirrorStatus): number | undefined =>
  uptime === undefined ? undefined : readDuration(uptime);

const isPast = (then: Fingerprint[string] | undefined, now: number | undefined): boolean =>
  typeof then === 'number' && now !== undefined && now - then > slowest;

export const stopSync = impossible({
  says: `
    stop the mirror sync / cancel mirror sync / abort the mirror / pause mirror syncing
  `,
  why: 'The mirror’s API can start a sync, but cannot stop one.',
  source: 'appliance-api.md §4.13',
  nearest: ['mirror sync stats', 'mirror status'],
});

export const mirrorSettings = impossible({
  says: `
    add a repository to the mirror / remove a repository from the mirror /
    delete mirror files
  `,
  why: 'The mirror’s API cannot change which repositories are fetched, when they are fetched, or what is stored.',
  source: 'appliance-api.md §4.13',
  nearest: ['mirror stats', 'mirror sync'],
});
