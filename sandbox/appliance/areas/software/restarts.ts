import type { State } from '../../state.ts';
import { restartAuthdns } from '../authdns.ts';
import { rebuildProxy } from '../directory/proxy.ts';
import { restartFtpd } from '../ftpd.ts';
import { restartGateway } from '../rdp/gateway.ts';
import { restart as restartSqldb } from '../sqldb-processes.ts';

/** How each product restarts whose start time is kept in an area of its own. */
const restarts: ReadonlyMap<string, (state: State, now: Date) => void> = new Map([
  ['APP_AUTHDNS', restartAuthdns],
  ['APP_FTPD', restartFtpd],
  ['APP_MIRROR', restartMirror],
  ['APP_PROXY', restartProxy],
  ['APP_RDPPROXY', restartGateway],
  ['APP_SQLDB', ({ sqldb }: State, now: Date) => restartSqldb(sqldb.server, now)],
]);

/**
 * Restarts a product whose version was replaced. False: there was nothing to restart, because it does not run, or is
 * no service.
 */
export function restartProduct(product: string, state: State, now: Date): boolean {
  if (product === 'APP_FTPD' && state.ftpd.process === undefined) return false;
  const restart = restarts.get(product);
  if (restart !== undefined) {
    restart(state, now);
    return true;
  }
  const service = state.directory.services.get(product);
  if (service?.startedAt === undefined) return false;
  service.startedAt = now;
  return true;
}

function restartProxy({ directory }: State, now: Date): void {
  rebuildProxy(directory, now, directory.proxy.rebuiltFor);
}

/** A sync that was triggered and is running breaks off and leaves no event. */
function restartMirror({ mirror }: State, now: Date): void {
  mirror.startedAt = now;
  mirror.run = undefined;
}
