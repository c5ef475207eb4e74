/**
 * The clock of a replica. The database's counts for all of them: whoever has a clock that is off goes by that one, so that
 * what was begun by one replica ends in time at another.
 */
export interface SharedClock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Asks the database what time it is; resolves to what is asked. */
  readonly measure: <Answer extends { readonly time: number }>(ask: () => Promise<Answer>) => Promise<Answer>;
  /** How far this machine's own clock is ahead of it for certain, in milliseconds; undefined until that is known. */
  readonly ahead: () => number | undefined;
}

/** In milliseconds. Below, a clock is taken for right: the seconds of a message do not jump to and fro. */
export const tolerable = 2_000;
/** An answer that took longer says too little. */
const longestTrip = 1_000;

/** `databaseTime`: what the database's time counts as, where a test has put another clock in the place of the world's. */
export function createSharedClock(
  own: () => number,
  databaseTime: (real: number) => number = (real) => real,
  /** Told the database's time at every look. */
  heard: (time: number) => void = () => undefined,
): SharedClock {
  let ahead: number | undefined;
  return {
    now: () => own() - (ahead !== undefined && Math.abs(ahead) > tolerable ? ahead : 0),
    ahead: () => ahead,
    measure: async (ask) => {
      const [asked, began] = [own(), performance.now()];
      const answer = await ask();
      heard(databaseTime(answer.time));
      const trip = performance.now() - began;
      // A clock that was set meanwhile says nothing about itself.
      const isSet = Math.abs(own() - asked - trip) > longestTrip / 2;
      if (trip > longestTrip || isSet) return answer;
      const difference = asked + trip / 2 - databaseTime(answer.time);
      // Half of the trip may all have been on the way there, or on the way back.
      ahead = Math.sign(difference) * Math.max(0, Math.abs(difference) - trip / 2);
      return answer;
    },
  };
}
