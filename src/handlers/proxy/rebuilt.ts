import type { AskedAppliance, Report } from '../../api/index.ts';
import { code, enumerate, say, strong, type Text } from '../reply.ts';
import type { Fingerprint, Verification } from '../results.ts';
import { isFailedCheck, portsIn } from '../status/ports.ts';
import { type ReadResult, readIn, settle } from '../wording/answer.ts';
import { processOf, readRestart } from '../wording/service-process.ts';

/**
 * Which run of the proxy this is, by its metrics (appliance-api.md §4.12 shows no shape); taken before it is ordered to
 * be rebuilt. The order itself must not fail because of this.
 */
export async function readRun(appliance: AskedAppliance): Promise<Fingerprint> {
  const metrics = readIn(await settle(appliance.directory.proxyMetrics()));
  const { pid, started, uptime } = processOf(metrics?.fields ?? {});
  return { pid: pid ?? null, started: started ?? null, uptime: uptime ?? null };
}

/**
 * Whether a rebuilt proxy shows: it is another run than before the order. That it is the same one proves nothing, because
 * a proxy might take new settings without starting, so that is never told as a failure.
 * @param shown with what `readRun` told
 */
export async function verifyRebuilt(appliance: AskedAppliance, shown: Fingerprint): Promise<Verification> {
  const [metrics, ports] = await Promise.all([
    appliance.directory.proxyMetrics(),
    settle(appliance.directory.checkProxyPorts({ signal: AbortSignal.timeout(timeout) })),
  ]);
  const found = readRestart('the proxy', shown, processOf(metrics.fields));
  if (found.kind === 'not_checkable') return found;
  const evidence = say`${found.evidence}${portsNow(ports)}`;
  if (found.kind === 'happened') return { kind: 'happened', evidence };
  return { kind: 'under_way', evidence, ...(found.kind === 'not_happened' && { unseen: true }) };
}

/** How long the check of the ports may take, in milliseconds. */
const timeout = 10_000;

function portsNow(ports: ReadResult<Report>): Text {
  if (!ports.answered) {
    return isFailedCheck(ports.failure)
      ? say` ${strong('The port check failed')}: ${code(ports.failure.reason)}.`
      : say``;
  }
  const known = portsIn(ports.value);
  const silent = known.filter(({ listening }) => listening === false).map(({ port }) => port);
  if (silent.length > 0) return say` ${strong('Not listening')}: ${enumerate(silent)}.`;
  const listening = known.filter((one) => one.listening === true).map(({ port }) => port);
  return listening.length === 0 ? say`` : say` It listens on ${enumerate(listening)}.`;
}
