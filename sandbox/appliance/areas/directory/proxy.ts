import type { DirectoryState } from '../../company/directory.ts';
import type { Order } from '../../route.ts';
import { dateText, secondsBetween } from '../../times.ts';
import { at, done, refused, wave } from './envelope.ts';

/** Maintenance of the proxy: appliance-api.md §4.12. The document shows no shape of its answers. */
export const proxy = [
  ...at('/proxy/auth/reconfigure', ({ state: { directory }, now }) => {
    if (directory.connection === undefined) return refused('No authentication method is defined');
    rebuildProxy(directory, now, 'authentication');
    return done(`The settings for the defined authentication method are rebuilt${stillOpen(directory)}`);
  }),
  ...at('/proxy/general/reconfigure', ({ state: { directory }, now }) => {
    rebuildProxy(directory, now, 'all settings');
    return done(`All settings of the proxy are reconfigured${stillOpen(directory)}`);
  }),
  ...at('/proxy/general/reset', ({ state: { directory }, now }) => {
    rebuildProxy(directory, now, 'reset');
    return done(`The proxy is rebuilt from the configuration of the web console${stillOpen(directory)}`);
  }),
  ...at('/proxy/metrics/info', metrics),
  ...at('/proxy/ports/check', checkPorts),
];

/** With new settings the proxy starts anew, counts from zero and listens at all its ports. */
export function rebuildProxy(
  { proxy }: DirectoryState,
  now: Date,
  rebuiltFor: DirectoryState['proxy']['rebuiltFor'],
): void {
  proxy.startedAt = now;
  proxy.rebuiltFor = rebuiltFor;
  for (const one of proxy.ports) one.listening = true;
}

/**
 * Added to answers during an emergency, so that no reader concludes that users authenticate again. The document shows one
 * way out of either mode (§3), and does not mention a rebuild or a connection. Here neither ends it: a proxy that closed
 * its gate by itself would cut off the people it was opened for.
 */
export function stillOpen({ emergency, globalEmergency }: DirectoryState): string {
  return [
    globalEmergency ? '; Global Emergency stays on until /emergency_remove' : '',
    emergency ? '; emergency mode stays on until /emergency_disable' : '',
  ].join('');
}

function metrics({ state: { directory }, now }: Order) {
  const { startedAt, rebuiltFor } = directory.proxy;
  const uptime = secondsBetween(startedAt, now);
  const requests = uptime * 210;
  return {
    ...done(''),
    uptime,
    started: dateText(startedAt),
    rebuilt_for: rebuiltFor,
    clients: 640 + wave(directory, now, 55),
    open_connections: 3120 + wave(directory, now, 410),
    requests,
    hits: Math.floor(requests * 0.274),
    denied: Math.floor(requests * 0.031),
    bytes_received: uptime * 2_870_000,
    bytes_sent: uptime * 2_960_000,
    cpu_percent: 31 + wave(directory, now, 12),
    memory_kb: 1_884_160 + wave(directory, now, 22_000),
  };
}

/** Connects to each port; answers true when all of them listen. */
function checkPorts({ state }: Order) {
  const { ports } = state.directory.proxy;
  const silent = ports.filter(({ listening }) => !listening).map(({ port }) => port);
  return {
    status: silent.length === 0,
    info: silent.length === 0 ? 'All ports are listening' : `Not listening: ${silent.join(', ')}`,
    ports: ports.map((one) => ({ ...one })),
  };
}
