import type { Area } from '../route.ts';
import { events } from './rdp/events.ts';
import { finishRestart, gateway } from './rdp/gateway.ts';
import { links } from './rdp/links.ts';
import { members } from './rdp/members.ts';
import { patterns } from './rdp/patterns.ts';
import { policies } from './rdp/policies.ts';
import { secondFactor } from './rdp/second-factor.ts';
import { sessions } from './rdp/sessions.ts';
import { targets } from './rdp/targets.ts';
import { videos } from './rdp/videos.ts';

/** The remote-desktop gateway: appliance-api.md §4.6. Every change is written to its audit trail (§6.1). */
export const rdp: Area = {
  routes: [
    ...gateway,
    ...members,
    ...targets,
    ...policies,
    ...links,
    ...patterns,
    ...sessions,
    ...videos,
    ...events,
    ...secondFactor,
  ],
  passTime: finishRestart,
};
