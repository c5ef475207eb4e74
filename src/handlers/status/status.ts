import type { ApplianceVersion, AskedAppliance, MirrorStatus, Report } from '../../api/index.ts';
import type { ActiveTimedChange, AskingAppliance } from '../context.ts';
import { type Authentication, emergencyFinding } from '../directory/authentication.ts';
import { say } from '../reply.ts';
import { isNotConfigured, type ReadResult, settle } from '../wording/answer.ts';
import { notReported, releaseOf } from '../wording/release.ts';
import { directoryFinding, linkFinding } from './connection.ts';
import { type HealthFinding, unasked } from './finding.ts';
import { firewallFinding } from './firewall.ts';
import { diskFinding, mirrorFinding } from './mirror.ts';
import { portsFinding } from './ports.ts';
import { servicesFinding } from './services.ts';

export interface Readings extends Authentication {
  readonly version: ReadResult<ApplianceVersion>;
  readonly services: ReadResult<Report>;
  readonly ports: ReadResult<Report>;
  readonly firewall: ReadResult<Report>;
  /** Includes the disk. */
  readonly mirror: ReadResult<MirrorStatus>;
}

/** The time limit for the check of the ports, in milliseconds. The call alone would have an order's long timeout. */
const timeout = 10_000;

/** Asks every source at once; `signal` aborts. @throws the first ApplianceFailure if all fail */
export async function readAll(
  { directory, mirror }: AskedAppliance,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Readings> {
  const ending = signal && { signal };
  const [version, services, status, link, ports, firewall, mirrored] = await Promise.all([
    settle(directory.applianceVersion(ending)),
    settle(directory.services(ending)),
    settle(directory.status(ending)),
    settle(directory.authenticationStatus(ending)),
    settle(directory.checkProxyPorts(ending ?? { signal: AbortSignal.timeout(timeout) })),
    settle(directory.dnsFirewallStatus(ending)),
    settle(mirror.status(ending)),
  ]);
  const refusal = sharedRefusal(version, services);
  const readings = {
    version,
    services,
    ports,
    firewall,
    mirror: mirrored,
    directory: status.answered && isRefusal(status.value, refusal) ? (refusal ?? status) : status,
    link: link.answered && isRefusal(link.value, refusal) ? (refusal ?? link) : link,
  };
  const asked = Object.values(readings).filter((answer) => !isNotConfigured(answer));
  if (!version.answered && asked.every(({ answered }) => !answered)) throw version.failure;
  return readings;
}

type NotAnswered = Extract<ReadResult<unknown>, { answered: false }>;

/** A refusal of the whole API, such as a missing licence (appliance-api.md §5.3). */
function sharedRefusal(version: ReadResult<unknown>, services: ReadResult<unknown>): NotAnswered | undefined {
  return !version.answered && !services.answered && reasonIn(version) === reasonIn(services)
    ? version
    : undefined;
}

/**
 * These two calls answer a false status normally (§2.9, §4.12). Only the same words as another refusal show
 * that it is one.
 */
const isRefusal = ({ info }: { readonly info: string }, refusal: NotAnswered | undefined): boolean =>
  refusal !== undefined && info !== '' && info === reasonIn(refusal);

const reasonIn = (answer: ReadResult<unknown>): string | undefined =>
  !answer.answered && answer.failure.code === 'refused' ? answer.failure.reason : undefined;

export async function healthOf({
  appliance,
  now,
  timedChange,
}: Pick<AskingAppliance<never>, 'appliance' | 'now' | 'timedChange'>): Promise<{
  readonly readings: Readings;
  readonly findings: readonly HealthFinding[];
}> {
  const readings = await readAll(appliance);
  return { readings, findings: findingsIn(readings, now, await timedChange()) };
}

export function findingsIn(
  readings: Readings,
  now: number,
  timedChange?: ActiveTimedChange,
): readonly HealthFinding[] {
  return [
    versionFinding(readings.version),
    emergencyFinding(readings, timedChange, now),
    servicesFinding(readings.services),
    directoryFinding(readings),
    linkFinding(readings),
    portsFinding(readings.ports, isSharedRefusal(readings)),
    firewallFinding(readings.firewall),
    mirrorFinding(readings.mirror, now),
    diskFinding(readings.mirror),
  ];
}

/** Whether the check of the ports and other questions were refused for the same reason, such as a licence. */
function isSharedRefusal({ ports, services, version }: Readings): boolean {
  const reason = reasonIn(ports);
  return reason !== undefined && [services, version].map(reasonIn).includes(reason);
}

function versionFinding(answer: ReadResult<ApplianceVersion>): HealthFinding {
  const area = 'Version';
  if (!answer.answered) return unasked(area, answer.failure);
  const name = releaseOf(answer.value);
  return name === notReported
    ? { area, gravity: 'notice', says: say`The appliance does not report its version` }
    : { area, gravity: 'fine', says: say`${name}`, brief: name };
}
