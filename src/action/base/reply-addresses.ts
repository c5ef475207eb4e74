/**
 * Where an answer to a form goes, by the form's token: an address that is no business of the journal. In memory: after a
 * restart it goes to the channel.
 */
export interface ReplyAddresses {
  readonly remember: (token: string, replyTo: string, until: number) => void;
  /** Once, and in time. */
  readonly take: (token: string) => string | undefined;
}

export function createReplyAddresses(now: () => number): ReplyAddresses {
  const known = new Map<string, { readonly replyTo: string; readonly until: number }>();
  return {
    remember: (token, replyTo, until) => {
      for (const [other, one] of known) if (one.until <= now()) known.delete(other);
      known.set(token, { replyTo, until });
    },
    take: (token) => {
      const found = known.get(token);
      known.delete(token);
      return found === undefined || found.until <= now() ? undefined : found.replyTo;
    },
  };
}
