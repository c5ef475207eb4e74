import type { AnyChange, AnyCommand } from '../command.ts';

/** What a command does to an appliance and to the person who types it, in words: for the help and for the docs. */
export function effectOf(command: AnyCommand): string {
  switch (command.effect) {
    case 'read':
      return 'only reads';
    case 'write':
      return command.kind === 'change' && command.undo !== undefined
        ? `changes something; runs at once and offers Undo for 10 minutes${command.undoAsks ? ', which asks first' : ''}`
        : 'changes something; runs at once';
    case 'destructive':
      return 'cannot be taken back; shows what it will hit and asks before it acts';
    case 'unknown':
      return 'not documented by the appliance; treated as one that cannot be taken back';
  }
}

/** How it is known afterwards whether it happened. */
export function checkOf({ verify }: AnyChange): string {
  return typeof verify === 'function'
    ? 'reads it back and says whether it happened'
    : `only the appliance's word: ${verify.notCheckable}`;
}
