import type { Connection, DirectoryState } from '../../company/directory.ts';
import type { Order } from '../../route.ts';
import { dateText, secondsBetween } from '../../times.ts';
import { at, done, wave } from './envelope.ts';
import { rebuildProxy, stillOpen } from './proxy.ts';

const maxDaemons = 60;

const names = { ntlm: 'NTLM', kerberos: 'Kerberos' } as const;

/** The connection to the directory: appliance-api.md §4.12, first- and second-generation paths. */
export const connection = [
  ...at(['/ntlm_connect', '/proxy/ntlm/connect'], connectBy('ntlm')),
  ...at(['/kerberos_connect', '/proxy/kerberos/connect'], connectBy('kerberos')),
  ...at(['/ntlm_disconnect', '/proxy/ntlm/disconnect'], disconnectFrom('ntlm')),
  ...at(['/kerberos_disconnect', '/proxy/kerberos/disconnect'], disconnectFrom('kerberos')),
  ...at('/status', status),
  // "True or false", and nothing around it.
  ...at('/proxy/auth/status', ({ state }) => whyUnlinked(state.directory) === undefined),
];

/** From any state (§3): a connection that there is, of whichever kind, gives way to the new one. */
function connectBy(kind: Connection['kind']) {
  return ({ state: { directory }, now }: Order) => {
    directory.connection = { kind, since: now, broken: undefined, queued: 0 };
    directory.disconnectedFrom = undefined;
    rebuildProxy(directory, now, 'authentication');
    const { emergency, globalEmergency } = directory;
    // During an emergency the proxy is disconnected from the directory, so the connection is set up for afterwards.
    const what = emergency || globalEmergency ? 'Set to connect' : 'Connected';
    return done(`${what} to the directory CORP.EXAMPLE by ${names[kind]}${stillOpen(directory)}`);
  };
}

/** From any state (§3): afterwards there is no connection, of whichever kind it was. */
function disconnectFrom(kind: Connection['kind']) {
  return ({ state: { directory }, now }: Order) => {
    if (directory.connection === undefined) return done('The directory was not connected');
    directory.connection = undefined;
    directory.disconnectedFrom = kind;
    rebuildProxy(directory, now, 'authentication');
    return done(`Disconnected from the directory CORP.EXAMPLE (${names[kind]})${stillOpen(directory)}`);
  };
}

/** The numbers are strings (§2.9). They are counted since the proxy started. */
function status({ state: { directory }, now }: Order) {
  const unlinked = whyUnlinked(directory);
  const { kind, since } = directory.connection ?? {};
  const linked = kind && since ? `Connected by ${names[kind]} since ${dateText(since)}` : '';
  return { status: unlinked === undefined, info: unlinked ?? linked, ...daemons(directory, now) };
}

function daemons(directory: DirectoryState, now: Date) {
  const { connection, emergency, globalEmergency, proxy } = directory;
  const asking = connection !== undefined && !emergency && !globalEmergency;
  const sent = asking ? secondsBetween(proxy.startedAt, now) * 17 : 0;
  const unanswered = asking && connection.broken !== undefined ? Math.min(sent, 400) : 0;
  const queued = asking ? connection.queued + unanswered : 0;
  const busy = queued > 0 ? maxDaemons : 24 + wave(directory, now, 9);
  return {
    current_daemon: String(asking ? busy : 0),
    max_daemons: String(maxDaemons),
    requests_sent: String(sent),
    replies_received: String(sent - unanswered),
    queue_length: String(queued),
    avg_service_time: `${asking ? 9 + wave(directory, now, 3) + queued * 20 : 0} msec`,
  };
}

/** Why the proxy does not authenticate its users; undefined: it does. */
function whyUnlinked({ globalEmergency, emergency, connection }: DirectoryState): string | undefined {
  if (globalEmergency) return 'Global Emergency: the proxy neither filters nor authenticates';
  if (emergency) return 'Emergency: the proxy is disconnected from the directory';
  if (connection === undefined) return 'The proxy is not connected to a directory';
  return connection.broken;
}
