import { recalled } from '../../handlers/audit/recalled.ts';
import { enumerate, person, plural, type Span, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, Journal, TimedChangeRow } from '../../journal/journal.ts';

/** The same of one action: also that somebody has undone later what was kept. */
export async function endingOf(
  journal: Pick<Journal, 'timedChangesOf' | 'undoneSince'>,
  action: Action,
  now: number,
): Promise<Text | undefined> {
  const rows = await journal.timedChangesOf(action.id);
  if (rows.length === 0) return undefined;
  const ends = endsInWords(rows, action, now);
  const kept = rows.find(({ ended }) => ended?.how === 'kept')?.ended;
  const undone = kept && (await journal.undoneSince(action.id, kept.at));
  return undone === undefined
    ? ends
    : say`${ends}, and undone by ${person(undone.person)} at ${when(undone.at, now)}`;
}

/** What became of the end of something temporary, appliance by appliance, for whoever asks long after; nothing of what was never temporary. */
function endsInWords(rows: readonly TimedChangeRow[], action: Action, now: number): Text {
  const tellsWhere = rows.length > 1;
  return enumerate(
    rows.map((row) => {
      const on = tellsWhere ? say` on ${strong(row.appliance)}` : [];
      const { ended, endsAt, lastProblem, state } = row;
      if (ended !== undefined)
        return say`${overAs(ended)}${on} ${howItEnded(row, ended, action, (at) => when(at, now))}`;
      const until = when(endsAt, now);
      if (state === 'on') return say`until ${until}${on}, and is undone then`;
      const why = lastProblem === undefined ? [] : say`: ${recalled(lastProblem, () => false)}`;
      return say`it was until ${until}${on}, and is not undone yet${row.tries > 1 ? `, after ${row.tries} tries` : ''}${why}`;
    }),
  );
}

const overAs = ({ how, stays }: Ended): string =>
  how === 'kept'
    ? 'kept for good'
    : how === 'replaced'
      ? stays === undefined
        ? 'replaced'
        : 'left on'
      : 'undone';

/** `near`: how its moment is told. */
export function howItEnded(
  { tries, orders, seen }: TimedChangeRow,
  { how, at, person: by, says, stays }: Ended,
  { state }: Pick<Action, 'state'>,
  near: (at: number) => Text | Span,
): Text {
  const who = by === undefined ? say`somebody` : say`${person(by)}`;
  switch (how) {
    case 'ended':
      if (by !== undefined) return say`by ${who} at ${near(at)}`;
      return tries === 0
        ? say`automatically at ${near(at)}`
        : say`automatically at ${near(at)}, after ${plural(tries, 'try', 'tries')} that failed`;
    case 'person':
      return say`by ${who} at ${near(at)}`;
    case 'confirmed':
      return say`confirmed manually by ${who} at ${near(at)}: ${says}`;
    case 'replaced':
      // Whoever it is left to has ended nothing.
      if (by === undefined && stays !== undefined) return say`with its time, at ${near(at)}`;
      return say`by ${who} at ${near(at)}`;
    case 'kept':
      return say`by ${who} at ${near(at)}`;
    case 'found':
      if (orders > 0) return say`automatically: a check at ${near(at)} showed that it was off`;
      return seen || state === 'done'
        ? say`outside Appliance Bot: a check at ${near(at)} showed that it was already off`
        : say`a check at ${near(at)} showed that it was not on; it may never have been`;
  }
}
