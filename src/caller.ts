import { AsyncLocalStorage } from 'node:async_hooks';

/** On whose behalf something is done, and how soon it must be. */
export interface Caller {
  /** A person's ID; empty for what the bot does by itself, such as ending an emergency mode. */
  readonly person: string;
  /**
   * `high`: a change, the clicks on it, and what nobody has asked for. `low`: what is only looked up. `background`: what has
   * piled up, and nobody waits for.
   */
  readonly priority: 'high' | 'low' | 'background';
  /** Tells them, once, that what they wait for is held up for so many milliseconds. */
  readonly heldUp?: (milliseconds: number) => void;
}

/** The bot itself. What it does unasked ends something, compiles something or calls somebody. */
export const itself: Caller = { person: '', priority: 'high' };

const callers = new AsyncLocalStorage<Caller>();

/** Runs a task on somebody's behalf. Whatever it calls, and however deep, finds out by `currentCaller`. */
export const onBehalfOf = <Value>(caller: Caller, task: () => Value): Value => callers.run(caller, task);

export const currentCaller = (): Caller => callers.getStore() ?? itself;
