/** What is known of the journal's state: for the log, for the admins, and for whoever asks whether the bot is ready. */

import type { TellAdmins } from './action/authority/admins.ts';
import type { Said } from './action/base/chat.ts';
import {
  journalAlarm,
  journalBack,
  journalBegun,
  journalLow,
  journalRoomy,
} from './action/wording/journal-trouble.ts';
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
  /** What keeps it from being used now; undefined when it can be. */
  readonly trouble: () => JournalTrouble | undefined;
  /** Resolves when it can only be used by the next process. */
  readonly lost: Promise<void>;
  /** Tells the admins from now on, also of what has come up before. */
  readonly tell: (tellAdmins: TellAdmins) => void;
}

/** What hears of it where it arises. */
export interface JournalEars extends Notices, FileNotices {
  /** A new journal was begun in a folder in which there had been one. */
  readonly begun: (folder: string) => void;
}

/** `holders`: who may be in the way where it is locked. */
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

/** Where a name has several addresses, Node has tried them all and sums that up in a code. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || String('code' in error ? error.code : error) : String(error);
