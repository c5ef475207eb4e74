import { AsyncLocalStorage } from 'node:async_hooks';

/** The requester of a task, and its urgency. */
export interface Caller {
  /** A person's ID; empty for the bot itself, such as when it ends an emergency mode. */
  readonly person: string;
  /**
   * `high`: a change, its clicks, and the bot's own acts. `low`: lookups. `background`: backlog that nobody
   * waits for.
   */
  readonly priority: 'high' | 'low' | 'background';
  /** Tells the person, once, that their request is delayed by this many milliseconds. */
  readonly heldUp?: (milliseconds: number) => void;
}

/** The bot itself. On its own it only ends, compiles or notifies. */
export const itself: Caller = { person: '', priority: 'high' };

const callers = new AsyncLocalStorage<Caller>();

/** Runs a task for somebody. Everything it calls finds the caller by `currentCaller`. */
export const onBehalfOf = <Value>(caller: Caller, task: () => Value): Value => callers.run(caller, task);

export const currentCaller = (): Caller => callers.getStore() ?? itself;
