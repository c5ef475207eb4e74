import { setTimeout as pause } from 'node:timers/promises';
import { splitAddress } from './address.ts';
import { answerBadly, answerEarly, send } from './answer.ts';
import { type Body, isUpload, readBody, TooLarge } from './body.ts';
import { selfSigned } from './certificate.ts';
import { openControl } from './control.ts';
import { carryOut, openFaults } from './faults.ts';
import { type Generation, isGateway } from './generations/generation.ts';
import { generations } from './generations/index.ts';
import { kinds } from './kinds.ts';
import { type Answer, type Listening, listen } from './listen.ts';
import { pendingIn } from './pending.ts';
import type { OperationName, Service } from './protocol.ts';
import { received } from './received.ts';
import { openRequestLog } from './requests.ts';
import { Fatal, nameOf, type Order, type Route } from './route.ts';
import { asPage, Sent } from './sent.ts';
import { areasByName, openRouters, operations } from './services.ts';
import { type SimulatedApplianceSettings, switchesAmong } from './settings.ts';
import type { SimulatedAppliance } from './simulated-appliance.ts';
import { companyState, isMade, type State } from './state.ts';
import { type Switches, switchesIn, turn } from './switches.ts';

export type { Fault, Pending, ReceivedRequest } from './protocol.ts';
export type { SimulatedApplianceSettings } from './settings.ts';
export type { SimulatedAppliance } from './simulated-appliance.ts';

/**
 * Starts an appliance that behaves as documented, or as those in the field do, over real HTTP on 127.0.0.1.
 * @throws RangeError for an unknown setting, switch or value
 * @throws Error of Node, with its `code` (`EADDRINUSE`) and `port`, where a port is taken
 */
export async function startSimulatedAppliance(
  settings: SimulatedApplianceSettings = {},
): Promise<SimulatedAppliance> {
  const switchesAtStart = switchesAmong(settings);
  const { port = 0, ports = {}, clock = () => new Date(), key, https } = settings;
  const certified = https === true ? selfSigned() : https;
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const state: State = companyState(clock(), () => passTime(clock()));
  /** Orders that a fault has put off. */
  const later = new Map<() => void, Date>();
  /** Continues or ends the work in the background. */
  const passTime = (now: Date) => {
    for (const [act, due] of later) {
      if (due > now) continue;
      later.delete(act);
      act();
    }
    for (const [name, area] of areasByName) if (isMade(state, name)) area.passTime?.(state, now);
  };
  turn(state, switchesAtStart, clock());
  const names = operations.map(({ name }) => name);
  const faults = openFaults(names, changed, () => ({ state: structuredClone(state), at: clock() }));
  const log = openRequestLog(clock, changed);
  const closed = new AbortController();

  function answerAt(service: Service): Answer {
    return async (request, response) => {
      const { path, query } = splitAddress(request.url);
      const { method = '', headers } = request;
      const from = request.socket.remoteAddress ?? '';
      const { generation: name } = state.ways;
      const generation = generations[name];
      const found = routers[name][service](method, path);
      const operation = found && nameOf(found.route);
      const entry = log.note(service, request, response, operation);
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
      const met = operation && !turnedAway ? faults.take(operation) : undefined;
      const fault = met?.fault;
      if (fault) entry.fault = fault.kind;
      try {
        if (fault && isUpload(request) && answerEarly(fault, request, response)) return;
        const body = await readBody(request);
        log.keep(entry, body.text);
        if (turnedAway) return send(response, turnedAway);
        if (!found) return send(response, generation.nowhere(asked, body.form));
        if (fault?.kind === 'slow') {
          await pause(fault.ms ?? kinds.slow.options.ms.default, undefined, { signal: closed.signal });
        }
        const now = clock();
        passTime(now);
        const { route, slots } = found;
        const sent = carryOut(
          met,
          { state, now, slots, query, from, ...body },
          (order) => answerTo(route, order, generation),
          (ms, act) => {
            const due = new Date(now.getTime() + ms);
            later.set(() => act(due), due);
          },
        );
        if (fault) answerBadly(fault, response, sent, { path, query });
        else send(response, sent);
      } catch (error) {
        if (closed.signal.aborted || request.errored) throw error;
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
    async received(operation: OperationName, times?: number, milliseconds?: number) {
      faults.mustKnow(operation);
      return received(parts, operation, times, milliseconds);
    },
    switches: () => switchesIn(state),
    pending() {
      passTime(clock());
      return pendingIn(state);
    },
    turn(wanted: Partial<Switches>) {
      turn(state, wanted, clock());
      changed();
    },
    reset() {
      Object.assign(state, companyState(clock()));
      turn(state, switchesAtStart, clock());
      log.clear();
      later.clear();
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
  const close = async () => {
    closed.abort();
    await Promise.all(open.map(({ close }) => close()));
  };
  const at = async (service: Service): Promise<string> => {
    const listening = await listen(
      service === 'main' ? port : (ports[service] ?? 0),
      answers[service],
      certified,
    );
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
      certificate: certified?.cert,
      close,
      [Symbol.asyncDispose]: close,
      get state() {
        passTime(clock());
        return state;
      },
    };
  } catch (error) {
    await close();
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
