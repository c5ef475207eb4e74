import { type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { type Fence, withinFence } from '../../fence.ts';
import type { AnyChange, Timed } from '../../handlers/command.ts';
import { enumerate, type Offer, plainText, say, strong, type Text } from '../../handlers/reply.ts';
import type { Lasting, Verification } from '../../handlers/results.ts';
import { isLookedForAgain } from '../../journal/actions/states.ts';
import { type Action, type Ended, Evicted, type TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, unverified } from '../../journal/timed/timed-change-row.ts';
import type { Applies } from '../change/apply.ts';
import { type Execution, execute } from '../change/execute.ts';
import type { Parts } from '../ground/ground.ts';
import type { ApplianceLocks, ApplianceTurn } from '../lock/appliance-locks.ts';
import { ofTheSame } from '../target/identity.ts';
import { otherAt } from '../target/target.ts';
import { applianceFailure } from '../wording/appliance-failures.ts';
import { doneOf, type LookAtChange, type PutBack, type UndoLook } from './look.ts';

/** What came of one try to end something. */
type EndAttempt =
  | { readonly kind: 'over'; readonly ended: Omit<Ended, 'at'> }
  | { readonly kind: 'not_over'; readonly problem: Text; readonly offers: readonly Offer[] }
  /** It is not as it was left: people decide. */
  | { readonly kind: 'changed'; readonly problem: Text }
  /** Somebody else has ended it meanwhile. */
  | { readonly kind: 'gone' };

/** In milliseconds: the pauses between looks for an order in doubt. Together as long as an appliance may be silent (`timeouts.read`). */
const inDoubt = [500, 1_500, 3_000, 5_000];

/** Looks, and where it is not seen to be over, orders its end and looks again. */
export type TryToEnd = (
  timedChange: TimedChangeRow,
  action: Action,
  command: AnyChange | undefined,
) => Promise<EndAttempt>;

export function createTryToEnd(
  parts: Pick<
    Parts,
    'appliances' | 'commandByPhrase' | 'journal' | 'contexts' | 'sleep' | 'match' | 'notifications' | 'now'
  > & {
    readonly lookAtChange: LookAtChange;
    readonly applies: Applies;
    readonly locks: ApplianceLocks;
  },
): TryToEnd {
  const { appliances, commandByPhrase, journal, contexts, sleep, lookAtChange, applies, locks } = parts;
  const within = (fence: Fence | undefined, id: number, turn: ApplianceTurn): ApplianceTurn => ({
    ...turn,
    send: (order) =>
      turn.send((giveWay) =>
        withinFence(fence, () =>
          // What consists of many requests may take longer than whoever stands still is waited for.
          order(async () => {
            await journal.timedEndsGoOn([id]);
            await giveWay();
          }),
        ),
      ),
  });

  return async (timedChange, action, command) => {
    if (isPutBack(timedChange)) return putBack(timedChange, action);
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
    const other = await otherAt(contexts, appliance, action);
    if (other !== undefined) return not(say`${other} Nothing was sent to it.`);
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
    const turn = within(fence, timedChange.id, locks.forEnd(appliance.name, action, end, context.args));
    const execution = await execute({ run: end.run, verify }, context, {}, sleep, turn);
    // Whoever has evicted this replica is at it.
    if (execution.kind === 'not_done' && (await isTakenOver(fence))) return { kind: 'gone' };
    return execution.kind === 'happened'
      ? { kind: 'over', ended: { how: 'ended', says: plainText(execution.evidence) } }
      : (overUnverified(execution) ?? { ...not(problemOf(appliance.name, execution)), offers });
  };

  /** Takes a temporary change back, unless it is not as it was left. */
  async function putBack(row: TimedChangeRow, action: Action): Promise<EndAttempt> {
    const found = await lookOnce(() => lookSince(row, action));
    if ('code' in found) return not(applianceFailure(row.appliance, found));
    // The appliance accepted the change and has not shown it so far: that it is not visible does not prove that it is over.
    if (found.kind === 'over' && isLookedForAgain(action)) {
      return not(say`The appliance accepted it but does not show it yet. It is checked again.`);
    }
    if (found.kind === 'over') {
      // Its order may have left before a crash, and nothing says so far that it has to be compiled.
      if (row.orders > 0 && found.undo !== undefined) await isChanged(found.undo, action);
      return { kind: 'over', ended: { how: 'found', says: plainText(found.evidence) } };
    }
    if (found.kind === 'changed') return { kind: 'changed', problem: found.evidence };
    const fence = await journal.fence();
    if (!(await journal.orderTimedEnd(row.id))) return { kind: 'gone' };
    const { command, resolved, fingerprint } = found;
    const context = contexts.acting(action, resolved);
    const turn = within(fence, row.id, locks.forEnd(row.appliance, action, command, resolved.args));
    const execution = await execute(ofTheSame(command), context, fingerprint, sleep, turn);
    if (execution.kind === 'not_done' && (await isTakenOver(fence))) return { kind: 'gone' };
    // The next look has it compiled, once it sees that it is undone.
    const isUnseen = ['not_done', 'not_happened', 'not_yet'].includes(execution.kind);
    if (!isUnseen) await isChanged(found, action);
    if (execution.kind === 'happened') {
      // What an order of its own has done, it has not left alone.
      const since = doneOf(row, { ...found, fingerprint: execution.fingerprint }) ?? [];
      const others = row.orders > 0 ? [] : since;
      const says = plainText(say`${execution.evidence}${leftAlone(others)}`);
      return { kind: 'over', ended: { how: 'ended', says } };
    }
    return overUnverified(execution) ?? not(problemOf(row.appliance, execution));
  }

  /** An order of which nobody knows what came may arrive after whoever gave it is gone: it is looked for before it is given again. */
  async function lookSince(row: TimedChangeRow, action: Action): Promise<UndoLook> {
    let found = await lookAtChange(row, action);
    for (const pause of row.isOrderInDoubt ? inDoubt : []) {
      if (found.kind !== 'lasts') break;
      await sleep(pause);
      found = await lookAtChange(row, action);
    }
    return found;
  }

  /** What takes it back may have to be compiled, as after any change. */
  async function isChanged(
    { command, resolved }: Pick<PutBack, 'command' | 'resolved'>,
    action: Action,
  ): Promise<void> {
    await applies.add(resolved.appliance, command.requires?.(resolved.args) ?? [], action);
    // Those of a plan are compiled together (`of-plan.ts`).
    if (action.step === undefined) applies.start(resolved.appliance);
  }
}

/** What somebody had taken back before. */
const leftAlone = (others: readonly string[]): Text =>
  others.length === 0
    ? []
    : say` Left alone, because somebody has changed ${others.length === 1 ? 'it' : 'them'} since: ${enumerate(named(others))}.`;

const named = (all: readonly string[], most = 10): readonly string[] =>
  all.length > most ? [...all.slice(0, most), `${all.length - most} more`] : all;

async function isTakenOver(fence: Fence | undefined): Promise<boolean> {
  try {
    await fence?.renew();
    return false;
  } catch (error) {
    return error instanceof Evicted;
  }
}

/** The appliance accepted the order and cannot show whether it is over, so the bot takes its word for it. */
const overUnverified = (execution: Execution): EndAttempt | undefined =>
  execution.kind === 'not_checkable' && execution.order.kind === 'accepted'
    ? { kind: 'over', ended: { how: 'ended', says: `${unverified}: ${execution.why}.` } }
    : undefined;

const not = (problem: Text): EndAttempt => ({ kind: 'not_over', problem, offers: [] });

/** A failure to look is an answer too. */
async function lookOnce<Found>(look: () => Promise<Found>): Promise<Found | ApplianceFailure> {
  try {
    return await look();
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return error;
  }
}

function verificationOf(found: Awaited<ReturnType<Timed<never>['look']>>): Verification {
  if (found.kind === 'unshown') return { kind: 'not_checkable', why: found.why };
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
      if (execution.order.kind === 'failed')
        return say`${applianceFailure(appliance, execution.order.failure)} ${execution.evidence}`;
      return execution.kind === 'not_yet'
        ? say`${strong(appliance)} accepted the order. It is not visible yet: ${execution.evidence}`
        : say`${strong(appliance)} took the order, but: ${execution.evidence}`;
  }
}
