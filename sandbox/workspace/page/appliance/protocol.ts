import type {
  ActiveFault,
  Fault,
  Operation,
  Pending,
  ReceivedRequest,
  Switch,
} from '../../../appliance/protocol.ts';

/** What the page and the workspace server say to each other of the simulated appliance. */

/**
 * What the simulated appliance can be asked to do: sent once over `GET /sandbox/events`, as event `catalogue`. It does not
 * come where a real appliance is used, and then the page has nothing to steer.
 */
export interface ApplianceCatalogue {
  readonly operations: readonly Operation[];
}

/** How the simulated appliance stands: event `appliance`, after the catalogue and again at each change. Times as JSON has them. */
export interface ApplianceNow<Time = string> {
  /** In the order in which they were set. */
  readonly faults: readonly ActiveFault[];
  readonly switches: readonly Switch[];
  /** What is configured and not in force yet, sort by sort. */
  readonly pending: readonly Pending[];
  /** The last ones, newest first. */
  readonly requests: readonly ReceivedRequest<Time>[];
}

/** What a person does to the simulated appliance: `POST /sandbox/appliance` with one of these as JSON; answered with `Acted`. */
export type ApplianceAct =
  | { readonly act: 'misbehave'; readonly operation: string; readonly fault: Fault }
  /** Clears the fault of one operation, or of all. */
  | { readonly act: 'behave'; readonly operation?: string }
  /** Turns switches, by name. */
  | { readonly act: 'turn'; readonly switches: Readonly<Record<string, string>> }
  /** As it was when it was started. */
  | { readonly act: 'reset' };
