import type { MirrorStatus } from '../../api/index.ts';
import { change } from '../declare.ts';
import { clock, code, moment, paragraph, say, strong } from '../reply.ts';
import { type Fingerprint, happened, notCheckable, nothing, ready, underWay } from '../results.ts';
import { readDuration } from '../wording/quantities.ts';
import { amountOf, diskOf, momentOf, soFar } from './mirror.ts';

/** A mirror that has not begun so long after the order, by its own clock, will not; milliseconds. */
const slowest = 15_000;

export const sync = change({
  phrase: 'mirror sync',
  also: ['mirror sync start', 'mirror sync trigger'],
  summary: 'Start a sync of the mirror and watch it to its end',
  effect: 'write',
  verb: 'Sync',
  doing: () => say`Syncing the mirror`,
  done: () => say`The sync of the mirror is over`,
  preview: async ({ appliance }) => {
    const mirror = await appliance.mirror.status();
    const { syncStats: last, diskSpace: disk } = mirror;
    if (last?.isRunning === true) {
      const since = last.lastSyncStart === undefined ? say`` : say` since ${moment(last.lastSyncStart)}`;
      return nothing`The mirror of ${strong(appliance.name)} is syncing already${since}${soFar(last)}. ${code('/appliance mirror status')} shows how far it is.`;
    }
    return ready({
      question: say`Start a sync of the mirror of ${strong(appliance.name)}?`,
      fields: {
        'Last sync': momentOf(last?.lastSyncEnd),
        'It fetched': (last && amountOf(last)) ?? say`not reported`,
        Disk: diskOf(disk?.usedPercent, disk?.freeBytes, disk?.totalBytes),
      },
      fingerprint: lastOf(mirror),
    });
  },
  run: async ({ appliance }) => {
    // A sync by schedule may have come in between, and is not this one.
    const before = await appliance.mirror.status();
    const { confirmed, info } = await appliance.mirror.triggerSync();
    return {
      confirmed,
      learned: { ...lastOf(before), age: ageOf(before) ?? null },
      ...(info === '' ? {} : { details: [paragraph`The mirror said: ${code(info)}`] }),
    };
  },
  verify: async ({ appliance }, shown) => {
    const mirror = await appliance.mirror.status();
    const { syncStats: now } = mirror;
    if (now?.isRunning === true) {
      const since = now.lastSyncStart === undefined ? say`` : say` since ${clock(now.lastSyncStart)}`;
      return underWay`The sync is running${since}${soFar(now)}.`;
    }
    const last = lastOf(mirror);
    if (last.began === null && last.ended === null)
      return notCheckable`the mirror does not tell when it last synced`;
    if (last.began === shown.began && last.ended === shown.ended) {
      const tooLate = isPast(shown.age, ageOf(mirror));
      return {
        kind: 'not_happened',
        evidence: say`I read the mirror's status back: no sync is running, and the last one is still that of ${momentOf(now?.lastSyncEnd ?? now?.lastSyncStart)}.`,
        ...(tooLate ? { final: true } : {}),
      };
    }
    const amount = now && amountOf(now);
    const failed = now?.failedFiles ?? 0;
    return happened`I read the mirror's status back: the sync ${now?.lastSyncEnd === undefined ? 'is over' : say`ended at ${clock(now.lastSyncEnd)}`}${amount === undefined ? '' : say` with ${amount}`}.${
      failed === 0 ? '' : say` ⚠ Files failed: ${code('/appliance mirror events')} shows in which repository.`
    }`;
  },
  lasts: 60 * 60_000,
});

/** What tells one sync from the next. */
const lastOf = ({ syncStats }: MirrorStatus): Fingerprint => ({
  began: syncStats?.lastSyncStart?.toISOString() ?? null,
  ended: syncStats?.lastSyncEnd?.toISOString() ?? null,
});

/** How long the service has been running, which is its own clock; milliseconds. */
const ageOf = ({ uptime }: MirrorStatus): number | undefined =>
  uptime === undefined ? undefined : readDuration(uptime);

const isPast = (then: Fingerprint[string] | undefined, now: number | undefined): boolean =>
  typeof then === 'number' && now !== undefined && now - then > slowest;
