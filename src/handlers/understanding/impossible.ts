/** A request that no call of the Web API can do, declared beside the commands of its area. */
export interface Impossible {
  readonly kind: 'impossible';
  /** Phrasings, written as the `says` of a command. */
  readonly says: string;
  /** One sentence about the limit and its reason: "The Web API has no call that restarts an appliance." */
  readonly why: string;
  /** The source for it (appliance-api.md). */
  readonly source: string;
  readonly nearest: readonly string[];
}

export const impossible = (declared: Omit<Impossible, 'kind'>): Impossible => ({
  kind: 'impossible',
  ...declared,
});
