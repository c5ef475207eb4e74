import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { categoryRoutes } from './areas/categories.ts';
import { rdpRoutes } from './areas/rdp.ts';
import { answerBadly, type Faults, happensUnder, openFaults, sendJson, sendPage } from './faults.ts';
import { nameOf, openRouter, type Route } from './route.ts';
import { companyState, type State } from './state.ts';

export type { Fault, Faults } from './faults.ts';
export type { SimulatedCategory, SimulatedSession, State } from './state.ts';

/** Every operation that is simulated; everything else answers 404. */
const routes: readonly Route[] = [...categoryRoutes, ...rdpRoutes];

export interface SimulatedApplianceSettings {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** The time the sessions are told by. Default: the real one. */
  readonly clock?: () => Date;
  /** The Web API key that the remote-desktop calls must carry (appliance-api.md §5.2). Default: no key asked for. */
  readonly key?: string;
}

/** A request that really arrived. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, as they came over the wire. */
  readonly path: string;
  /** Lower-case names; the key's value is replaced by `[hidden]`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly at: Date;
}

export interface SimulatedAppliance {
  /** Such as `http://127.0.0.1:40123`. */
  readonly url: string;
  readonly state: State;
  readonly faults: Faults;
  /** The last 10,000, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Breaks every connection and listens no more: an appliance that is down. */
  stop(): Promise<void>;
}

/**
 * Starts an appliance that behaves as appliance-api.md says, over real HTTP on 127.0.0.1. It is written after the
 * document and shares nothing with the client in src/, so that both cannot agree on the same mistake.
 */
export async function startSimulatedAppliance({
  port = 0,
  clock = () => new Date(),
  key,
}: SimulatedApplianceSettings = {}): Promise<SimulatedAppliance> {
  const state = companyState(clock());
  const faults = openFaults(routes.map(nameOf));
  const find = openRouter(routes);
  const requests: ReceivedRequest[] = [];
  const stopped = new AbortController();

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const path = request.url ?? '/';
    requests.push({ method: request.method ?? '', path, headers: loggedHeaders(request), at: clock() });
    if (requests.length > 10_000) requests.shift();
    const body = await bodyOf(request);
    const found = find(request.method ?? '', path.split('?')[0] ?? '');
    if (!found) return sendPage(response, 404);
    if (
      key !== undefined &&
      found.route.path.startsWith('/rdpproxy') &&
      request.headers['x-auth-token'] !== key
    ) {
      return sendPage(response, 403);
    }
    const fault = faults.take(nameOf(found.route));
    if (fault?.kind === 'slow') await pause(fault.ms, undefined, { signal: stopped.signal });
    // An order that is not to happen is carried out on a copy: its answer is as good as the real one.
    const order = { state: happensUnder(fault) ? state : structuredClone(state), slots: found.slots, body };
    const reply = found.route.answer(order);
    if (fault) answerBadly(fault, response, reply);
    else sendJson(response, reply);
  }

  const server = createServer((request, response) => {
    // Only a broken connection or the stop can interrupt an answer, and then nobody is there to hear it.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('The simulated appliance has no port.');

  return {
    url: `http://127.0.0.1:${address.port}`,
    state,
    faults,
    requests,
    async stop() {
      stopped.abort();
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function loggedHeaders(request: IncomingMessage): Record<string, string> {
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(
    headers.map(([name, value]) => [name, name === 'x-auth-token' ? '[hidden]' : value]),
  );
}
