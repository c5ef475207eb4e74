import { Misfit } from '../reading/bounds.ts';
import type { ReplyReader } from '../reading/reply-reader.ts';
import {
  fieldsOf,
  finder,
  listWire,
  readId,
  readList,
  type UnnamedFields,
  undocumented,
  withoutRepeats,
} from '../reading/unnamed.ts';

/**
 * An open session of the remote-desktop gateway. Its fields are undocumented (appliance-api.md §2.14), so only
 * `id` is certain.
 */
export interface Session {
  readonly id: number;
  readonly user?: string;
  readonly target?: string;
  readonly from?: string;
  /** An address without a statement whether it is the user's or the target's. */
  readonly address?: string;
  readonly since?: SessionStart;
  /** Everything about the session as text, under the appliance's own names. */
  readonly fields: UnnamedFields;
}

/**
 * The start of a session: a moment, or the appliance's words if they have no time zone. The time zone of its
 * clock is undocumented, so these give no moment.
 */
export type SessionStart = { readonly at: Date } | { readonly written: string };

const find = finder({
  id: ['id', 'sessionid', 'sid'],
  user: ['user', 'username', 'member', 'membername', 'login', 'account'],
  target: ['target', 'targetname', 'host', 'hostname', 'server', 'servername', 'device', 'machine'],
  from: [
    'from',
    'clientip',
    'clientaddress',
    'client',
    'sourceip',
    'source',
    'remoteip',
    'remoteaddress',
    'remoteaddr',
  ],
  address: ['address', 'ip', 'ipaddress'],
  since: [
    'start',
    'started',
    'startedat',
    'starttime',
    'startdate',
    'since',
    'date',
    'begin',
    'connected',
    'connectedat',
    'created',
    'createdat',
  ],
});

/** The open sessions. An unidentifiable record is an error and never left out. */
export const sessions: ReplyReader<Session[]> = {
  read: (answer) =>
    withoutRepeats(
      readList(answer, 'session', ({ record, bare, key }) => {
        if (bare !== undefined) throw new Misfit('', 'is not a session');
        return sessionOf(fieldsOf(record), key);
      }),
      ({ id }) => id,
    ),
  wire: listWire(
    'session',
    undocumented('RdpSession', 'An open session. Only its ID is certain to be there.'),
  ),
};

/** @param key the record's key in a map by ID, '' in an array */
function sessionOf(fields: UnnamedFields, key: string): Session {
  const under = find(fields);
  const [user] = under('user');
  const [target] = under('target');
  const [from] = under('from');
  const [address] = under('address');
  const times = under('since').flatMap(readTime);
  const since = times.find((time) => 'at' in time) ?? times[0];
  const session: { -readonly [Name in keyof Session]: Session[Name] } = {
    id: readId(under('id'), key, 'session'),
    fields,
  };
  if (user !== undefined) session.user = user;
  if (target !== undefined) session.target = target;
  if (from !== undefined) session.from = from;
  if (address !== undefined) session.address = address;
  if (since !== undefined) session.since = since;
  return session;
}

/**
 * Reads epoch seconds, epoch milliseconds, ISO 8601, or `YYYY-MM-DD HH:MM:SS`; nothing for other text. Without
 * a time zone it stays as written.
 */
function readTime(text: string): SessionStart[] {
  if (/^\d+(\.\d+)?$/.test(text)) return sinceThen(readEpoch(Number(text)));
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    text,
  );
  if (!match) return [];
  const [, day, time, zone] = match;
  const since = sinceThen(new Date(`${day}T${time}${zone ?? 'Z'}`));
  return zone === undefined && since.length > 0 ? [{ written: text }] : since;
}

/** Servers write "no time" as the year 1 or 1970. */
function sinceThen(at: Date): SessionStart[] {
  return at.getTime() > Date.UTC(2000) ? [{ at }] : [];
}

/** Epoch seconds stay below 10^11 until the year 5138; milliseconds have been above it since 1973. */
function readEpoch(number: number): Date {
  return new Date(number < 1e11 ? number * 1_000 : number);
}
