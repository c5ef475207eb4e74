import type { Order } from '../../route.ts';
import { type Layer, type Layers, said } from '../generation.ts';

/** The remote-desktop gateway, the DNS server and the FTP server: their status is INI text. */
export const servers: Layers = {
  'GET /rdpproxy/status': said(({ state: { rdp } }) =>
    statusOf('APP_RDPPROXY', rdp.gateway.restartingUntil === null ? rdp.gateway.pid : 0),
  ),
  'GET /authdns/status': said((order) => ({
    ...statusOf(
      'APP_AUTHDNS',
      order.state.authdns.restartOrderedAt === undefined ? order.state.authdns.pid : 0,
    ),
    Recursor: recursor(order),
  })),
  'GET /ftpd/status': said(({ state }) => statusOf('APP_FTPD', state.ftpd.process?.pid ?? 0)),
  'GET /ftpd/events/{search}/{max}': events(),
};

/** @param pid 0: it does not run */
function statusOf(section: string, pid: number) {
  const lines = [`[${section}]`, `running=${pid === 0 ? 0 : 1}`, `master_pid=${pid}`, ''];
  return { Status: true, Error: '', Info: lines.join('\n') };
}

/** Counted since the server started: 31 queries a second, five of six from the cache. */
function recursor({ state, now }: Order) {
  const seconds = Math.max(0, Math.floor((now.getTime() - state.authdns.startedAt.getTime()) / 1000));
  return { 'cache-hits': seconds * 26, 'cache-misses': seconds * 5 };
}

/** Raw lines of the log. */
function events(): Layer {
  return said((_, reply) => ({
    Status: true,
    Error: '',
    Results: (reply.Events as readonly LoggedEvent[]).map(
      (one) => `${one.Date} ftpd[${one.PID}]: ${one.Event}`,
    ),
  }));
}

/** As the area answers it. */
interface LoggedEvent {
  readonly Date: string;
  readonly PID: number;
  readonly Event: string;
}
