/** Something that people ask for and that no call of the Web API does. Declared beside the commands of its area. */
export interface Impossible {
  readonly kind: 'impossible';
  /** How people ask for it, written as the `says` of a command. */
  readonly says: string;
  /** What cannot be done and why, in one sentence: "The Web API has no call that restarts an appliance." */
  readonly why: string;
  /** Where that can be read (appliance-api.md). */
  readonly source: string;
  /** The phrases of the commands that come nearest, the nearest first. */
  readonly nearest: readonly string[];
}

export const impossible = (declared: Omit<Impossible, 'kind'>): Impossible => ({
  kind: 'impossible',
  ...declared,
});
