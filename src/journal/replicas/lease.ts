import { type Expression, type SqlBool, sql } from 'kysely';

/** This replica was taken for dead, and others have taken over what it held: none of that may go on here. */
export class Evicted extends Error {
  override readonly name = 'Evicted';

  constructor() {
    super('another replica has taken over what this one held');
  }
}

/**
 * What proves that a replica was not evicted. Its fencing token is its name with its epoch, which grows with every time that
 * it was evicted and has come back.
 */
export interface Lease {
  /** 0 until it has shown itself for the first time. */
  readonly epoch: () => number;
  /** To be called before a heartbeat is sent, and what it returns when that was heard. */
  readonly beat: () => (epoch: number) => void;
  /** Whether it is certain, without asking, that nobody has evicted it in this epoch. */
  readonly holds: (epoch: number) => boolean;
  /**
   * True while it is in, which stays so until the end of the transaction: whoever evicts it waits for that. Undefined
   * where nobody else can be there, and for a process that only looks.
   */
  readonly condition: () => Expression<SqlBool> | undefined;
}

/** How long a heartbeat proves it, in milliseconds: shorter than others wait for the next one (`replicas.ts`). */
const proof = 10_000;

/** Both: a process may be stopped while the one goes on, and a machine while the other one does. */
const moment = (elapsed: () => number) => ({ elapsed: elapsed(), wall: Date.now() });

export function createLease(
  replica: string,
  isShared: boolean,
  elapsed: () => number = () => performance.now(),
): Lease {
  let epoch = 0;
  let proved = moment(() => Number.NEGATIVE_INFINITY);
  return {
    epoch: () => epoch,
    beat: () => {
      const sent = moment(elapsed);
      return (now) => {
        epoch = now;
        proved = sent;
      };
    },
    holds: (one) => {
      const at = moment(elapsed);
      return one === epoch && Math.max(at.elapsed - proved.elapsed, at.wall - proved.wall) < proof;
    },
    condition: () =>
      isShared && epoch > 0
        ? sql<SqlBool>`exists (select from replicas where id = ${replica} and epoch = ${epoch} for key share)`
        : undefined,
  };
}
