import { describe, test } from 'vitest';

/** Something that somebody may try, and what must come of it. `tryIt` really tries it, and fails if it works. */
export interface Attack {
  /** *a name with an order of letters turned round is uploaded* */
  readonly attack: string;
  /** *it is refused, and the answer shows the letters* */
  readonly must: string;
  readonly tryIt: () => Promise<void> | void;
}

/** A family of attacks: one row each, so that the next attack is one row. */
export function attacks(family: string, rows: readonly Attack[]): void {
  describe(`Attacks on ${family}`, () => {
    for (const { attack, must, tryIt } of rows) test(`${attack} → ${must}`, tryIt);
  });
}
