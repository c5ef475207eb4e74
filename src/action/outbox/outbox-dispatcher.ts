import { type Caller, currentCaller, itself, onBehalfOf } from '../../caller.ts';
import { pauseAfter } from '../../journal/claims.ts';
import {
  type Action,
  type Journal,
  JournalUnavailable,
  type ToSend,
  type Unsent,
} from '../../journal/journal.ts';
import { createSerialQueue } from '../../journal/storage/serial-queue.ts';
import { phaseOver } from '../../telemetry/events/actions.ts';
import { messageNotMade, messageRefused, messageWaits } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { aheadOfJournal } from '../base/ahead.ts';
import { type Chat, ChatRefused, ownPace, slackAway } from '../base/chat.ts';
import { createLeftBehind } from '../base/left-behind.ts';
import type { ReplyAddresses } from '../base/reply-addresses.ts';
import type { DrawRequest } from '../requests/card.ts';
import type { Draw } from '../showing/drawing.ts';
import { contentOf, notifyPerson, notSaid, orderingKeyOf } from '../showing/messages.ts';
import { type Delivered, graver, noCard } from './delivered.ts';
import { createDispatch, type Known } from './dispatch.ts';
import { createNotTold } from './not-told.ts';

/**
 * What people are told of an action is written into the journal together with what it is about, and sent from there: so
 * it reaches them although the bot dies or Slack does not answer, and it does not reach them twice.
 */
export interface OutboxDispatcher {
  /**
   * Sends what has just been written down with a transition, in its order. What cannot go out now goes out later by itself.
   * `first`: the action as it was moved, where nothing was said of it before and nobody else says anything: then there is
   * nothing to wait for, and nothing to be read again.
   */
  readonly deliver: (messages: readonly ToSend[], first?: Action) => Promise<Delivered>;
  /** Writes down what belongs to no transition, and sends it. */
  readonly send: (...messages: readonly ToSend[]) => Promise<Delivered>;
  /** Sends what is due: what was put off, and what a replica that is gone has left. */
  readonly tick: () => Promise<void>;
}

export interface OutboxParts {
  readonly journal: Pick<
    Journal,
    | 'post'
    | 'claimOrderingKey'
    | 'dueOrderingKeys'
    | 'releaseMessages'
    | 'acknowledge'
    | 'retryLater'
    | 'byId'
    | 'placed'
    | 'tidy'
    | 'alive'
    | 'siteRequest'
    | 'joinSiteRequest'
  >;
  readonly chat: Chat;
  readonly draw: Draw;
  readonly drawRequest: DrawRequest;
  /** Where private answers that are kept go first, by their keys. */
  readonly addresses: Pick<ReplyAddresses, 'find'>;
  readonly log: Log;
  readonly now: () => number;
}

/**
 * For how long it is tried to send something, in milliseconds: what became of a change until somebody has mended what is in the
 * way, an answer to one person for as long as they may wait for it. What is refused for a reason that nobody knows is not mended by waiting:
 * after a day whom it concerns is told otherwise. And how often, where the mistake is ours.
 */
const day = 24 * 60 * 60_000;
const timeout = { kept: 30 * day, whisper: day, unknown: day };
const mostMistakes = 6;

