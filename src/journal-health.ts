/** The known state of the journal: for the log, for admins, and for readiness. */

import type { TellAdmins } from './action/authority/admins.ts';
import type { Said } from './action/base/chat.ts';
import { code, say } from './handlers/reply.ts';
import type { LockHolder } from './journal/file/lock-holder.ts';
import type { FileNotices } from './journal/file/watch.ts';
import type { Notices } from './journal/offline/database.ts';
import { type JournalTrouble, journalTroubles } from './journal/unavailable.ts';
import {
  adminsNotToldOfJournal,
  diskEnough,
  diskLow,
  journalAvailable,
  journalAway,
  journalBegan,
  journalLocked,
  journalLost,
  journalUnchecked,
} from './telemetry/events/journal.ts';
import type { Log } from './telemetry/log.ts';

export interface JournalHealth {
  /** The reason why it cannot be used now; undefined if it can. */
  readonly trouble: () => JournalTrouble | undefined;
  /** Resolves when only the next process can use it. */
  readonly lost: Promise<void>;
  /** Tells the admins from now on, including earlier problems. */
  readonly tell: (tellAdmins: TellAdmins) => void;
}

export interface JournalEars extends Notices, FileNotices {
  /** A new journal was created in a folder that had contained one. */
  readonly begun: (folder: string) => void;
}

/** `holders`: processes that may hold the lock. */
export function createJournalHealth(
  log: Log,
  holders: () => readonly LockHolder[] = () => [],
): JournalHealth & { readonly ears: JournalEars } {
  let trouble: JournalTrouble | undefined;
  let hasAlarmed = false;
  let untold: Said[] = [];
  let tellAdmins: TellAdmins | undefined;
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>();

  function tell(said: Said): void {
    if (tellAdmins === undefined) {
      untold.push(said);
      return;
    }
    tellAdmins(said).catch((error: unknown) => log.tell(adminsNotToldOfJournal, { reason: reasonOf(error) }));
  }

  return {
    trouble: () => trouble,
    lost,
    tell: (given) => {
      tellAdmins = given;
      const before = untold;
      untold = [];
      for (const said of before) tell(said);
    },
    ears: {
      away: (why) => {
        trouble = why.trouble;
        const { is } = journalTroubles[trouble];
        const alarm = journalAlarm(trouble);
        const fields = { trouble, is, reason: reasonOf(why.cause) };
        const held = trouble === 'locked' ? { holders: holders() } : {};
        log.tell(alarm === undefined ? journalLocked : journalAway, { ...fields, ...held });
        if (alarm !== undefined) tell(alarm);
        hasAlarmed ||= alarm !== undefined;
        if (trouble === 'replaced') lose();
      },
      back: (written) => {
        trouble = undefined;
        log.tell(journalAvailable, { written });
        if (hasAlarmed) tell(journalBack);
        hasAlarmed = false;
      },
      lost: (what, why) => log.tell(journalLost, { what, reason: reasonOf(why) }),
      low: (free) => {
        log.tell(diskLow, { free });
        tell(journalLow(free));
      },
      enough: (free) => {
        log.tell(diskEnough, { free });
        tell(journalRoomy(free));
      },
      unchecked: (why) => log.tell(journalUnchecked, { reason: reasonOf(why) }),
      begun: (folder) => {
        log.tell(journalBegan, { folder });
        tell(journalBegun(folder));
      },
    },
  };
}

/** For a name with several addresses, Node sums up all failures in a code. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || String('code' in error ? error.code : error) : String(error);

/** For the admins: what is wrong, and what to do. Undefined where they are not told. */
function journalAlarm(trouble: JournalTrouble): Said | undefined {
  const { is, toDo } = journalTroubles[trouble];
  return toDo === undefined
    ? undefined
    : {
        headline: say`🚨 Changes are blocked: ${is}. Lookups still work.`,
        details: [{ kind: 'text', text: say`${toDo}` }],
      };
}

const journalBack: Said = {
  headline: say`The journal can be used again, so changes are made again.`,
};

/** Before it is full. `free` is in bytes. */
const journalLow = (free: number): Said => ({
  headline: say`⚠️ The disk of the journal is filling up: ${megabytes(free)} are left. When it is full, changes are blocked until there is room.`,
  details: [{ kind: 'text', text: say`Make room on the disk of the data folder.` }],
});

const journalRoomy = (free: number): Said => ({
  headline: say`The disk of the journal has room again: ${megabytes(free)}.`,
});

/** A folder in which a bot has run before, and no journal in it. */
const journalBegun = (folder: string): Said => ({
  headline: say`⚠️ A new journal was started in ${code(folder)}: the journal of an earlier run there is missing.`,
  details: [
    {
      kind: 'text',
      text: say`The bot no longer knows earlier requests, approvals and changes. Buttons of older messages do nothing, and temporary changes such as emergency mode do not end by themselves. If the journal was lost by mistake, stop the bot and restore it from a backup.`,
    },
  ],
});

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_024 / 1_024)} MB`;
