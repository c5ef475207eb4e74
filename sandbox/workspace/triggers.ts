import { randomBytes } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** A trigger lives three seconds and opens one view (slack-facts.md §2). */
const triggerLifetimeMs = 3000;

interface Trigger {
  readonly user: string;
  /** The view whose interaction made it, if one did; only such a trigger can push. */
  readonly view: string | undefined;
  readonly made: number;
  used: boolean;
}

const remembered = 20_000;

/** Hands out trigger IDs and takes each of them once. */
export class Triggers {
  readonly #now: () => number;
  readonly #triggers = new Map<string, Trigger>();

  constructor(now: () => number) {
    this.#now = now;
  }

  make(user: string, view?: string): string {
    const id = `${this.#now()}.${randomBytes(6).readUIntBE(0, 6)}.${randomBytes(16).toString('hex')}`;
    this.#triggers.set(id, { user, view, made: this.#now(), used: false });
    const oldest = this.#triggers.keys().next().value;
    if (this.#triggers.size > remembered && oldest !== undefined) this.#triggers.delete(oldest);
    return id;
  }

  /** The person whose action made the trigger; undefined for an unknown one. */
  madeBy(id: string): string | undefined {
    return this.#triggers.get(id)?.user;
  }

  /** Spends the trigger. Refuses with invalid_trigger_id, exchanged_trigger_id or expired_trigger_id. */
  exchange(id: string): { readonly user: string; readonly view: string | undefined } {
    const trigger = this.#triggers.get(id);
    if (trigger === undefined) throw new Refusal('invalid_trigger_id');
    if (trigger.used) throw new Refusal('exchanged_trigger_id');
    if (this.#now() - trigger.made > triggerLifetimeMs) throw new Refusal('expired_trigger_id');
    trigger.used = true;
    return trigger;
  }
}
