import type { AnyChange } from '../command.ts';
import type { Fingerprint } from '../results.ts';

/** Whether what it would do can be taken back, by what is known before it runs and with any ID that its answer would tell: it is not there already. */
export const leavesAnUndo = (command: AnyChange, args: never, shown: Fingerprint): boolean =>
  command.undo?.(args, { id: 0, added: '0', fresh: '0', inside: '0', ...shown }) !== undefined;
