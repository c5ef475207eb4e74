import { code, moment, person, say, type Text } from '../../handlers/reply.ts';
import { byRun, drift, endOfTime } from '../../journal/actions/order.ts';
import type { Action, Journal, TimedChangeRow } from '../../journal/journal.ts';
import { isLeftToItsUndo } from '../../journal/timed/timed-change-row.ts';
import { appliancesOf, lineNow } from '../base/stored.ts';
import { offerIn, type UndoOffer, undoBehind, undosOf } from '../showing/kept-offer.ts';

type LeftParts = {
  readonly journal: Pick<Journal, 'byId' | 'changesIn' | 'keptOf' | 'timedChangesOf'>;
};

/** Where a change has left nothing that its undo could take back. */
interface Gone {
  readonly on: readonly string[];
  /** What became of it, and who has done the same since, which its undo would take away. */
  readonly why: Text;
}

/** Undefined where its undo takes back what it did, on each of its appliances. */
export async function goneOf({ journal }: LeftParts, action: Action): Promise<Gone | undefined> {
  const rows = await journal.timedChangesOf(action.id);
  const ended = rows.filter((row) => row.state === 'over' && !isLeftToItsUndo(row));
  const since = await sameSince({ journal }, action);
  const on = [
    ...new Set([...ended.map(({ appliance }) => appliance), ...since.flatMap(({ on: names }) => names)]),
  ];
  if (on.length === 0) return undefined;
  const [row] = ended;
  const how = row === undefined ? [] : [endedInWords(row, await endedBy(journal, row))];
  const others = since.map(
    ({ by }) =>
      say`${person(by.person)} has done the same since, with ${code(lineNow(by))} (${moment(by.changedAt)}), which stays.`,
  );
  return { on, why: [...how, ...others].flatMap((one, index) => (index === 0 ? one : [' ', ...one])) };
}

/** The buttons that would take something back. */
export async function openUndosOf(parts: LeftParts, action: Action): Promise<readonly UndoOffer[]> {
  const open = (await undosOf(parts.journal, action.id)).filter(({ takenBy }) => takenBy === undefined);
  const gone = open.length === 0 ? undefined : await goneOf(parts, action);
  return appliancesOf(action).every((name) => gone?.on.includes(name)) ? [] : open;
}

/** Whether all that it did was taken back: by its Undo, which was seen to be done, or at the end of its time. */
export async function isTakenBack(
  { journal }: Pick<LeftParts, 'journal'>,
  { id }: Pick<Action, 'id'>,
): Promise<boolean> {
  const rows = await journal.timedChangesOf(id);
  const isOver = ({ ended }: TimedChangeRow) =>
    ended !== undefined && ended.how !== 'kept' && ended.how !== 'replaced';
  if (rows.length > 0 && rows.every(isOver)) return true;
  const undos = await undosOf(journal, id);
  return undos.length > 0 && undos.every(({ became }) => became?.state === 'done');
}

function endedInWords({ ended, endsAt }: TimedChangeRow, by: string | undefined): Text {
  const at = moment(ended?.at ?? endsAt);
  if (ended?.how === 'replaced')
    return ended.person === undefined
      ? say`It was temporary, and another change has taken it over.`
      : say`It was temporary, and ${person(ended.person)} has taken it over.`;
  return by === undefined
    ? say`It was temporary, and ended at ${at}.`
    : say`It was temporary, and ${person(by)} ended it at ${at}.`;
}

/** Who has ended it before its time, by their own order or by moving its end. */
async function endedBy(
  journal: LeftParts['journal'],
  { ended, extensions }: TimedChangeRow,
): Promise<string | undefined> {
  const cut = extensions.find(({ at, until }) => until <= at);
  return ended?.person ?? (cut && (await journal.byId(cut.action))?.person);
}

/** Whose undo is the very same: to do it again it must have been taken back in between. */
async function sameSince(
  { journal }: LeftParts,
  action: Action,
): Promise<readonly { readonly by: Action; readonly on: readonly string[] }[]> {
  const own = await undoLines(journal, action.id);
  if (own.length === 0) return [];
  const around = await journal.changesIn(action.changedAt - drift, endOfTime, [action.phrase ?? '']);
  const later = around.filter(
    (one) => one.id !== action.id && one.state === 'done' && byRun(action, one) <= 0,
  );
  const found = later.map(async (by) => {
    const others = await undoLines(journal, by.id);
    const rows = await journal.timedChangesOf(by.id);
    const on = own.flatMap((one) =>
      others.some(
        (other) => other.line === one.line && other.appliance === one.appliance && !other.isTaken,
      ) &&
      !rows.some(
        (row) => row.appliance === one.appliance && row.state === 'over' && row.ended?.how !== 'kept',
      )
        ? [one.appliance]
        : [],
    );
    return { by, on };
  });
  return (await Promise.all(found)).filter(({ on }) => on.length > 0);
}

/** The lines that take it back, as its buttons have them. */
async function undoLines(
  journal: LeftParts['journal'],
  action: string,
): Promise<readonly { readonly line: string; readonly appliance: string; readonly isTaken: boolean }[]> {
  return (await journal.keptOf(action, 'offer')).flatMap((kept) => {
    const offer = offerIn(kept);
    const behind = undoBehind(offer?.line);
    if (offer?.undo !== true || behind === undefined) return [];
    const { line, on } = behind;
    return on.map((appliance) => ({ line, appliance, isTaken: kept.takenBy !== undefined }));
  });
}
