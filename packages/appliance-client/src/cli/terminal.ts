/** Of the process, what a command uses. */
export type Terminal = Pick<NodeJS.Process, 'stdin' | 'stdout' | 'stderr' | 'env'>;

/** How a command ends, for scripts. */
export const exitCodes = { done: 0, failed: 1, notUnderstood: 2, unknown: 3, notAgreed: 4 } as const;

/** What was typed, or the environment, is not what it should be. Nothing was sent. */
export class Usage extends Error {
  override readonly name = 'Usage';
}
