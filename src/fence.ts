import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * The fence of an order: a replica that was evicted must not order anything when it wakes, because another has
 * taken over its work.
 */
export interface Fence {
  /** Whether certainly nobody has taken over since the order began. Checked at the very moment of sending. */
  readonly holds: () => boolean;
  /** Confirms that, if it has not been confirmed for a while. Rejects if it is not so, or unknown. */
  readonly renew: () => Promise<void>;
}

const fences = new AsyncLocalStorage<Fence>();

/** Runs a task whose orders are fenced. Everything it calls finds the fence by `currentFence`. */
export const withinFence = <Value>(fence: Fence | undefined, task: () => Value): Value =>
  fence === undefined ? task() : fences.run(fence, task);

export const currentFence = (): Fence | undefined => fences.getStore();
