import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { say, type Text } from '../../handlers/reply.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import type { Action } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { identityOn } from '../target/identity.ts';
import { previewOn, type ResolvedTarget, resolveOn } from '../target/target.ts';
import { explain } from '../wording/faults.ts';
import { goneText } from '../wording/no-such.ts';

/** What takes a change back, as it would be now. */
export interface PutBack {
  readonly command: AnyChange;
  readonly resolved: ResolvedTarget;
  readonly fingerprint: Fingerprint;
}

/** How what a change has left looks now, as far as its undo shows it. */
export type UndoLook =
  | ({ readonly kind: 'lasts' } & PutBack)
  /** There is nothing to take back: it was taken back, or never came to be. */
  | {
      readonly kind: 'over';
      readonly evidence: Text;
      /** Where what it was done to is still there. */
      readonly undo?: Pick<PutBack, 'command' | 'resolved'> | undefined;
    }
  /** It is not as it was left, so that somebody else's edit would be overwritten. */
  | { readonly kind: 'changed'; readonly evidence: Text };

/**
 * Takes the preview of the line that takes an action back, on one appliance.
 * @throws ApplianceFailure where the appliance cannot be asked
 */
export type LookAtUndo = (
  line: string | undefined,
  appliance: Appliance,
  action: Action,
) => Promise<UndoLook>;

export function createLookAtUndo({ contexts, match }: Pick<Parts, 'contexts' | 'match'>): LookAtUndo {
  /** On the appliance that the change was made on. */
  const lookAt = (command: AnyChange, resolved: ResolvedTarget, action: Action) => {
    const context = contexts.acting(action, resolved);
    return previewOn(command, resolved, context, identityOn(action, resolved.appliance.name));
  };

  return async (line, appliance, action) => {
    const found = line === undefined ? undefined : match(line);
    if (found?.kind !== 'command' || found.command.kind !== 'change')
      return { kind: 'changed', evidence: say`The bot doesn’t know what takes it back.` };
    const { command } = found;
    // Whoever asked for it was allowed to have it end.
    const sight = { may: () => true, isWhole: true, isExact: true, withoutGone: true } as const;
    const resolving = await resolveOn(found, found.args, appliance, 'preview', sight);
    const look = resolving.ok
      ? await lookAt(command, resolving.resolved, action)
      : ({ kind: 'fault', fault: resolving.fault } as const);
    if (look.kind === 'ready') {
      return { kind: 'lasts', command, resolved: look.resolved, fingerprint: look.preview.fingerprint };
    }
    const { fault } = look;
    if (fault.code === 'appliance' && isApplianceFailure(fault.failure)) throw fault.failure;
    if (fault.code === 'nothing_to_act_on') {
      const undo = resolving.ok ? { command, resolved: resolving.resolved } : undefined;
      return { kind: 'over', evidence: say`${fault.why}`, undo };
    }
    // Of what is not there any more nothing is left to take back.
    if (fault.code === 'no_such_thing' && command.within === undefined)
      return { kind: 'over', evidence: goneText(fault) };
    return { kind: 'changed', evidence: say`It can’t be undone as it is now: ${explain(fault).headline}` };
  };
}
