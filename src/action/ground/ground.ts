import type { Appliance } from '../../api/index.ts';
import type { Members } from '../../auth/members.ts';
import type { PolicyInForce } from '../../auth/policy.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { CertainTime } from '../../certain-time.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { FilesFor } from '../../handlers/context.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import type { Action, Changes, Journal } from '../../journal/journal.ts';
import { approvalOver, phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Authority, createAuthority } from '../authority/authority.ts';
import { createOwnChannels, type OwnChannels } from '../authority/own-channels.ts';
import type { Chat, HomeShown, Said } from '../base/chat.ts';
import { type Ahead, createAhead, type Generations, sparing } from '../base/generations.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import { withRequestLog } from '../base/request-log.ts';
import { createSecretStore, type SecretStore } from '../base/secret-store.ts';
import { createInteractionLog, type InteractionLog } from '../history/interactions.ts';
import { createNotifications, keepingPrivateAnswers, type Notifications } from '../outbox/notifications.ts';
import { createOutboxDispatcher, type OutboxDispatcher } from '../outbox/outbox-dispatcher.ts';
import { createDraw } from '../showing/drawing.ts';
import { createPlanEnds } from '../showing/plans/plan-ends.ts';
import { createPresent, createWhisper, type Present, type Whisper } from '../showing/present.ts';
import { createTimedCard } from '../showing/timed-card.ts';
import { type Contexts, createContexts } from '../target/target.ts';

/** What lies outside of the way of an action: people, appliances, the chat, the journal, the time. */
export interface Ground {
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  /** Reads a line as a command. */
  readonly match: Reader;
  readonly policy: PolicyInForce;
  readonly members: Members;
  readonly fleet: Fleet;
  readonly appliances: ReadonlyMap<string, Appliance>;
  readonly journal: Journal;
  readonly chat: Chat;
  /** Shows somebody their own page. */
  readonly showHome: (person: string, page: Said) => Promise<HomeShown>;
  readonly generations: Generations;
  readonly filesFor: FilesFor;
  /** The bot’s own user: in its name asks whoever Slack does not know. */
  readonly ownUser: string;
  readonly log: Log;
  /** With any of which passwords in the journal open: all replicas have them, and the journal has not. */
  readonly secrets: readonly string[];
  readonly now: () => number;
  /** By which alone anything is deleted or given up for good. */
  readonly certainlyOver: CertainTime['over'];
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** What every stage of an action works with. */
export interface Parts {
  /** By the phrase that a command was declared with, which is what the journal keeps. */
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly match: Reader;
  readonly authority: Authority;
  readonly ownChannels: OwnChannels;
  readonly appliances: ReadonlyMap<string, Appliance>;
  /** All of them by name, with their tags. */
  readonly fleet: Fleet;
  readonly journal: Journal;
  readonly generations: Generations;
  readonly ahead: Ahead;
  /** In which no message is changed that is ahead of the journal. */
  readonly chat: Chat;
  readonly present: Present;
  readonly whisper: Whisper;
  readonly notifications: Notifications;
  readonly outbox: OutboxDispatcher;
  readonly contexts: Contexts;
  readonly filesFor: FilesFor;
  readonly secretStore: SecretStore;
  readonly interactionLog: InteractionLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly certainlyOver: CertainTime['over'];
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Builds what every stage works with. A test of one stage has no other way to it than the bot itself. */
export function createParts(ground: Ground): Parts {
  const { commandByPhrase, policy, members, fleet, generations, filesFor, log, now } = ground;
  const journal = withPhases(withRequestLog(ground.journal), log, now);
  const ahead = createAhead(ground.chat, generations, journal);
  const sparingChat = sparing(ground.chat, ahead, now());
  const authority = createAuthority(policy, members, fleet, now, commandByPhrase.values());
  const ownChannels = createOwnChannels(policy, members);
  const present = createPresent({ journal, now, commandByPhrase });
  const timedCard = createTimedCard(journal, commandByPhrase, authority, now);
  const planEnds = createPlanEnds(journal, commandByPhrase, now);
  const draw = createDraw(sparingChat, journal, commandByPhrase, timedCard, planEnds);
  const addresses = createReplyAddresses(now);
  const outbox = createOutboxDispatcher({
    journal,
    chat: sparingChat,
    draw,
    addresses,
    log,
    now,
    certainlyOver: ground.certainlyOver,
  });
  const ephemeral = keepingPrivateAnswers(sparingChat, outbox, addresses, { log, now });
  const chat: Chat = { ...sparingChat, ephemeral };
  const secretStore = createSecretStore(journal, ground.secrets, now);
  const whisper = createWhisper(chat, present);
  return {
    ...ground,
    journal,
    chat,
    ahead,
    authority,
    ownChannels,
    present,
    outbox,
    secretStore,
    whisper,
    interactionLog: createInteractionLog({ journal, authority, whisper }),
    notifications: createNotifications(chat, present, journal, authority, draw, outbox),
    contexts: createContexts({ journal, filesFor, secretStore, authority, commandByPhrase, now }),
  };
}

/** What an action is in by its state, until it moves on. What it is at while it runs, its record tells. */
const phases: Readonly<Partial<Record<Action['state'], string>>> = {
  asked: 'preview',
  planned: 'planned',
  approved: 'recheck',
};

/** Whom an action waits for; undefined where it waits for nobody. */
const waitsFor = ({ state, consent }: Action): 'confirmation' | 'approval' | undefined =>
  state === 'waiting' ? (consent === undefined ? 'confirmation' : 'approval') : undefined;

/** Its record tells how long it waited. */
function withWait(action: Action | undefined, changes: Changes): Changes {
  const whom = action && waitsFor(action);
  if (action === undefined || whom === undefined) return changes;
  const content = { for: whom, from: new Date(action.changedAt).toISOString() };
  return { ...changes, events: [...(changes.events ?? []), { kind: 'waited', content }] };
}

/** The same journal; the log is told how long each phase of an action took, and how its approval ended. */
function withPhases<Kept extends Pick<Journal, 'move' | 'expireOverdue'>>(
  journal: Kept,
  log: Log,
  now: () => number,
): Kept {
  function over(action: Action, to: Action['state'], at: number, decidedBy: string | undefined): void {
    const { id, state, channel, person, changedAt, consent } = action;
    const about = { action: id, durationMs: at - changedAt };
    const isForOthers = state === 'waiting' && consent !== undefined;
    const phase = waitsFor(action) ?? phases[state];
    if (phase !== undefined && to !== 'refused') log.tell(phaseOver, { ...about, phase });
    if (!isForOthers || to === 'unknown') return;
    const isOwn = decidedBy === undefined || decidedBy === person;
    const called = to === 'approved' ? 'given' : isOwn ? 'withdrawn' : 'denied';
    log.tell(approvalOver, {
      ...about,
      channel,
      person: decidedBy,
      outcome: to === 'expired' ? to : called,
    });
  }

  return {
    ...journal,
    move: async (action, to, changes = {}, ...more) => {
      // Who moves it has it whole, and says so where nothing else of it counts.
      const before = 'changedAt' in action ? (action as Action) : undefined;
      const moved = await journal.move(action, to, withWait(before, changes), ...more);
      if (moved !== undefined && before !== undefined) over(before, to, moved.changedAt, moved.decidedBy);
      return moved;
    },
    expireOverdue: async (...given) => {
      const expired = await journal.expireOverdue(...given);
      for (const action of expired) over(action, 'expired', now(), undefined);
      return expired;
    },
  };
}
