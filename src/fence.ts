import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What an order leaves within: a replica that was taken for dead may not order anything when it wakes, because another one
 * has taken over what it was at.
 */
export interface Fence {
  /** Whether nobody can have taken over since the order was begun. To be asked in the very moment in which it leaves. */
  readonly holds: () => boolean;
  /** Makes certain of it, where it has not been for a while. Rejects where it is not so, or cannot be found out. */
  readonly renew: () => Promise<void>;
}

const fences = new AsyncLocalStorage<Fence>();

/** Runs a task whose orders leave within a fence. Whatever it calls, and however deep, finds out by `currentFence`. */
export const withinFence = <Value>(fence: Fence | undefined, task: () => Value): Value =>
  fence === undefined ? task() : fences.run(fence, task);

export const currentFence = (): Fence | undefined => fences.getStore();
