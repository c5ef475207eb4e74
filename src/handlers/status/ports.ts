import type { ApplianceFailure, Refused, Report } from '../../api/index.ts';
import { code, enumerate, plural, say } from '../reply.ts';
import type { ReadResult } from '../wording/answer.ts';
import { type HealthFinding, unasked } from './finding.ts';
import { entriesIn, nameOf, stateOf, valueUnder } from './report.ts';

/** A port of the proxy as far as it can be told (appliance-api.md §4.12 shows no shape). */
export interface PortState {
  /** Such as "3128". */
  readonly port: string;
  readonly name: string;
  /** Undefined when the appliance does not say. */
  readonly listening: boolean | undefined;
}

export function portsIn(report: Report): readonly PortState[] {
  return entriesIn(report).flatMap((entry) => {
    const port = valueUnder(entry.fields, 'port', 'portnumber', 'listenport') ?? entry.key;
    return !/^\d+$/.test(port) || Object.keys(entry.fields).length < 2
      ? []
      : [{ port, name: nameOf(entry) === entry.key ? '' : nameOf(entry), listening: stateOf(entry) }];
  });
}

/** @param isShared whether other questions failed in the same way, which then says nothing about the ports */
export function portsFinding(answer: ReadResult<Report>, isShared: boolean): HealthFinding {
  const area = 'Ports';
  if (!answer.answered) {
    const { failure } = answer;
    return isFailedCheck(failure) && !isShared
      ? {
          ...{ area, gravity: 'fault', which: portsNamedIn(failure.reason) },
          says: say`The port check of the proxy failed: ${code(failure.reason)}`,
        }
      : unasked(area, failure);
  }
  const ports = portsIn(answer.value);
  const silent = ports.filter(({ listening }) => listening === false).map(({ port }) => port);
  if (silent.length > 0) {
    const are = silent.length === 1 ? 'Port' : 'Ports';
    const verb = silent.length === 1 ? 'does' : 'do';
    return {
      ...{ area, gravity: 'fault', which: silent.join() },
      says: say`${are} ${enumerate(silent)} of the proxy ${verb} not listen`,
    };
  }
  const listening = ports.filter((one) => one.listening === true).length;
  const brief = listening === 0 ? 'ports checked' : `${plural(listening, 'port')} listening`;
  return {
    area,
    gravity: 'fine',
    says: listening === 0 ? say`The check found no problems` : say`${brief}`,
    brief,
  };
}

/** What is followed by a unit of time is none. */
const portsNamedIn = (reason: string): string =>
  (reason.match(/\b[0-9]{2,5}\b(?! ?(?:ms|s|sec|min|h)(?![a-z]))/g) ?? []).toSorted().join();

/**
 * The check of the ports answers Status false when one is silent, which is not told from a question that could not be
 * processed (§7.2) but by its reason. A licence is never a matter of ports.
 */
export const isFailedCheck = (failure: ApplianceFailure): failure is Refused =>
  failure.code === 'refused' && failure.reason !== '' && !/licen[cs]e/i.test(failure.reason);
