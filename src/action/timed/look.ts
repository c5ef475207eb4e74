import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import type { AnyChange, Timed } from '../../handlers/command.ts';
import { say, type Text } from '../../handlers/reply.ts';
import type { Fingerprint, Lasting } from '../../handlers/results.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { changeOf, targetsIn } from '../base/stored.ts';
import { answerIn } from '../change/execute.ts';
import type { Parts } from '../ground/ground.ts';
import { identityOn, isSameFingerprint } from '../target/identity.ts';
import { otherAt, previewOn, type ResolvedTarget, resolvedFrom, resolveOn } from '../target/target.ts';
import { explain } from '../wording/faults.ts';
import { goneText } from '../wording/no-such.ts';

/** Looks whether something is on. `seen`: it was seen to be. Undefined when the appliance cannot be asked. */
export const lookAt = (
  { contexts }: Pick<Parts, 'contexts'>,
  appliance: Appliance,
  action: Pick<Action, 'id' | 'person' | 'channel'>,
  timed: Timed<never>,
  seen: boolean,
): Promise<Lasting | undefined> =>
  unlessAway(() => timed.look(contexts.acting(action, { appliance, args: {} as never }), seen));

/** Undefined when the appliance cannot be asked. */
export async function unlessAway<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return undefined;
  }
}

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
type LookAtUndo = (line: string | undefined, appliance: Appliance, action: Action) => Promise<UndoLook>;

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

/**
 * How what was changed for a time looks now. `isFresh`: it was made and read back a moment ago, so that what is there is what it has left.
 * @throws ApplianceFailure where the appliance cannot be asked
 */
export type LookAtChange = (
  row: TimedChangeRow,
  action: Action,
  how?: { readonly isFresh?: boolean },
) => Promise<UndoLook>;

export function createLookAtChange(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal' | 'match'>,
): LookAtChange {
  const { appliances, commandByPhrase, contexts, journal } = parts;
  const lookAtUndo = createLookAtUndo(parts);

  return async (row, action, { isFresh = false } = {}) => {
    const appliance = appliances.get(row.appliance);
    if (appliance === undefined) throw new Error(`${row.appliance} is not connected`);
    const other = await otherAt(contexts, appliance, action);
    if (other !== undefined) return { kind: 'changed', evidence: other };
    const found = await lookAtUndo(row.undoLine, appliance, action);
    if (found.kind !== 'lasts') return found;
    const { left } = row;
    const why = left === undefined && !isFresh ? await whyNotAsMade(appliance, action) : undefined;
    if (why !== undefined) return { kind: 'changed', evidence: why };
    // Seen for the first time: whatever comes later is compared with this.
    if (left === undefined) await journal.leftByTimedChange(row.id, found.fingerprint);
    else if (
      !isSameFingerprint(left, found.fingerprint, found.command.beside) &&
      doneOf(row, found) === undefined
    )
      return { kind: 'changed', evidence: say`Somebody has changed it since.` };
    return found;
  };

  /** What it has left was never seen: what comes of it now must be what it was to do, or somebody has been there. */
  async function whyNotAsMade(appliance: Appliance, action: Action): Promise<Text | undefined> {
    const command = changeOf(commandByPhrase, action);
    const target = targetsIn(action).find((one) => one.appliance === appliance.name);
    const { learned } = answerIn(await journal.eventsOf(action.id), appliance.name);
    if (command === undefined || target === undefined || typeof command.verify !== 'function')
      return say`Its result was not seen when it was made, so the bot can’t tell whether somebody has changed it since.`;
    const context = contexts.acting(action, resolvedFrom(target, appliance));
    const { kind } = await command.verify(context, { ...target.fingerprint, ...learned });
    return kind === 'happened'
      ? undefined
      : say`Its result was not seen when it was made, and is not as expected: somebody may have changed it since.`;
  }
}

/**
 * Of many, what has been taken back meanwhile, by somebody else or by an order of the bot that broke off, as people call it; undefined
 * where what is left is not as it was left.
 */
export const doneOf = (
  { left = {} }: TimedChangeRow,
  { command, resolved, fingerprint }: PutBack,
): readonly string[] | undefined => command.doneOf?.(fingerprint, left, resolved.args);
