import type { AnyChange, AnyCommand } from '../command.ts';

/** The effect of a command on the appliance and for the person, in words for the help and the docs. */
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

/** How the result is verified. */
export function checkOf({ verify }: AnyChange): string {
  return typeof verify === 'function' ? 'by read-back' : `no: ${verify.notCheckable}`;
}
