import type { Area } from '../route.ts';
import { eventsOfTheConsole } from './mirror/events.ts';
import { continueSyncs } from './mirror/run.ts';
import { status } from './mirror/status.ts';
import { syncs } from './mirror/syncs.ts';

/** The mirror-synchronisation service: appliance-api.md §4.13. */
export const mirror: Area = {
  routes: [...status, ...syncs],
  passTime: (state, now) => continueSyncs(state.mirror, now),
};

/** The console events of the mirror service, which it answers at another port (§1): appliance-api.md §4.13. */
export const mirrorConsole: Area = { routes: eventsOfTheConsole };
