import type { AnyCommand } from '../command.ts';

/** How what a command does is called while it lasts: what was taken away is not on. */
export function standsAs(command: AnyCommand | undefined): 'on' | 'off' | 'removed' {
  const verb = command?.kind === 'change' ? command.verb : '';
  return /^(?:Stop|Disable)$/.test(verb)
    ? 'off'
    : /^(?:Remove|Delete|Revoke|Uninstall|Unlink)$/.test(verb)
      ? 'removed'
      : 'on';
}