export function createOutboxDispatcher(parts: OutboxParts): OutboxDispatcher {
  const { journal, chat, log, now } = parts;
  const dispatch = createDispatch(parts);
  const notTold = createNotTold(journal);
  /** Two of this process do not send what has the same ordering key at the same time. */
  const serialQueue = createSerialQueue();
  /** What this process has tried and could not acknowledge: it may have been delivered. */
  const tried = new Set<string>();

  return {
    deliver,
    send: async (...messages) => {
      await journal.post(messages);
      return deliver(messages);
    },

    tick: createLeftBehind({ journal, now, isAway: chat.isAway }, async (orderingKey) => {
      await empty(orderingKey, []);
    }),
  };

  async function deliver(messages: readonly ToSend[], first?: Action): Promise<Delivered> {
    let worst: Delivered = { kind: 'sent' };
    for (const [orderingKey, own] of Map.groupBy(messages, (one) => one.orderingKey)) {
      const isFirst =
        first !== undefined && first.card === undefined && orderingKey === orderingKeyOf(first.id);
      const delivered = await empty(orderingKey, own, isFirst ? first : undefined);
      if (worst.kind === 'sent' || delivered.kind === 'refused') worst = delivered;
    }
    return worst;
  }

  /** Sends what has an ordering key, in its order. Resolves to what became of those that somebody waits for here. */
  async function empty(orderingKey: string, own: readonly ToSend[], first?: Action): Promise<Delivered> {
    if (chat.isAway()) {
      await journal.releaseMessages(own.map(({ key }) => key));
      return { kind: 'later' };
    }
    const end = await serialQueue.take(orderingKey);
    const left = new Set(own.map(({ key }) => key));
    const known: Known = { action: first, card: undefined, thread: undefined, isAhead: false };
    const crossing: Promise<void>[] = [];
    let last: Delivered = { kind: 'sent' };
    try {
      for (let isOpen = true; isOpen; ) {
        // Nothing, where an earlier one has been put off, or another replica is at it.
        const claimed =
          first === undefined ? await journal.claimOrderingKey(orderingKey) : own.map(asWritten);
        for (const [index, one] of claimed.entries()) {
          const delivered = await sendOne(one, known, crossing);
          if (delivered.kind === 'later') {
            await journal.releaseMessages(claimed.slice(index + 1).map(({ key }) => key));
            isOpen = false;
            break;
          }
          if (left.delete(one.key)) last = graver(last, delivered);
          else if (delivered.kind === 'refused') await tellAsker(one, delivered.code);
        }
        if (claimed.length === 0) await journal.releaseMessages([...left]);
        await Promise.all(crossing);
        crossing.length = 0;
        // Others may have something to say of it, and theirs waits for what stands before it.
        if (first === undefined) await journal.tidy();
        // Before those that somebody waits for here there may be more than are claimed at a time.
        isOpen &&= left.size > 0 && claimed.length > 0;
      }
    } finally {
      // Whatever went wrong with one of them: who is next begins when all have ended, and does begin.
      await Promise.allSettled(crossing);
      end();
    }
    return left.size === 0 ? last : { kind: 'later' };
  }

  /** As it stands in the journal since a moment ago. */
  function asWritten(one: ToSend): Unsent {
    return { ...one, createdAt: now(), tries: 0, isMaybeDelivered: false };
  }

  async function sendOne(unsent: Unsent, known: Known, crossing: Promise<void>[]): Promise<Delivered> {
    const { key, tries, createdAt } = unsent;
    const isMaybeDelivered = unsent.isMaybeDelivered || tried.has(key);
    tried.add(key);
    let refusal: ChatRefused | undefined;
    let card: string | undefined;
    try {
      const caller = await callerFor(unsent);
      card = await onBehalfOf(caller, () => dispatch(unsent, isMaybeDelivered, known));
    } catch (error) {
      refusal = refusalIn(error, tries);
    }
    const isUnknown = refusal?.about === 'unknown' && tries >= mostMistakes;
    const lasts = unsent.kind === 'whisper' ? timeout.whisper : isUnknown ? timeout.unknown : timeout.kept;
    if (refusal?.code === slackAway && !isMaybeDelivered) {
      await journal.releaseMessages([key]);
      tried.delete(key);
      return { kind: 'later' };
    }
    if (refusal?.isPassing && now() - createdAt < lasts) {
      // While nothing is taken, all wait for the same: then the oldest goes first.
      const pause = chat.isAway() ? 0 : pauseAfter(tries + 1, 'outbox');
      if (refusal.code !== ownPace) log.tell(messageWaits, { code: refusal.code, tries: tries + 1, pause });
      await journal.retryLater(key, now() + pause, isMaybeDelivered || refusal.mayStand);
      tried.delete(key);
      return { kind: 'later' };
    }
    const instead = refusal === undefined ? [] : await notTold(unsent, refusal.code);
    // The next one goes out meanwhile.
    const crossed = evict(unsent, card);
    crossed.catch(() => undefined);
    crossing.push(crossed);
    known.isAhead ||= refusal?.code === aheadOfJournal;
    if (refusal === undefined) {
      log.tell(phaseOver, { action: unsent.action, phase: 'telling', durationMs: now() - createdAt });
      return { kind: 'sent' };
    }
    if (known.isAhead) return { kind: 'sent' };
    log.tell(messageRefused, { code: refusal.code, action: unsent.action });
    if (instead.length > 0) await deliver(instead);
    return { kind: 'refused', code: refusal.code };
  }

  /** Where its card stands is noted before: once it is acknowledged, nobody looks for it any more. */
  async function evict({ key, kind, action }: Unsent, card: string | undefined): Promise<void> {
    if (action !== undefined && card !== undefined) await journal.placed(action, card, kind === 'draw');
    await journal.acknowledge(key);
    tried.delete(key);
  }

  /** A mistake of ours must not block what comes after it for ever. @throws what is neither */
  function refusalIn(error: unknown, tries: number): ChatRefused {
    if (error instanceof ChatRefused) return error;
    if (error instanceof JournalUnavailable) throw error;
    log.tell(messageNotMade, { err: error });
    return new ChatRefused('internal', { isPassing: tries + 1 < mostMistakes, mayStand: true });
  }

  /** A card goes before answers, whoever sends it; what goes out later is still of whoever asked. */
  async function callerFor(unsent: Unsent): Promise<Caller> {
    const current = currentCaller();
    if (unsent.background) return { person: current.person, priority: 'background' };
    const action = current === itself ? await actionOf(unsent) : undefined;
    const caller: Caller =
      action === undefined
        ? current
        : { person: action.person, priority: action.effect === 'read' ? 'low' : 'high' };
    return { ...caller, priority: unsent.kind === 'draw' ? 'high' : caller.priority };
  }

  async function actionOf({ action }: Unsent): Promise<Action | undefined> {
    return action === undefined ? undefined : journal.byId(action);
  }

  /** Nobody waits for it here any more: whoever asked is told in person. */
  async function tellAsker(unsent: Unsent, code: string): Promise<void> {
    const action = await actionOf(unsent);
    const content = contentOf(unsent);
    // A card that is gone was read by whoever has deleted it; what would stand below one that never stood was told with it.
    const isOld = unsent.kind === 'draw' && action?.card !== undefined;
    if (action === undefined || unsent.kind === 'post' || isOld || code === noCard) return;
    const told = notifyPerson(action.person, notSaid(action, content, code));
    await journal.post([told]);
    await deliver([told]);
  }
}
