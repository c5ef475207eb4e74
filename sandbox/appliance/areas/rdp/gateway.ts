import { counted } from '../../counted.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { secondsBetween, timestamp } from '../../times.ts';
import { requiredText } from './fields.ts';
import { change, read } from './order.ts';
import { Refusal } from './refusal.ts';
import { endSessions } from './sessions.ts';

/** Milliseconds. */
const restartTakes = 5000;

/** The gateway itself: appliance-api.md §4.6. None of the shapes is documented. */
export const gateway: readonly Route[] = [
  read('/rdpproxy/state', ({ state }) => ({
    State: {
      installed: state.software.installed.has('APP_RDPPROXY') ? 1 : 0,
      version: state.software.installed.get('APP_RDPPROXY') ?? '',
      service: serviceState(state),
      listen_port: 3389,
      open_sessions: state.rdp.sessions.size,
      policies: state.rdp.policies.size,
      members: state.rdp.members.size,
      targets: state.rdp.targets.size,
      video_support: 1,
      videos: state.rdp.videos.size,
    },
  })),

  read('/rdpproxy/status', ({ state, now }) => {
    const { pid, startedAt, restartingUntil } = state.rdp.gateway;
    const down = restartingUntil !== null;
    return {
      Info: serviceState(state),
      Service: {
        running: down ? 0 : 1,
        pid: down ? 0 : pid,
        started_at: down ? '' : timestamp(startedAt),
        uptime_seconds: down ? 0 : secondsBetween(startedAt, now),
      },
    };
  }),

  change('GET', '/rdpproxy/restart', ({ state, now }) => {
    const dropped = state.rdp.sessions.size;
    restartGateway(state, now);
    return { what: `gateway restarted, ${counted(dropped, 'session')} dropped` };
  }),

  read('/rdpproxy/siem/status', ({ state }) => {
    const { siem, events, audit } = state.rdp;
    const connected = siem.enabled && siem.connected;
    const last = [events.at(-1)?.date ?? '', audit.at(-1)?.when ?? ''].toSorted().at(-1);
    return {
      Siem: {
        enabled: siem.enabled ? 1 : 0,
        connected: connected ? 1 : 0,
        server: 'siem.northwind.example',
        port: 6514,
        protocol: 'tls',
        format: 'cef',
        sent: connected ? events.length + audit.length : 0,
        queued: connected ? 0 : events.length + audit.length,
        last_sent_at: connected ? last : '',
        last_error: siem.lastError,
      },
    };
  }),

  read('/rdpproxy/tls/ciphers', ({ state }) => ({
    Ciphers: state.rdp.tls.offered,
    Supported: state.rdp.tls.supported,
  })),

  // The body is not documented: `{"ciphers": "<suite>:<suite>"}`, as TLS servers take them, the best first.
  change('POST', '/rdpproxy/tls/ciphers', ({ state, fields }) => {
    const suites = new Set(
      requiredText(fields, 'ciphers')
        .split(/[\s,:]+/)
        .filter(Boolean),
    );
    const unknown = [...suites].filter((suite) => !state.rdp.tls.supported.includes(suite));
    if (suites.size === 0) throw new Refusal('ciphers is required');
    if (unknown.length > 0) throw new Refusal(`cipher suites not supported: ${unknown.join(', ')}`);
    state.rdp.tls.offered = [...suites];
    return { what: `cipher suites set: ${state.rdp.tls.offered.join(':')}` };
  }),
];

function serviceState({ rdp }: State): 'running' | 'restarting' {
  return rdp.gateway.restartingUntil === null ? 'running' : 'restarting';
}

/** Drops every session. Also while it restarts: then it starts over. */
export function restartGateway(state: State, now: Date): void {
  endSessions(state, now, () => true, 'restart', 'gateway restarted');
  state.rdp.gateway.restartingUntil = new Date(now.getTime() + restartTakes);
}

/** Ends a restart whose time has come. */
export function finishRestart({ rdp: { gateway } }: State, now: Date): void {
  const { restartingUntil } = gateway;
  if (restartingUntil === null || now < restartingUntil) return;
  gateway.pid += 61;
  gateway.startedAt = restartingUntil;
  gateway.restartingUntil = null;
}
