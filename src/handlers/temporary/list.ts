import { code, type Offer, plainText, say, type Text } from '../reply.ts';

/** Temporary changes, for commands that list them. Moments are milliseconds since the epoch. */
export interface TemporaryThing {
  /** The active effect: "example.com added to category shopping". */
  readonly what: Text;
  readonly appliance: string;
  /** `ending`: its time is over, and the undo is pending. */
  readonly state: 'on' | 'ending';
  readonly until: number;
  readonly person: string;
  readonly reason: string;
  readonly offers: readonly Offer[];
  readonly plan: string | undefined;
  /** The action that began it: its name, its card and its line. */
  readonly action: string;
  readonly reference: string;
  readonly card: string | undefined;
  readonly line: string;
  /** For a list: its values, and the line that undoes some of them; undefined for others. */
  readonly list:
    | { readonly parts: readonly string[]; readonly back: (some: readonly string[]) => string }
    | undefined;
  readonly end: Offer;
  /** `to`: milliseconds since the epoch; undefined extends by the same duration. */
  readonly extend: (to: number | undefined) => Offer;
  /** Undefined if it cannot become permanent. */
  readonly keep: Offer | undefined;
}

/** The name of each, with its line if several have the same name. */
export function namesOf(
  things: readonly Pick<TemporaryThing, 'what' | 'appliance' | 'line'>[],
): readonly Text[] {
  const called = things.map(({ what, appliance }) => `${plainText(what)} ${appliance}`);
  const times = Map.groupBy(called, (one) => one);
  return things.map(({ what, line }, index) =>
    times.get(called[index] ?? '')?.length === 1 ? what : say`${what} (${code(line)})`,
  );
}
