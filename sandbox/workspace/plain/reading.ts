import type { Snapshot } from '../protocol.ts';
import type { Reading } from './text.ts';

/** How the viewer of a snapshot reads mark-up: people and channels by the names that they know. */
export function readingOf(
  snapshot: Snapshot,
  options: { readonly timeZone?: string; readonly now?: number } = {},
): Reading {
  const people = new Map(snapshot.people.map((person) => [person.id, person.name]));
  const channels = new Map(snapshot.channels.map(({ id, name }) => [id, name]));
  return {
    person: (id) => people.get(id) ?? id,
    group: (id) => snapshot.groups[id] ?? id,
    channel: (id) => channels.get(id) ?? id,
    timeZone: options.timeZone,
    now: options.now ?? Date.now(),
  };
}
