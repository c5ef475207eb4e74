import type { MirrorClient } from '../../api/index.ts';
import { lookup } from '../declare.ts';
import { answeredFrom, countText, listing } from '../listing.ts';
import { clock, code, fieldList, paragraph, plural, say, strong, tableOf } from '../reply.ts';
import { impossible } from '../understanding/impossible.ts';
import { readIn, settle } from '../wording/answer.ts';
import { bytes, duration, number, readDuration } from '../wording/quantities.ts';
import { amountUnder, numberUnder, reportedFields, reportedUnder } from '../wording/reported.ts';
import { ago, toldMoment } from '../wording/when.ts';
import {
  countOf,
  diskOf,
  failuresIn,
  fieldsOf,
  machineKey,
  momentOf,
  sizeOf,
  summaryOf,
  syncOffer,
} from './mirror.ts';

export const status = lookup({
  phrase: 'mirror status',
  says: `
    mirror / how is the mirror / is the mirror in sync / is the mirror current / is a sync running /
    mirror up to date / mirror state / mirror overview / does the mirror work /
    state of the package mirror / state of the mirror / is the mirror syncing / how far is the sync /
    is the sync finished / sync running / mirror progress / is the mirror complete /
    what is the mirror doing / is the mirror port on / is the mirror up / is the mirror working /
    mirror ok / is the mirror running / does the mirror answer / mirror dead / debian mirror out of sync /
    is the mirror out of sync / mirror behind
  `,
  summary: 'Show the mirror: last sync, clients, disk',
  answer: async ({ appliance, now }) => {
    const mirror = await appliance.mirror.status();
    const odd = Object.entries(mirror.unread ?? {}).map(([name, value]) => say`${name}: ${value}`);
    const maySync = mirror.updatesAvailable === true && mirror.syncStats?.isRunning !== true;
    return {
      headline: summaryOf(mirror, now),
      details: [
        fieldList(fieldsOf(mirror, now)),
        ...(odd.length === 0
          ? []
          : [
              paragraph`The mirror also reported values that are not recognized:`,
              { kind: 'list', items: odd } as const,
            ]),
        ...(maySync ? [syncOffer(appliance)] : []),
      ],
    };
  },
});

export const health = lookup({
  phrase: 'mirror health',
  says: `
    is the mirror ok / is the mirror up / mirror service alive / mirror health / does the mirror work /
    is the mirror service running / is the mirror alive / mirror health check / mirror does not answer /
    is the mirror healthy / is the mirror reachable / is the mirror down / mirror down /
    is something wrong with the mirror / mirror alive / health of the mirror
  `,
  summary: 'Check the health of the mirror service',
  answer: async ({ appliance }) => {
    const { info, fields } = await appliance.mirror.health();
    const word = info || (reportedUnder(fields, 'status', 'health', 'state') ?? '');
    const written = reportedUnder(fields, 'uptime') ?? '';
    const uptime = readDuration(written);
    const since = uptime === undefined ? '' : `, running for ${duration(uptime)}`;
    return {
      headline:
        word === ''
          ? say`The mirror service answers${since}`
          : say`The mirror service reports ${strong(word)}${since}`,
      details: [fieldList(reportedFields(fields))],
    };
  },
});

export const updates = lookup({
  phrase: 'mirror updates',
  says: `
    anything new for the mirror / new packages for the mirror / are there updates for the mirror /
    is the mirror outdated / does the mirror need a sync / repository updates available /
    is the mirror up to date / anything new to mirror / new updates on the mirror /
    is there something to sync / what is new upstream / updates available for the mirror /
    is there anything to fetch / are packages out of date
  `,
  summary: 'Check for updates the mirror has not fetched',
  answer: async ({ appliance, now }) => {
    const { updatesAvailable, checkedAt } = await appliance.mirror.checkUpdates();
    const when =
      checkedAt === undefined ? '' : say`, checked at ${toldMoment(checkedAt.getTime(), now, clock)}`;
    if (updatesAvailable)
      return {
        headline: say`${strong('Updates are waiting')} for the mirror${when}`,
        details: [syncOffer(appliance)],
      };
    // A mirror that has never looked has found nothing.
    return checkedAt === undefined
      ? { headline: say`The mirror reports no updates, but not when it looked for them` }
      : { headline: say`The mirror is up to date${when}` };
  },
});

