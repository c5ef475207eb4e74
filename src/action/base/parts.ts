import type { Appliance } from '../../api/index.ts';
import type { Fleet } from '../../auth/targets.ts';
import type { AnyCommand, Files } from '../../handlers/command.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import type { InteractionLog } from '../history/interactions.ts';
import type { Notifications } from '../showing/notifications.ts';
import type { OutboxDispatcher } from '../showing/outbox-dispatcher.ts';
import type { Present, Whisper } from '../showing/present.ts';
import type { Contexts } from '../target/target.ts';
import type { Chat } from './chat.ts';
import type { SecretStore } from './secret-store.ts';

/** What every stage of an action works with (`ground.ts`). */
export interface Parts {
  /** By the phrase that a command was declared with, which is what the journal keeps. */
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly authority: Authority;
  readonly appliances: ReadonlyMap<string, Appliance>;
  /** All of them by name, with their tags. */
  readonly fleet: Fleet;
  readonly journal: Journal;
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
