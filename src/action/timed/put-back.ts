import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { code, person, say, type Text } from '../../handlers/reply.ts';
import type { Fingerprint } from '../../handlers/results.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { changeOf, targetsIn } from '../base/stored.ts';
import { answerIn } from '../change/order.ts';
import type { Parts } from '../ground/ground.ts';
import { previewOn, type ResolvedTarget, resolvedFrom, resolveOn } from '../target/target.ts';
import { explain } from '../wording/faults.ts';

/** What takes a temporary change back, as it would be now. */
export interface PutBack {
  readonly command: AnyChange;
  readonly resolved: ResolvedTarget;
  readonly fingerprint: Fingerprint;
}

/** How what was changed for a time looks now. */
export type Remains =
  | ({ readonly kind: 'lasts' } & PutBack)
  /** There is nothing to take back: it was taken back, or never came to be. */
  | {
      readonly kind: 'over';
      readonly evidence: Text;
      /** Where what it was done to is still there. */
      readonly undo?: Pick<PutBack, 'command' | 'resolved'> | undefined;
    }
  /** Somebody has changed the same since, for a time: that ends first, at this moment. */
  | { readonly kind: 'covered'; readonly evidence: Text; readonly until: number }
  /** It is not as it was left, so that somebody else's edit would be overwritten. */
  | { readonly kind: 'changed'; readonly evidence: Text };

/**
 * `isFresh`: it was made and read back a moment ago, so that what is there is what it has left.
 * @throws ApplianceFailure where the appliance cannot be asked
 */
export type LookAtChange = (row: TimedChangeRow, action: Action, isFresh?: boolean) => Promise<Remains>;

export function createLookAtChange(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal' | 'match'>,
): LookAtChange {
  const { appliances, commandByPhrase, contexts, journal, match } = parts;

  return async (row, action, isFresh = false) => {
    const appliance = appliances.get(row.appliance);
    if (appliance === undefined) throw new Error(`${row.appliance} is not connected`);
    const cover = await coverOf(row);
    if (cover !== undefined) return cover;
    const found = await readIt(row, appliance, action);
    if (found.kind !== 'lasts') return found;
    const { left } = row;
    const why = left === undefined && !isFresh ? await whyNotAsMade(appliance, action) : undefined;
    if (why !== undefined) return { kind: 'changed', evidence: why };
    // Seen for the first time: whatever comes later is compared with this.
    if (left === undefined) await journal.leftByTimedChange(row.id, found.fingerprint);
    else if (!isSame(left, found.fingerprint))
      return { kind: 'changed', evidence: say`It is not as it was left: somebody has changed it since.` };
    return found;
  };

  async function coverOf({ coveredBy, appliance }: TimedChangeRow): Promise<Remains | undefined> {
    const rows = coveredBy === undefined ? [] : await journal.timedChangesOf(coveredBy);
    const cover = rows.find((one) => one.appliance === appliance && one.state !== 'over');
    if (cover === undefined) return undefined;
    const by = await journal.byId(cover.action);
    const evidence = say`It was changed since with ${code(by?.line ?? '')} by ${person(cover.person)}, which is temporary, too: when that is undone, so is this.`;
    return { kind: 'covered', evidence, until: cover.endsAt };
  }

  /** What it has left was never seen: what comes of it now must be what it was to do, or somebody has been there. */
  async function whyNotAsMade(appliance: Appliance, action: Action): Promise<Text | undefined> {
    const command = changeOf(commandByPhrase, action);
    const target = targetsIn(action).find((one) => one.appliance === appliance.name);
    const { learned } = answerIn(await journal.eventsOf(action.id), appliance.name);
    if (command === undefined || target === undefined || typeof command.verify !== 'function')
      return say`What it left was not seen when it was made, so nobody can tell whether somebody has changed it since.`;
    const context = contexts.acting(action, resolvedFrom(target, appliance));
    const { kind } = await command.verify(context, { ...target.fingerprint, ...learned });
    return kind === 'happened'
      ? undefined
      : say`What it left was not seen when it was made, and it is not as it was to be: somebody may have changed it since.`;
  }

  async function readIt(row: TimedChangeRow, appliance: Appliance, action: Action): Promise<Remains> {
    const found = row.undoLine === undefined ? undefined : match(row.undoLine);
    if (found?.kind !== 'command' || found.command.kind !== 'change')
      return { kind: 'changed', evidence: say`The bot doesn’t know what takes it back.` };
    const { command } = found;
    // Whoever asked for it was allowed to have it end.
    const sight = { may: () => true, isWhole: true, isExact: true };
    const resolving = await resolveOn(found, found.args, appliance, 'preview', sight);
    const look = resolving.ok
      ? await previewOn(command, resolving.resolved, contexts.acting(action, resolving.resolved))
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
    return { kind: 'changed', evidence: say`It can’t be undone as it is now: ${explain(fault).headline}` };
  }
}

const isSame = (one: Fingerprint, other: Fingerprint): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => one[key] === other[key]);
