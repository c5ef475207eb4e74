import type { AnyChange } from '../command.ts';
import type { Fingerprint } from '../results.ts';

/**
 * Whether the command's effect could be undone, by the state before it runs and any ID that its answer would
 * add. False if the effect is already there.
 */
export const leavesAnUndo = (command: AnyChange, args: never, shown: Fingerprint): boolean =>
  command.undo?.(args, { id: 0, added: '0', fresh: '0', inside: '0', ...shown }) !== undefined;
