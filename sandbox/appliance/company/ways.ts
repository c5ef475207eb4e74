import type { GenerationName } from '../generations/names.ts';

/** How the appliance speaks, and whom it hears; no call tells or changes it. */
export interface WaysState {
  generation: GenerationName;
  /** Field generations: an appliance before 4.50 SP5 does not have every call (appliance-api.md §9). */
  release: 'current' | 'earlier';
  /** The networks that a guarded appliance hears, such as `127.0.0.0/8`. */
  networks: string[];
  readonly console: {
    /** The refusal of a guarded mirror console without a login: a few words, or the way to its login page. */
    refuses: 'words' | 'login';
    /** By cookie, until when it counts. */
    readonly sessions: Map<string, Date>;
  };
}

export function waysOfTheCompany(): WaysState {
  return {
    generation: 'document',
    release: 'current',
    networks: ['127.0.0.0/8'],
    console: { refuses: 'words', sessions: new Map() },
  };
}
