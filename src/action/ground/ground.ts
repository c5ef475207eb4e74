import type { Appliance } from '../../api/index.ts';
import type { PolicyInForce } from '../../auth/in-force.ts';
import type { Members } from '../../auth/members.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Files } from '../../handlers/context.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Authority, createAuthority } from '../authority/authority.ts';
import { createOwnChannels, type OwnChannels } from '../authority/own-channels.ts';
import { type Ahead, createAhead, sparing } from '../base/ahead.ts';
import type { Chat, Said } from '../base/chat.ts';
import type { Generations } from '../base/generations.ts';
import { createReplyAddresses } from '../base/reply-addresses.ts';
import { withRequestLog } from '../base/request-log.ts';
import { createSecretStore, type SecretStore } from '../base/secret-store.ts';
import { createInteractionLog, type InteractionLog } from '../history/interactions.ts';
import { createNotifications, type Notifications } from '../outbox/notifications.ts';
import { createOutboxDispatcher, type OutboxDispatcher } from '../outbox/outbox-dispatcher.ts';
import { keepingPrivateAnswers } from '../outbox/private-answers.ts';
import { createDrawRequest } from '../requests/card.ts';
import { createDraw } from '../showing/drawing.ts';
import { createPlanEnds } from '../showing/plans/plan-ends.ts';
import { createPresent, createWhisper, type Present, type Whisper } from '../showing/present.ts';
import { createTimedCard } from '../showing/timed-card.ts';
import { type Contexts, createContexts } from '../target/target.ts';
import { withPhases } from './phases.ts';

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
  /** Shows somebody their own page; false where another replica has shown them a newer one, perhaps. */
  readonly showHome: (person: string, page: Said) => Promise<boolean>;
  readonly generations: Generations;
  readonly files: Files;
  readonly log: Log;
  /** With any of which passwords in the journal open: all replicas have them, and the journal has not. */
  readonly secrets: readonly string[];
  readonly now: () => number;
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
  readonly files: Files;
  readonly secretStore: SecretStore;
  readonly interactionLog: InteractionLog;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}

/** Builds what every stage works with. A test of one stage has no other way to it than the bot itself. */
export function createParts(ground: Ground): Parts {
  const { commandByPhrase, policy, members, fleet, generations, files, log, now } = ground;
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
  const selfService = () => policy.current().selfService;
  const drawRequest = createDrawRequest(sparingChat, journal, { selfService, now });
  const outbox = createOutboxDispatcher({
    journal,
    chat: sparingChat,
    draw,
    drawRequest,
    addresses,
    log,
    now,
  });
  const ephemeral = keepingPrivateAnswers(sparingChat, outbox, addresses, { log, now });
  const chat: Chat = { ...sparingChat, ephemeral };
  const secretStore = createSecretStore(journal, ground.secrets, now);
  const whisper = createWhisper(chat, present);
  return {
    ...ground,
    ...{ journal, chat, ahead, authority, ownChannels, present, outbox, secretStore, whisper },
    interactionLog: createInteractionLog({ journal, authority, whisper }),
    notifications: createNotifications(chat, present, journal, authority, draw, outbox),
    contexts: createContexts({ journal, files, secretStore, authority, commandByPhrase, now }),
  };
}
