import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import {
  enumerate,
  person,
  plainText,
  plural,
  type Span,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, EndRecord, Journal, TimedChangeRow } from '../../journal/journal.ts';
import { changeOf, lineNow } from '../base/stored.ts';
import { timedName } from '../showing/timed-card.ts';
import { doneIn, type TimedName } from '../wording/timed.ts';

/** What something temporary is of, and by which command. */
export interface TimedOrigin {
  /** The action that began it, and its command, where it is still known. */
  readonly action: Action;
  readonly command: AnyChange | undefined;
}

/** What the audit says of an end that nobody has asked for with a line of their own. */
function recordOfEnd(
  { action, command }: TimedOrigin,
  row: TimedChangeRow,
  ended: Omit<Ended, 'at'>,
): EndRecord {
  const named = timedName(action, command, row);
  const headline = plainText(
    say`${named.kind === 'mode' ? modeOver(row, ended) : over(row, ended)}: ${doneIn(named)}`,
  );
  const says = [`${headline}.`, ended.says].filter((part) => part !== '').join(' ');
  const isOrdered = ended.how === 'ended' || (ended.how === 'found' && row.orders > 0);
  const code = ended.says.startsWith('Accepted, not verified') ? 'accepted' : `timed_${ended.how}`;
  const outcome = { code, headline, says, evidence: [ended.says] };
  return { state: 'done', line: lineNow(action), isChange: isOrdered, outcome, decidedBy: ended.person };
}

/** It is over by no line of anybody's: that is recorded with it. */
export const endWithRecord = (
  {
    commandByPhrase,
    journal,
  }: {
    readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
    readonly journal: Pick<Journal, 'endTimedChange'>;
  },
  action: Action,
  row: TimedChangeRow,
  ended: Omit<Ended, 'at'>,
): Promise<TimedChangeRow | undefined> =>
  journal.endTimedChange(
    row.id,
    ended,
    recordOfEnd({ action, command: changeOf(commandByPhrase, action) }, row, ended),
  );

/** The same of a try that failed, or of an end that is left to people. */
export function recordOfTry(
  { action, command }: TimedOrigin,
  row: TimedChangeRow,
  problem: Text,
  why: 'failed' | 'changed',
): EndRecord {
  const named: TimedName = timedName(action, command, row);
  const ended = named.kind === 'mode' ? 'ended' : 'undone';
  const headline =
    why === 'failed'
      ? say`Couldn’t be ${ended}, and is retried (its end says how often): ${problem}`
      : say`Not ${ended}, and people are asked: ${problem}`;
  const says = plainText(say`${headline} It is about: ${doneIn(named)}.`);
  return {
    state: 'failed',
    line: lineNow(action),
    isChange: false,
    outcome: { code: `timed_${why}`, headline: plainText(headline), says },
  };
}

function over({ tries, orders, seen }: TimedChangeRow, { how, person }: Omit<Ended, 'at'>): Text {
  switch (how) {
    case 'replaced':
      return say`No longer temporary`;
    case 'found':
      return orders > 0
        ? say`Undone automatically`
        : seen
          ? say`Already undone outside Appliance Bot`
          : say`Not there any more`;
    default:
      return say`Undone ${person === undefined ? 'automatically' : 'early'}${after(tries)}`;
  }
}

const modeOver = ({ tries, orders }: TimedChangeRow, { how }: Omit<Ended, 'at'>): Text =>
  how === 'found' && orders === 0
    ? say`Already off outside Appliance Bot`
    : say`Ended automatically${after(tries)}`;

const after = (tries: number): string =>
  tries === 0 ? '' : ` after ${plural(tries, 'try', 'tries')} that failed`;

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
      const why = lastProblem === undefined ? [] : say`: ${recalled(lastProblem)}`;
      return say`it was until ${until}${on}, and is not undone yet${row.tries > 1 ? `, after ${row.tries} tries` : ''}${why}`;
    }),
  );
}

const overAs = ({ how }: Ended): string =>
  how === 'kept' ? 'kept for good' : how === 'replaced' ? 'replaced' : 'undone';

/** `near`: how its moment is told. */
export function howItEnded(
  { tries, orders, seen }: TimedChangeRow,
  { how, at, person: by, says }: Ended,
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
    case 'kept':
      return say`by ${who} at ${near(at)}`;
    case 'found':
      if (orders > 0) return say`automatically: a check at ${near(at)} showed that it was off`;
      return seen || state === 'done'
        ? say`outside Appliance Bot: a check at ${near(at)} showed that it was already off`
        : say`a check at ${near(at)} showed that it was not on; it may never have been`;
  }
}
