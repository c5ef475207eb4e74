import type { IncomingMessage, ServerResponse } from 'node:http';
import { splitAddress } from './address.ts';
import { objectIn, readText, TooLarge } from './body.ts';
import { kinds } from './kinds.ts';
import { NotUnderstood, readFault } from './read-fault.ts';
import type { SimulatedAppliance } from './simulated-appliance.ts';

/** The parts of a simulated appliance that can be steered. */
export interface Steered
  extends Pick<SimulatedAppliance, 'catalogue' | 'faults' | 'requests' | 'switches' | 'pending' | 'reset'> {
  /** @throws NotUnderstood */
  turn(wanted: Readonly<Record<string, unknown>>): void;
}

interface Asked {
  readonly query: URLSearchParams;
  readonly body: string;
  /** Such as `http://127.0.0.1:9503`: how the asker calls us. */
  readonly origin: string;
}

/** Its result is sent as JSON. @throws NotUnderstood */
type Handler = (appliance: Steered, asked: Asked) => unknown;

/** Paths under `/_simulator`, by method. */
const handlers: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  '': { GET: guide },
  '/operations': { GET: ({ catalogue }) => ({ operations: catalogue }) },
  '/faults': {
    GET: activeFaults,
    PUT(appliance, { body }) {
      const { operation, ...fault } = givenIn(body);
      if (typeof operation !== 'string')
        throw new NotUnderstood(
          'A fault names its operation, such as {"operation":"GET /categories/list","kind":"slow"}.',
        );
      appliance.faults.set(operation, readFault(fault));
      return activeFaults(appliance);
    },
    DELETE(appliance, { query }) {
      for (const name of query.keys())
        if (name !== 'operation') throw new NotUnderstood(`There is no ${name} here; there is operation.`);
      appliance.faults.clear(query.get('operation') ?? undefined);
      return activeFaults(appliance);
    },
  },
  '/switches': {
    GET: (appliance) => ({ switches: appliance.switches() }),
    PUT(appliance, { body }) {
      appliance.turn(givenIn(body));
      return { switches: appliance.switches() };
    },
  },
  '/pending': { GET: (appliance) => ({ pending: appliance.pending() }) },
  '/requests': {
    GET({ requests }, { query }) {
      const limit = Number(query.get('limit') ?? 100);
      if (!Number.isInteger(limit) || limit < 1) throw new NotUnderstood('limit is a whole number from 1.');
      return { requests: requests.slice(-limit).reverse() };
    },
  },
  '/reset': {
    POST(appliance) {
      appliance.reset();
      return { reset: true };
    },
  },
};

const prefix = '/_simulator';
const guards = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

/**
 * The control of a simulated appliance over HTTP in JSON, for clients in other languages. `/_simulator` explains it;
 * below are `/operations`, `/faults`, `/switches`, `/pending` (configured and not in force), `/requests` (newest first,
 * `?limit=`) and `/reset`. The sandbox has the page for it. Resolves false for any other path, which belongs to the
 * appliance itself. The log of requests leaves these out.
 */
export function openControl(appliance: Steered) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const { path: pathname, query } = splitAddress(request.url);
    if (pathname !== prefix && !pathname.startsWith(`${prefix}/`)) return false;
    const send = (status: number, reply: unknown, headers: Readonly<Record<string, string>> = {}) => {
      response.writeHead(status, { ...guards, ...headers }).end(`${JSON.stringify(reply, null, 2)}\n`);
      return true;
    };
    const refused = strangerIn(request);
    if (refused !== undefined) return send(403, { error: refused });
    const path = pathname.slice(prefix.length).replace(/\/$/, '');
    const methods = Object.hasOwn(handlers, path) ? handlers[path] : undefined;
    if (methods === undefined) {
      const all = Object.keys(handlers).map((known) => prefix + known);
      return send(404, { error: `There is nothing here; there are ${all.join(', ')}.` });
    }
    const { method = '' } = request;
    const handler = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (handler === undefined) {
      const allow = Object.keys(methods).join(', ');
      return send(405, { error: `Only ${allow}.` }, { allow });
    }
    try {
      const body = await readText(request, 65_536);
      const origin = `${schemeOf(request)}://${request.headers.host}`;
      return send(200, handler(appliance, { query, body, origin }));
    } catch (error) {
      if (error instanceof TooLarge) return send(400, { error: 'That is more than 64 kB.' });
      if (error instanceof NotUnderstood) return send(400, { error: error.message });
      throw error;
    }
  };
}

function guide(_: Steered, { origin }: Asked) {
  const url = origin + prefix;
  return {
    try: [
      `curl -X PUT ${url}/faults -d '{"operation":"GET /categories/list","kind":"slow","ms":5000}'`,
      `curl -X DELETE ${url}/faults`,
      `curl -X PUT ${url}/switches -d '{"categoryList":"B"}'`,
      `curl -X POST ${url}/reset`,
    ],
    paths: Object.entries(handlers).map(
      ([path, methods]) => `${Object.keys(methods).join(', ')} ${prefix}${path}`,
    ),
    everyKindTakes: {
      times: 'for how many requests; without it for all',
      happens: 'whether the order is carried out',
    },
    kinds,
  };
}

function activeFaults({ faults }: Steered) {
  return { faults: faults.active() };
}

/**
 * Why a request may not steer: a page on the Internet must not, in any browser. A DNS rebinding page sends its own name
 * as Host; a cross-site request has another Origin.
 */
function strangerIn(request: IncomingMessage): string | undefined {
  const { headers, method, socket } = request;
  const own = [`127.0.0.1:${socket.localPort}`, `localhost:${socket.localPort}`];
  if (!own.includes(headers.host ?? '')) return 'This address is for 127.0.0.1 and localhost only.';
  if (method === 'GET') return undefined;
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = origin === undefined || own.some((host) => origin === `${schemeOf(request)}://${host}`);
  return isOwn && ['none', 'same-origin'].includes(String(site))
    ? undefined
    : 'Another origin may not steer.';
}

const schemeOf = ({ socket }: IncomingMessage): string => ('encrypted' in socket ? 'https' : 'http');

function givenIn(body: string): Readonly<Record<string, unknown>> {
  const given = objectIn(body);
  if (given === undefined) throw new NotUnderstood('The body must be a JSON object.');
  return given;
}
