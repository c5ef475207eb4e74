import type { LastChange, Standing } from '../../handlers/conversation/standing.ts';
import type { Action, Journal, Kept } from '../../journal/journal.ts';
import { offerIn } from '../showing/kept-offer.ts';

/** As long ago as people still mean with "that", in milliseconds; and no more than they could. */
const lately = 12 * 60 * 60_000;
const most = 200;
/** So many of their own changes are looked at for one that can be taken back. */
const mostOwn = 20;

export interface StandingParts {
  readonly journal: Pick<Journal, 'recentIn' | 'offersOf'>;
  readonly now: () => number;
}

/** What one person has done and left open in one channel. Nothing of anybody else's is theirs to take back or to cancel. */
export function standingOf({ journal, now }: StandingParts, channel: string, person: string): Standing {
  const recent = () => journal.recentIn(channel, now() - lately, most);
  const isOwn = (action: Action) => action.person === person && action.interaction === undefined;

  return {
    waiting: async () =>
      (await recent()).flatMap((action) => {
        const { state, token, line, createdAt, card } = action;
        const isOpen = isOwn(action) && state === 'waiting' && token !== undefined;
        return isOpen ? [{ line, asked: createdAt, card, token }] : [];
      }),
    lastLine: async () =>
      (await recent()).find(
        (action) => isOwn(action) && action.phrase !== undefined && !aboutThat.has(action.phrase),
      )?.line,
    lastChange: async () => {
      const changes = (await recent()).filter(hasGoneOut);
      const own = changes.filter(isOwn).slice(0, mostOwn);
      const offers = new Map(await Promise.all(own.map(async ({ id }) => [id, await undoOf(id)] as const)));
      // What took something back is not what is meant by "undo".
      const undoing = new Set([...offers.values()].flat().flatMap(({ became }) => became ?? []));
      const meant = own.filter(({ id }) => !undoing.has(id));
      const isOpen = ({ id }: Action) => offers.get(id)?.some(({ takenBy }) => takenBy === undefined);
      const last = meant.find(isOpen) ?? meant[0];
      if (last === undefined) return undefined;
      const after = changes.slice(0, changes.indexOf(last)).findLast(({ id }) => !undoing.has(id));
      return changeIn(last, offers.get(last.id) ?? [], after);
    },
  };

  async function undoOf(action: string): Promise<readonly Kept[]> {
    return (await journal.offersOf(action)).filter((offer) => offerIn(offer)?.undo === true);
  }
}

function changeIn(own: Action, offers: readonly Kept[], after: Action | undefined): LastChange {
  const open = offers.filter(({ takenBy }) => takenBy === undefined);
  return {
    line: own.line,
    at: own.changedAt,
    card: own.card,
    undo: open.map((offer) => ({ token: offer.token, where: offerIn(offer)?.where })),
    undoneBy: open.length === 0 ? offers.find(({ takenBy }) => takenBy !== undefined)?.takenBy : undefined,
    later: after && { line: after.line, person: after.person },
  };
}

/** What speaks of other lines is not what is repeated. */
const aboutThat: ReadonlySet<string> = new Set(['undo', 'cancel', 'yes', 'again']);

const hasGoneOut = ({ effect, state, interaction }: Action): boolean =>
  interaction === undefined &&
  effect !== undefined &&
  effect !== 'read' &&
  (state === 'done' || state === 'failed' || state === 'unknown');
