import type { AskedAppliance, MirrorClient, MirrorStatus, SyncStats } from '../../api/index.ts';
import { quoted } from '../language/asked.ts';
import { lookIn } from '../listing.ts';
import { code, enumerate, type Field, type Part, plural, say, type Text } from '../reply.ts';
import { bytes, duration, number, percent, readDuration } from '../wording/quantities.ts';
import { ago, toldMoment } from '../wording/when.ts';

/** The mirror-synchronisation service in words (appliance-api.md §2.12). Any of its fields may be missing. */

/** Warn above this share of the disk, in percent. */
const fullDisk = 90;

/** One sentence: problems first, then the current or last sync, then waiting updates. */
export function summaryOf(mirror: MirrorStatus, now: number): Text {
  const { syncStats: sync, diskSpace: disk, updatesAvailable } = mirror;
  const used = disk?.usedPercent;
  const troubles: Text[] = [
    ...(sync?.lastError !== undefined && sync.isRunning !== true
      ? [say`its last sync failed (${code(sync.lastError)})`]
      : []),
    ...unfetched(mirror),
    ...(used !== undefined && used >= fullDisk ? [say`its disk is ${percent(used)} full`] : []),
    ...(mirror.diskError === undefined ? [] : [say`its disk could not be read (${code(mirror.diskError)})`]),
  ];
  const doing =
    sync === undefined
      ? say`does not report its syncs`
      : sync.isRunning === true
        ? say`is syncing`
        : lastSync(sync, now);
  const waiting = updatesAvailable === true ? say`, and updates are waiting` : say``;
  return troubles.length > 0
    ? say`⚠ The mirror has problems: ${enumerate(troubles)}. It ${doing}${waiting}`
    : say`The mirror ${doing}${waiting}`;
}

/** The files that the last sync missed, if the mirror reports it separately. A running sync may still fetch them. */
function unfetched(mirror: MirrorStatus): readonly Text[] {
  const { lastRun = 0 } = failuresIn(mirror);
  const isOver = lastRun > 0 && mirror.syncStats?.isRunning !== true;
  return isOver ? [say`its last sync could not fetch ${plural(lastRun, 'file')}`] : [];
}

/**
 * How many files failed, and the period: from 1.1.1 on, the mirror restarts the count with each sync (field
 * notes).
 */
export function failuresIn({ syncStats: sync, atLeast }: Pick<MirrorStatus, 'syncStats' | 'atLeast'>): {
  readonly lastRun?: number;
  readonly allSyncs?: number;
} {
  if (sync === undefined || 'failed_files' in (sync.unread ?? {})) return {};
  // Zero is left out.
  const { failedFiles = 0 } = sync;
  return atLeast === undefined ? { allSyncs: failedFiles } : { lastRun: failedFiles };
}

function lastSync(sync: SyncStats, now: number): Text {
  const ended = sync.lastSyncEnd;
  if (sync.hasNeverSynced === true) return say`has never synced`;
  if (ended === undefined) return say`does not report when it last synced`;
  return say`last synced ${ago(ended.getTime(), now)}`;
}

/** "277 files, 507 MB", with the failures of all syncs; undefined if nothing is reported. */
function amountOf({ totalFiles, totalBytes }: SyncStats, failedFiles = 0): Text | undefined {
  const parts = [
    ...(totalFiles === undefined ? [] : [`${number(totalFiles)} ${totalFiles === 1 ? 'file' : 'files'}`]),
    ...(totalBytes === undefined ? [] : [bytes(totalBytes)]),
    ...(failedFiles === 0 ? [] : [`${number(failedFiles)} failed`]),
  ];
  return parts.length === 0 ? undefined : say`${parts.join(', ')}`;
}

