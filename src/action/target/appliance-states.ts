import type { RequestReport } from '../../api/index.ts';
import {
  applianceAnswers,
  applianceAway,
  applianceRefuses,
  applianceTakes,
} from '../../telemetry/events/appliances.ts';
import type { Log } from '../../telemetry/log.ts';

/** How each appliance stands, by the requests that are made anyway: nothing is asked for it. */
export interface ApplianceStates {
  readonly heard: (request: RequestReport) => void;
  /** By name: whether it answers and takes what the bot sends. Absent as long as nothing was asked of it. */
  readonly up: () => ReadonlyMap<string, boolean>;
}

/** So many requests without an answer, one after the other, are no slow operation any more. */
const silences = 3;

/** Of these nothing left, or nothing by which the appliance could be judged. */
const saysNothing: ReadonlySet<string> = new Set([
  ...['aborted', 'withheld', 'bad_argument', 'not_available', 'not_configured', 'upload_failed'],
]);

/**
 * The log is told when it changes, and not with every request. An appliance has several addresses, which the area of an operation
 * stands for (`rdp.listSessions`), and keys and networks of its own for some: one of them can be down, or refuse the bot, alone.
 */
export function createApplianceStates(log: Log, now: () => number): ApplianceStates {
  const asked = new Set<string>();
  /** Of an area, `<appliance> <area>`: how many requests got no answer, one after the other. */
  const silent = new Map<string, number>();
  /** What is wrong now, and since when. */
  const away = new Map<string, number>();
  const refusing = new Map<string, number>();

  const since = (began: number) => Math.round((now() - began) / 1_000);

  return {
    heard: ({ appliance, operation, error, status }) => {
      if (error !== undefined && saysNothing.has(error)) return;
      asked.add(appliance);
      const [area = operation] = operation.split('.');
      const key = `${appliance} ${area}`;
      const about = { appliance, operation };
      if (error === 'unreachable' || error === 'timeout' || error === 'connection_lost') {
        const count = (silent.get(key) ?? 0) + 1;
        silent.set(key, count);
        if (away.has(key) || (error !== 'unreachable' && count < silences)) return;
        // What one area has told of the appliance, the others need not.
        if (!isIn(away, appliance)) log.tell(applianceAway, { ...about, error });
        away.set(key, now());
        return;
      }
      silent.delete(key);
      const awaySince = away.get(key);
      away.delete(key);
      if (awaySince !== undefined && !isIn(away, appliance))
        log.tell(applianceAnswers, { ...about, seconds: since(awaySince) });
      const isRefused = status === 401 || status === 403;
      const refusedSince = refusing.get(key);
      if (isRefused && refusedSince === undefined) {
        refusing.set(key, now());
        log.tell(applianceRefuses, { ...about, status });
      } else if (!isRefused && refusedSince !== undefined) {
        refusing.delete(key);
        log.tell(applianceTakes, { ...about, seconds: since(refusedSince) });
      }
    },
    up: () => new Map([...asked].map((name) => [name, !isIn(away, name) && !isIn(refusing, name)] as const)),
  };
}

const isIn = (wrong: ReadonlyMap<string, number>, appliance: string): boolean =>
  [...wrong.keys()].some((key) => key.startsWith(`${appliance} `));
