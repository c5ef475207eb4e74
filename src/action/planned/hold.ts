import type { PlannedStart } from '../../handlers/planned/words.ts';
import { plainText, type Text } from '../../handlers/reply.ts';
import { newId } from '../../journal/id.ts';
import type { Action, Changes, ToSend } from '../../journal/journal.ts';
import type { Listener } from '../base/chat.ts';
import { shownOf, shownToStore } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { drawCard } from '../showing/messages.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';

type HoldParts = Pick<Parts, 'journal' | 'outbox' | 'secretStore' | 'whisper' | 'now'>;

/** When it is to run, where that is not now. */
export const startOf = (action: Pick<Action, 'preview'>, now: number): PlannedStart | undefined => {
  const start = shownOf(action)?.start;
  return start !== undefined && start.at > now ? start : undefined;
};

/** What is written down with what is held until its time. */
const held = ({ at, latest }: PlannedStart) => ({ runAt: at, expiresAt: latest });

/**
 * Holds what was agreed to until its time, with the buttons of its card. What nobody can see is not held: it comes to nothing, and its
 * asker is told why. `told`: said in its thread as well.
 */
export async function hold(
  { journal, outbox, secretStore, whisper }: HoldParts,
  to: Listener,
  action: Action,
  start: PlannedStart,
  changes: Pick<Changes, 'preview' | 'token' | 'events' | 'decidedBy' | 'ticket'> = {},
  told: readonly ToSend[] = [],
): Promise<void> {
  const token = changes.token ?? action.token ?? newId();
  const messages = [drawCard(action, 'planned'), ...told];
  const planned = await journal.move(action, 'planned', { ...changes, ...held(start), token, messages });
  if (planned === undefined) return;
  await secretStore.keepUntil(planned.id, start.latest);
  const delivered = await outbox.deliver(messages);
  if (delivered.kind !== 'refused' || action.card !== undefined) return;
  const fault: Fault = { code: 'cannot_post', isOrder: true, reason: delivered.code };
  const cancelled = await journal.move(planned, 'cancelled', { outcome: outcomeOf(fault) });
  if (cancelled === undefined) return;
  await secretStore.forget(planned.id);
  await whisper(to, explain(fault));
}

/** It is as it was before its time came: nothing was sent, and it is looked at again. */
export async function holdAgain(
  { journal, outbox }: Pick<Parts, 'journal' | 'outbox'>,
  action: Action,
  { notice, cause }: { readonly notice?: Text; readonly cause?: Text } = {},
): Promise<Action | undefined> {
  const shown = shownOf(action);
  const start = shown?.start;
  const messages = [drawCard(action, 'planned', { notice })];
  // Whoever gives it up later may be another replica, or this one after a restart.
  const preview =
    shown === undefined || start === undefined || cause === undefined
      ? action.preview
      : shownToStore({ ...shown, start: { ...start, held: plainText(cause) } });
  const again =
    start &&
    (await journal.move(action, 'planned', { ...held(start), ...(preview && { preview }), messages }));
  if (again !== undefined) await outbox.deliver(messages);
  return again;
}
