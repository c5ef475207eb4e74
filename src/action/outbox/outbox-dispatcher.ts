import { type Caller, currentCaller, itself, onBehalfOf } from '../../caller.ts';
import type { CertainTime } from '../../certain-time.ts';
import { person, say } from '../../handlers/reply.ts';
import { pauseAfter } from '../../journal/claims.ts';
import {
  type Action,
  type Journal,
  JournalUnavailable,
  type ToSend,
  type Unsent,
} from '../../journal/journal.ts';
import { createSemaphore } from '../../semaphore.ts';
import { phaseOver } from '../../telemetry/events/actions.ts';
import {
  messageNotMade,
  messageRefused,
  messageUnreadable,
  messageWaits,
} from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Chat, ChatRefused, ownPace, type Place, slackAway, type Thread } from '../base/chat.ts';
import { aheadOfJournal } from '../base/generations.ts';
import type { ReplyAddresses } from '../base/reply-addresses.ts';
import type { Draw } from '../showing/drawing.ts';
import {
  answerNow,
  type Content,
  contentOf,
  isAnnouncement,
  isPast,
  notifyPerson,
  notSaid,
  orderingKeyOf,
  placeOf,
  problemIn,
  tellBelow,
  threadOf,
} from '../showing/messages.ts';
import {
  behindOthers,
  type Delivered,
  graver,
  type Later,
  noCard,
  notTried,
  repeated,
  unreadable,
} from './delivered.ts';

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

interface OutboxParts {
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
  >;
  readonly chat: Chat;
  readonly draw: Draw;
  /** Where private answers that are kept go first, by their keys. */
  readonly addresses: Pick<ReplyAddresses, 'find'>;
  readonly log: Log;
  readonly now: () => number;
  /** By which alone anything is given up for good (`CertainTime`). */
  readonly certainlyOver: CertainTime['over'];
}

/**
 * For how long it is tried to send something, in milliseconds: what became of a change until somebody has mended what is in the
 * way, an answer to one person for as long as they may wait for it. What is refused for a reason that nobody knows is not mended by waiting:
 * after a day whom it concerns is told otherwise. And how often, where the mistake is ours.
 */
const day = 24 * 60 * 60_000;
const timeout = { kept: 30 * day, whisper: day, unknown: day };
const mostMistakes = 6;
/** Those of the last minutes are remembered, however many are sent. */
const mostTried = 10_000;

