import type { MirrorStatus } from '../../api/index.ts';
import { failuresIn } from '../mirror/mirror.ts';
import { code, elapsed, moment, plural, say } from '../reply.ts';
import { isNotConfigured, type ReadResult } from '../wording/answer.ts';
import { bytes, percent } from '../wording/quantities.ts';
import { toldMoment } from '../wording/when.ts';
import { type HealthFinding, unasked } from './finding.ts';

/** No schedule is documented. Most mirrors sync daily, so warn after twice that; milliseconds. */
const late = 2 * 24 * 3_600_000;

/** The mirror service (§2.12). An appliance without one has no fault. */
export function mirrorFinding(answer: ReadResult<MirrorStatus>, now: number): HealthFinding {
  const area = 'Mirror';
  if (isNotConfigured(answer)) return { area, gravity: 'fine', says: say`Not configured` };
  if (!answer.answered) return unasked(area, answer.failure);
  const { status = '', syncStats: sync = {} } = answer.value;
  if (/err|fail|degrad|unhealth|down|broken/i.test(status)) {
    return { area, gravity: 'fault', says: say`The mirror reports ${code(status)}` };
  }
  if (sync.isRunning === true) {
    return { area, gravity: 'fine', says: say`A sync is running`, brief: 'mirror syncing' };
  }
  if (sync.lastError !== undefined) {
    return { area, gravity: 'fault', says: say`The mirror's last sync failed: ${code(sync.lastError)}` };
  }
  const { lastRun = 0 } = failuresIn(answer.value);
  if (lastRun > 0) {
    const says = say`The mirror's last sync could not fetch ${plural(lastRun, 'file')}`;
    return { area, gravity: 'notice', says };
  }
  const { lastSyncEnd } = sync;
  if (lastSyncEnd === undefined) {
    const says = sync.hasNeverSynced
      ? say`The mirror has never synced`
      : say`The mirror does not report when it last synced`;
    return { area, gravity: 'notice', says };
  }
  const age = now - lastSyncEnd.getTime();
  return age > late
    ? {
        area,
        gravity: 'notice',
        says: say`The mirror's last sync ended ${moment(lastSyncEnd)}, ${elapsed(age)} ago`,
      }
    : {
        area,
        gravity: 'fine',
        says: say`Last sync ended ${toldMoment(lastSyncEnd.getTime(), now)}`,
        brief: 'mirror synced recently',
      };
}

/** Percent of the disk in use: warn, and alarm. */
const filling = 85;
const full = 95;

/** Percent of the mirror's disk in use; undefined if not reported. */
export function diskUse({ diskSpace = {} }: MirrorStatus): number | undefined {
  const { usedBytes, totalBytes, usedPercent } = diskSpace;
  const computed =
    usedBytes === undefined || totalBytes === undefined || totalBytes === 0
      ? undefined
      : (usedBytes / totalBytes) * 100;
  // A disk without a size was not read.
  return totalBytes === 0 ? undefined : (usedPercent ?? computed);
}

/** The mirror's disk, the only documented one (§2.12). */
export function diskFinding(answer: ReadResult<MirrorStatus>): HealthFinding {
  const area = 'Disk';
  if (isNotConfigured(answer)) return { area, gravity: 'fine', says: say`Not reported without a mirror` };
  if (!answer.answered) return unasked(area, answer.failure);
  const { diskError } = answer.value;
  if (diskError !== undefined) {
    return { area, gravity: 'fault', says: say`The mirror could not read its disk: ${code(diskError)}` };
  }
  const { freeBytes } = answer.value.diskSpace ?? {};
  const used = diskUse(answer.value);
  if (used === undefined) return { area, gravity: 'fine', says: say`Not reported` };
  const free = freeBytes === undefined ? '' : `, ${bytes(freeBytes)} free`;
  const share = percent(Math.round(used));
  const says = say`The mirror's disk is ${share} full${free}`;
  if (used >= full) return { area, gravity: 'fault', says };
  const brief = `disk ${share} full`;
  return used >= filling ? { area, gravity: 'notice', says } : { area, gravity: 'fine', says, brief };
}
