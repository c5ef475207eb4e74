import type { AnyChange, AnyCommand } from '../command.ts';

/** What a command does to an appliance and to the person who types it, in words: for the help and for the docs. */
export function effectOf(command: AnyCommand): string {
  switch (command.effect) {
    case 'read':
      return 'read-only';
    case 'write':
      if (command.kind === 'info')
        return 'leads to changes; names what it is about first, and each change requires its own role and approvals';
      return command.kind === 'change' && command.undo !== undefined
        ? `makes a change; runs at once and offers Undo for 10 minutes${command.undoAsks ? ' (with confirmation)' : ''}`
        : 'makes a change; runs at once';
    case 'destructive':
      return `shows a preview and asks for confirmation; ${command.kind === 'change' && command.undo !== undefined ? 'offers Undo for 10 minutes where possible' : 'Undo is not available'}`;
    case 'unknown':
      return 'undocumented; treated as a change that cannot be undone';
  }
}

/** How it is known afterwards whether it happened. */
export function checkOf({ verify }: AnyChange): string {
  return typeof verify === 'function' ? 'by read-back' : `no: ${verify.notCheckable}`;
}