/** Clients silent for this long are mentioned; milliseconds. */
const silent = 24 * 3_600_000;

export const clients = lookup({
  phrase: 'mirror clients',
  says: `
    who downloads from the mirror / who uses the mirror / which machines fetch from the mirror /
    mirror users / clients of the repository / which machines use the mirror / who fetches from the mirror /
    which pcs download from the mirror / which clients use the mirror / who pulls from the mirror /
    what machines get updates from the mirror / which servers use our mirror
  `,
  summary: 'List the clients of the mirror',
  answer: answeredFrom(
    () => machines,
    (look, { now }) => {
      const { all } = look;
      if (all.length === 0) return { headline: say`No machine has fetched from the mirror` };
      const gone = all.filter(
        ({ lastSeen }) => lastSeen !== undefined && now - lastSeen.getTime() > silent,
      ).length;
      const newestFirst = all.toSorted(
        (one, other) => (other.lastSeen?.getTime() ?? 0) - (one.lastSeen?.getTime() ?? 0),
      );
      return {
        headline: say`${countText(look, 'machine')} fetched from the mirror${gone === 0 ? '' : `; ${gone} of them not in the last day`}`,
        details: tableOf(newestFirst, {
          Machine: (one) => one.hostname ?? 'not reported',
          Address: (one) => one.ip ?? 'not reported',
          'Last seen': (one) =>
            one.lastSeen === undefined ? 'not reported' : ago(one.lastSeen.getTime(), now),
          Requests: (one) => countOf(one.requestCount),
          Received: (one) => sizeOf(one.bytesReceived),
          'First seen': (one) => momentOf(one.firstSeen, now),
        }),
      };
    },
  ),
});

const machines = listing<MirrorClient>({
  things: 'machines',
  read: ({ mirror }) => mirror.listClients(),
  keyOf: machineKey,
  // Every fetch counts as a request, so none means no clients.
  count: async ({ mirror }) => ((await mirror.status()).serverStats?.totalRequests === 0 ? 0 : undefined),
});

export const disk = lookup({
  phrase: 'mirror disk',
  says: `
    is the disk full / disk full / disk space / how much space is left / free space / storage usage /
    is there enough room / disk usage / df / is the mirror disk full / space left on the mirror /
    how much storage has the mirror / how full is the mirror / how full is the disk / is there space /
    are we running out of space / disk almost full / how many gb are free / space on the mirror /
    is the storage full / mirror disk space
  `,
  summary: 'Show disk usage of the mirror',
  answer: async ({ appliance }) => {
    const { fields } = await appliance.mirror.disk();
    const used = amountUnder(fields, 'percent', ['usedpercent', 'percentused', 'usepercent']);
    const free = amountUnder(fields, 'bytes', ['freebytes', 'availablebytes']);
    const total = amountUnder(fields, 'bytes', ['totalbytes', 'sizebytes']);
    // A disk without a size was not read.
    const known = total !== 0 && (used !== undefined || free !== undefined);
    return {
      headline: known
        ? say`The disk of the mirror is ${diskOf(used, free, total)}`
        : say`Disk report of the mirror`,
      details: [fieldList(reportedFields(fields))],
    };
  },
});

