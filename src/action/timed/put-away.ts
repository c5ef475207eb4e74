import { say } from '../../handlers/reply.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { newestOf } from '../../journal/timed/timed-change-row.ts';
import { type Chat, gotOut } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { threadOf } from '../showing/messages.ts';
import { standsNow, type TimedName } from '../wording/timed.ts';

/** By this a call for help is found again: that something could not be ended, for the so-manieth time. */
export const troubleKey = ({ id }: TimedChangeRow, tries: number): string => `lease-${id}-failure-${tries}`;

/** A message in the thread of its card. */
export function messageBelow(action: Action, ts: string): Parameters<Chat['edit']>[0] {
  const { channel, card } = threadOf(action) ?? { channel: action.channel, card: undefined };
  return { channel, ts, thread: card };
}

/** How many are looked for: each is a call, and who presses one that is older is told that it is over. */
const mostTries = 20;

/**
 * Calls for help have buttons, which promise what they cannot do any more when it is over: then they say how it stands. Nothing hangs
 * on it. `card`: in whose thread they were told.
 */
export async function putAwayTrouble(
  { chat, now }: Pick<Parts, 'chat' | 'now'>,
  card: Action,
  named: TimedName,
  row: TimedChangeRow,
): Promise<void> {
  const below = threadOf(card);
  if (below === undefined) return;
  // The first has called everybody, and may stand in the channel, too.
  const first = Math.max(1, row.tries - mostTries);
  const tries = Array.from({ length: row.tries - first + 1 }, (_, index) =>
    index === 0 ? 1 : first + index,
  );
  for (const one of row.tries === 0 ? [] : tries) {
    const key = troubleKey(row, one);
    const found = await chat.find(below, key, row.startedAt);
    if (found.kind !== 'stands') continue;
    const noted = { key, at: newestOf(row) };
    // Each stays what it was: the so-manieth try, which had failed.
    const { headline } = standsNow(named, row, now());
    const said = { headline: say`${headline} Try ${one} to end it had failed.` };
    await gotOut(chat.edit(messageBelow(card, found.ts), said, noted));
  }
}
