/** The state of a simulated appliance for clients that watch and steer it. Types only: the page shares them. */
import type { Fault, FaultKind } from './kinds.ts';

export type { Fault, FaultKind } from './kinds.ts';

/** The addresses at which a simulated appliance listens. The main one answers everything. */
export type Service = 'main' | 'web' | 'directory' | 'mirror' | 'mirrorConsole';

/** Method, or `-` where the document shows none, and path, with slots in braces: `POST /rdpproxy/sessions/{id}/disconnect`. */
export type OperationName = string;

/** Something the appliance can be asked to do. */
export interface Operation {
  readonly name: OperationName;
  readonly method: string;
  /** With slots in braces. */
  readonly path: string;
  /** The heading it stands under, such as `Categories and filtering rules`. */
  readonly area: string;
}

/** A fault that waits for its operation; `times` is how many requests it will still meet. */
export type ActiveFault = Fault & { readonly operation: OperationName };

/** A request that really arrived. Times are `Date`, or ISO 8601 once they are JSON. */
export interface ReceivedRequest<Time = Date> {
  /** 1 for the first. */
  readonly id: number;
  readonly service: Service;
  readonly method: string;
  /** Path and query, as they came over the wire. */
  readonly path: string;
  /** Lower-case names; the values of secret ones are replaced by `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The body as text, the first 65,536 characters; absent where there is none, or a file. Not enumerable, so that no password
   * comes out where requests are printed.
   */
  readonly body?: string;
  readonly at: Time;
  /** Absent when there is none of this method and path. */
  readonly operation?: OperationName;
  /** The misbehaviour that it met. */
  readonly fault?: FaultKind;
  /** 'waiting' until the answer is complete or the connection breaks. */
  readonly outcome: 'waiting' | 'answered' | 'broken';
  /** The HTTP status, once the answer is complete. */
  readonly status?: number;
  readonly endedAt?: Time;
  /** The appliance has finished it, maybe after the client left. */
  readonly isDone?: boolean;
}

/** A switch of the whole appliance: its name, its meaning, and its position. */
export interface Switch {
  readonly name: string;
  readonly label: string;
  /** One sentence about the effect. */
  readonly says: string;
  /** By value, what to call it; the first is how the appliance starts. */
  readonly values: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Changes of one sort that are configured and not in force yet. */
export interface Pending {
  readonly name: string;
  /** Such as `3 ACL changes`. */
  readonly words: string;
  readonly count: number;
  /** The first few, such as `shopping: example.com added`. */
  readonly first: readonly string[];
  /** The operation that makes them live, or takes them to the next sort. */
  readonly until: OperationName;
}
