import * as conversation from '../../handlers/conversation/conversation.commands.ts';
import type { LastChange, Standing } from '../../handlers/conversation/standing.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { type UndoOffer, undosOf } from '../showing/kept-offer.ts';

/** As long ago as people still mean with "that", in milliseconds; and no more than they could. */
const lately = 12 * 60 * 60_000;
const most = 200;
/** So many of their own changes are looked at for one that can be taken back. */
const mostOwn = 20;

export interface StandingParts {
  readonly journal: Pick<Journal, 'recentIn' | 'waitingOf' | 'keptOf' | 'byId'>;
  readonly now: () => number;
}

/** What one person has done and left open in one channel. Nothing of anybody else's is theirs to take back or to cancel. */
export function standingOf({ journal, now }: StandingParts, channel: string, person: string): Standing {
  const recent = () => journal.recentIn(channel, now() - lately, most);
  const isOwn = (action: Action) => action.person === person && action.interaction === undefined;

  return {
    waiting: async () =>
      (await journal.waitingOf(channel, person)).flatMap(({ token, line, createdAt, card }) =>
        token === undefined ? [] : [{ line, asked: createdAt, card, token }],
      ),
    lastLine: async () => {
      const last = (await recent()).find(
        (action) => isOwn(action) && action.phrase !== undefined && !aboutThat.has(action.phrase),
      );
      return last && { line: last.line, isLookup: last.effect === 'read' };
    },
    nextPage: async () => {
      const typed = (await recent()).filter((action) => isOwn(action) && action.phrase !== undefined);
      const turned = typed.findIndex(({ phrase }) => phrase !== conversation.more.phrase);
      const answer = typed[turned];
      const [result] = answer === undefined ? [] : await journal.keptOf(answer.id, 'result');
      return answer && { line: answer.line, ...(result && { result: result.token, page: turned + 1 }) };
    },
    lastChange: async () => {
      const changes = (await recent()).filter(hasGoneOut);
      const own = changes.filter(isOwn).slice(0, mostOwn);
      const undos = new Map(
        await Promise.all(own.map(async ({ id }) => [id, await undosOf(journal, id)] as const)),
      );
      // What took something back is not what is meant by "undo".
      const undoing = new Set([...undos.values()].flat().flatMap(({ became }) => became?.id ?? []));
      const meant = own.filter(({ id }) => !undoing.has(id));
      const last = meant.find(({ id }) => undos.get(id)?.some(isOpen)) ?? meant[0];
      if (last === undefined) return undefined;
      const after = changes.slice(0, changes.indexOf(last)).findLast(({ id }) => !undoing.has(id));
      return changeIn(last, undos.get(last.id) ?? [], after);
    },
  };
}

const isOpen = ({ takenBy }: UndoOffer): boolean => takenBy === undefined;

function changeIn(own: Action, undos: readonly UndoOffer[], after: Action | undefined): LastChange {
  const open = undos.filter(isOpen);
  const taken = open.length === 0 ? undos.find(({ takenBy }) => takenBy !== undefined) : undefined;
  return {
    line: own.line,
    at: own.changedAt,
    card: own.card,
    undo: open.map(({ token, where }) => ({ token, where })),
    taken: taken && {
      by: taken.takenBy ?? '',
      isDone: taken.became?.state === 'done',
      card: taken.became?.card,
    },
    later: after && { line: after.line, person: after.person },
  };
}

/** What speaks of other lines is not what is repeated. */
const aboutThat: ReadonlySet<string> = new Set(Object.values(conversation).map(({ phrase }) => phrase));

const hasGoneOut = ({ effect, state, interaction }: Action): boolean =>
  interaction === undefined &&
  effect !== undefined &&
  effect !== 'read' &&
  (state === 'done' || state === 'failed' || state === 'unknown');
