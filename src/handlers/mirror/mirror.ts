import type { AskedAppliance, MirrorStatus, SyncStats } from '../../api/index.ts';
import { quoted } from '../language/asked.ts';
import { code, enumerate, type Field, type Part, say, type Text } from '../reply.ts';
import { bytes, duration, number, percent, readDuration } from '../wording/quantities.ts';
import { ago, toldMoment } from '../wording/when.ts';

/** Words about the mirror-synchronisation service (appliance-api.md §2.12), all of whose fields may be missing. */

/** Above this share of its disk, in percent, people should know. */
const fullDisk = 90;

/** One sentence: what is wrong first, then what it does or last did, then what waits. */
export function summaryOf(mirror: MirrorStatus, now: number): Text {
  const { syncStats: sync, diskSpace: disk, updatesAvailable } = mirror;
  const used = disk?.usedPercent;
  const troubles: Text[] = [
    ...(sync?.lastError !== undefined && sync.isRunning !== true
      ? [say`its last sync failed (${code(sync.lastError)})`]
      : []),
    ...(used !== undefined && used >= fullDisk ? [say`its disk is ${percent(used)} full`] : []),
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

function lastSync(sync: SyncStats, now: number): Text {
  const ended = sync.lastSyncEnd;
  if (sync.hasNeverSynced === true) return say`has never synced`;
  if (ended === undefined) return say`does not report when it last synced`;
  return say`last synced ${ago(ended.getTime(), now)}`;
}

/** "277 files, 507 MB", and how many failed; undefined when nothing of it is reported. */
function amountOf({ totalFiles, totalBytes, failedFiles = 0 }: SyncStats): Text | undefined {
  const parts = [
    ...(totalFiles === undefined ? [] : [`${number(totalFiles)} ${totalFiles === 1 ? 'file' : 'files'}`]),
    ...(totalBytes === undefined ? [] : [bytes(totalBytes)]),
    ...(failedFiles === 0 ? [] : [`${number(failedFiles)} failed`]),
  ];
  return parts.length === 0 ? undefined : say`${parts.join(', ')}`;
}

/** Everything that the mirror's status tells, as names and values. */
export function fieldsOf(mirror: MirrorStatus, now: number): readonly Field[] {
  const { syncStats: sync, serverStats: server, diskSpace: disk } = mirror;
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
    { name: 'Fetched by all syncs', value: (sync && amountOf(sync)) ?? say`not reported` },
    { name: 'Updates', value: say`${waiting(mirror.updatesAvailable)}` },
    { name: 'Repositories', value: sizeOf(mirror.repositorySizeBytes) },
    { name: 'Disk', value: diskOf(disk?.usedPercent, disk?.freeBytes, disk?.totalBytes) },
    { name: 'Requests served', value: countOf(server?.totalRequests) },
    { name: 'Sent', value: sizeOf(server?.totalBytesSent) },
    {
      name: 'Clients',
      value: say`${countOf(mirror.clients?.length)}, ${countOf(server?.activeClients)} of them active`,
    },
  ];
}

/** "64.3% full, 785 GB of 2.2 TB free" */
export function diskOf(used: number | undefined, free: number | undefined, total: number | undefined): Text {
  const share = used ?? (free === undefined || !total ? undefined : (1 - free / total) * 100);
  const parts = [
    ...(share === undefined ? [] : [`${percent(share)} full`]),
    ...(free === undefined ? [] : [`${bytes(free)}${total === undefined ? '' : ` of ${bytes(total)}`} free`]),
  ];
  return parts.length === 0 ? say`not reported` : say`${parts.join(', ')}`;
}

/** A length of time that the service wrote, such as `295h12m4s`; as it stands where it cannot be read. */
function spanOf(written: string | undefined): Text {
  if (written === undefined || written === '') return say`not reported`;
  const length = readDuration(written);
  return say`${length === undefined ? written : duration(length)}`;
}

/** @param now where a clock that is ahead would make a moment that is over look like one to come */
export const momentOf = (at: Date | undefined, now = Number.POSITIVE_INFINITY): Text =>
  at === undefined ? say`not reported` : toldMoment(at.getTime(), now);
export const countOf = (amount: number | undefined): Text =>
  say`${amount === undefined ? 'not reported' : number(amount)}`;
export const sizeOf = (amount: number | undefined): Text =>
  say`${amount === undefined ? 'not reported' : bytes(amount)}`;

/** A button that starts a sync on this very appliance. */
export const syncOffer = ({ name }: Pick<AskedAppliance, 'name'>): Part => ({
  kind: 'offers',
  offers: [{ label: 'Sync now', line: `mirror sync --on ${quoted(name)}` }],
});

const waiting = (available: boolean | undefined): string =>
  available === undefined ? 'not reported' : available ? 'available' : 'none';
