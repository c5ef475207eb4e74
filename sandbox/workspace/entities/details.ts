import type { Changes } from '../changes.ts';
import type { EntityDetails } from './shown.ts';

interface Asked {
  readonly person: string;
  /** The ID in the app's own system (`external_ref`). */
  readonly entity: string;
}

const remembered = 2000;

/** Entities that people opened, and the app's details for them. A trigger here lives on: Slack's lifetime is undocumented. */
export class Details {
  readonly #changes: Changes;
  readonly #asked = new Map<string, Asked>();
  readonly #shown = new Map<string, Map<string, EntityDetails>>();

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  ask(trigger: string, asked: Asked): void {
    this.#asked.set(trigger, asked);
    const oldest = this.#asked.keys().next().value;
    if (this.#asked.size > remembered && oldest !== undefined) this.#asked.delete(oldest);
    this.show(asked, { state: 'asked' });
  }

  askedWith(trigger: string): Asked | undefined {
    return this.#asked.get(trigger);
  }

  show({ person, entity }: Asked, details: EntityDetails): void {
    const theirs = this.#shown.get(person) ?? new Map<string, EntityDetails>();
    this.#shown.set(person, theirs);
    theirs.set(entity, details);
    this.#changes.tell({ type: 'entity', user: person });
  }

  seenBy(person: string): Readonly<Record<string, EntityDetails>> {
    return Object.fromEntries(this.#shown.get(person) ?? []);
  }
}
