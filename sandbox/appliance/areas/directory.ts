import { licenceExpired } from '../licence.ts';
import type { Area, Route } from '../route.ts';
import { autoupdate } from './directory/autoupdate.ts';
import { connection } from './directory/connection.ts';
import { downloads } from './directory/downloads.ts';
import { emergency } from './directory/emergency.ts';
import { refused } from './directory/envelope.ts';
import { proxy } from './directory/proxy.ts';
import { system } from './directory/system.ts';
import { continueUpgrade } from './directory/upgrade.ts';
import { uploads } from './directory/uploads.ts';

const routes = [...connection, ...emergency, ...proxy, ...system, ...downloads, ...autoupdate, ...uploads];

/** Directory authentication and proxy maintenance: appliance-api.md §4.12. */
export const directory: Area = {
  routes: routes.map(licensed),
  passTime: ({ directory }, now) => continueUpgrade(directory, now),
};

/** This area refuses everything without a valid enterprise licence (§5.3). */
function licensed(route: Route): Route {
  return {
    ...route,
    answer: (order) =>
      order.state.directory.licence === 'valid' ? route.answer(order) : refused(licenceExpired),
  };
}
