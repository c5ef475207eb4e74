import { setTimeout as pause } from 'node:timers/promises';
import { splitAddress } from './address.ts';
import { answerBadly, answerEarly, send } from './answer.ts';
import { type Body, isUpload, readBody, TooLarge } from './body.ts';
import { openControl } from './control.ts';
import { type Faults, openFaults, stateUnder } from './faults.ts';
import { type Generation, isGateway } from './generations/generation.ts';
import { generations } from './generations/index.ts';
import type { GenerationName } from './generations/names.ts';
import { kinds } from './kinds.ts';
import { type Answer, type Listening, listen } from './listen.ts';
import { pendingIn } from './pending.ts';
import type { Operation, Pending, ReceivedRequest, Service, Switch } from './protocol.ts';
import { openRequestLog } from './requests.ts';
import { Fatal, nameOf, type Order, type Route } from './route.ts';
import { asPage, Sent } from './sent.ts';
import { areasByName, openRouters, operations } from './services.ts';
import { companyState, isMade, type State } from './state.ts';
import { switchesIn, turn } from './switches.ts';

export type { Fault, Pending, ReceivedRequest } from './protocol.ts';

export interface SimulatedApplianceSettings {
  /** The port of the main address. 0, the default, takes a free one. */
  readonly port?: number;
  /** The ports of the other addresses; free ones by default. */
  readonly ports?: Readonly<Partial<Record<Service, number>>>;
  /** The time the appliance goes by. Default: the real one. */
  readonly clock?: () => Date;
  /** The Web API key that the remote-desktop calls must carry (appliance-api.md §5.2), and in `field-strict` all. Default: no key asked for. */
  readonly key?: string;
  /**
   * How it answers: as documented, which is the default, or as appliances in the field do. The switch `generation`
   * changes it while it runs.
   */
  readonly generation?: GenerationName;
}

export interface SimulatedAppliance {
  /** Such as `http://127.0.0.1:40123`; everything is answered here. */
  readonly url: string;
  /** One address for each service; each answers only what is its own. */
  readonly urls: Readonly<Record<Service, string>>;
  /** What is true now, whatever the answers said. Whoever keeps it has to read it here again for what time has done. */
  readonly state: State;
  readonly faults: Faults;
  /** Every operation, as faults name it. */
  readonly operations: readonly string[];
  /** The same, with what there is to know about each. */
  readonly catalogue: readonly Operation[];
  /** The last 10,000, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** The ways of the whole appliance, such as the shape of its category list, as they stand. */
  switches(): readonly Switch[];
  /** Turns switches, all or none: `{ categoryList: 'B' }`. @throws NotUnderstood for a name or value that there is not */
  turn(wanted: Readonly<Record<string, unknown>>): void;
  /** What is configured and not in force yet, sort by sort; where nothing is, with count 0. */
  pending(): readonly Pending[];
  /** As when it was started: the company's state, no faults, no requests. */
  reset(): void;
  /** Tells when a request arrived or ended, and when something was set, cleared, turned or reset. */
  onChange(listener: () => void): () => void;
  /** Breaks every connection and listens no more: an appliance that is down. */
  stop(): Promise<void>;
}

/**
 * Starts an appliance that behaves as appliance-api.md says, or as those in the field do, over real HTTP on 127.0.0.1. It is written after the
 * document and shares nothing with the client in src/, so that both cannot agree on the same mistake. Rejects when
 * a port is taken.
 */
