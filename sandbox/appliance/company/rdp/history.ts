import { seeded } from '../../random.ts';
import { timestamp } from '../../times.ts';
import { openedSessions, type SimulatedSession } from './sessions.ts';

/** One line of the access log. The document names only the searchable fields, user and reason (§4.6). */
export interface SimulatedEvent {
  readonly id: number;
  /** ISO 8601 in UTC. */
  readonly date: string;
  readonly user: string;
  readonly target: string;
  readonly client_ip: string;
  readonly reason: EventReason;
  readonly detail: string;
}

type EventReason =
  | 'logon'
  | 'logoff'
  | 'disconnected'
  | 'restart'
  | 'member_deleted'
  | 'target_deleted'
  | 'bad_password'
  | 'mfa_failed'
  | 'mfa_locked'
  | 'account_expired'
  | 'no_policy'
  | 'outside_schedule'
  | 'target_disabled'
  | 'target_unreachable'
  | 'pattern';

/** A recorded session; its fields are not documented (§2.14). */
export interface SimulatedVideo {
  readonly id: number;
  readonly username: string;
  readonly target: string;
  /** ISO 8601 in UTC. */
  readonly started_at: string;
  readonly duration_seconds: number;
  readonly size_bytes: number;
  readonly file: string;
}

interface PastSession extends Pick<SimulatedSession, 'username' | 'target' | 'client_ip' | 'protocol'> {
  readonly from: number;
  readonly to: number;
}

type Line = Omit<SimulatedEvent, 'id' | 'date'> & { readonly at: number };
type Refused = [user: string, target: string, clientIp: string, reason: EventReason, detail: string];

const refused: readonly Refused[] = [
  ['bob.miller', 'srv-files-01', '10.20.6.71', 'bad_password', 'wrong password'],
  ['administrator', 'srv-ad-01', '10.20.99.57', 'bad_password', 'unknown member'],
  ['maria.lopez', 'srv-erp-01', '10.20.7.102', 'mfa_failed', 'wrong one-time code'],
  ['nadia.rahman', 'srv-db-01', '10.20.4.40', 'mfa_locked', 'second factor is locked'],
  ['peter.novak', 'srv-legacy-01', '10.20.6.90', 'account_expired', 'end of life has passed'],
  ['sofia.rossi', 'srv-hr-01', '10.20.90.31', 'no_policy', 'no policy allows this target'],
  ['contractor.acme', 'srv-hvac-01', '10.20.90.8', 'outside_schedule', 'outside Office hours'],
  ['contractor.acme', 'srv-scada-01', '10.20.90.8', 'target_disabled', 'target is disabled'],
  ['oliver.schmidt', 'srv-cad-02', '10.20.8.23', 'target_unreachable', 'connection timed out'],
  ['alice.carter', 'srv-db-02', '10.20.4.17', 'pattern', 'drop (table|database)'],
];

const minute = 60_000;
const day = 86_400_000;
const daysKept = 30;
const sessionsADay = 16;
const refusalsADay = 4;

/** Two days of every seven, as weekends are, but counted back from today: on no day is it another history. */
const isQuiet = (back: number) => back % 7 === 5 || back % 7 === 6;

/** Five in the afternoon. Whatever is open now began later, even if now is midnight: so IDs are the same at every hour. */
const closingAfterNoon = 5 * 60 * minute;

/** The access log and the recordings of the last 30 days in UTC, the oldest first. */
export function rememberedHistory(now: Date): {
  events: SimulatedEvent[];
  videos: Map<number, SimulatedVideo>;
} {
  const today = Math.floor(now.getTime() / day);
  if (before?.today !== today) before = historyBefore(today, [...openedSessions(now).values()]);
  const opened = [...openedSessions(now).values()].map((session) =>
    logon(session, Date.parse(session.started_at)),
  );
  const { events, videos } = before;
  return {
    // Copies: tests change what an appliance knows.
    events: [...events.map((event) => ({ ...event })), ...numbered(opened, events.length)],
    videos: new Map([...videos].map(([id, video]) => [id, { ...video }])),
  };
}

interface History {
  /** In days since the epoch. */
  readonly today: number;
  readonly events: readonly SimulatedEvent[];
  readonly videos: ReadonlyMap<number, SimulatedVideo>;
}

/** The history depends on the day alone: all appliances of a day share it. */
let before: History | undefined;

function historyBefore(today: number, habits: readonly SimulatedSession[]): History {
  const random = seeded(20_261_120);
  const past: PastSession[] = [];
  const lines: Line[] = [];
  for (let back = daysKept; back >= 1; back -= 1) {
    if (isQuiet(back)) continue;
    const noon = (today - back + 0.5) * day;
    const sometime = () => noon + Math.floor((random() - 0.5) * 8 * 60) * minute;
    for (let count = 0; count < sessionsADay; count += 1) {
      const from = sometime();
      const session = pick(habits, random);
      const to = Math.min(from + Math.floor(3 + random() * 177) * minute, noon + closingAfterNoon);
      past.push({ ...session, from, to });
    }
    for (let count = 0; count < refusalsADay; count += 1) {
      const [user, target, client_ip, reason, detail] = pick(refused, random);
      lines.push({ at: sometime(), user, target, client_ip, reason, detail });
    }
  }
  for (const session of past) lines.push(logon(session, session.from), logoff(session));
  const videos = recorded(past.filter(({ protocol }) => protocol !== 'ssh').slice(-30));
  return { today, events: numbered(lines, 0), videos };
}

/** In the order of their times, after so many others. */
function numbered(lines: readonly Line[], others: number): SimulatedEvent[] {
  return lines
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, ...line }, index) => ({ id: others + index + 1, date: timestamp(new Date(at)), ...line }));
}

function logon(session: Pick<SimulatedSession, 'username' | 'target' | 'client_ip'>, at: number): Line {
  const { username: user, target, client_ip } = session;
  return { at, user, target, client_ip, reason: 'logon', detail: '' };
}

function logoff({ username: user, target, client_ip, from, to }: PastSession): Line {
  return {
    at: to,
    user,
    target,
    client_ip,
    reason: 'logoff',
    detail: `after ${(to - from) / minute} minutes`,
  };
}

function recorded(sessions: readonly PastSession[]): Map<number, SimulatedVideo> {
  return new Map(
    sessions.map(({ username, target, from, to }, index) => {
      const id = 101 + index;
      const duration_seconds = (to - from) / 1000;
      const video: SimulatedVideo = {
        id,
        username,
        target,
        started_at: timestamp(new Date(from)),
        duration_seconds,
        size_bytes: duration_seconds * 61_440,
        file: `${target}-${id}.mp4`,
      };
      return [id, video];
    }),
  );
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}
