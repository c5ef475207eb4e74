import type { Message } from './protocol.ts';

/** Something that happened in the workspace. `at` is `performance.now()`, milliseconds. */
type Change = { readonly at: number } & Happening;

export type Happening =
  | { readonly type: 'message' | 'changed'; readonly channel: string; readonly message: Message }
  | { readonly type: 'deleted'; readonly channel: string; readonly ts: string }
  | { readonly type: 'ephemeral'; readonly channel: string; readonly to: string; readonly message: Message }
  | { readonly type: 'view'; readonly user: string }
  | { readonly type: 'home'; readonly user: string }
  /** A workflow's step began or ended. */
  | { readonly type: 'step'; readonly user: string }
  /** Somebody opened something, or is shown more of it. */
  | { readonly type: 'entity'; readonly user: string }
  | { readonly type: 'ack'; readonly envelope: string; readonly late: boolean }
  | { readonly type: 'connected' | 'disconnected'; readonly connections: number }
  | { readonly type: 'roster' }
  /** Faults that Slack makes on purpose. */
  | { readonly type: 'trouble' };

export type Listener = (change: Change) => void;

/** Tells listeners what happened, in the order in which it happened. */
export class Changes {
  readonly #listeners = new Set<Listener>();

  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(happening: Happening): void {
    const change = { ...happening, at: performance.now() };
    for (const listener of this.#listeners) listener(change);
  }
}
