import type { CallRecord } from '../../../sandbox/workspace/log.ts';
import type { AppAccess } from '../../../sandbox/workspace/workspace.ts';
import type { BadDays } from './bad-days.ts';
import type { ChannelOptions, PersonOptions } from './options.ts';
import type { Person } from './person.ts';

/** One payload on its way to the app. */
export interface Delivery {
  readonly id: string;
  readonly kind: 'slash_commands' | 'interactive' | 'events_api';
  /** `slash_commands`, or the payload's own type such as `block_actions`, or the event's such as `app_home_opened`. */
  readonly what: string;
  /** Whether the app has acknowledged it, and whether that was after Slack had given up. */
  readonly acknowledged: 'no' | 'in time' | 'late';
}

/** A change of a person. Omitted fields stay. */
export type PersonChange = Pick<PersonOptions, 'realName' | 'title' | 'email' | 'isGuest'> & {
  readonly isDeactivated?: boolean;
};

/** A change of a channel. Omitted fields stay. */
export type ChannelChange = Pick<
  ChannelOptions,
  'topic' | 'isPrivate' | 'isArchived' | 'isShared' | 'members' | 'hasApp'
>;

/** A workspace on this machine, with one app installed, which speaks to apps as Slack does. */
export interface Workspace extends AppAccess {
  /** Somebody, by name or ID, who types, clicks and reads. @throws Error when nobody has it */
  person(name: string): Person;
  /** @throws Error if there is no such channel */
  channel(name: string): { readonly id: string; readonly name: string };
  /** @throws Error if there is no such user group */
  userGroup(handle: string): { readonly id: string; readonly handle: string };
  readonly badDays: BadDays;
  /**
   * Resolves when the app is connected by Socket Mode, for the first time or again. Bolt takes five seconds to connect again.
   * @throws Error when it is not within `timeoutMs`, 30,000 when absent
   */
  connected(timeoutMs?: number): Promise<void>;
  /** Changes the app's request URL, as in the app's settings; without one there is no HTTP mode. */
  useRequestUrl(url?: string): void;
  /** Changes somebody, and tells the app (`user_change`). */
  changePerson(name: string, change: PersonChange): Promise<void>;
  /** Changes a channel, and tells the app (`channel_shared`, `member_left_channel`, …). */
  changeChannel(name: string, change: ChannelChange): Promise<void>;
  /** Changes who is in a user group, and tells the app (`subteam_members_changed`). */
  changeUserGroup(handle: string, members: readonly string[]): Promise<void>;
  /** Sends the app an event of any kind that its manifest subscribes to. */
  emit(event: { readonly type: string; readonly [field: string]: unknown }): Promise<void>;
  /**
   * Resolves when the app has acknowledged all that it was handed, or Slack has given up, and has called nothing for so many
   * milliseconds; 100 when absent. For what must not happen, or not twice.
   */
  quiet(ms?: number): Promise<void>;
  /** Everything said in one channel, or in all, including ephemeral messages. */
  transcript(channel?: string): string;
  /**
   * The app's calls, oldest first, optionally of one method; blocks, views and other JSON as objects. Calls to
   * response URLs are `response_url`.
   */
  calls(method?: string): readonly CallRecord[];
  /** The payloads that the app received, oldest first. */
  deliveries(): readonly Delivery[];
  close(): Promise<void>;
}
