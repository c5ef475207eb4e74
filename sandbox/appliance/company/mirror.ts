import { pastSyncs, type Schedule, type SyncEvent, scheduleAfter } from './mirror/syncs.ts';

/** A machine that downloads from the mirror. */
export interface MirrorClient {
  readonly ip: string;
  readonly hostname: string;
  readonly firstSeen: Date;
  /** Up to `countedAt`; from then on they grow with time. */
  readonly requests: number;
  readonly bytes: number;
  /** The last of those requests. */
  readonly lastSeen: Date;
  /** Seconds between its requests; 0: it has left. */
  readonly everySeconds: number;
}

export interface MirrorState {
  /** Field generations: from 1.1.1 on it waits for its allowed hours, and counts the files that failed anew with each sync. */
  release: 'earlier' | '1.1.1';
  startedAt: Date;
  /** Oldest first. */
  readonly events: SyncEvent[];
  /** The schedule of the syncs that nobody triggers. */
  readonly schedule: Schedule;
  /** The triggered sync that is running; `planned` holds its results at the end. */
  run: { readonly startedAt: Date; readonly planned: Omit<SyncEvent, 'id'> } | undefined;
  /** 1.1.1: when its allowed hours begin; undefined: it is within them. */
  opensAt: Date | undefined;
  /** 1.1.1: a sync was triggered and waits for them. */
  isWaiting: boolean;
  /** How many files cannot be fetched by the next sync that is triggered. */
  failing: number;
  /** The error of the last run, or the reason why it did not begin; undefined: none. */
  lastError: string | undefined;
  readonly clients: MirrorClient[];
  /** The moment up to which the clients' requests are counted. */
  readonly countedAt: Date;
  /** Bytes. */
  readonly disk: { readonly total: number; used: number; repositories: number };
  updatesAvailable: boolean;
  /** 1.1.1: why it cannot look for updates, or at its disk; '': it can. */
  checkError: string;
  diskError: string;
}

/** Thirty days of history and today's, and an update that is waiting. */
export function mirrorOfTheCompany(now: Date): MirrorState {
  return {
    release: 'earlier',
    startedAt: new Date(now.getTime() - 12.3 * 86_400_000),
    events: pastSyncs(now),
    schedule: scheduleAfter(now),
    run: undefined,
    opensAt: undefined,
    isWaiting: false,
    failing: 0,
    lastError: undefined,
    clients: clients(now),
    countedAt: now,
    disk: { total: 2_199_023_255_552, used: 1_413_972_762_624, repositories: 1_288_490_188_800 },
    updatesAvailable: true,
    checkError: '',
    diskError: '',
  };
}

type Seen = [
  ip: string,
  hostname: string,
  firstSeenDaysAgo: number,
  requests: number,
  megabytes: number,
  lastSeenSecondsAgo: number,
  everySeconds: number,
];

const seen: readonly Seen[] = [
  ['10.20.4.2', 'appliance-hq-01', 12, 48_211, 61_220, 4, 20],
  ['10.20.4.3', 'appliance-hq-02', 12, 47_904, 60_874, 11, 20],
  ['10.31.0.2', 'appliance-lyon', 12, 20_118, 24_310, 31, 45],
  ['10.32.0.2', 'appliance-porto', 12, 19_876, 23_904, 8, 45],
  ['10.33.0.2', 'appliance-gdansk', 9, 14_002, 18_211, 52, 60],
  ['10.20.5.91', 'srv-web-02', 11, 3_310, 7_480, 240, 280],
  ['10.20.4.5', 'srv-backup-01', 12, 1_204, 91_336, 1_900, 3_600],
  ['10.34.0.2', 'appliance-turku', 12, 8_870, 9_912, 318_000, 0],
];

function clients(now: Date): MirrorClient[] {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  return seen.map(([ip, hostname, days, requests, megabytes, secondsAgo, everySeconds]) => ({
    ip,
    hostname,
    firstSeen: before(days * 86_400),
    requests,
    bytes: megabytes * 1_000_000,
    lastSeen: before(secondsAgo),
    everySeconds,
  }));
}