export function createOutboxDispatcher(parts: OutboxParts): OutboxDispatcher {
  const { journal, chat, log, now, certainlyOver } = parts;
  /** Two of this process do not send what has the same ordering key at the same time. */
  const inOrder = createSemaphore();
  /**
   * What this process has tried, and may have been delivered. Also what it has acknowledged: a database that is restarted after a crash
   * has lost what was written to it last, and so the word that a message got out.
   */
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
      return notTried;
    }
    const end = await inOrder.acquire(orderingKey);
    const left = new Set(own.map(({ key }) => key));
    const known: Known = { action: first, card: undefined, thread: undefined, isAhead: false };
    const crossing: Promise<void>[] = [];
    let last: Delivered = { kind: 'sent' };
    let waits: Later = behindOthers;
    try {
      for (let isOpen = true; isOpen; ) {
        // Nothing, where an earlier one has been put off, or another replica is at it.
        const claimed =
          first === undefined ? await journal.claimOrderingKey(orderingKey) : own.map(asWritten);
        for (const [index, one] of claimed.entries()) {
          const delivered = await sendOne(one, known, crossing);
          if (delivered.kind === 'later') {
            await journal.releaseMessages(claimed.slice(index + 1).map(({ key }) => key));
            // What comes behind it has not left.
            waits = left.has(one.key) ? delivered : { ...delivered, mayStand: false };
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
    return left.size === 0 ? last : waits;
  }

  /** As it stands in the journal since a moment ago. */
  function asWritten(one: ToSend): Unsent {
    return { ...one, createdAt: now(), tries: 0, isMaybeDelivered: false };
  }

  async function sendOne(unsent: Unsent, known: Known, crossing: Promise<void>[]): Promise<Delivered> {
    const { key, tries, createdAt } = unsent;
    const isMaybeDelivered = unsent.isMaybeDelivered || tried.has(key);
    tried.add(key);
    for (const oldest of tried) {
      if (tried.size <= mostTried) break;
      tried.delete(oldest);
    }
    let refusal: ChatRefused | undefined;
    let card: string | undefined;
    try {
      const caller = await callerFor(unsent);
      card = await onBehalfOf(caller, () => dispatch(parts, unsent, isMaybeDelivered, known));
    } catch (error) {
      refusal = refusalIn(error, tries);
    }
    const isUnknown = refusal?.about === 'unknown' && tries >= mostMistakes;
    const lasts = unsent.kind === 'whisper' ? timeout.whisper : isUnknown ? timeout.unknown : timeout.kept;
    if (refusal?.code === slackAway && !isMaybeDelivered) {
      await journal.releaseMessages([key]);
      tried.delete(key);
      return notTried;
    }
    if (refusal?.isPassing && (certainlyOver() ?? createdAt) - createdAt < lasts) {
      // While nothing is taken, all wait for the same: then the oldest goes first.
      const pause = chat.isAway() ? 0 : pauseAfter(tries + 1, 'outbox');
      if (refusal.code !== ownPace) log.tell(messageWaits, { code: refusal.code, tries: tries + 1, pause });
      const mayStand = isMaybeDelivered || refusal.mayStand;
      await journal.retryLater(key, Math.max(now() + pause, refusal.until ?? 0), mayStand);
      tried.delete(key);
      const isToken = refusal.about === 'token';
      return { kind: 'later', code: refusal.code, mayStand, until: refusal.until, isToken };
    }
    const instead = refusal === undefined ? [] : notTold(unsent, refusal.code);
    if (instead.length > 0) await journal.post(instead);
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
    const action = current === itself ? await actionOf(journal, unsent) : undefined;
    const caller: Caller =
      action === undefined
        ? current
        : { person: action.person, priority: action.effect === 'read' ? 'low' : 'high' };
    return { ...caller, priority: unsent.kind === 'draw' ? 'high' : caller.priority };
  }

  /** Nobody waits for it here any more: whoever asked is told in person. */
  async function tellAsker(unsent: Unsent, code: string): Promise<void> {
    const action = await actionOf(journal, unsent);
    const content = contentOf(unsent);
    // A card that is gone was read by whoever has deleted it; what would stand below one that never stood was told with it.
    const isOld = unsent.kind === 'draw' && action?.card !== undefined;
    if (action === undefined || unsent.kind === 'post' || isOld || code === noCard) return;
    // What stands below the card of a site that they asked for is for those who decide.
    if (action.request !== undefined) return;
    const told = notifyPerson(action.person, notSaid(action, content, code));
    await journal.post([told]);
    await deliver([told]);
  }
}

/** Slack refuses a direct message to somebody who has asked for a site: those who have decided learn it, below the card. */
function notTold(unsent: Unsent, why: string): readonly ToSend[] {
  const about = contentOf(unsent);
  if (about?.kind !== 'post' || about.request === undefined) return [];
  const headline = say`⚠ ${person(about.channel)} can’t be reached in a direct message (${why}). Tell them yourself.`;
  return tellBelow({ id: about.request }, { headline });
}

/** What is known of an action while its messages go out one after the other, so that it is not read again for each. */
interface Known {
  /** As it stands, until something is said of it. */
  action: Action | undefined;
  /** Its card, once it stands. */
  card: string | undefined;
  /** Where what stands below it goes. */
  thread: Thread | undefined;
  /** Its card tells more than the journal knows: what would be said below it is not true. */
  isAhead: boolean;
}

/**
 * Says what one message of the outbox holds, unless it stands there already. Resolves to where the card of its action now
 * stands, if that is news. Rejects with `ChatRefused`.
 */
async function dispatch(
  { journal, chat, draw, addresses, log }: OutboxParts,
  unsent: Unsent,
  isMaybeDelivered: boolean,
  known: Known,
): Promise<string | undefined> {
  const { key, createdAt } = unsent;
  const content = contentOf(unsent);
  if (content === undefined) {
    log.tell(messageUnreadable, { message: key, problem: problemIn(unsent) });
    throw new ChatRefused(unreadable);
  }
  const standing = async (place: Place): Promise<string | undefined> => {
    const found = isMaybeDelivered ? await chat.find(place, key, createdAt) : undefined;
    if (found?.kind === 'try_later') throw new ChatRefused('cannot_look_now', { isPassing: true });
    // Where nobody may look, a result that stands there twice is better than one that is missing.
    return found?.kind === 'stands' ? found.ts : undefined;
  };
  switch (content.kind) {
    case 'post': {
      const { channel, said } = content;
      if ((await standing({ channel })) === undefined) await chat.post(channel, said, key);
      return undefined;
    }
    case 'whisper': {
      const { channel, person, thread, said } = content;
      const to = { channel, person, thread, replyTo: addresses.find(key) };
      if (!isMaybeDelivered) await chat.ephemeral(to, said);
      else if ((await standing({ channel: person })) === undefined)
        await chat.post(person, repeated(said), key);
      return undefined;
    }
    case 'tell': {
      if (known.isAhead) return undefined;
      known.thread ??= threadOf(await withCard(await actionOf(journal, unsent)));
      if (known.thread === undefined) throw new ChatRefused(noCard);
      if ((await standing(known.thread)) === undefined) await chat.reply(known.thread, content.said, key);
      return undefined;
    }
    case 'draw':
    case 'answer': {
      const action = known.action ?? (await actionOf(journal, unsent));
      // It is known until something was said of it; then it may go on.
      known.action = undefined;
      // A step stands on the card of its plan.
      if (action === undefined || action.step !== undefined) return undefined;
      // One that has just gone out may not be noted so far.
      const { card = known.card ?? (await found(action, content, standing)) } = action;
      if (isPast(content, action) && card === undefined) return undefined;
      const shown = await show({ ...action, card }, content, key);
      known.card = shown;
      known.thread = threadOf({ ...action, card: shown });
      // A card that was found again is news, too; one that only changes is not.
      if (!isAnnouncement(content)) return shown === action.card ? undefined : shown;
      if (shown !== action.card) await journal.placed(action.id, shown);
      // Where it has ended this moment, nobody else would say so there.
      const current = await journal.byId(action.id);
      if (current !== undefined && isPast(content, current)) await show(current, content, key);
      return undefined;
    }
  }

  /** Where a card stands is noted once it is found: whether Slack takes what changes it says nothing about that. */
  async function found(
    action: Action,
    { kind }: Content,
    standing: (place: Place) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const card = await standing(placeOf(action));
    if (card !== undefined) await journal.placed(action.id, card, kind === 'draw');
    return card;
  }

  /** Whose card has the thread in which it is told: of a step that of its plan. */
  async function withCard(action: Action | undefined): Promise<Action | undefined> {
    return action?.step === undefined ? action : journal.byId(action.plan ?? '');
  }

  /** Resolves to its message. */
  function show(
    action: Action,
    content: Extract<Content, { kind: 'draw' | 'answer' }>,
    key: string,
  ): Promise<string> {
    return content.kind === 'draw'
      ? draw(action, action.state === content.state ? content.words : {}, key)
      : chat.show(answerNow(action, content), key);
  }
}

async function actionOf(journal: Pick<Journal, 'byId'>, { action }: Unsent): Promise<Action | undefined> {
  return action === undefined ? undefined : journal.byId(action);
}

/** So many ordering keys are sent at once; what is in the background goes one after the other. */
const most = 20;
/** What is in the background, of all replicas together: of some fifty changes a minute (slack-facts.md §4) people keep the rest. */
const pace = { burst: 10, interval: 2_000 };

/**
 * Sends what nobody has sent at once, with each look at the clock: what was put off, what a replica that is gone has left, and
 * what has piled up while nobody was there. However much that is, only a little of it is at hand.
 */
function createLeftBehind(
  {
    journal,
    now,
    isAway,
  }: {
    readonly journal: Pick<Journal, 'alive' | 'dueOrderingKeys'>;
    readonly now: () => number;
    /** Whether there is nobody to send it to. */
    readonly isAway: () => boolean;
  },
  /** Sends what has an ordering key. */
  empty: (orderingKey: string) => Promise<void>,
): () => Promise<void> {
  /** At these it is. */
  const minded = new Set<string>();
  /** When as many as a burst may go again. */
  let restedAt = 0;
  let isInBackground = false;

  return async () => {
    if (isAway()) return;
    await Promise.all([mindAwaited(), mindBackground()]);
  };

  /** A channel that is slow does not keep another one waiting. */
  async function mindAwaited(): Promise<void> {
    const tried = new Set<string>();
    const under = new Set<Promise<void>>();
    for (;;) {
      const due = await journal.dueOrderingKeys(most, 'awaited');
      const next = due.filter((key) => !tried.has(key)).slice(0, Math.max(0, most - minded.size));
      if (isAway() || (next.length === 0 && under.size === 0)) break;
      for (const key of next) {
        tried.add(key);
        const one = mind(key).finally(() => under.delete(one));
        under.add(one);
      }
      // Half of them are looked for at a time: what is slow delays none of the others.
      while (under.size > (next.length === 0 ? 0 : most / 2)) await Promise.race(under);
    }
    await Promise.all(under);
  }

  /** One after the other, and only so fast that people hardly notice. What there is no time for goes at the next looks. */
  async function mindBackground(): Promise<void> {
    if (isInBackground) return;
    isInBackground = true;
    try {
      const replicas = (await journal.alive()).length;
      for (const orderingKey of await journal.dueOrderingKeys(pace.burst, 'background')) {
        const next = Math.max(restedAt, now()) + replicas * pace.interval;
        if (next - now() > pace.burst * pace.interval) return;
        restedAt = next;
        await mind(orderingKey);
      }
    } finally {
      isInBackground = false;
    }
  }

  /** Once at a time: one that is slow is due with every look at the clock. */
  async function mind(orderingKey: string): Promise<void> {
    if (minded.has(orderingKey)) return;
    minded.add(orderingKey);
    try {
      await empty(orderingKey);
    } finally {
      minded.delete(orderingKey);
    }
  }
}
