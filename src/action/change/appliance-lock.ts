import { say, strong, type Text } from '../../handlers/reply.ts';
import type { Journal } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';

/** The key under which one change or one compile at a time is sent to an appliance, by all replicas together. */
export const onAppliance = (name: string): string => `appliance ${name}`;

/** Sends an order when no other one is on its way to the same appliance. Rejects with `ApplianceBusy`. */
export type LockedRun = <Value>(order: () => Promise<Value>) => Promise<Value>;

/** Others were at it for too long, so the order was not sent. */
export class ApplianceBusy extends Error {
  override readonly name = 'ApplianceBusy';
  readonly code = 'busy';
}

/** How long somebody's change waits for another one, in milliseconds. */
const timeout = 60_000;

export function withApplianceLock(
  appliance: string,
  { journal, after }: { readonly journal: Pick<Journal, 'exclusively'>; readonly after: After },
  progress: (words: Text) => void,
): LockedRun {
  return async (order) => {
    let isWaiting = true;
    const saySo = async () => {
      if (isWaiting) progress(say`Another change is under way on ${strong(appliance)}. This one comes next.`);
    };
    const sent = journal.exclusively(onAppliance(appliance), timeout, () => {
      isWaiting = false;
      return order();
    });
    const done = await saidWhenSlow(after, saySo, sent).catch((error: unknown) => {
      if (!(isWaiting && error instanceof JournalUnavailable)) throw error;
      throw new ApplianceBusy(
        'My journal’s database has just stopped answering, so I did not send this. Try again in a minute.',
      );
    });
    if (done !== undefined) return done.value;
    throw new ApplianceBusy(
      `Another change has been under way on ${appliance} for more than a minute, so I did not send this one. Try again when it is over.`,
    );
  };
}
