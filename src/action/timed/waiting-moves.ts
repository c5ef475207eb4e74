import { person, plainText, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Extension, TimedChangeRow } from '../../journal/journal.ts';
import { appliancesOf, shownOf, type Temporary } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';

/** More do not wait in a channel. */
const most = 200;

/**
 * Of one temporary change several moves of its end can wait at once: an Extend for its approval, and Keep for its click. What one of
 * them has left nothing to do for ends with a sentence of its own, instead of standing there to be pressed.
 */
export type EndWaitingMoves = (row: TimedChangeRow, by: string | undefined) => Promise<void>;

export function createEndWaitingMoves({
  journal,
  notifications,
  now,
}: Pick<Parts, 'journal' | 'notifications' | 'now'>): EndWaitingMoves {
  return async (row, by) => {
    for (const waiting of await journal.waitingIn([row.channel], most)) {
      const { temporary } = shownOf(waiting) ?? {};
      if (temporary?.extends !== row.action || !appliancesOf(waiting).includes(row.appliance)) continue;
      const why = whyInVain(temporary, row, by, waiting.createdAt, now());
      if (why !== undefined) await end(waiting, why, by);
    }
  };

  async function end(waiting: Action, why: Text, by: string | undefined): Promise<void> {
    const headline = say`${why} No changes were made.`;
    const outcome = { code: 'nothing_to_act_on', says: plainText(headline) };
    const isCalled = waiting.consent !== undefined && by !== waiting.person;
    await notifications.transitionAndNotify(
      waiting,
      'cancelled',
      { outcome, ...(by !== undefined && { decidedBy: by }) },
      {
        headline,
        token: waiting.token,
        ...(isCalled && { threadReply: { headline: say`${person(waiting.person)}: ${headline}` } }),
      },
    );
  }
}

function whyInVain(
  { until, early, shortens }: Temporary,
  row: TimedChangeRow,
  by: string | undefined,
  asked: number,
  now: number,
): Text | undefined {
  const who = by === undefined ? [] : say` by ${person(by)}`;
  switch (row.state) {
    case 'over':
      return row.ended?.how === 'kept'
        ? say`It was kept for good${who} meanwhile.`
        : say`It was undone${who} meanwhile, and is over.`;
    case 'ending':
      // It can still be kept.
      return until === undefined ? undefined : say`Its time is over, and it is being undone.`;
    default: {
      // Whoever has shortened it since has decided that it ends.
      if (until === undefined && row.extensions.some((one) => isShorterSince(one, asked)))
        return say`It ends at ${when(row.endsAt, now)} by now, which was set${who} meanwhile. If it is to stay all the same, ask again.`;
      const isThere = until !== undefined && !early && (shortens ? until >= row.endsAt : until <= row.endsAt);
      return isThere
        ? say`It ends at ${when(row.endsAt, now)} by now, which was set${who} meanwhile.`
        : undefined;
    }
  }
}

const isShorterSince = ({ at, until, from }: Extension, asked: number): boolean =>
  at >= asked && from !== undefined && until < from;