export const serverStats = lookup({
  phrase: 'mirror server stats',
  says: `
    how much did the mirror serve / mirror traffic / mirror server statistics / cache hits of the mirror /
    how many requests does the mirror serve / how much did the mirror deliver /
    traffic served by the mirror / mirror downloads by clients / mirror hits and requests /
    how much traffic does the mirror make / how often is the mirror used / requests to the mirror /
    mirror server numbers / hit rate of the mirror / load of the mirror
  `,
  also: ['mirror server statistics'],
  summary: 'Show requests served by the mirror',
  answer: async ({ appliance }) => {
    const { fields } = await appliance.mirror.serverStats();
    const requests = numberUnder(fields, 'totalrequests', 'requests');
    const sent = amountUnder(fields, 'bytes', ['totalbytessent', 'bytessent']);
    const active = numberUnder(fields, 'activeclients');
    return {
      headline:
        requests === undefined
          ? say`Server report of the mirror`
          : say`The mirror has answered ${strong(number(requests))} requests${sent === undefined ? '' : ` with ${bytes(sent)}`}${active === undefined ? '' : `; ${plural(active, 'client')} active`}`,
      details: [fieldList(reportedFields(fields))],
    };
  },
});

export const syncStats = lookup({
  phrase: 'mirror sync stats',
  says: `
    when was the last sync / last mirror sync / how much was synced in total / did the sync work /
    sync statistics / failed files / was the last sync ok / when did we sync /
    when was the last mirror sync / how long do mirror syncs take / how much did mirror syncs fetch /
    is the mirror syncing / did the last sync work / did the sync fail / how did the last sync go /
    result of the last sync / when did the mirror sync / how long did the sync take /
    how big was the last sync / last sync time / did the mirror sync last night /
    when was the mirror updated last / did the sync finish / did the <repository> sync finish /
    is the sync through / when did the last sync run / sync results
  `,
  also: ['mirror sync statistics', 'mirror sync status'],
  summary: 'Show the last sync and the totals of all syncs',
  answer: async ({ appliance, now }) => {
    // Other reports show whose files failed.
    const [{ fields }, status] = await Promise.all([
      appliance.mirror.syncStats(),
      settle(appliance.mirror.status()),
    ]);
    const { lastRun, allSyncs } = failuresIn(readIn(status) ?? {});
    const running = reportedUnder(fields, 'isrunning', 'running');
    const files = numberUnder(fields, 'totalfiles', 'files');
    const size = amountUnder(fields, 'bytes', ['totalbytes', 'bytes']);
    const error = reportedUnder(fields, 'lasterror');
    const fetched = [
      ...(files === undefined ? [] : [`${number(files)} ${files === 1 ? 'file' : 'files'}`]),
      ...(size === undefined ? [] : [bytes(size)]),
    ].join(', ');
    const all = fetched === '' ? '' : `; all syncs fetched ${fetched}`;
    const failed =
      error !== undefined
        ? say`, and the last one failed: ${code(error)}`
        : lastRun !== undefined && lastRun > 0
          ? say`, and the last one could not fetch ${plural(lastRun, 'file')}`
          : say``;
    const isRunning = running !== undefined && /^(?:true|1|yes)$/i.test(running);
    const whose =
      lastRun !== undefined
        ? isRunning
          ? ', this sync'
          : ', last sync'
        : allSyncs === undefined
          ? ''
          : ', all syncs';
    return {
      headline:
        running === undefined
          ? say`Sync report of the mirror`
          : isRunning
            ? say`A sync is ${strong('running')}${all}`
            : say`No sync is running${failed}${all}`,
      details: [
        fieldList(
          reportedFields(fields, now).map((one) =>
            one.name === 'Failed files' ? { ...one, name: `Failed files${whose}` } : one,
          ),
        ),
      ],
    };
  },
});

export const portMirror = impossible({
  says: `
    mirror vlan <number> / mirror the traffic of port <port> / mirror the traffic of eth1 / turn on mirroring to port <port> / span port /
    set up a span port / port mirroring / mirror traffic to the ids / capture packets /
    packet capture on <interface> / run tcpdump / take a pcap of <address> / sniff traffic
  `,
  why: 'The mirror is a copy of software repositories. The Web API cannot mirror or capture network traffic.',
  source: 'appliance-api.md §4.13',
  nearest: ['mirror status', 'network interfaces'],
});
