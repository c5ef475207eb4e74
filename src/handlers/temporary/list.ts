import { code, type Offer, plainText, say, type Text } from '../reply.ts';

/** What is on for a time, for commands that list it. Moments: milliseconds since the epoch. */
export interface TemporaryThing {
  /** What was done, or is on: "example.com added to category shopping". */
  readonly what: Text;
  readonly appliance: string;
  /** `ending`: its time is over, and it is not undone yet. */
  readonly state: 'on' | 'ending';
  readonly until: number;
  readonly person: string;
  readonly reason: string;
  /** What can be done about it. */
  readonly offers: readonly Offer[];
  /** The plan that it is of, as people call it. */
  readonly plan: string | undefined;
  /** The action that has begun it, as people call it, the card that tells of it, and its line. */
  readonly action: string;
  readonly reference: string;
  readonly card: string | undefined;
  readonly line: string;
  /** Of a list what is on, and the line that takes only some of it back; undefined for what is none. */
  readonly list:
    | { readonly parts: readonly string[]; readonly back: (some: readonly string[]) => string }
    | undefined;
  readonly end: Offer;
  /** `to`: milliseconds since the epoch; as long again where nobody says until when. */
  readonly extend: (to: number | undefined) => Offer;
  /** Undefined for what cannot stay. */
  readonly keep: Offer | undefined;
}

/** What each is called, with the line that has begun it where several would be called the same. */
export function namesOf(
  things: readonly Pick<TemporaryThing, 'what' | 'appliance' | 'line'>[],
): readonly Text[] {
  const called = things.map(({ what, appliance }) => `${plainText(what)} ${appliance}`);
  const times = Map.groupBy(called, (one) => one);
  return things.map(({ what, line }, index) =>
    times.get(called[index] ?? '')?.length === 1 ? what : say`${what} (${code(line)})`,
  );
}
