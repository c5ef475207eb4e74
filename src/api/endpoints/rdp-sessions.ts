import { Misfit } from '../endpoint.ts';
import { type Envelope, isRecord } from '../envelope.ts';

/**
 * An open session of the remote-desktop gateway.
 * The document names none of its fields (appliance-api.md §2.14), so only `id` is certain to be there.
 */
export interface Session {
  readonly id: number;
  readonly user?: string;
  readonly target?: string;
  /** The user's own address. */
  readonly from?: string;
  /** An address of which the appliance does not say whether it is the user's or the target's. */
  readonly address?: string;
  readonly since?: Since;
  /** Everything the appliance said about the session, as text, under the appliance's own names. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * When a session began: a moment, or, when the appliance names no zone, its own words. The document does not say
 * which zone its clock has, so no moment can be made of those.
 */
export type Since = { readonly at: Date } | { readonly written: string };

/** Likely names, most likely first, without case and punctuation: `session_id`, `SessionID` and `sessionid` are one. */
const names = {
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
} as const;

/** Reads the open sessions. A record that cannot be identified is an error and never left out. */
export function readSessions(answer: Envelope): Session[] {
  const [name, list] = findList(answer.body);
  return Object.entries(list ?? []).map(([key, record]) => {
    const at = name === '' ? key : `${name}.${key}`;
    if (!isRecord(record)) throw new Misfit(at, 'is not a session');
    return readSession(record, at, Array.isArray(list) ? '' : key);
  });
}

/** A list by its name in the reply: an array, a map by ID, or null, which is how some servers write "none". */
type NamedList = [name: string, list: object | null];

/**
 * The name of the list is not documented either: one that speaks of sessions, else the first that is not empty.
 * "No session is open" is a proof that a session was disconnected, so an empty list counts only when nothing else
 * can be meant: it speaks of sessions, or it is an array and all there is.
 */
function findList(body: unknown): NamedList {
  const found = candidates(body);
  const [only, ...others] = found;
  const best =
    found.find(([name]) => plain(name).includes('session')) ??
    found.find(([, list]) => list !== null && Object.keys(list).length > 0) ??
    (others.length === 0 && Array.isArray(only?.[1]) ? only : undefined);
  if (best === undefined) throw new Misfit('', 'has no list of sessions');
  return best;
}

/** The envelope, and what servers like to put beside an answer. */
const remarks = /^(status|info|error|version|warning|message|notice|debug)s?$/;

/** The reply itself when it is an array, else every value but remarks that is an array, a map of records or null. */
function candidates(body: unknown): NamedList[] {
  if (Array.isArray(body)) return [['', body]];
  if (!isRecord(body)) return [];
  return Object.entries(body).filter((entry): entry is NamedList => {
    const [name, value] = entry;
    return !remarks.test(plain(name)) && (value === null || Array.isArray(value) || isMapOfRecords(value));
  });
}

function isMapOfRecords(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.values(value).every(isRecord);
}

/** @param key the record's key in a map by ID, '' in an array */
function readSession(record: Record<string, unknown>, at: string, key: string): Session {
  const fields = Object.fromEntries(Object.entries(record).map(([name, value]) => [name, textOf(value)]));
  const user = pick(fields, names.user);
  const target = pick(fields, names.target);
  const from = pick(fields, names.from);
  const address = pick(fields, names.address);
  const times = values(fields, names.since).flatMap(readTime);
  const since = times.find((time) => 'at' in time) ?? times[0];
  return {
    id: readId(values(fields, names.id), key, at),
    ...(user === undefined ? {} : { user }),
    ...(target === undefined ? {} : { target }),
    ...(from === undefined ? {} : { from }),
    ...(address === undefined ? {} : { address }),
    ...(since === undefined ? {} : { since }),
    fields,
  };
}

function readId(named: readonly string[], key: string, at: string): number {
  const usable = named.filter(isId);
  const ids = new Set((usable.length > 0 ? usable : [key].filter(isId)).map(Number));
  const [id] = ids;
  if (id === undefined) throw new Misfit(at, 'has no usable session ID');
  // Disconnecting goes by this number: with two to choose from, somebody else might be thrown out.
  if (ids.size > 1) throw new Misfit(at, 'has more than one session ID');
  return id;
}

function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

function pick(fields: Record<string, string>, wanted: readonly string[]): string | undefined {
  return values(fields, wanted)[0];
}

/** The non-empty values under any of the names, in the order of the names. */
function values(fields: Record<string, string>, wanted: readonly string[]): string[] {
  return wanted.flatMap((name) =>
    Object.entries(fields)
      .filter(([key, value]) => plain(key) === name && value !== '')
      .map(([, value]) => value),
  );
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
}

/**
 * Epoch seconds, epoch milliseconds, ISO 8601, or `YYYY-MM-DD HH:MM:SS`; nothing when the text is no time.
 * Without a zone it stays as it was written.
 */
function readTime(text: string): Since[] {
  if (/^\d+(\.\d+)?$/.test(text)) return sinceThen(readEpoch(Number(text)));
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s?(Z|[+-]\d{2}:?\d{2})?$/i.exec(
    text,
  );
  if (!match) return [];
  const [, day, time, zone] = match;
  const since = sinceThen(new Date(`${day}T${time}${zone ?? 'Z'}`));
  return zone === undefined && since.length > 0 ? [{ written: text }] : since;
}

/** The year 1 and 1970 are how servers write "no time". */
function sinceThen(at: Date): Since[] {
  return at.getTime() > Date.UTC(2000) ? [{ at }] : [];
}

/** Epoch seconds stay below 10^11 until the year 5138; milliseconds are above it since 1973. */
function readEpoch(number: number): Date {
  return new Date(number < 1e11 ? number * 1_000 : number);
}
