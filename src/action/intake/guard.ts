import { currentCaller, onBehalfOf } from '../../caller.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { Journal, NewAction } from '../../journal/journal.ts';
import type { Invocation, Listener, Press } from '../base/chat.ts';
import type { After } from '../base/timeout.ts';
import { createTally, type Excess, type LimitedKind } from '../limits/limits.ts';
import type { Whisper } from '../showing/present.ts';
import { explain } from '../wording/faults.ts';

/**
 * Lets everybody have as much of the bot as leaves enough for the others (`limits.ts`), and says kindly what was more than
 * that: it is refused like anything else, and a burst of it is told in one sentence.
 */
export interface Guard {
  /** For whatever was typed, before it is read. */
  readonly typed: (invocation: Invocation, task: () => Promise<void>) => Promise<void>;
  /** For what was understood and is allowed. What only asks makes way for what changes something (`Caller`). */
  readonly understood: (asked: AskedOf, task: () => Promise<void>) => Promise<void>;
  /** For a click that is answered with a page, a file or a form. */
  readonly clicked: (press: Press, task: () => Promise<void>) => Promise<void>;
  /** The same where there is no message: a shortcut, or the person's own page. */
  readonly opened: (to: Listener, task: () => Promise<void>) => Promise<void>;
  /** For a click that decides something, or stands for a line: each is answered, until they are too many. */
  readonly decided: (press: Press, task: () => Promise<void>) => Promise<void>;
  /** For what nobody is told of when it is left out. */
  readonly unless: <Value>(
    person: string,
    kind: 'form' | 'search' | 'home',
    task: () => Promise<Value>,
  ) => Promise<Value | undefined>;
}

interface AskedOf {
  readonly invocation: Invocation;
  readonly command: AnyCommand;
  readonly dryRun: boolean;
  readonly written: Omit<NewAction, 'state'>;
}

interface GuardParts {
  readonly journal: Pick<Journal, 'write'>;
  readonly whisper: Whisper;
  readonly now: () => number;
  readonly after: After;
}

/** What comes within so many milliseconds is one burst, and told at its end. */
const burst = 1_000;

export function createGuard({ journal, whisper, now, after }: GuardParts): Guard {
  const tally = createTally(now);
  /** The lines of one person in one channel that are about to be told of. */
  const bursts = new Map<string, { readonly lines: (string | undefined)[]; readonly told: Promise<void> }>();
  /** The messages on which somebody's click is being answered, and whether they know that another one does nothing. */
  const clicks = new Map<string, { isTold: boolean }>();

  return {
    typed: async (invocation, task) => {
      const { team, channel, person, delivery } = invocation;
      const room = tally.begin(person, 'line');
      if ('end' in room) return task().finally(room.end);
      // It was not read, so it may carry a password.
      const written = { team, channel, person, delivery, line: '(not read: too many lines at once)' };
      return refuse(invocation, written, room, undefined);
    },

    understood: async ({ invocation, command, dryRun, written }, task) => {
      const kind = kindOf(command, dryRun);
      if (kind === undefined) return task();
      const { person } = invocation;
      // What their schedules ask waits in a queue of its own (`watch/looks.ts`), and takes no room from what they type.
      const priority = kind === 'change' && !invocation.scheduled ? 'high' : 'low';
      const served = () => onBehalfOf({ ...currentCaller(), person, priority }, task);
      // The steps of all workflows are asked in one name, and have turns of their own (`workflow/steps.ts`).
      if (invocation.scheduled || invocation.unattended) return served();
      const room = tally.begin(person, kind);
      if (!('end' in room)) return refuse(invocation, written, room, written.line);
      return served().finally(room.end);
    },

    clicked: async (press, task) => {
      const { person, channel, card } = press;
      const key = JSON.stringify([person, channel, card]);
      const before = clicks.get(key);
      if (before !== undefined) {
        if (before.isTold) return;
        before.isTold = true;
        return whisper(press, explain({ code: 'click_under_way' }));
      }
      const room = tally.begin(person, 'click');
      if (!('end' in room)) return tell(press, room, undefined);
      clicks.set(key, { isTold: false });
      return onBehalfOf({ person, priority: 'low' }, task).finally(() => {
        clicks.delete(key);
        room.end();
      });
    },

    decided: async (press, task) => {
      const room = tally.begin(press.person, 'decision');
      return 'end' in room ? task().finally(room.end) : tell(press, room, undefined);
    },

    opened: async (to, task) => {
      const room = tally.begin(to.person, 'click');
      return 'end' in room ? task().finally(room.end) : tell(to, room, undefined);
    },

    unless: async (person, kind, task) => {
      const room = tally.begin(person, kind);
      return 'end' in room ? onBehalfOf({ person, priority: 'low' }, task).finally(room.end) : undefined;
    },
  };

  async function refuse(
    invocation: Invocation,
    written: Omit<NewAction, 'state'>,
    excess: Excess,
    line: string | undefined,
  ): Promise<void> {
    const { headline } = explain({ code: 'too_many', excess, lines: [line] });
    const outcome = { code: 'too_many', ...inWords(headline) };
    await Promise.all([
      tell(invocation, excess, line),
      // It has none: what would have changed something was not begun, and a burst of it is not to wait for the disk.
      journal.write({ ...written, effect: undefined, state: 'refused', outcome }),
    ]);
  }

  /** Once for a burst, in the words of the first limit that was in its way. */
  function tell(to: Listener, excess: Excess, line: string | undefined): Promise<void> {
    const key = JSON.stringify([to.channel, to.person]);
    const open = bursts.get(key);
    if (open !== undefined) {
      open.lines.push(line);
      return open.told;
    }
    const lines = [line];
    const over = Promise.withResolvers<void>();
    after(burst, over.resolve);
    const told = over.promise.then(() => {
      bursts.delete(key);
      return whisper(to, explain({ code: 'too_many', excess, lines }));
    });
    bursts.set(key, { lines, told });
    return told;
  }
}

/** What tells people about the bot and themselves has no limit of its own. */
function kindOf(command: AnyCommand, dryRun: boolean): LimitedKind | undefined {
  switch (command.kind) {
    case 'info':
      return command.anywhere ? undefined : 'history';
    case 'lookup':
      return 'lookup';
    case 'change':
      return dryRun ? 'lookup' : 'change';
  }
}
