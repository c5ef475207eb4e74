import type { AnyChange } from '../../handlers/command.ts';
import { areaOf } from '../../handlers/command-name.ts';
import type { Match } from '../../handlers/language/match.ts';
import { plainText } from '../../handlers/reply.ts';
import type { Lasting } from '../../handlers/results.ts';
import type { Action, Ended, TimedChangeRow } from '../../journal/journal.ts';
import { isPutBack, rowNow } from '../../journal/timed/timed-change-row.ts';
import { changeOf, lineNow, shownOf } from '../base/stored.ts';
import type { Conclusion } from '../change/outcome.ts';
import type { Parts } from '../ground/ground.ts';
import { endWithRecord } from '../history/end-record.ts';
import { undoneBy } from '../wishes/wishes.ts';
import { lookAt, unlessAway } from './look.ts';
import { doneOf, isAsIn, type LookAtChange, type Remains } from './put-back.ts';
import { tellOverruled } from './undone.ts';

/** Something that was changed while another change was on for a time. */
type LaterChange = { readonly action: Action; readonly command: AnyChange } & Pick<Conclusion, 'state'> & {
    /** The line that takes it back. */
    readonly undo: string | undefined;
    /** What that line is. */
    readonly back: Match | undefined;
  };

/**
 * What a later change does to what is temporary: it may lie on top of it, take it back, or do the same for good. Only what it has really
 * touched counts, so how everything stands is looked at before it is sent, and once more when it is done.
 */
export interface LaterChanges {
  readonly before: (running: Action, command: AnyChange, appliance: string) => Promise<void>;
  readonly by: (row: TimedChangeRow, later: LaterChange) => Promise<void>;
  /** What was seen before it is not needed any more. */
  readonly forget: (action: string) => void;
}

/** Looks at what is on for a time; undefined when the appliance cannot be asked. */
export type LookAgain = (
  row: TimedChangeRow,
  action: Action,
  how?: Parameters<LookAtChange>[2],
) => Promise<Lasting | Remains | undefined>;

export function createLookAgain(
  parts: Pick<Parts, 'appliances' | 'commandByPhrase' | 'contexts' | 'journal'> & {
    readonly lookAtChange: LookAtChange;
  },
): LookAgain {
  const { appliances, commandByPhrase, journal, lookAtChange } = parts;
  return async (row, action, how) => {
    const appliance = appliances.get(row.appliance);
    if (appliance === undefined) return undefined;
    const timed = changeOf(commandByPhrase, action)?.timed;
    if (timed !== undefined) return lookAt(parts, appliance, action, timed, row.seen);
    // What takes it back may have been learned since the row was read.
    const current = await rowNow(journal, row);
    return isPutBack(current) && current.undoLine !== undefined
      ? unlessAway(() => lookAtChange(current, action, how))
      : undefined;
  };
}

