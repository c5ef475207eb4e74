import type { AnyCommand } from '../command.ts';

/** The word for an active effect: a removed thing is not "on". */
export function standsAs(command: AnyCommand | undefined): 'on' | 'off' | 'removed' {
  const verb = command?.kind === 'change' ? command.verb : '';
  return /^(?:Stop|Disable)$/.test(verb)
    ? 'off'
    : /^(?:Remove|Delete|Revoke|Uninstall|Unlink)$/.test(verb)
      ? 'removed'
      : 'on';
}
