import type { IncomingHttpHeaders } from 'node:http';
import type { Service } from '../protocol.ts';
import type { Order, Route } from '../route.ts';
import type { Sent } from '../sent.ts';
import type { State } from '../state.ts';

/**
 * The protocol of one generation of appliances. The areas answer as documented, and a generation words the answers. It
 * changes the state only where its appliances really act differently, so that the state is always true.
 */
export interface Generation {
  /** By which method an operation is asked for. */
  readonly methodOf: (route: Route) => Route['method'];
  /** The answer to a client without access, before anything else; undefined: go on. */
  readonly gate: (asked: Asked) => Sent | undefined;
  /** The answer where there is no operation. */
  readonly nowhere: (asked: Asked, form: URLSearchParams) => Sent;
  /** By operation, as faults name it; one that is not here is answered as documented. */
  readonly layers: Layers;
  /** Puts a reply of an operation into bytes. */
  readonly send: (reply: unknown, operation: string) => Sent;
}

/** A request, before it is known whether it is heard. */
export interface Asked {
  readonly service: Service;
  readonly method: string;
  readonly path: string;
  /** As faults name it; undefined when there is none of this method and path. */
  readonly operation: string | undefined;
  /** Whether another method would find one. */
  readonly isKnownPath: boolean;
  readonly headers: IncomingHttpHeaders;
  /** The caller's IP address. */
  readonly from: string;
  readonly state: State;
  readonly now: Date;
  /** The Web API key, where one is configured. */
  readonly key: string | undefined;
}

/** Answers an order, with or without having it carried out as the document says; a reply is JSON data, or `Sent`. */
export type Layer = (order: Order, documented: (order: Order) => unknown) => unknown;

export type Layers = Readonly<Record<string, Layer>>;

/** The same layer for several operations. */
export function over(operations: readonly string[], layer: Layer): Layers {
  return Object.fromEntries(operations.map((operation) => [operation, layer]));
}

/** Carries the order out as documented, and says something else of it when it worked. */
export function said(words: (order: Order, reply: Reply) => unknown): Layer {
  return (order, documented) => {
    const reply = documented(order) as Reply;
    return isRefused(reply) ? reply : words(order, reply);
  };
}

/** The areas answer objects with an envelope, but for a few that have layers of their own. */
export type Reply = Readonly<Record<string, unknown>>;

function isRefused(reply: Reply): boolean {
  return reply.Status === false || reply.status === false;
}

/** A refusal as the field has it: HTTP 200, and the reason in `info`. */
export function couldNot(info: string) {
  return { status: false, info };
}

/** The remote-desktop gateway is what asks for the key in every generation. */
export function isGateway(path: string): boolean {
  return path.startsWith('/rdpproxy/');
}
