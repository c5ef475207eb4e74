import { closest } from 'fastest-levenshtein';
import { type Fault, happensUnder, type Kind, kinds } from './kinds.ts';
import type { ActiveFault, OperationName } from './protocol.ts';
import { NotUnderstood, readFault } from './read-fault.ts';
import { copyOf, type State } from './state.ts';

export interface Faults {
  /**
   * Sets the fault of an operation, such as `POST /rdpproxy/sessions/{id}/disconnect`, in place of an earlier one.
   * @throws RangeError for an unknown operation or fault, or a fault that the operation cannot have: a misspelt fault
   * would test nothing
   */
  set(operation: OperationName, fault: Fault): void;
  /** Clears one operation's fault, or all of them. @throws RangeError for an operation that there is not */
  clear(operation?: OperationName): void;
  /** In the order in which they were set. */
  active(): readonly ActiveFault[];
}

/** The state at a moment, for an old answer. */
interface Memory {
  readonly state: State;
  readonly at: Date;
}

/** A fault that a request meets. */
export interface Met {
  readonly fault: Fault;
  readonly memory: Memory | undefined;
}

/**
 * @param changed is told whenever the list of active faults is another
 * @param remember takes a copy of what is so now
 */
export function openFaults(
  operations: readonly string[],
  changed: () => void,
  remember: () => Memory,
): Faults & { take(operation: string): Met | undefined; mustKnow(operation: string): void } {
  const faults = new Map<string, Met>();
  const mustKnow = (operation: string) => {
    if (operations.includes(operation)) return;
    throw new NotUnderstood(
      `The simulated appliance has no operation ${operation}; did you mean ${closest(operation, operations)}?`,
    );
  };
  return {
    mustKnow,
    set(operation, given) {
      mustKnow(operation);
      const fault = readFault(given);
      const { only }: Kind = kinds[fault.kind];
      if (only && !only.includes(operation))
        throw new NotUnderstood(`${fault.kind} can only happen to ${only.join(' and ')}.`);
      faults.delete(operation);
      faults.set(operation, { fault, memory: fault.kind === 'stale' ? remember() : undefined });
      changed();
    },
    clear(operation) {
      if (operation === undefined) faults.clear();
      else {
        mustKnow(operation);
        faults.delete(operation);
      }
      changed();
    },
    active: () => [...faults].map(([operation, { fault }]) => ({ operation, ...fault })),
    take(operation) {
      const met = faults.get(operation);
      if (met?.fault.times === undefined) return met;
      const { fault, memory } = met;
      const { times = 1 } = fault;
      if (times > 1) faults.set(operation, { fault: { ...fault, times: times - 1 }, memory });
      else faults.delete(operation);
      changed();
      return met;
    },
  };
}

/**
 * Has an order carried out as the fault says, and returns what would be answered if nothing else was wrong. One that is not to
 * happen is carried out on a copy: its answer is as good as the real one.
 * @param putOff has something done when so many milliseconds have passed
 */
export function carryOut<Given extends { readonly state: State; readonly now: Date }, Answer>(
  met: Met | undefined,
  order: Given,
  answer: (order: Given) => Answer,
  putOff: (ms: number, act: (now: Date) => void) => void,
): Answer {
  if (met === undefined) return answer(order);
  const { fault, memory } = met;
  if (!happensUnder(fault)) {
    const state = copyOf(order.state);
    if (fault.kind === 'zdate') state.acl.build = 'zdate';
    return answer({ ...order, state });
  }
  if (fault.kind === 'later') {
    const answered = answer({ ...order, state: copyOf(order.state) });
    putOff(fault.ms ?? kinds.later.options.ms.default, (now) => answer({ ...order, now }));
    return answered;
  }
  const answered = answer(order);
  if (fault.kind !== 'stale' || memory === undefined) return answered;
  const { ms = kinds.stale.options.ms.default } = fault;
  return order.now.getTime() - memory.at.getTime() < ms
    ? answer({ ...order, state: copyOf(memory.state), now: memory.at })
    : answered;
}
