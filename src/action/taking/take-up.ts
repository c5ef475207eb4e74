import type { Action, NewAction } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Invocation } from '../base/chat.ts';
import { inAction } from '../base/request-log.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, journalFault, outcomeOf } from '../wording/faults.ts';

/** Whoever types the same line again within so many milliseconds has not seen that it is under way (slack-facts.md §1). */
const doubleTypedWithin = 60_000;

/** Each run of a workflow or a schedule is one of its own; a site is asked for once, by whomever. */
function withinOf({ unattended, scheduled, forSite }: Invocation): number {
  if (forSite !== undefined) return Number.POSITIVE_INFINITY;
  return unattended || scheduled ? 0 : doubleTypedWithin;
}

/** Whatever happens to this process, the button or the form that a line came from is not given back any more. */
export type WasTaken = (invocation: Invocation, action?: Action) => Promise<void>;

/**
 * Writes down what was asked for, once, and takes the button that it came from; then it goes on. Where that breaks off, nothing was
 * sent that the journal does not know of. `distinct`: what tells it from another one with the same line.
 */
export type TakeUp = (
  invocation: Invocation,
  written: NewAction,
  goesOn: (action: Action) => Promise<void>,
  distinct?: string,
) => Promise<void>;

export function createTakeUp(parts: Parts & { readonly wasTaken: WasTaken }): TakeUp {
  const { journal, secretStore, whisper, wasTaken } = parts;

  return async (invocation, written, goesOn, distinct) => {
    const { offer, person } = invocation;
    if (offer !== undefined && (await journal.take(offer, person)) === undefined) {
      const taken = await journal.kept(offer);
      const about = { line: written.line, phrase: written.phrase, action: taken?.action };
      return parts.interactionLog.decline({ ...invocation, button: 'offer' }, about, {
        code: 'offer_gone',
        taken,
      });
    }
    const within = withinOf(invocation);
    const { isNew, action } = await journal
      .writeOnce(written, within, distinct)
      .catch(async (error: unknown) => {
        // What it is taken for has not begun.
        if (offer !== undefined) await journal.release(offer, person);
        throw error;
      });
    await wasTaken(invocation, isNew ? action : undefined);
    if (!isNew) {
      if (offer !== undefined) await journal.release(offer, person);
      return whisper(invocation, explain({ code: 'already_running', action }));
    }
    try {
      await inAction(parts, [action.id], () => goesOn(action));
    } catch (error) {
      // Nothing that has not been moved on by now was sent.
      const outcome =
        error instanceof JournalUnavailable
          ? outcomeOf(journalFault(error))
          : { code: 'internal', says: 'A mistake in the bot.' };
      await journal.move(action, 'failed', { outcome });
      await secretStore.forget(action.id);
      throw error;
    } finally {
      if (offer !== undefined) await giveBack(offer, action);
    }
  };

  /** What certainly did not happen can be pressed again: an undo on an appliance that was out of reach, say. */
  async function giveBack(offer: string, { id, person }: Action): Promise<void> {
    const ended = await journal.byId(id);
    if (ended?.state !== 'refused' && ended?.state !== 'failed') return;
    // A plan that has stopped has begun all the same.
    if ((await journal.stepsOf(id)).every(({ state }) => state === 'refused'))
      await journal.release(offer, person);
  }
}
