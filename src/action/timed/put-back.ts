import type { Appliance } from '../../api/index.ts';
import { code, person, say, type Text } from '../../handlers/reply.ts';
import type { Lasting } from '../../handlers/results.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { changeOf, lineNow, targetsIn } from '../base/stored.ts';
import { answerIn } from '../change/order.ts';
import type { Parts } from '../ground/ground.ts';
import { identityOn, isSameFingerprint, otherAppliance } from '../target/identity.ts';
import { resolvedFrom } from '../target/target.ts';
import { createLookAtUndo, type PutBack, type UndoLook } from '../wishes/undo-look.ts';

/** How what was changed for a time looks now. */
export type Remains =
  | UndoLook
  /** Somebody has changed the same since, for a time: that ends first, at this moment. */
  | { readonly kind: 'covered'; readonly evidence: Text; readonly until: number };

/**
 * `isFresh`: it was made and read back a moment ago, so that what is there is what it has left. `under`: what lies on top of it, and ends
 * first, is looked through.
 * @throws ApplianceFailure where the appliance cannot be asked
 */
export type LookAtChange = (
  row: TimedChangeRow,
  action: Action,
  how?: { readonly isFresh?: boolean; readonly under?: boolean },
) => Promise<Remains>;

export function createLookAtChange(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal' | 'match'>,
): LookAtChange {
  const { appliances, commandByPhrase, contexts, journal } = parts;
  const lookAtUndo = createLookAtUndo(parts);

  return async (row, action, { isFresh = false, under = false } = {}) => {
    const appliance = appliances.get(row.appliance);
    if (appliance === undefined) throw new Error(`${row.appliance} is not connected`);
    const cover = under ? undefined : await coverOf(row);
    if (cover !== undefined) return cover;
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
      return { kind: 'changed', evidence: say`It is not as it was left: somebody has changed it since.` };
    return found;
  };

  async function coverOf({ coveredBy, appliance }: TimedChangeRow): Promise<Remains | undefined> {
    const rows = coveredBy === undefined ? [] : await journal.timedChangesOf(coveredBy);
    const cover = rows.find((one) => one.appliance === appliance && one.state !== 'over');
    if (cover === undefined) return undefined;
    const by = await journal.byId(cover.action);
    const evidence = say`It was changed since with ${code(by === undefined ? '' : lineNow(by))} by ${person(cover.person)}, which is temporary, too: when that is undone, so is this.`;
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
}

/**
 * Of many, what has been taken back meanwhile, by somebody else or by an order of the bot that broke off, as people call it; undefined
 * where what is left is not as it was left.
 */
export const doneOf = (
  { left = {} }: TimedChangeRow,
  { command, resolved, fingerprint }: PutBack,
): readonly string[] | undefined => command.doneOf?.(fingerprint, left, resolved.args);

/** Whether two looks have found the same to take back. */
export const isAsIn = (one: Lasting | Remains, other: Lasting | Remains): boolean =>
  'fingerprint' in one &&
  'fingerprint' in other &&
  isSameFingerprint(one.fingerprint, other.fingerprint, one.command.beside);

/** Whether another appliance answers than the one that something was changed on: nothing that is seen there tells of that. */
export async function otherAt(
  contexts: Parts['contexts'],
  appliance: Appliance,
  action: Action,
): Promise<Text | undefined> {
  const agreed = identityOn(action, appliance.name);
  if (agreed === undefined) return undefined;
  const context = contexts.asking(action, { appliance, args: {} as never });
  return otherAppliance(appliance.name, agreed, await context.identity(agreed));
}
