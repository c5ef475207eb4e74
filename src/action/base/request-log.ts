import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OrderReply, RequestReport } from '../../api/index.ts';
import { requestToNote } from '../../journal/audit/record.ts';
import type { ActionEvent, Journal, Json } from '../../journal/journal.ts';

/**
 * What is sent to appliances is noted with the action that it is sent for. Whatever an action calls, and however deep,
 * knows it by the asynchronous context: no call has to hand it on.
 */
interface RequestLog {
  /** IDs: one compile may be for several. */
  readonly actions: readonly string[];
  /** What is not in the journal so far. */
  readonly heard: ActionEvent[];
  readonly noting: Set<Promise<void>>;
  /** What was said to its orders. */
  readonly replies: Reply[];
  /** Writes down all that was heard. */
  readonly note: () => Promise<void>;
  readonly now: () => number;
  readonly reads: boolean;
}

type Reply = Pick<OrderReply, 'appliance' | 'words'>;

const requestLogs = new AsyncLocalStorage<RequestLog>();
/** The actions that this process is at, by their IDs alone: nothing of what they work with is kept alive by it. */
const underWay = new Set<readonly string[]>();

/** Whether this process is at an action. */
export const isUnderWay = (action: string): boolean =>
  [...underWay].some((actions) => actions.includes(action));

/** The actions that this code runs for, by the asynchronous context; none outside of any. */
export const currentActions = (): readonly string[] => requestLogs.getStore()?.actions ?? [];

interface RequestLogParts {
  readonly journal: Pick<Journal, 'note'>;
  readonly now: () => number;
}

/**
 * Runs a task of an action. What it only reads waits in memory for the action's next step in the journal, or for the
 * task's end: whoever asked something is not to wait for that. `reads: false` leaves it out, for what looks again and again.
 */
export async function inAction<Value>(
  { journal, now }: RequestLogParts,
  actions: readonly string[],
  task: () => Promise<Value>,
  { reads = true } = {},
): Promise<Value> {
  const requestLog: RequestLog = { actions, heard: [], noting: new Set(), replies: [], note, now, reads };
  // Of one call, also where the same list is handed on.
  const own = [...actions];
  underWay.add(own);
  try {
    return await requestLogs.run(requestLog, task);
  } finally {
    underWay.delete(own);
    await note();
    await Promise.all(requestLog.noting);
  }

  async function note(): Promise<void> {
    const events = requestLog.heard.splice(0);
    if (events.length === 0) return;
    for (const action of actions) await journal.note(action, ...events);
  }
}

/** Runs what belongs to no action, although one has started it. */
export const outside = <Value>(task: () => Value): Value => requestLogs.exit(task);

/** A request was made. One that may have changed something is in the journal at once. */
export function recorded({ effect, ...report }: RequestReport): void {
  const requestLog = requestLogs.getStore();
  if (requestLog === undefined || (effect === 'read' && !requestLog.reads)) return;
  const content = requestToNote({ ...report, effect, durationMs: Math.round(report.durationMs) });
  requestLog.heard.push({ kind: 'request', at: requestLog.now(), content });
  if (effect !== 'read') noteSoon(requestLog);
}

/** What an appliance answered to the whole order of an action is in the journal at once, too. */
export function answered(content: Json): void {
  const requestLog = requestLogs.getStore();
  if (requestLog === undefined) return;
  requestLog.heard.push({ kind: 'answered', at: requestLog.now(), content });
  noteSoon(requestLog);
}

/** Resolves when all that was heard for this action is written down. */
export async function allNoted(): Promise<void> {
  await Promise.all(requestLogs.getStore()?.noting ?? []);
}

/** With what is heard in the same moment: the last request of an order, and what was answered to it. */
function noteSoon(requestLog: RequestLog): void {
  const noted = nextTurn()
    .then(requestLog.note)
    .finally(() => requestLog.noting.delete(noted));
  // Whoever waits for it hears of a failure (`inAction`, `withRequestLog`).
  noted.catch(() => undefined);
  requestLog.noting.add(noted);
}

/** What appliances said to an order. Of an order in a thousand pieces, enough of it is kept. */
export function replied(reply: Reply): void {
  const replies = requestLogs.getStore()?.replies;
  if (replies !== undefined && replies.length < mostReplies) replies.push(reply);
}

const mostReplies = 100;

/** What this appliance has said to the orders of this action so far. */
export const repliesOf = (appliance: string): readonly string[] =>
  (requestLogs.getStore()?.replies ?? []).flatMap((one) => (one.appliance === appliance ? [one.words] : []));

/** The same journal; every step of an action takes with it what was heard until then. */
export function withRequestLog<Kept extends Pick<Journal, 'move'>>(journal: Kept): Kept {
  return {
    ...journal,
    move: async (action, to, changes, token) => {
      const requestLog = requestLogs.getStore();
      if (requestLog === undefined || !requestLog.actions.includes(action.id)) {
        return journal.move(action, to, changes, token);
      }
      await Promise.all(requestLog.noting);
      const events = requestLog.heard.splice(0);
      if (events.length === 0) return journal.move(action, to, changes, token);
      const all = [...(changes?.events ?? []), ...events];
      let moved: Awaited<ReturnType<Journal['move']>>;
      try {
        moved = await journal.move(action, to, { ...changes, events: all }, token);
        return moved;
      } finally {
        // Somebody else was first, or the journal is away: what was heard is noted by itself, or with the next step.
        if (moved === undefined) requestLog.heard.unshift(...events);
      }
    },
  };
}
