import type { AskedIn, Invocation } from './chat.ts';

/** How something is asked there, and answered. */
export const inPlaceOf = (
  askedIn: AskedIn | undefined,
): Pick<Invocation, 'askedIn' | 'thread' | 'inPerson'> => ({
  askedIn,
  thread: askedIn?.below,
  ...(askedIn?.direct !== undefined && { inPerson: true }),
});
