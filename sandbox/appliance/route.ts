import type { State } from './state.ts';

/** One part of the simulated appliance, such as its FTP server: its operations, and its own events. */
export interface Area {
  readonly routes: readonly Route[];
  /** Brings the state up to `now`: continues or ends the work in the background. Called before every answer. */
  readonly passTime?: (state: State, now: Date) => void;
}

/** One operation of the simulated appliance, as appliance-api.md describes it. */
export interface Route {
  /** '-' where the document shows none: the simulated appliance then takes any. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | '-';
  /** With slots in braces: `/rdpproxy/sessions/{id}/disconnect`. */
  readonly path: string;
  /**
   * Carries the order out on the state and says what the appliance answers, as JSON. Reads and writes nothing but the
   * order's state, so that an order can be carried out on a copy.
   * @throws Fatal for an error that the appliance answers with HTTP 404 or 500 (appliance-api.md §7.1)
   */
  readonly answer: (order: Order) => unknown;
}

export interface Order {
  readonly state: State;
  readonly now: Date;
  /** The decoded path slots; a slot the path does not have is ''. */
  readonly slots: Slots;
  readonly query: URLSearchParams;
  /** The fields of a url-encoded body; none when it is something else. */
  readonly form: URLSearchParams;
  /** The object of a JSON body; `{}` when it is something else. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The file of a multipart body. */
  readonly upload: Upload | undefined;
  /** The IP address of the sender. */
  readonly from: string;
}

export interface Slots {
  get(name: string): string;
}

/** A file that was sent to the appliance; only the first megabyte is kept. */
export interface Upload {
  /** The name of the form field it came in. */
  readonly field: string;
  readonly filename: string;
  /** Its content type, as the sender calls it. */
  readonly type: string;
  /** Bytes in all. */
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** At most the first megabyte. */
  readonly start: Buffer;
}

/** An error that the appliance answers with an HTTP status instead of an envelope. */
export class Fatal extends Error {
  readonly status: number;

  constructor(status: 404 | 500) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** How faults name an operation: `POST /rdpproxy/sessions/{id}/disconnect`. */
export function nameOf(route: Route): string {
  return `${route.method} ${route.path}`;
}

/**
 * Finds the route of a request. The one with the fewest slots wins: `/a/list` before `/a/{id}`.
 * @param methodOf by which method a route is asked for, `-` for any
 */
export function openRouter(routes: readonly Route[], methodOf: (route: Route) => Route['method']) {
  const compiled = routes
    .map((route) => ({ route, wanted: methodOf(route), ...compile(route.path) }))
    .toSorted((a, b) => a.names.length - b.names.length);

  return (method: string, path: string): { route: Route; slots: Slots } | undefined => {
    for (const { route, wanted, names, pattern } of compiled) {
      const match = wanted === method || wanted === '-' ? pattern.exec(path) : null;
      const values = match?.slice(1).map(decode);
      if (values === undefined || values.includes(undefined)) continue;
      const slots = new Map(names.map((name, index) => [name, values[index] ?? '']));
      return { route, slots: { get: (name) => slots.get(name) ?? '' } };
    }
    return undefined;
  };
}

function compile(path: string) {
  const names: string[] = [];
  const source = path.replaceAll(/\{(\w+)\}|[^\w/]/g, (piece, name: string | undefined) => {
    if (name === undefined) return `\\${piece}`;
    names.push(name);
    return '([^/]+?)';
  });
  return { names, pattern: new RegExp(`^${source}$`) };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
