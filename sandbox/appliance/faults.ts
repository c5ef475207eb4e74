import { closest } from 'fastest-levenshtein';
import { type Fault, happensUnder, type Kind, kinds } from './kinds.ts';
import type { ActiveFault, OperationName } from './protocol.ts';
import { NotUnderstood, readFault } from './read-fault.ts';
import type { State } from './state.ts';

export interface Faults {
  /**
   * Sets the fault of an operation, such as `POST /rdpproxy/sessions/{id}/disconnect`, in the place of any it had.
   * @throws RangeError when the simulated appliance has no such operation or fault, or an operation that cannot fail like this:
   * a misspelt fault would test nothing
   */
  set(operation: OperationName, fault: Fault): void;
  /** Clears one operation's fault, or all of them. @throws RangeError for an operation that there is not */
  clear(operation?: OperationName): void;
  /** In the order in which they were set. */
  active(): readonly ActiveFault[];
}

/** `changed` is told whenever the list of active faults is another. */
export function openFaults(
  operations: readonly string[],
  changed: () => void,
): Faults & { take(operation: string): Fault | undefined; mustKnow(operation: string): void } {
  const faults = new Map<string, Fault>();
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
      faults.set(operation, fault);
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
    active: () => [...faults].map(([operation, fault]) => ({ operation, ...fault })),
    take(operation) {
      const fault = faults.get(operation);
      if (fault?.times === undefined) return fault;
      if (fault.times > 1) faults.set(operation, { ...fault, times: fault.times - 1 });
      else faults.delete(operation);
      changed();
      return fault;
    },
  };
}

/**
 * The state on which an order is carried out. One that is not to happen is carried out on a copy: its answer is as good
 * as the real one.
 */
export function stateUnder(fault: Fault | undefined, state: State): State {
  if (fault === undefined || happensUnder(fault)) return state;
  const copy = structuredClone(state);
  if (fault.kind === 'zdate') copy.acl.build = 'zdate';
  return copy;
}
