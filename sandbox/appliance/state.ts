import { foundCategories } from './company/categories.ts';
import { openedSessions } from './company/sessions.ts';

/** What the simulated appliance knows. Tests may read and change it between requests. */
export interface State {
  readonly categories: Map<number, SimulatedCategory>;
  /** Which of the two shapes `/categories/list` answers in (appliance-api.md §2.5). */
  categoryShape: 'A' | 'B';
  readonly sessions: Map<number, SimulatedSession>;
}

export interface SimulatedCategory {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly table: string;
  readonly rpz: { readonly enabled: boolean; readonly action: number; readonly redirect: string };
  /** Domain names and IP addresses. */
  readonly sites: Set<string>;
}

/** The field names of a session are not documented (§2.14); these are in the manner of the documented member fields. */
export interface SimulatedSession {
  readonly id: number;
  readonly username: string;
  readonly target: string;
  readonly client_ip: string;
  readonly protocol: 'rdp' | 'ssh' | 'vnc';
  /** ISO 8601 in UTC: `2026-11-20T11:13:00Z`. */
  readonly started_at: string;
}

/** A company in the middle of a working day: about 60 categories, 15 open sessions. */
export function companyState(now: Date): State {
  return { categories: foundCategories(), categoryShape: 'A', sessions: openedSessions(now) };
}
