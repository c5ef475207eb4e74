import type { Appliance } from '../../api/index.ts';
import type { Watchable } from '../../handlers/watch/watchable.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { After } from '../base/timeout.ts';
import type { Parts } from '../ground/ground.ts';

/** What was read so short a time ago serves others who watch the same. */
const sharedFor = 5_000;

/** Reads once what several watch at the same moment. */
export function createReadings({ contexts, now }: Pick<Parts, 'contexts' | 'now'>) {
  const readings = new Map<
    string,
    Map<Watchable['read'], { readonly at: number; readonly reading: Promise<unknown>; isUnderWay: boolean }>
  >();

  return (watchable: Watchable, appliance: Appliance): Promise<unknown> => {
    const here = readings.get(appliance.name) ?? new Map();
    readings.set(appliance.name, here);
    const latest = here.get(watchable.read);
    if (latest !== undefined && (latest.isUnderWay || now() - latest.at < sharedFor)) return latest.reading;
    const nobody = { id: 'watch', person: '', channel: '' };
    const reading = watchable.read(contexts.asking(nobody, { appliance, args: {} as never }));
    const entry = { at: now(), reading, isUnderWay: true };
    // Whoever waits for it hears of a failure.
    reading
      .catch(() => undefined)
      .finally(() => {
        entry.isUnderWay = false;
      });
    here.set(watchable.read, entry);
    return reading;
  };
}

/** So many appliances are looked at at a time, and as many of those that did not answer in time when they were last. */
const atATime = 20;
/** So long one of them keeps its place, in milliseconds; whoever waits for it does so elsewhere. */
const inTime = 5_000;

/** Looks at appliances a few at a time. One that hangs holds up neither the others nor what is told of them. */
export interface Places {
  /** `prompt` resolves to whether it was over in time, and at the latest when it was not. */
  readonly look: (
    appliance: string,
    task: () => Promise<void>,
  ) => { readonly prompt: Promise<boolean>; readonly whole: Promise<void> };
}

export function createPlaces(after: After): Places {
  const places = { prompt: createSemaphore(atATime), slow: createSemaphore(atATime) };
  const slow = new Set<string>();

  return {
    look: (appliance, task) => {
      const isSlow = slow.has(appliance);
      const { promise: prompt, resolve } = Promise.withResolvers<boolean>();
      // Nobody waits for those that were late before.
      if (isSlow) resolve(false);
      return { prompt, whole: inPlace() };

      async function inPlace(): Promise<void> {
        const leave = await places[isSlow ? 'slow' : 'prompt']();
        let isLate = false;
        const callOff = after(inTime, () => {
          isLate = true;
          slow.add(appliance);
          leave();
          resolve(false);
        });
        try {
          await task();
        } finally {
          callOff();
          if (!isLate) {
            slow.delete(appliance);
            leave();
            resolve(true);
          }
        }
      }
    },
  };
}
