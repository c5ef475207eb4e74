import type { Action, ActionOrigin, NewAction } from '../actions/action.ts';
import { dedupeKeyOf, newRow, readAction, readOrigin } from '../actions/action-row.ts';
import type { ActionStore } from '../actions/actions.ts';
import type { Changes } from '../actions/changes.ts';
import type { ActionEvent, Events } from '../actions/events.ts';
import { type State, transitions } from '../actions/states.ts';
import type { ToSend } from '../delivery/outbox.ts';
import { newId } from '../id.ts';
import type { Journal } from '../journal.ts';
import type { Replicas } from '../replicas/replicas.ts';
import { JournalUnavailable } from '../unavailable.ts';
import type { BufferedDatabase } from './database.ts';
import { createDoubts, unavailable } from './doubts.ts';
import { memoryOf } from './memory.ts';

/** An action that was begun, or went on, while the database was away. */
interface Buffered {
  action: Action;
  readonly dedupeKey: string | undefined;
  readonly origin: ActionOrigin;
  readonly events: ActionEvent[];
  /** It stands in the database, and only its end waits to be written. */
  readonly isEnding: boolean;
}

type Buffering = Pick<ActionStore, 'write' | 'writeOnce' | 'move' | 'placed' | 'byId' | 'byToken'> &
  Pick<Events, 'note'> &
  Pick<Replicas, 'adoptOrphans'>;

/**
 * Actions, of which look-ups and refusals can be begun and ended while the database is away, and changes that were sent
 * already can come to their end. `journal` alone decides races: what is answered from memory here concerns only what this
 * replica holds, and nobody else moves that on.
 */
