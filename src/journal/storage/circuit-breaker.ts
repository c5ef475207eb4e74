/** The circuit breaker of a database: calls to one that is away are refused instead of waiting for it. */

import { JournalUnavailable } from '../unavailable.ts';
import { withoutAddress } from './address.ts';

/** How long everybody is refused at once after it could not be reached, in milliseconds. */
const cooldown = 1_000;

/** Refuses at once while the database is known to be away, so that a line of calls does not wait for it one by one. */
export interface CircuitBreaker {
  /** Of those who come after the cooldown, one tries; the others are refused until it has got through. */
  readonly connect: <Client>(connect: () => Promise<Client>) => Promise<Client>;
  readonly trip: (cause: unknown) => void;
}

export function createCircuitBreaker(url: string): CircuitBreaker {
  let failure: { readonly cause: unknown; readonly until: number } | undefined;
  let isTrying = false;
  const trip = (cause: unknown) => {
    failure = { cause, until: performance.now() + cooldown };
  };
  return {
    trip,
    connect: async (connect) => {
      const isTrial = failure !== undefined;
      if (failure !== undefined && (isTrying || performance.now() < failure.until)) {
        throw new JournalUnavailable(failure.cause);
      }
      if (isTrial) isTrying = true;
      try {
        const client = await connect();
        failure = undefined;
        return client;
      } catch (thrown) {
        const error = withoutAddress(thrown, url);
        trip(error);
        throw new JournalUnavailable(error);
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}
