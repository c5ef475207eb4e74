import { extentOf, type Report, withExtent } from '../../api/index.ts';
import { type Look, lookIn } from '../listing.ts';
import { enumerate, plural, say } from '../reply.ts';
import type { ReadResult } from '../wording/answer.ts';
import { isSwitchedOff } from '../wording/reported.ts';
import { type HealthFinding, unasked } from './finding.ts';
import { entriesIn, isUp, nameOf, type ReportEntry, stateOf, valueUnder } from './report.ts';

/** A monitored service, as far as reported (appliance-api.md §4.12 shows no shape). */
export interface ServiceState {
  readonly name: string;
  readonly key: string;
  readonly running: boolean | undefined;
  /** The appliance reports it as switched off. */
  readonly disabled: boolean;
  readonly fields: ReportEntry['fields'];
}

/** Each service once, with a note if the list is incomplete. */
export const servicesLook = (report: Report): Look<ServiceState> =>
  lookIn('services', withExtent(servicesIn(report), extentOf(report.fields)), ({ name }) => name);

function servicesIn(report: Report): readonly ServiceState[] {
  const entries = entriesIn(report);
  if (entries.some(({ key }) => key !== '')) {
    return entries.filter(({ key }) => key !== '').map(serviceOf);
  }
  // A bare list: `{ "squid": "running" }`.
  return Object.entries(entries[0]?.fields ?? {}).map(([name, value]) => ({
    name,
    key: name,
    running: isUp(value),
    disabled: saysOff.test(value.trim()),
    fields: { state: value },
  }));
}

function serviceOf(entry: ReportEntry): ServiceState {
  const { key, fields } = entry;
  return {
    name: nameOf(entry),
    // An index in a list is no key. A service that occurs twice there is the same one.
    key: /^\d+$/.test(key) ? '' : key,
    running: stateOf(entry),
    disabled: isSwitchedOff(fields) ?? saysOff.test(valueUnder(fields, 'state', 'status')?.trim() ?? ''),
    fields,
  };
}

/** A state that comes from a setting. */
const saysOff = /^(?:disabled|switched off|turned off|not enabled)$/i;

/** Nobody can browse without it. Excludes reverse proxies and gateways. */
const isTheProxy = ({ name, key }: ServiceState): boolean =>
  [name, key].some((one) =>
    /^(?:app[_ -])?(?:web[_ -]?)?(?:proxy|squid)(?: (?:server|service))?$/i.test(one),
  );

/** Has a finding of its own. */
const isDnsFirewall = ({ name, key }: ServiceState): boolean =>
  [name, key].some((one) => /dns[\s_-]*f(?:w|irewall)/i.test(one));

/** Somebody may have stopped a service on purpose, so only a stopped proxy is a fault. */
export function servicesFinding(answer: ReadResult<Report>): HealthFinding {
  const area = 'Services';
  if (!answer.answered) return unasked(area, answer.failure);
  const look = servicesLook(answer.value);
  const { all, lack } = look;
  const stopped = all.filter(
    (one) => one.running === false && !one.disabled && (isTheProxy(one) || !isDnsFirewall(one)),
  );
  const running = all.filter((one) => one.running === true).length;
  const brief = `${lack === undefined ? '' : 'at least '}${plural(running, 'service')} running`;
  const proxy = stopped.find(isTheProxy);
  const others = stopped.filter((one) => one !== proxy).map(({ name }) => name);
  const off = all.find((one) => one.running === false && one.disabled && isTheProxy(one));
  if (proxy !== undefined) {
    const more = others.length === 0 ? say`` : say`, and so are ${enumerate(others)}`;
    return { area, gravity: 'fault', says: say`The service ${proxy.name} is stopped${more}` };
  }
  if (others.length > 0) {
    return {
      area,
      gravity: 'notice',
      says: say`${plural(others.length, 'service')} stopped: ${enumerate(others)}`,
      brief,
    };
  }
  if (off !== undefined) {
    return {
      area,
      gravity: 'notice',
      says: say`The service ${off.name} is switched off by its setting`,
      brief,
    };
  }
  // Missing services may be stopped.
  if (lack !== undefined) return { area, gravity: 'notice', says: say`The appliance ${lack}`, brief };
  if (running === 0) return { area, gravity: 'notice', says: say`No service reports whether it is running` };
  return { area, gravity: 'fine', says: say`${brief}`, brief };
}
