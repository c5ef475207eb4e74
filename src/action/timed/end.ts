import { type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { type Fence, withinFence } from '../../fence.ts';
import type { AnyChange, Timed } from '../../handlers/command.ts';
import { type Offer, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import type { Lasting, Verification } from '../../handlers/results.ts';
import { type Action, type Ended, Evicted, type TimedChangeRow } from '../../journal/journal.ts';
import { onAppliance } from '../change/appliance-lock.ts';
import { type Execution, execute } from '../change/execute.ts';
import type { Parts } from '../ground/ground.ts';
import { applianceFailure } from '../wording/appliance-failure.ts';

/** What came of one try to end something. */
type EndAttempt =
  | { readonly kind: 'over'; readonly ended: Omit<Ended, 'at'> }
  | { readonly kind: 'not_over'; readonly problem: Text; readonly offers: readonly Offer[] }
  /** Somebody else has ended it meanwhile. */
  | { readonly kind: 'gone' };

/** Looks, and where it is not seen to be over, orders its end and looks again. */
export type TryToEnd = (
  timedChange: TimedChangeRow,
  action: Action,
  command: AnyChange | undefined,
) => Promise<EndAttempt>;

export function createTryToEnd({
  appliances,
  commandByPhrase,
  journal,
  contexts,
  sleep,
}: Pick<Parts, 'appliances' | 'commandByPhrase' | 'journal' | 'contexts' | 'sleep'>): TryToEnd {
  const soon = async <Value>(appliance: string, order: () => Promise<Value>): Promise<Value> => {
    const done = await journal.exclusively(onAppliance(appliance), timeout, order);
    return done === undefined ? order() : done.value;
  };

  return async (timedChange, action, command) => {
    const timed = command?.timed;
    const appliance = appliances.get(timedChange.appliance);
    const end = commandByPhrase.get(timed?.end ?? '');
    if (timed === undefined || end?.kind !== 'change') {
      return not(say`This version of the bot doesn’t know how to end it. End it on the appliance.`);
    }
    if (appliance === undefined) throw new Error(`${timedChange.appliance} is not connected`);
    // The command that ends it takes no arguments.
    const context = contexts.acting(action, { appliance, args: {} as never });
    let { seen } = timedChange;
    let offers: readonly Offer[] = [];
    const look = async (): Promise<Lasting> => {
      const found = await timed.look(context, seen);
      if (found.kind === 'lasts' && !seen) {
        await journal.sawTimedChange(timedChange.id);
        seen = true;
      }
      offers = found.kind === 'unclear' && found.offer !== undefined ? [found.offer] : [];
      return found;
    };
    const before = await lookOnce(look);
    if ('code' in before) {
      // An appliance that does not answer may take the order all the same; to one that is not there none is given.
      if (before.code === 'not_configured') return not(applianceFailure(appliance.name, before));
    } else if (before.kind === 'over') {
      return { kind: 'over', ended: { how: 'found', says: plainText(before.evidence) } };
    }
    const fence = await journal.fence();
    if (!(await journal.orderTimedEnd(timedChange.id))) return { kind: 'gone' };
    const verify = async () => verificationOf(await look());
    const execution = await execute({ run: end.run, verify }, context, {}, sleep, (order) =>
      soon(appliance.name, () => withinFence(fence, order)),
    );
    // Whoever has evicted this replica is at it.
    if (execution.kind === 'not_done' && (await isTakenOver(fence))) return { kind: 'gone' };
    return execution.kind === 'happened'
      ? { kind: 'over', ended: { how: 'ended', says: plainText(execution.evidence) } }
      : { kind: 'not_over', problem: problemOf(appliance.name, execution), offers };
  };
}

/** What must end waits for nobody long: better two orders at once than a gate that stays open. */
const timeout = 10_000;

async function isTakenOver(fence: Fence | undefined): Promise<boolean> {
  try {
    await fence?.renew();
    return false;
  } catch (error) {
    return error instanceof Evicted;
  }
}

const not = (problem: Text): EndAttempt => ({ kind: 'not_over', problem, offers: [] });

/** A failure to look is an answer too. */
async function lookOnce(look: () => Promise<Lasting>): Promise<Lasting | ApplianceFailure> {
  try {
    return await look();
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return error;
  }
}

function verificationOf(found: Awaited<ReturnType<Timed<never>['look']>>): Verification {
  const { evidence } = found;
  return found.kind === 'over' ? { kind: 'happened', evidence } : { kind: 'not_happened', evidence };
}

function problemOf(appliance: string, execution: Exclude<Execution, { kind: 'happened' }>): Text {
  switch (execution.kind) {
    case 'not_done':
      return isApplianceFailure(execution.failure)
        ? applianceFailure(appliance, execution.failure)
        : say`${execution.failure.message}`;
    case 'unreadable':
      return say`The request was sent, and its result couldn’t be read back. ${applianceFailure(appliance, execution.reading)}`;
    case 'not_checkable':
    case 'unseen':
      return say`Nothing on the appliance can show it: ${execution.why}.`;
    default:
      return execution.order.kind === 'failed'
        ? say`${applianceFailure(appliance, execution.order.failure)} ${execution.evidence}`
        : say`${strong(appliance)} took the order, but: ${execution.evidence}`;
  }
}
