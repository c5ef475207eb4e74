import type { AnyChange } from '../command.ts';

/** A command that sends nothing to an appliance: there is nothing to be found out before, to take back or to compile, and nothing to wait for. */
export function sendingNothing(command: AnyChange): AnyChange {
  const {
    undo: _,
    undoAsks: __,
    requires: ___,
    satisfies: ____,
    lasts: _____,
    survey: ______,
    ...rest
  } = command;
  return { ...rest, urgent: true, sendsNothing: true };
}
