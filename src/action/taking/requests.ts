import type { Action, Journal } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import { type Consent, consentOf } from '../base/consent.ts';
import { callingOnce, hour, type OpenRequest, requestExcess } from '../limits/limits.ts';
import type { Fault } from '../wording/faults.ts';

/** Holds how often one person puts something before others: what waits counts, and what was asked within an hour. */
export interface Requests {
  /**
   * Whether an action may be put before others, and who of them is called. `over`: its card stands, or it came to nothing.
   * What needs nobody's consent passes as it is.
   */
  readonly admit: (
    action: Action,
    consent: Consent | undefined,
    by?: Pick<Invocation, 'unattended' | 'forSite'>,
  ) => Promise<Admitted>;
}

type Admitted =
  | { readonly fault: Fault }
  | { readonly fault: undefined; readonly consent: Consent | undefined; readonly over: () => void };

export function createRequests({
  journal,
  now,
}: {
  readonly journal: Pick<Journal, 'requestsOf'>;
  readonly now: () => number;
}): Requests {
  /** Those of this process that do not wait so far, but are about to: by person and action. */
  const coming = new Map<string, Map<string, OpenRequest>>();

  return {
    admit: async (action, consent, { unattended = false, forSite } = {}) => {
      if (consent === undefined) return { fault: undefined, consent, over: () => undefined };
      const { id, person, line, channel } = action;
      const written = await journal.requestsOf(person, now() - hour);
      const mine = coming.get(person) ?? new Map<string, OpenRequest>();
      const before = [...mine, ...written.flatMap(requestIn)];
      const requests = [...new Map(before).values()];
      // How many sites one person may ask for the policy says itself.
      const excess =
        forSite === undefined ? requestExcess({ consent, channel, unattended }, requests, now()) : undefined;
      if (excess !== undefined) return { fault: { code: 'too_many_requests', excess, line } };
      const there = unattended ? requests.filter((one) => one.channel === channel) : requests;
      const called = callingOnce(consent, there);
      const request = { channel, consent: called, isOpen: true, isGranted: false, createdAt: now() };
      coming.set(person, mine.set(id, request));
      const over = () => {
        mine.delete(id);
        if (mine.size === 0) coming.delete(person);
      };
      return { fault: undefined, consent: called, over };
    },
  };
}

function requestIn(action: Action): readonly (readonly [id: string, OpenRequest])[] {
  const { id, channel, state, createdAt } = action;
  const consent = consentOf(action);
  if (consent === undefined) return [];
  const isOpen = state === 'waiting';
  const isGranted = !isOpen && state !== 'cancelled' && state !== 'expired';
  return [[id, { channel, consent, isOpen, isGranted, createdAt }]];
}
