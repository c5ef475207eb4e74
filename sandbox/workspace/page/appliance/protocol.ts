import type {
  ActiveFault,
  Fault,
  Operation,
  Pending,
  ReceivedRequest,
  Switch,
} from '../../../appliance/protocol.ts';

/** The protocol of the page and the workspace server about the simulated appliance. */

/**
 * The possible actions on the simulated appliance: sent once over `GET /sandbox/events`, as event `catalogue`. A real
 * appliance sends none, and then the page has nothing to steer.
 */
export interface ApplianceCatalogue {
  readonly operations: readonly Operation[];
}

/** How the simulated appliance stands: event `appliance`, after the catalogue and again at each change. Times as JSON has them. */
export interface ApplianceNow<Time = string> {
  /** In the order in which they were set. */
  readonly faults: readonly ActiveFault[];
  readonly switches: readonly Switch[];
  /** Changes that are configured and not in force yet, by kind. */
  readonly pending: readonly Pending[];
  /** The last ones, newest first. */
  readonly requests: readonly ReceivedRequest<Time>[];
}

/** An action on the simulated appliance: `POST /sandbox/appliance` with one of these as JSON; answered with `Acted`. */
export type ApplianceAct =
  | { readonly act: 'misbehave'; readonly operation: string; readonly fault: Fault }
  /** Clears the fault of one operation, or of all. */
  | { readonly act: 'behave'; readonly operation?: string }
  /** Turns switches, by name. */
  | { readonly act: 'turn'; readonly switches: Readonly<Record<string, string>> }
  /** As it was when it was started. */
  | { readonly act: 'reset' };
