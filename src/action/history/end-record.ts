import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { plainText, plural, say, type Text } from '../../handlers/reply.ts';
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
  const says = [`${headline}.`, ended.says, ended.stays ?? ''].filter((part) => part !== '').join(' ');
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

function over({ tries, orders, seen }: TimedChangeRow, { how, stays, person }: Omit<Ended, 'at'>): Text {
  switch (how) {
    case 'replaced':
      return stays === undefined
        ? say`No longer temporary`
        : say`Not undone, as somebody else wants it for longer`;
    case 'found':
      return orders > 0
        ? say`Undone automatically`
        : seen
          ? say`Already undone outside Appliance Bot`
          : say`Not there any more`;
    default:
      return say`Undone ${person === undefined ? 'automatically' : 'early'}${after(tries)}${stays === undefined ? '' : ', but for what others want for longer'}`;
  }
}

const modeOver = ({ tries, orders }: TimedChangeRow, { how }: Omit<Ended, 'at'>): Text =>
  how === 'found' && orders === 0
    ? say`Already off outside Appliance Bot`
    : say`Ended automatically${after(tries)}`;

const after = (tries: number): string =>
  tries === 0 ? '' : ` after ${plural(tries, 'try', 'tries')} that failed`;
