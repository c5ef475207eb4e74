import type { AnyCommand } from '../command.ts';

/** Whether a command wants a password, which comes by form only. */
export const takesSecret = (command: AnyCommand): boolean =>
  Object.values(command.args).some(({ input }) => input === 'secret');
