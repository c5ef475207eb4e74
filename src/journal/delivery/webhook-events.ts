import type { Insertable } from 'kysely';
import { z } from 'zod';
import type { Stored } from '../../codec.ts';
import type { Action, Outcome } from '../actions/action.ts';
import { isLookedForAgain, type State } from '../actions/states.ts';
import { freed } from '../claims.ts';
import { newId } from '../id.ts';
import { jsonToRead } from '../json.ts';
import type { WebhooksTable } from '../tables.ts';

/** What has become of a change, for another system. */
export type ChangeEvent =
  | 'change.asked'
  | 'change.approved'
  /** Agreed to, and held until its time. */
  | 'change.planned'
  | 'change.denied'
  | 'change.cancelled'
  | 'change.expired'
  | 'change.done'
  | 'change.failed'
  | 'change.accepted'
  | 'change.unknown'
  /** What it did was taken back by another change. */
  | 'change.undone'
  /** It was temporary, and its time is over. */
  | 'change.ended';

/** What is told of it besides what the action itself says, which never changes. Plain JSON. */
export type EventContent = Stored<typeof contentShape>;
export const contentShape = z.object({
  /** Who decided, or ended it: a Slack ID. */
  by: z.string().optional(),
  outcome: z.object({ code: z.string(), says: z.string() }).optional(),
  /** The action that took it back. */
  undoneBy: z.string().optional(),
  /** When it is to run: ISO 8601 in UTC. */
  runAt: z.string().optional(),
  /** Of what was temporary: where, and how it ended. */
  appliance: z.string().optional(),
  how: z.string().optional(),
});

/** Of which changes others are told. Nobody is, unless the policy file says whom. */
export type AnnouncedChanges = 'none' | 'ticketed' | 'all';

/** What a transition needs to know of its action, to tell others. */
export type Announceable = Pick<Action, 'id' | 'state' | 'effect'> &
  Partial<Pick<Action, 'ticket' | 'undoes'>>;

interface Transition {
  readonly to: State;
  readonly outcome?: Outcome | undefined;
  readonly decidedBy?: string | undefined;
  /** Somebody looks at once what became of it. */
  readonly held?: boolean | undefined;
  /** Of what is planned, in milliseconds since the epoch. */
  readonly runAt?: number | undefined;
}

const events: Readonly<Record<State, ChangeEvent | undefined>> = {
  asked: undefined,
  refused: undefined,
  waiting: 'change.asked',
  planned: 'change.planned',
  approved: 'change.approved',
  running: undefined,
  done: 'change.done',
  failed: 'change.failed',
  unknown: 'change.unknown',
  cancelled: 'change.cancelled',
  expired: 'change.expired',
};

function eventsOf(from: State, { to, outcome, held }: Transition): readonly ChangeEvent[] {
  // Of what comes to nothing before anybody was asked, nobody has heard.
  if (from === 'asked') {
    if (to === 'planned') return ['change.asked', 'change.planned'];
    return to === 'running' || to === 'waiting' ? ['change.asked'] : [];
  }
  // Its time has come, and nobody else has agreed to it.
  if (from === 'planned' && to === 'approved') return [];
  if (to === 'unknown' && held) return isLookedForAgain({ state: to, outcome }) ? ['change.accepted'] : [];
  const event = to === 'cancelled' && outcome?.code === 'denied' ? 'change.denied' : events[to];
  return event === undefined ? [] : [event];
}

/** The rows that are written with a transition. */
export function webhookRows(
  action: Announceable,
  transition: Transition,
  which: AnnouncedChanges,
  now: number,
): readonly Insertable<WebhooksTable>[] {
  const { id, state, undoes } = action;
  if (!isAnnounced(action, which)) return [];
  const { to, decidedBy, outcome, runAt } = transition;
  const content: EventContent = {
    by: decidedBy,
    outcome: outcome && { code: outcome.code, says: outcome.headline ?? outcome.says },
  };
  return [
    ...eventsOf(state, transition).map((event) =>
      webhookRow(
        id,
        event,
        event === 'change.planned' && runAt !== undefined
          ? { ...content, runAt: new Date(runAt).toISOString() }
          : content,
        now,
      ),
    ),
    ...(to === 'done' && undoes !== undefined
      ? [webhookRow(undoes, 'change.undone', { undoneBy: id }, now)]
      : []),
  ];
}

/** What only reads is no change, and a dry run reads. */
export const isAnnounced = (
  { effect, ticket }: Pick<Announceable, 'effect' | 'ticket'>,
  which: AnnouncedChanges,
): boolean =>
  effect !== undefined &&
  effect !== 'read' &&
  (which === 'all' || (which === 'ticketed' && ticket !== undefined));

export const webhookRow = (
  action: string,
  event: ChangeEvent,
  content: EventContent,
  now: number,
): Insertable<WebhooksTable> => ({
  ...{ key: newId(), action, event, content_json: jsonToRead(content) },
  ...{ created_at: now, ...freed, tries: 0, next_try_at: now },
});
