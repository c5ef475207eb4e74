import type { Appliance } from '../api/index.ts';
import type { AnyCommand } from '../handlers/command.ts';
import type { Journal } from '../journal/journal.ts';
import type { Authority } from './authority.ts';
import type { Chat } from './chat.ts';
import type { Story } from './story.ts';

/** What every stage of an action works with; built once, in `main.ts`. */
export interface Parts {
  /** By the phrase that a command was declared with, which is what the journal keeps. */
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly authority: Authority;
  readonly appliances: ReadonlyMap<string, Appliance>;
  readonly journal: Journal;
  readonly chat: Chat;
  readonly story: Story;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}
