export type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

/** Exit codes for scripts. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2, unknown: 3, notAgreed: 4 } as const;

/** The typed words or the environment are invalid. Nothing was sent. */
export class Usage extends Error {
  override readonly name = 'Usage';
}
