/**
 * Where an answer to a form goes, by the form's token, or a private answer that is kept, by its key: an address that is no business of the journal. In memory: after a
 * restart it goes to the channel.
 */
export interface ReplyAddresses {
  readonly remember: (token: string, replyTo: string, until: number) => void;
  /** In time. */
  readonly find: (token: string) => string | undefined;
  /** Once, and in time. */
  readonly take: (token: string) => string | undefined;
}

/** For so many milliseconds Slack takes answers there (slack-facts.md §1), less than that, for clocks differ. */
export const replyAddressLifetime = 29 * 60_000;

export function createReplyAddresses(now: () => number): ReplyAddresses {
  const known = new Map<string, { readonly replyTo: string; readonly until: number }>();
  const find = (token: string): string | undefined => {
    const found = known.get(token);
    return found === undefined || found.until <= now() ? undefined : found.replyTo;
  };
  return {
    find,
    remember: (token, replyTo, until) => {
      for (const [other, one] of known) if (one.until <= now()) known.delete(other);
      known.set(token, { replyTo, until });
    },
    take: (token) => {
      const found = find(token);
      known.delete(token);
      return found;
    },
  };
}
