import type { UnnamedFields } from '../../api/index.ts';
import { code, enumerate, say, type Text } from '../reply.ts';
import { type Fingerprint, underWay, type Verification } from '../results.ts';
import { duration, readDuration } from './quantities.ts';
import { allReportedUnder, isSwitchedOff, numberUnder, readableName, reportedUnder } from './reported.ts';

/**
 * A busy appliance answers the status of its services from a cache (field notes), which may be this old;
 * milliseconds.
 */
export const statusBehind = 15 * 60_000;

/**
 * Identifies one run of a service, as far as its status reports it. The fields are undocumented
 * (appliance-api.md §4.9, §4.10), so they are found under likely names.
 */
export interface ServiceProcess {
  readonly running?: boolean;
  /** It is stopped because its setting is off. */
  readonly switchedOff?: true;
  /** Programs of a service with several, each with a known state. */
  readonly programs?: readonly Program[];
  readonly installed?: boolean;
  /** All of them, if it has several programs. */
  readonly pid?: string;
  readonly started?: string;
  /** Milliseconds. */
  readonly uptime?: number;
  readonly version?: string;
  /** Its words, if it refuses to report its status: a stopped service may. */
  readonly refusal?: string;
}

interface Program {
  /** The name of its section: "PDNS recursor". */
  readonly name: string;
  readonly running: boolean;
  readonly switchedOff: boolean;
}

export function processOf(fields: UnnamedFields): ServiceProcess {
  const programs = programsIn(fields);
  // A program that is switched off need not run.
  const wanted = programs.filter((one) => one.running || !one.switchedOff);
  const isOff = programs.length > 0 && wanted.length === 0;
  const installed = reportedUnder(fields, 'installed', 'isinstalled');
  const pids = allReportedUnder(fields, 'pid', 'masterpid', 'processid').filter((pid) => pid !== '0');
  const started = reportedUnder(fields, 'started', 'startedat', 'starttime', 'runningsince');
  const uptime = uptimeOf(fields);
  const version = reportedUnder(fields, 'version', 'masterversion');
  return {
    // All of several programs must run.
    ...(programs.length === 0 ? {} : { running: !isOff && wanted.every(({ running }) => running) }),
    ...(isOff && { switchedOff: true }),
    ...(programs.length > 1 && { programs }),
    ...(installed === undefined
      ? {}
      : { installed: isUp(installed) ?? /^(?:yes|installed)$/i.test(installed) }),
    ...(pids.length === 0 ? {} : { pid: pids.join(' and ') }),
    ...(started === undefined ? {} : { started }),
    ...(uptime === undefined ? {} : { uptime }),
    ...(version === undefined ? {} : { version }),
  };
}

/** Each section of a status is a program. */
function programsIn(fields: UnnamedFields): readonly Program[] {
  const sections = Object.groupBy(Object.entries(fields), ([key]) =>
    key.slice(0, Math.max(0, key.lastIndexOf('.'))),
  );
  return Object.entries(sections).flatMap(([section, entries = []]) => {
    const own = Object.fromEntries(entries);
    const states = allReportedUnder(own, 'running', 'isrunning', 'state', 'status', 'active')
      .map(isUp)
      .filter((up) => up !== undefined);
    if (states.length === 0) return [];
    const name = readableName(section.slice(section.lastIndexOf('.') + 1).replace(/^APP_/i, ''));
    return [{ name, running: states.every((up) => up), switchedOff: isSwitchedOff(own) === true }];
  });
}

export function stateOf({
  running,
  switchedOff,
  programs,
  installed,
  uptime,
  refusal,
}: ServiceProcess): Text {
  if (refusal !== undefined) return say`it replied: ${code(refusal)}`;
  if (installed === false) return say`not installed`;
  if (running === undefined) return say`not reported`;
  if (switchedOff) return say`switched off by its setting`;
  const stopped = (programs ?? []).filter((one) => !one.running && !one.switchedOff).map(({ name }) => name);
  if (!running && stopped.length < (programs?.length ?? 0))
    return say`running in part: ${enumerate(stopped)} ${stopped.length === 1 ? 'is' : 'are'} stopped`;
  if (!running) return say`not running`;
  return uptime === undefined ? say`running` : say`running for ${duration(uptime)}`;
}

/** The state that a click confirms, without the uptime, which grows. */
export const fingerprintOf = ({ running, installed, pid, started }: ServiceProcess): Fingerprint => ({
  running: running ?? null,
  installed: installed ?? null,
  pid: pid ?? null,
  started: started ?? null,
});

/**
 * Whether a service runs and is another run than before. `before` holds `pid` and `started` as in
 * `fingerprintOf`, and `uptime` in milliseconds. `service` names it in a sentence: "the DNS server".
 */
export function readRestart(service: string, before: Fingerprint, after: ServiceProcess): Verification {
  if (after.refusal !== undefined)
    return underWay`it is not running yet; it replied: ${code(after.refusal)}.`;
  if (after.running === false) {
    return {
      kind: 'under_way',
      evidence: say`Status read back: ${service} is not running at the moment.`,
    };
  }
  const signs: Text[] = [
    ...(isOther(before.pid, after.pid)
      ? [say`process ${after.pid ?? ''} instead of ${String(before.pid)}`]
      : []),
    ...(isOther(before.started, after.started) ? [say`started at ${after.started ?? ''}`] : []),
    ...(typeof before.uptime === 'number' && after.uptime !== undefined && after.uptime < before.uptime
      ? [say`running for ${duration(after.uptime)}`]
      : []),
  ];
  if (signs.length > 0) {
    return {
      kind: 'happened',
      evidence: say`Status read back: ${service} has started again, ${enumerate(signs.slice(0, 2))}.`,
    };
  }
  const compared =
    (isText(before.pid) && after.pid !== undefined) ||
    (isText(before.started) && after.started !== undefined) ||
    (typeof before.uptime === 'number' && after.uptime !== undefined);
  if (!compared) {
    return {
      kind: 'not_checkable',
      why: `the status of ${service} does not tell which process it is or since when it has been running`,
    };
  }
  const since = after.uptime === undefined ? [] : say`, running for ${duration(after.uptime)}`;
  return {
    kind: 'not_happened',
    evidence: say`Status read back: ${service} is still the same run as before${since}.`,
  };
}

type Value = Fingerprint[string] | undefined;

const isText = (value: Value): value is string => typeof value === 'string';
const isOther = (before: Value, after: string | undefined): boolean =>
  isText(before) && after !== undefined && before !== after;

function uptimeOf(fields: UnnamedFields): number | undefined {
  const seconds = numberUnder(fields, 'uptime', 'uptimeseconds', 'uptimesec');
  if (seconds !== undefined) return seconds * 1_000;
  const written = reportedUnder(fields, 'uptime');
  return written === undefined ? undefined : readDuration(written);
}

/** Undefined for other words. */
function isUp(written: string): boolean | undefined {
  if (/^(?:1|true|yes|on|up|ok|running|active|started|online|healthy)$/i.test(written)) return true;
  return /^(?:0|false|no|off|down|stopp(?:ed|ing)|inactive|dead|failed|offline|(?:re)?starting)$/i.test(
    written,
  )
    ? false
    : undefined;
}
