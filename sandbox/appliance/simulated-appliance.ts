import type { Faults } from './faults.ts';
import type { Operation, OperationName, Pending, ReceivedRequest, Service, Switch } from './protocol.ts';
import type { State } from './state.ts';
import type { Switches } from './switches.ts';

/** An appliance that runs. `await using` closes it, too. */
export interface SimulatedAppliance extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`; everything is answered here. */
  readonly url: string;
  /** One address for each service; each answers only its own calls. */
  readonly urls: Readonly<Record<Service, string>>;
  /** The certificate that a client must trust (PEM), where the addresses are https. */
  readonly certificate: string | undefined;
  /**
   * The true state, whatever the answers said; yours to change between requests. Read it here again for the effects of
   * time: a copy of a part does not get them.
   */
  readonly state: State;
  readonly faults: Faults;
  /** Every operation. */
  readonly operations: readonly OperationName[];
  /** The same, with what there is to know about each. */
  readonly catalogue: readonly Operation[];
  /** The requests, the last 10,000, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * The ended requests of an operation, once there are so many; one by default. Waits 5,000 milliseconds by default, for
   * a program that acts by itself.
   * @throws RangeError for an unknown operation
   * @throws Error when there are fewer by then; its message lists the arrived ones
   */
  received(
    operation: OperationName,
    times?: number,
    milliseconds?: number,
  ): Promise<readonly ReceivedRequest[]>;
  /** The ways of the whole appliance, such as the shape of its category list, as they stand. */
  switches(): readonly Switch[];
  /** Turns switches, all or none: `{ licence: 'expired' }`. @throws RangeError for a name or value that there is not */
  turn(wanted: Partial<Switches>): void;
  /** Changes that are configured and not in force yet, by kind; kinds without any have count 0. */
  pending(): readonly Pending[];
  /** As when it was started: the company's state, its switches, no faults, no requests. */
  reset(): void;
  /**
   * Tells when a request arrived or ended, and when something was set, cleared, turned or reset.
   * @returns what ends that
   */
  onChange(listener: () => void): () => void;
  /** Breaks every connection and listens no more: an appliance that is down. A second time does no harm. */
  close(): Promise<void>;
}
