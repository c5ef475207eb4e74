import { type ApplianceFailure, extentOf, type Refused, type Report, withExtent } from '../../api/index.ts';
import { type Look, lookIn } from '../listing.ts';
import { code, enumerate, plural, say } from '../reply.ts';
import type { ReadResult } from '../wording/answer.ts';
import { type HealthFinding, unasked } from './finding.ts';
import { entriesIn, nameOf, stateOf, valueUnder } from './report.ts';

/** A port of the proxy, as far as reported (appliance-api.md §4.12 shows no shape). */
export interface PortState {
  readonly port: string;
  readonly name: string;
  readonly listening: boolean | undefined;
}

export const portsIn = (report: Report): readonly PortState[] => portsLook(report).all;

/** Each port once, with a note if the list is incomplete. */
function portsLook(report: Report): Look<PortState> {
  const all = entriesIn(report).flatMap((entry) => {
    const port = valueUnder(entry.fields, 'port', 'portnumber', 'listenport') ?? entry.key;
    return !/^\d+$/.test(port) || Object.keys(entry.fields).length < 2
      ? []
      : [{ port, name: nameOf(entry) === entry.key ? '' : nameOf(entry), listening: stateOf(entry) }];
  });
  return lookIn('ports', withExtent(all, extentOf(report.fields)), ({ port }) => port);
}

/**
 * @param isShared whether other questions failed in the same way, so that the failure says nothing about the
 * ports
 */
export function portsFinding(answer: ReadResult<Report>, isShared: boolean): HealthFinding {
  const area = 'Ports';
  if (!answer.answered) {
    const { failure } = answer;
    return isFailedCheck(failure) && !isShared
      ? {
          area,
          gravity: 'fault',
          which: portsNamedIn(failure.reason),
          says: say`The port check of the proxy failed: ${code(failure.reason)}`,
        }
      : unasked(area, failure);
  }
  const { all: ports, lack } = portsLook(answer.value);
  const silent = ports.filter(({ listening }) => listening === false).map(({ port }) => port);
  if (silent.length > 0) {
    const are = silent.length === 1 ? 'Port' : 'Ports';
    const verb = silent.length === 1 ? 'does' : 'do';
    return {
      area,
      gravity: 'fault',
      which: silent.join(),
      says: say`${are} ${enumerate(silent)} of the proxy ${verb} not listen`,
    };
  }
  // A missing port may be silent.
  if (lack !== undefined) return { area, gravity: 'notice', says: say`The appliance ${lack}` };
  const listening = ports.filter((one) => one.listening === true).length;
  const brief = listening === 0 ? 'ports checked' : `${plural(listening, 'port')} listening`;
  return {
    area,
    gravity: 'fine',
    says: listening === 0 ? say`The check found no problems` : say`${brief}`,
    brief,
  };
}

/** A number with a unit of time is no port. */
const portsNamedIn = (reason: string): string =>
  (reason.match(/\b[0-9]{2,5}\b(?! ?(?:ms|s|sec|min|h)(?![a-z]))/g) ?? []).toSorted().join();

/**
 * The check answers Status false for a silent port as well as for a failed question (§7.2); only the reason
 * distinguishes them. A licence problem is never about ports.
 */
export const isFailedCheck = (failure: ApplianceFailure): failure is Refused =>
  failure.code === 'refused' && failure.reason !== '' && !/licen[cs]e/i.test(failure.reason);
