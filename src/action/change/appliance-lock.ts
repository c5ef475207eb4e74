import { withinFence } from '../../fence.ts';
import { say, strong, type Text } from '../../handlers/reply.ts';
import { type Action, Evicted, type Journal } from '../../journal/journal.ts';
import { JournalUnavailable, journalTroubles } from '../../journal/unavailable.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';

/** The key under which one change or one compile at a time is sent to an appliance, by all replicas together. */
export const onAppliance = (name: string): string => `appliance ${name}`;

/** Sends an order when no other one is on its way to the same appliance. Rejects with `ApplianceBusy`. */
export type LockedRun = <Value>(order: () => Promise<Value>) => Promise<Value>;

/** Others were at it for too long, have taken it over or have changed what it hits, so the order was not sent. */
export class ApplianceBusy extends Error {
  override readonly name = 'ApplianceBusy';
  readonly code: 'busy' | 'evicted' | 'changed';

  constructor(message: string, code: ApplianceBusy['code'] = 'busy') {
    super(message);
    this.code = code;
  }
}

/** What cannot be written down is not sent. */
export function unsent({ trouble }: JournalUnavailable): ApplianceBusy {
  const { is, until } = journalTroubles[trouble];
  return new ApplianceBusy(`This was not sent: ${is}. ${until}`);
}

/** How long somebody's change waits for another one, in milliseconds. */
const timeout = 60_000;

/** `running`: the action that it is for. */
export function withApplianceLock(
  appliance: string,
  running: Pick<Action, 'id'>,
  { journal, after }: { readonly journal: Pick<Journal, 'exclusively' | 'fence'>; readonly after: After },
  progress: (words: Text) => void,
  /** Looks while nothing else is on its way there: why it is not what was agreed to any more. */
  barNow?: () => Promise<string | undefined>,
): LockedRun {
  return async (order) => {
    let hasTurn = false;
    let isWaiting = true;
    const saySo = async () => {
      if (!hasTurn) progress(say`Another change is under way on ${strong(appliance)}. This one comes next.`);
    };
    const sent = journal.exclusively(onAppliance(appliance), timeout, async () => {
      hasTurn = true;
      const bar = await barNow?.();
      if (bar !== undefined) throw new ApplianceBusy(bar, 'changed');
      const fence = await journal.fence(running.id);
      isWaiting = false;
      return withinFence(fence, order);
    });
    const done = await saidWhenSlow(after, saySo, sent).catch((error: unknown) => {
      if (isWaiting && error instanceof Evicted) {
        throw new ApplianceBusy(
          'Another replica of the bot took this over, because this one did not respond for a while, so it was not sent.',
          'evicted',
        );
      }
      if (!(isWaiting && error instanceof JournalUnavailable)) throw error;
      throw unsent(error);
    });
    if (done !== undefined) return done.value;
    throw new ApplianceBusy(
      `Another change has been under way on ${appliance} for more than a minute, so this one was not sent. Try again when it has finished.`,
    );
  };
}