export function bufferedActions(
  journal: Journal,
  { ask, askOr, writeBehind }: BufferedDatabase,
  bufferMessages: (told: readonly ToSend[]) => void,
  now: () => number,
): Buffering {
  const buffered = new Map<string, Buffered>();
  const doubts = createDoubts(journal);
  const seen = memoryOf<Action>(({ id }) => id);

  function buffer(
    action: Action,
    { origin = {}, dedupeKey, events = [] }: Partial<Pick<Buffered, 'origin' | 'dedupeKey' | 'events'>>,
  ): Action {
    buffered.set(action.id, { action, origin, dedupeKey, events: [...events], isEnding: false });
    writeBehind.droppable(
      `${action.line} of ${action.person}`,
      () => writeBuffered(action.id),
      () => buffered.delete(action.id),
    );
    return action;
  }

  async function writeBuffered(id: string): Promise<void> {
    for (let one = buffered.get(id); one !== undefined; one = buffered.get(id)) {
      const { action, origin, events } = one;
      const noted = [...events];
      await journal.writeLate(action, origin, noted);
      events.splice(0, noted.length);
      // It may have moved on while it was written.
      if (one.action === action && events.length === 0) buffered.delete(id);
    }
  }

  function begin(action: NewAction & { readonly id: string }, dedupeKey?: string): Action {
    const row = newRow(action, dedupeKey ?? null, journal.replica, now());
    return buffer(readAction(row), {
      origin: readOrigin(row),
      ...(dedupeKey !== undefined && { dedupeKey }),
    });
  }

  /**
   * Its row says that it was refused, as whoever asked is told: in the place of one that was written although nobody heard
   * of it, and of one that would be written yet.
   */
  function refuse(action: NewAction & { readonly id: string }): void {
    begin({ ...action, state: 'refused', outcome: unavailable });
  }

  function moved(action: Action, to: State, changes: Changes): Action {
    const { messages: told = [], events: _, held: __, ...columns } = changes;
    bufferMessages(told);
    const next = { ...action, ...columns, state: to, changedAt: now() };
    seen.see(next);
    return next;
  }

  /** Its last step is written when the database is back: nobody but this replica takes it. */
  function end(action: Action, to: State, changes: Changes, token: string | undefined): Action {
    const { messages = [], ...rest } = changes;
    const ended = moved(action, to, changes);
    buffered.set(action.id, { action: ended, origin: {}, dedupeKey: undefined, events: [], isEnding: true });
    writeBehind.required(`the end of ${action.line} of ${action.person}`, async () => {
      const written = (await journal.move(action, to, rest, token)) ?? (await correct(action.id, to, rest));
      if (written === undefined) doubts.add(action.id, rest.outcome ?? unavailable);
      if (buffered.get(action.id)?.action === ended) buffered.delete(action.id);
      if (written === undefined) await drawAnew(messages);
    });
    return ended;
  }

  /** It was drawn as it ended here, and stands in the journal as another replica has ended it: that is what counts. */
  async function drawAnew(messages: readonly ToSend[]): Promise<void> {
    const cards = messages.filter(({ kind }) => kind === 'draw').map((card) => ({ ...card, key: newId() }));
    if (cards.length === 0) return;
    await journal.post(cards);
    await journal.releaseMessages(cards.map(({ key }) => key));
  }

  /** Another replica took this one for dead, and does not know what we have seen. */
  async function correct(id: string, to: State, changes: Changes): Promise<Action | undefined> {
    const current = await journal.byId(id);
    return current?.state === 'unknown' && to !== 'unknown' ? journal.move(current, to, changes) : undefined;
  }

  return {
    write: async (action) => {
      const given = { ...action, id: newId() };
      try {
        return seen.see(await ask(() => journal.write(given)));
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        if (isRead(action.effect)) return begin(given);
        refuse(given);
        throw error;
      }
    },

    writeOnce: async (action, within, distinct) => {
      const given = { ...action, id: newId() };
      try {
        const written = await ask(() => journal.writeOnce(given, within, distinct));
        seen.see(written.action);
        return written;
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        if (!isRead(action.effect)) {
          refuse(given);
          throw error;
        }
        const dedupeKey = dedupeKeyOf(action, distinct);
        const first = [...buffered.values()].find(
          (one) =>
            one.dedupeKey === dedupeKey && !isOver(one.action.state) && one.action.createdAt > now() - within,
        );
        return first === undefined
          ? { isNew: true, action: begin(given, dedupeKey) }
          : { isNew: false, action: first.action };
      }
    },

    move: async (action, to, changes = {}, token) => {
      const { id, state } = action;
      const here = buffered.get(id);
      if (here !== undefined) {
        if (here.action.state !== state || (token !== undefined && here.action.token !== token))
          return undefined;
        if (!transitions[state].includes(to)) throw new Error(`An action cannot go from ${state} to ${to}.`);
        if (here.isEnding) return end(here.action, to, changes, token);
        here.events.push(...(changes.events ?? []));
        here.action = moved(here.action, to, changes);
        return here.action;
      }
      try {
        const after = await ask(() => journal.move(action, to, changes, token));
        // Somebody has pressed again what could not be written the first time.
        if (after !== undefined) doubts.forget(id);
        return after && seen.see(after);
      } catch (error) {
        if (!(error instanceof JournalUnavailable)) throw error;
        const before = seen.get(id);
        // What waits for a click is anybody's.
        if (before === undefined || state === 'waiting' || state === 'planned') {
          doubts.add(id);
          throw error;
        }
        if (before.state !== state) return undefined;
        if (isRead(before.effect))
          return buffer(moved(before, to, changes), { events: [...(changes.events ?? [])] });
        if (!isOver(to)) {
          doubts.add(id);
          throw error;
        }
        return end(before, to, changes, token);
      }
    },

    placed: async (id, card, isPressed) => {
      const here = buffered.get(id);
      if (here !== undefined) here.action = { ...here.action, card };
      const before = seen.get(id);
      if (before !== undefined) seen.see({ ...before, card });
      if (here?.isEnding === false) return;
      const place = () => journal.placed(id, card, isPressed);
      await askOr(place, () => writeBehind.droppable('the location of a card', place));
    },

    byId: async (id) => {
      const here = buffered.get(id)?.action;
      if (here !== undefined) return here;
      try {
        const found = await ask(() => journal.byId(id));
        return found && seen.see(found);
      } catch (error) {
        const known = seen.get(id);
        if (!(error instanceof JournalUnavailable) || known === undefined) throw error;
        return known;
      }
    },

    byToken: async (token) => {
      const here = [...buffered.values()].find(({ action }) => action.token === token)?.action;
      if (here !== undefined) return here;
      const found = await ask(() => journal.byToken(token));
      return found && seen.see(found);
    },

    note: async (action, ...events) => {
      const at = now();
      const noted = events.map((event) => ({ at, ...event }));
      const here = buffered.get(action);
      if (here?.isEnding === false) {
        here.events.push(...noted);
        return;
      }
      const note = () => journal.note(action, ...noted);
      await askOr(note, () => writeBehind.droppable('an event', note));
    },

    adoptOrphans: async (most) => {
      const left = await ask(() => journal.adoptOrphans(most));
      // Gone again: what was taken over is known all the same, and what is in doubt is looked at later.
      await askOr(doubts.settle, () => undefined);
      return left.map(seen.see);
    },
  };
}

/** `unknown` may be looked at again, and has an outcome all the same. */
const isOver = (state: State): boolean => state === 'unknown' || transitions[state].length === 0;

const isRead = (effect: string | undefined) => effect === undefined || effect === 'read';
