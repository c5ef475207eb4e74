import type { AnyChange } from '../../handlers/command.ts';
import type { Action, ToSend } from '../../journal/journal.ts';
import type { Terms } from '../authority/terms.ts';
import type { Listener } from '../base/chat.ts';
import type { Shown } from '../base/stored.ts';
import type { Fault } from '../wording/faults.ts';
import type { Conclusion } from './outcome.ts';

/** Looks after what lasts for a time only: the moments of a run at which it is asked. */
export interface Supervision {
  /** Before the order leaves: from now on it has an end. Resolves to an appliance on which somebody else was first. */
  readonly begin: (running: Action, command: AnyChange) => Promise<string | undefined>;
  /** Whether a change ends what is on there, so that the bot itself goes on with it until it is over. */
  readonly supervises: (command: AnyChange, appliance: string) => Promise<boolean>;
  /** What came of a change, before the journal says so: it may have begun nothing, or ended what was on. */
  readonly settle: (action: Action, command: AnyChange, results: readonly Concluded[]) => Promise<void>;
  /** When it was told: what follows from it for what is on. */
  readonly after: (action: Action, command: AnyChange) => Promise<void>;
  /** Its outcome was written, or whoever ran it has given up: what it began may end from now on. */
  readonly released: (action: Action) => void;
}

/** What came of a change on one appliance. */
interface Concluded {
  readonly appliance: string;
  readonly conclusion: Conclusion;
  /** The line that takes it back, where there is one. */
  readonly undo?: string | undefined;
}

interface OnTerms {
  /** On what terms all of it may run as it was looked at now, for whoever puts it before people anew. */
  readonly terms: () => Promise<Terms>;
}

/** Looks after what gathers several changes (`plan/`): the moments at which it is asked for them. */
export interface Gathering {
  /** Whether all that was agreed to is as it was shown; with what would be shown now, where it is not. */
  readonly lookAgain: (
    approved: Action,
    command: AnyChange,
  ) => Promise<
    | Fault
    | ({ readonly kind: 'same' } & OnTerms)
    | ({ readonly kind: 'changed'; readonly shown: Shown; readonly more: readonly ToSend[] } & OnTerms)
  >;
  /** Runs it, or goes on with it after a crash. The journal already says that it is running. */
  readonly run: (asker: Listener, running: Action, command: AnyChange) => Promise<void>;
}
