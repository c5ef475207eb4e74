import {
  type Appliance,
  connectAppliance,
  type OperationName,
  operations,
  type RequestReport,
} from '../../api/index.ts';
import { createSemaphore } from '../../semaphore.ts';
import {
  applianceAnswers,
  applianceAway,
  applianceRefuses,
  applianceRequest,
  applianceTakes,
} from '../../telemetry/events/appliances.ts';
import type { Log } from '../../telemetry/log.ts';
import { currentActions, recorded, replied } from '../base/request-log.ts';

type ConfiguredOne = Omit<Parameters<typeof connectAppliance>[0], 'takePlace' | 'onRequest' | 'onReply'>;

interface Connected {
  /** By name. */
  readonly appliances: Map<string, Appliance>;
  /** How they stand now. */
  readonly up: ApplianceStates['up'];
}

/**
 * The configured appliances. So many requests are under way to all of them together; as many as come where that is undefined.
 * `elapsed`: monotonic milliseconds.
 */
export function connectAppliances(
  configured: readonly ConfiguredOne[],
  most: number | undefined,
  log: Log,
  now: () => number,
  elapsed: (() => number) | undefined,
): Connected {
  const states = createApplianceStates(log, now);
  const onRequest = (request: RequestReport) => {
    recorded(request);
    states.heard(request);
    log.tell(applianceRequest, { ...request, actions: currentActions() });
  };
  const takePlace = most === undefined ? undefined : createSemaphore(most).acquire;
  const connect = (settings: ConfiguredOne) =>
    connectAppliance({ ...settings, now: elapsed, takePlace, onRequest, onReply: replied });
  return {
    appliances: new Map(configured.map((settings) => [settings.name, connect(settings)])),
    up: states.up,
  };
}

/** How each appliance stands, by the requests that are made anyway: nothing is asked for it. */
interface ApplianceStates {
  readonly heard: (request: RequestReport) => void;
  /** By name and area: whether it answers and takes what the bot sends. Absent as long as nothing was asked there. */
  readonly up: () => ReadonlyMap<string, ReadonlyMap<string, boolean>>;
}

/** So many requests without an answer, one after the other, are no slow operation any more. */
const silences = 3;

/** No answer, or none that can be read. */
const isSilence: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'connection_lost', 'unreadable']);

/** Of these nothing left, or nothing by which the appliance could be judged. */
const saysNothing: ReadonlySet<string> = new Set([
  ...['aborted', 'withheld', 'bad_argument', 'not_available', 'not_configured', 'upload_failed'],
]);

/** Whatever it is asked, it refuses it to the bot; many an appliance says so with HTTP 200. Why it serves a call to nobody is not among them. */
const ofTheBot: ReadonlySet<NonNullable<RequestReport['obstacle']>> = new Set([
  ...(['address', 'mirror_address', 'access_check', 'license', 'in_between'] as const),
  ...(['key_missing', 'key_not_sent', 'key_refused', 'login', 'login_refused', 'login_page'] as const),
]);

/** An area (`rdp.listSessions`) of one appliance: some have keys and networks of their own, and one can be down, or refuse the bot, alone. */
interface AreaState {
  /** How many requests got no answer, one after the other. */
  silent: number;
  /** Since when it does not answer, and whether it cannot even be reached. */
  away?: { readonly since: number; readonly isUnreachable: boolean } | undefined;
  /** Since when it refuses the bot. */
  refusing?: number | undefined;
}

/** The log is told when it changes, and not with every request. */
function createApplianceStates(log: Log, now: () => number): ApplianceStates {
  const appliances = new Map<string, Map<string, AreaState>>();

  function areasOf(appliance: string): Map<string, AreaState> {
    const areas = appliances.get(appliance) ?? new Map<string, AreaState>();
    appliances.set(appliance, areas);
    return areas;
  }

  const since = (began: number) => Math.round((now() - began) / 1_000);

  return {
    heard: ({ appliance, operation, error, reason, status, obstacle }) => {
      if (error !== undefined && saysNothing.has(error)) return;
      const areas = areasOf(appliance);
      const name = areaOf(operation);
      const area: AreaState = areas.get(name) ?? { silent: 0 };
      areas.set(name, area);
      const about = { appliance, operation };
      if (error !== undefined && isSilence.has(error)) {
        area.silent += 1;
        const isUnreachable = error === 'unreachable';
        if (area.away !== undefined || (!isUnreachable && area.silent < silences)) return;
        // What one area has told of the appliance, the others need not.
        if (!isAway(areas)) log.tell(applianceAway, { ...about, error, reason, obstacle });
        area.away = { since: now(), isUnreachable };
        return;
      }
      area.silent = 0;
      const before = earliest(areas);
      area.away = undefined;
      // Where one call gets through, the others at the same address can.
      for (const [other, state] of areas)
        if (state.away?.isUnreachable && serviceOf(other) === serviceOf(name)) state.away = undefined;
      if (before !== undefined && !isAway(areas))
        log.tell(applianceAnswers, { ...about, seconds: since(before) });
      const isRefused =
        status === 401 || status === 403 || (obstacle !== undefined && ofTheBot.has(obstacle));
      if (isRefused && area.refusing === undefined) {
        area.refusing = now();
        log.tell(applianceRefuses, { ...about, status, obstacle });
      } else if (!isRefused && area.refusing !== undefined) {
        const seconds = since(area.refusing);
        area.refusing = undefined;
        log.tell(applianceTakes, { ...about, seconds });
      }
    },
    up: () =>
      new Map(
        [...appliances].map(([appliance, areas]) => [
          appliance,
          new Map(
            [...areas].map(([area, { away, refusing }]) => [
              area,
              away === undefined && refusing === undefined,
            ]),
          ),
        ]),
      ),
  };
}

const areaOf = (operation: string): string => operation.split('.', 1)[0] ?? operation;

const services: ReadonlyMap<string, string> = new Map(
  [...operations].map(([name, { service }]: [OperationName, { readonly service: string }]) => [
    areaOf(name),
    service,
  ]),
);
/** Which of an appliance's addresses an area is asked at. */
const serviceOf = (area: string): string => services.get(area) ?? area;

const isAway = (areas: ReadonlyMap<string, AreaState>): boolean =>
  [...areas.values()].some(({ away }) => away !== undefined);

/** Since when one of them does not answer. */
function earliest(areas: ReadonlyMap<string, AreaState>): number | undefined {
  const all = [...areas.values()].flatMap(({ away }) => away?.since ?? []);
  return all.length === 0 ? undefined : Math.min(...all);
}
