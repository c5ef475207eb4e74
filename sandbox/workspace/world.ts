import type { Changes } from './changes.ts';
import type { Conditions } from './conditions.ts';
import type { Dispatch } from './dispatch.ts';
import type { Details } from './entities/details.ts';
import type { Faults } from './faults.ts';
import type { Files } from './files.ts';
import type { Executions } from './functions/executions.ts';
import type { WireLog } from './log.ts';
import type { InstalledApp } from './manifest.ts';
import type { Messages } from './messages.ts';
import type { RateLimits } from './rate-limits.ts';
import type { ResponseUrls } from './response-urls.ts';
import type { Roster } from './roster.ts';
import type { Sockets } from './socket-mode.ts';
import type { Triggers } from './triggers.ts';
import type { Views } from './views.ts';

/** The name of the workspace. */
export interface Team {
  readonly name: string;
  /** Its part of the address, and of everybody's e-mail address. */
  readonly domain: string;
}

/** One workspace with one installed app: everything the server's parts share. */
export interface World {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly app: InstalledApp;
  readonly team: Team;
  readonly tokens: { bot: string; app: string; readonly verification: string };
  readonly roster: Roster;
  readonly messages: Messages;
  readonly files: Files;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly executions: Executions;
  readonly details: Details;
  readonly responseUrls: ResponseUrls;
  readonly changes: Changes;
  readonly faults: Faults;
  readonly conditions: Conditions;
  /** Undefined while limits are off. */
  readonly rateLimits: RateLimits | undefined;
  readonly log: WireLog;
  readonly sockets: Sockets;
  readonly dispatch: Dispatch;
  /** The address of the server, such as `http://127.0.0.1:4711`; known once it listens. */
  readonly url: () => string;
}