/** Every field of the status, with its name. */
export function fieldsOf(mirror: MirrorStatus, now: number): readonly Field[] {
  const { syncStats: sync, serverStats: server, diskSpace: disk } = mirror;
  const { lastRun, allSyncs } = failuresIn(mirror);
  return [
    { name: 'State', value: say`${mirror.status ?? 'not reported'}` },
    { name: 'Version', value: say`${mirror.version ?? 'not reported'}` },
    { name: 'Running for', value: spanOf(mirror.uptime) },
    {
      name: sync?.isRunning === true ? 'Sync since' : 'Last sync began',
      value: momentOf(sync?.lastSyncStart, now),
    },
    { name: 'Last sync ended', value: sync?.hasNeverSynced ? say`never` : momentOf(sync?.lastSyncEnd, now) },
    ...(sync?.lastError === undefined ? [] : [{ name: 'Last error', value: say`${code(sync.lastError)}` }]),
    { name: 'Duration', value: spanOf(sync?.lastSyncDuration) },
    { name: 'Fetched by all syncs', value: (sync && amountOf(sync, allSyncs)) ?? say`not reported` },
    ...(lastRun === undefined
      ? []
      : [
          {
            name: sync?.isRunning === true ? 'Failed in this sync' : 'Failed in the last sync',
            value: say`${plural(lastRun, 'file')}`,
          },
        ]),
    { name: 'Updates', value: updatesIn(mirror) },
    { name: 'Repositories', value: sizeOf(mirror.repositorySizeBytes) },
    {
      name: 'Disk',
      value:
        mirror.diskError === undefined
          ? diskOf(disk?.usedPercent, disk?.freeBytes, disk?.totalBytes)
          : say`could not be read: ${code(mirror.diskError)}`,
    },
    { name: 'Requests served', value: countOf(server?.totalRequests) },
    { name: 'Sent', value: sizeOf(server?.totalBytesSent) },
    {
      name: 'Clients',
      value: say`${machinesIn(mirror)}, ${countOf(server?.activeClients)} of them active`,
    },
  ];
}

/** Identifies a client machine of the mirror. */
export const machineKey = ({ hostname, ip }: MirrorClient): string => `${hostname} ${ip}`;

function machinesIn({ clients }: MirrorStatus): Text {
  if (clients === undefined) return countOf(undefined);
  const { all, lack } = lookIn('machines', clients, machineKey);
  return lack === undefined ? countOf(all.length) : say`at least ${countOf(all.length)}`;
}

/** "64.3% full, 785 GB of 2.2 TB free" */
export function diskOf(used: number | undefined, free: number | undefined, total: number | undefined): Text {
  // A disk without a size was not read.
  if (total === 0) return say`not reported`;
  const share = used ?? (free === undefined || !total ? undefined : (1 - free / total) * 100);
  const parts = [
    ...(share === undefined ? [] : [`${percent(share)} full`]),
    ...(free === undefined ? [] : [`${bytes(free)}${total === undefined ? '' : ` of ${bytes(total)}`} free`]),
  ];
  return parts.length === 0 ? say`not reported` : say`${parts.join(', ')}`;
}

/** A duration as the service writes it, such as `295h12m4s`; unchanged if unreadable. */
function spanOf(written: string | undefined): Text {
  if (written === undefined || written === '') return say`not reported`;
  const length = readDuration(written);
  return say`${length === undefined ? written : duration(length)}`;
}

/** @param now given if the moment is past and a clock that is ahead would put it into the future */
export const momentOf = (at: Date | undefined, now = Number.POSITIVE_INFINITY): Text =>
  at === undefined ? say`not reported` : toldMoment(at.getTime(), now);
export const countOf = (amount: number | undefined): Text =>
  say`${amount === undefined ? 'not reported' : number(amount)}`;
export const sizeOf = (amount: number | undefined): Text =>
  say`${amount === undefined ? 'not reported' : bytes(amount)}`;

export const syncOffer = ({ name }: Pick<AskedAppliance, 'name'>): Part => ({
  kind: 'offers',
  offers: [{ label: 'Sync now', line: `mirror sync --on ${quoted(name)}` }],
});

/** From 1.1.1 on, the mirror reports the same when it could not look (field notes). */
function updatesIn({ updatesAvailable, atLeast }: MirrorStatus): Text {
  if (updatesAvailable === undefined) return say`not reported`;
  if (updatesAvailable) return say`available`;
  return atLeast === undefined
    ? say`none reported`
    : say`none reported, which it also says where its check failed: ${code('mirror updates')} checks`;
}
