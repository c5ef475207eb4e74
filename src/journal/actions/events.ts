import type { Insertable } from 'kysely';
import type { Store } from '../database.ts';
import { type Json, parsed } from '../json.ts';
import type { EventsTable } from '../tables.ts';

/** Something that happened to an action on its way and that its states do not tell; goes into its record. */
export interface ActionEvent {
  /**
   * `shown`: what a card asked. `click_refused`: a click that did nothing, and why. `request`: what was sent to an
   * appliance, and how it ended. `answered`: what an appliance answered to the whole order. `searched`: how often in the lists of a form. `revealed`: who was shown, alone, what the card
   * withholds. `waited`: that it waited for people, and since when.
   */
  readonly kind: 'shown' | 'click_refused' | 'request' | 'answered' | 'searched' | 'revealed' | 'waited';
  /** Milliseconds since the epoch; now where it is absent. */
  readonly at?: number;
  readonly content: Json;
}

/** One as it was noted, by this version or another one, which may know other kinds. */
export interface NotedEvent {
  readonly kind: string;
  readonly at: number;
  readonly content: Json;
}

export interface Events {
  /** Adds to what happened to an action; also when it is over, which then is recorded anew. */
  readonly note: (action: string, ...events: readonly ActionEvent[]) => Promise<void>;
  /** In the order in which they were noted. */
  readonly eventsOf: (action: string) => Promise<readonly NotedEvent[]>;
}

export function events({ quick, durable, write }: Store, now: () => number): Events {
  return {
    note: async (action, ...happened) => {
      await write('quick', {
        // Also where it is null already: whoever is recording the action at this moment may have missed them, and is waited for.
        sweep: [quick.updateTable('actions').set({ recorded: null }).where('id', '=', action)],
        add: { events: eventRows(action, happened, now()) },
      });
    },

    eventsOf: async (action) => {
      const rows = await durable
        .selectFrom('events')
        .selectAll()
        .where('action', '=', action)
        .orderBy('id')
        .execute();
      return rows.map(({ kind, at, content_json }) => ({
        kind,
        at,
        content: parsed(content_json),
      }));
    },
  };
}

export const eventRows = (
  action: string,
  happened: readonly ActionEvent[],
  now: number,
): Insertable<EventsTable>[] =>
  happened.map(({ kind, at = now, content }) => ({
    action,
    at,
    kind,
    content_json: JSON.stringify(content),
  }));
