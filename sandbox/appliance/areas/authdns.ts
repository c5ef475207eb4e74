import { done, refused } from '../envelope.ts';
import type { Area, Order } from '../route.ts';
import type { State } from '../state.ts';
import { dateText, secondsBetween } from '../times.ts';

/** How long a restart takes; the server does not run meanwhile. */
const restartMs = 5_000;

/** The authoritative DNS server: appliance-api.md §4.9. The document shows no shape of its answers. */
export const authdns: Area = {
  routes: [
    {
      method: 'GET',
      path: '/authdns/statistics',
      answer: (order) =>
        order.state.authdns.restartOrderedAt === undefined
          ? { Status: true, Error: '', Statistics: statistics(order) }
          : refused('The server is not running'),
    },
    { method: 'GET', path: '/authdns/status', answer: status },
    {
      method: 'GET',
      path: '/authdns/restart',
      answer({ state, now }) {
        restartAuthdns(state, now);
        return done('Restarting in background');
      },
    },
    {
      method: 'GET',
      path: '/authdns/reload',
      answer({ state, now }) {
        if (state.authdns.restartOrderedAt !== undefined) return refused('The server is not running');
        state.authdns.reloadedAt = now;
        return done('Authoritative server and recursor reloaded');
      },
    },
    {
      method: 'GET',
      path: '/authdns/domains',
      answer: ({ state }) => ({
        Status: true,
        Error: '',
        Domains: [...state.authdns.domains].map(([Name, { id, records, serial }]) => ({
          ID: id,
          Name,
          Type: 'NATIVE',
          Records: records,
          Serial: serial,
        })),
      }),
    },
    { method: 'GET', path: '/authdns/add/domain/{domain}', answer: addDomain },
  ],
  passTime({ authdns }, now) {
    const ordered = authdns.restartOrderedAt;
    if (ordered === undefined || now.getTime() - ordered.getTime() < restartMs) return;
    authdns.startedAt = new Date(ordered.getTime() + restartMs);
    authdns.reloadedAt = authdns.startedAt;
    authdns.pid += 391;
    authdns.restartOrderedAt = undefined;
  },
};

/** In the background; a second order joins the restart that is under way. */
export function restartAuthdns({ authdns }: State, now: Date): void {
  authdns.restartOrderedAt ??= now;
}

function status({ state, now }: Order) {
  const { startedAt, pid, reloadedAt, restartOrderedAt } = state.authdns;
  const running = restartOrderedAt === undefined;
  return {
    Status: true,
    Error: '',
    Running: running ? 1 : 0,
    State: running ? 'running' : 'restarting',
    Version: state.software.installed.get('APP_AUTHDNS') ?? '',
    PID: running ? pid : 0,
    Uptime: running ? secondsBetween(startedAt, now) : 0,
    Started: dateText(startedAt),
    Reloaded: dateText(reloadedAt),
    Domains: state.authdns.domains.size,
  };
}

/** Counted since the start of the server: about 31 queries a second, with the usual share of each kind. */
function statistics({ state, now }: Order) {
  const uptime = secondsBetween(state.authdns.startedAt, now);
  const queries = uptime * 31;
  const share = (part: number) => Math.floor(queries * part);
  return {
    uptime,
    udp_queries: queries - share(0.02),
    tcp_queries: share(0.02),
    answers: queries - share(0.0004),
    cache_hits: share(0.83),
    cache_misses: queries - share(0.83),
    nxdomain: share(0.061),
    servfail: share(0.0004),
    average_latency_us: 410 + (uptime % 60),
  };
}

function addDomain({ state, now, slots }: Order) {
  const name = slots.get('domain').toLowerCase().replace(/\.$/, '');
  if (!isDomain(name)) return refused(`Not a domain name: ${slots.get('domain')}`);
  if (state.authdns.domains.has(name)) return refused(`The domain ${name} exists already`);
  const serial = Number(`${now.toISOString().slice(0, 10).replaceAll('-', '')}01`);
  // A new domain has its SOA record and two name servers.
  state.authdns.domains.set(name, { id: nextId(state), records: 3, serial });
  return done(`The domain ${name} is created`);
}

function isDomain(name: string): boolean {
  const label = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;
  const labels = name.split('.');
  return name.length <= 253 && labels.length > 1 && labels.every((one) => label.test(one));
}

function nextId({ authdns }: State): number {
  return Math.max(0, ...[...authdns.domains.values()].map(({ id }) => id)) + 1;
}
