/**
 * The passwords of the changes that wait for a click. They are in memory only: a restart forgets them, and the person is
 * asked for them again.
 */
export interface Vault {
  readonly put: (action: string, secrets: Secrets) => void;
  readonly get: (action: string) => Secrets | undefined;
  readonly forget: (action: string) => void;
}

/** By the name of the slot. */
export type Secrets = Readonly<Record<string, string>>;

/** Nobody waits longer than a card stands, but a card may be drawn anew; in milliseconds. */
const keptFor = 30 * 60_000;

export function createVault(now: () => number): Vault {
  const kept = new Map<string, { readonly secrets: Secrets; readonly until: number }>();
  return {
    put: (action, secrets) => {
      for (const [id, { until }] of kept) if (until <= now()) kept.delete(id);
      kept.set(action, { secrets, until: now() + keptFor });
    },
    get: (action) => {
      const found = kept.get(action);
      return found === undefined || found.until <= now() ? undefined : found.secrets;
    },
    forget: (action) => void kept.delete(action),
  };
}
