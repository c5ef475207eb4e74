import type { State } from './state.ts';

/** One operation of the simulated appliance, as appliance-api.md describes it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With slots in braces: `/rdpproxy/sessions/{id}/disconnect`. */
  readonly path: string;
  /** Carries the order out on the state and says what the appliance answers, as JSON. */
  readonly answer: (order: Order) => unknown;
}

export interface Order {
  readonly state: State;
  /** The decoded path slots; a slot the path does not have is ''. */
  readonly slots: Slots;
  /** The request body as it came. */
  readonly body: Buffer;
}

export interface Slots {
  get(name: string): string;
}

/** How faults name an operation: `POST /rdpproxy/sessions/{id}/disconnect`. */
export function nameOf(route: Route): string {
  return `${route.method} ${route.path}`;
}

/** Finds the route of a request. Where several fit, the one with the fewest slots is meant: `/a/list` before `/a/{id}`. */
export function openRouter(routes: readonly Route[]) {
  const compiled = routes
    .map((route) => ({ route, ...compile(route.path) }))
    .toSorted((a, b) => a.names.length - b.names.length);

  return (method: string, path: string): { route: Route; slots: Slots } | undefined => {
    for (const { route, names, pattern } of compiled) {
      const match = route.method === method ? pattern.exec(path) : null;
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