export function createTouched(
  parts: Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'notifications' | 'now'> & {
    readonly lookAgain: LookAgain;
    readonly lookAtChange: LookAtChange;
  },
): LaterChanges {
  const { commandByPhrase, journal, match, lookAgain } = parts;
  /** By the later action and what is on. In memory: after a crash nobody knows, and what lies there then counts as touched by it. */
  const stood = new Map<string, Map<number, Lasting | Remains>>();

  return {
    before: async (running, command, appliance) => {
      // An end that is moved touches nothing.
      if (shownOf(running)?.temporary?.extends !== undefined) return;
      for (const row of await journal.timedChanges()) {
        if (row.appliance !== appliance || row.action === running.id || !isPutBack(row)) continue;
        const action = await about(row, command);
        const found = action && (await lookAgain(row, action, { under: true }));
        if (found === undefined) continue;
        stood.set(running.id, (stood.get(running.id) ?? new Map()).set(row.id, found));
      }
    },

    by: async (row, later) => {
      const action = await about(row, later.command);
      if (action === undefined) return;
      // Whatever is done in its area may have made the way free for its end.
      if (row.state === 'ending') await journal.expediteTimedChanges(row.appliance);
      // Where its own end is under way, that answers for it.
      if (!isPutBack(row) || later.state === 'failed' || row.orders > 0) return;
      await judge(row, action, later);
      await tellOverruled(parts, row, action, later);
    },

    forget: (action) => void stood.delete(action),
  };

  async function judge(row: TimedChangeRow, action: Action, later: LaterChange): Promise<void> {
    const { person, id } = later.action;
    const line = lineNow(later.action);
    const seen = await lookAgain(row, action);
    const isCovered = seen?.kind === 'covered';
    const now = isCovered ? await lookAgain(row, action, { under: true }) : seen;
    const before = stood.get(id)?.get(row.id);
    const { temporary } = shownOf(later.action) ?? {};
    if (!isCovered && later.undo !== undefined && later.undo === row.undoLine) {
      // Two who ask at once do not see each other, and the longer one counts (`pass-on.ts`).
      if (temporary !== undefined && before?.kind !== 'over') return;
      const says = `The same was done again by ${line}, and that one counts.`;
      return over(row, action, { how: 'replaced', person, says });
    }
    // It was over when the later one came, and what lies on top of it had no part in that.
    if (!isCovered && before?.kind === 'over')
      return over(row, action, { how: 'found', says: plainText(before.evidence) });
    if (now === undefined || !isTouched(before, now)) return;
    const back = givenBack(row, before, now);
    if (back.length > 0 && !isCovered && later.action.undoes === undefined)
      return leaveOut(row, action, back);
    const isTemporary = temporary !== undefined && temporary.extends === undefined;
    // What somebody had changed by then, nobody brings back by taking back the later one.
    if (!isCovered && isTemporary && before?.kind !== 'changed') return journal.coverTimedChange(row.id, id);
    // What lies on top of it may bring it back: only who wants this very one undone now ends it, and only where nothing does.
    const isMeant = later.action.line.startsWith(`${row.undoLine} --on `);
    const comesBack = isCovered && (!isMeant || before === undefined || (await isCoverOn(row)));
    if (now.kind === 'over' && !comesBack)
      await journal.endTimedChange(row.id, { how: 'person', person, by: id, says: plainText(now.evidence) });
  }

  async function isCoverOn({ coveredBy = '', appliance }: TimedChangeRow): Promise<boolean> {
    const action = await journal.byId(coveredBy);
    const cover = (await journal.timedChangesOf(coveredBy)).find((one) => one.appliance === appliance);
    if (action === undefined || cover === undefined) return true;
    const found = await lookAgain(cover, action, { under: true });
    return found === undefined || found.kind === 'lasts';
  }

  /** What somebody else has put there since is theirs, and does not end with the others. */
  async function leaveOut(row: TimedChangeRow, action: Action, theirs: readonly string[]): Promise<void> {
    const own = undoneBy(match, row);
    if (own === undefined || own.parts.every((part) => theirs.includes(part))) return;
    await journal.undoesTimedChange(row.id, own.without(theirs));
    // From now on it is compared without them.
    await lookAgain(row, action, { isFresh: true, under: true });
  }

  /** The action that has begun it, where a change is about the same area. */
  async function about({ action: id }: TimedChangeRow, later: AnyChange): Promise<Action | undefined> {
    const action = await journal.byId(id);
    const begun = action && changeOf(commandByPhrase, action);
    return begun !== undefined && areaOf(begun) === areaOf(later) ? action : undefined;
  }

  async function over(row: TimedChangeRow, action: Action, ended: Omit<Ended, 'at'>): Promise<void> {
    await endWithRecord(parts, action, row, ended);
  }
}

/** What had been taken away before that change, and is there again after it. */
function givenBack(
  row: TimedChangeRow,
  before: Lasting | Remains | undefined,
  now: Lasting | Remains,
): readonly string[] {
  if (before === undefined || !('fingerprint' in before) || !('fingerprint' in now)) return [];
  const still = new Set(doneOf(row, now));
  return (doneOf(row, before) ?? []).filter((one) => !still.has(one));
}

/** Whether the one change between two looks has done something to it; after a crash there was no look before. */
function isTouched(before: Lasting | Remains | undefined, now: Lasting | Remains): boolean {
  if (before === undefined) return now.kind !== 'lasts';
  if (before.kind !== now.kind) return before.kind === 'lasts' || now.kind === 'over';
  return before.kind === 'lasts' && !isAsIn(before, now);
}
