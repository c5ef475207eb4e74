import { type ApplianceFailure, isApplianceFailure } from '../api/index.ts';
import type { Change, OnAppliance, Subject } from '../handlers/command.ts';
import type { Text } from '../handlers/reply.ts';

/** What became of the order itself, before anybody looked whether it was carried out. */
export type Order =
  /** The appliance said yes. */
  | { readonly kind: 'accepted' }
  /** The appliance answered, but said neither yes nor no. */
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'failed'; readonly failure: ApplianceFailure }
  /** The bot was stopped between writing its intent down and hearing of the outcome. */
  | { readonly kind: 'interrupted' };

/** What is known in the end, and no more than that (design, rule 6). */
export type Execution =
  /** It never reached the appliance, or the appliance said no. */
  | { readonly kind: 'not_done'; readonly failure: ApplianceFailure }
  /** Read back, and it is so. */
  | { readonly kind: 'happened'; readonly order: Order; readonly evidence: Text }
  /** The appliance has answered the order, and reading back shows that it was not carried out. */
  | { readonly kind: 'not_happened'; readonly order: Order; readonly evidence: Text }
  /** Not carried out when last looked at, but the order may still be on its way. */
  | { readonly kind: 'not_yet'; readonly order: Order; readonly evidence: Text }
  /** Reading back did not work. */
  | { readonly kind: 'unreadable'; readonly order: Order; readonly reading: ApplianceFailure };

/** Waiting times before each reading back, in milliseconds: an appliance may need a moment to let go. */
const patience = [0, 500, 1_500, 3_000];

/** Runs a change once, never again, and then reads back whether it happened. */
export async function execute<Args>(
  change: Pick<Change<Args>, 'run' | 'verify'>,
  context: OnAppliance<Args>,
  shown: Subject,
  sleep: (milliseconds: number) => Promise<void>,
): Promise<Execution> {
  let order: Order;
  try {
    const { confirmed } = await change.run(context);
    order = { kind: confirmed ? 'accepted' : 'unconfirmed' };
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    if (!error.mayHaveHappened) return { kind: 'not_done', failure: error };
    order = { kind: 'failed', failure: error };
  }
  return readBack(change, context, shown, sleep, order);
}

/** Looks whether a change happened, without running it. Also what a restart does with a change that was under way. */
export async function readBack<Args>(
  change: Pick<Change<Args>, 'verify'>,
  context: OnAppliance<Args>,
  shown: Subject,
  sleep: (milliseconds: number) => Promise<void>,
  order: Order,
): Promise<Execution> {
  let evidence: Text = [];
  try {
    for (const pause of patience) {
      if (pause > 0) await sleep(pause);
      const verification = await change.verify(context, shown);
      evidence = verification.evidence;
      if (verification.kind === 'happened') return { kind: 'happened', order, evidence };
    }
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return { kind: 'unreadable', order, reading: error };
  }
  return { kind: wasAnswered(order) ? 'not_happened' : 'not_yet', order, evidence };
}

/** An order that was answered will not be carried out later on; one that was lost on the way may. */
function wasAnswered(order: Order): boolean {
  if (order.kind === 'interrupted') return false;
  return order.kind !== 'failed' || order.failure.sent === 'yes';
}