export async function startSimulatedAppliance({
  port = 0,
  ports = {},
  clock = () => new Date(),
  key,
  generation = 'document',
}: SimulatedApplianceSettings = {}): Promise<SimulatedAppliance> {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const state = companyState(clock(), generation, () => passTime(clock()));
  const names = operations.map(({ name }) => name);
  const faults = openFaults(names, changed);
  const log = openRequestLog(clock, changed);
  const stopped = new AbortController();

  /** Whatever runs in the background goes on or ends. */
  const passTime = (now: Date) => {
    for (const [name, area] of areasByName) if (isMade(state, name)) area.passTime?.(state, now);
  };

  function answerAt(service: Service): Answer {
    return async (request, response) => {
      const entry = log.note(service, request, response);
      const { path, query } = splitAddress(request.url);
      const { method = '', headers } = request;
      const from = request.socket.remoteAddress ?? '';
      const { generation: name } = state.ways;
      const generation = generations[name];
      const found = routers[name][service](method, path);
      const operation = found && nameOf(found.route);
      if (operation !== undefined) entry.operation = operation;
      const isKnownPath = found !== undefined || routersOfAnyMethod[service](method, path) !== undefined;
      const asked = {
        service,
        method,
        path,
        operation,
        isKnownPath,
        headers,
        from,
        state,
        now: clock(),
        key,
      };
      const turnedAway = generation.gate(asked);
      const fault = operation && !turnedAway ? faults.take(operation) : undefined;
      if (fault) entry.fault = fault.kind;
      try {
        if (fault && isUpload(request) && answerEarly(fault, request, response)) return;
        const body = await readBody(request);
        if (turnedAway) return send(response, turnedAway);
        if (!found) return send(response, generation.nowhere(asked, body.form));
        if (fault?.kind === 'slow') {
          await pause(fault.ms ?? kinds.slow.options.ms.default, undefined, { signal: stopped.signal });
        }
        const now = clock();
        passTime(now);
        const order = { state: stateUnder(fault, state), now, slots: found.slots, query, from, ...body };
        const sent = answerTo(found.route, order, generation);
        if (fault) answerBadly(fault, response, sent);
        else send(response, sent);
      } catch (error) {
        if (stopped.signal.aborted || request.errored) throw error;
        if (error instanceof Fatal) send(response, asPage(error.status));
        else if (error instanceof TooLarge) send(response, asPage(413, error.message));
        else send(response, asPage(500, `The simulator itself failed: ${error}`));
      } finally {
        entry.isDone = true;
      }
    };
  }

  const parts = {
    state,
    faults,
    operations: names,
    catalogue: operations,
    requests: log.requests,
    switches: () => switchesIn(state),
    pending() {
      passTime(clock());
      return pendingIn(state);
    },
    turn(wanted: Readonly<Record<string, unknown>>) {
      turn(state, wanted, clock());
      changed();
    },
    reset() {
      Object.assign(state, companyState(clock(), generation));
      log.clear();
      faults.clear();
    },
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const control = openControl(parts);
  const answerMain = answerAt('main');
  const answers: Readonly<Record<Service, Answer>> = {
    main: async (request, response) => {
      if (!(await control(request, response))) await answerMain(request, response);
    },
    web: answerAt('web'),
    directory: answerAt('directory'),
    mirror: answerAt('mirror'),
    mirrorConsole: answerAt('mirrorConsole'),
  };
  const open: Listening[] = [];
  const stop = async () => {
    stopped.abort();
    await Promise.all(open.map(({ close }) => close()));
  };
  const at = async (service: Service): Promise<string> => {
    const listening = await listen(service === 'main' ? port : (ports[service] ?? 0), answers[service]);
    open.push(listening);
    return listening.url;
  };
  try {
    const urls = {
      main: await at('main'),
      web: await at('web'),
      directory: await at('directory'),
      mirror: await at('mirror'),
      mirrorConsole: await at('mirrorConsole'),
    };
    return {
      ...parts,
      url: urls.main,
      urls,
      stop,
      get state() {
        passTime(clock());
        return state;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const routers = {
  document: openRouters(generations.document.methodOf),
  'field-v1': openRouters(generations['field-v1'].methodOf),
  'field-strict': openRouters(generations['field-strict'].methodOf),
};

const routersOfAnyMethod = openRouters(() => '-');

/** Has an order carried out, and its answer worded as those of the generation are. */
function answerTo(route: Route, order: Order & Body, { layers, send }: Generation): Sent {
  const operation = nameOf(route);
  const layer = Object.hasOwn(layers, operation) ? layers[operation] : undefined;
  const reply = isUnreadable(route, order)
    ? { Status: false, Error: 'the body must be a JSON object' }
    : layer === undefined
      ? route.answer(order)
      : layer(order, route.answer);
  return reply instanceof Sent ? reply : send(reply, operation);
}

/** Whatever the gateway takes is a JSON object (appliance-api.md §4.6). */
function isUnreadable({ method, path }: Route, { isNotJson }: Body): boolean {
  return isNotJson && isGateway(path) && (method === 'POST' || method === 'PUT');
}
