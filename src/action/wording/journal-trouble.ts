import { code, say, type Text } from '../../handlers/reply.ts';
import { type JournalTrouble, type JournalUnavailable, journalTroubles } from '../../journal/unavailable.ts';
import type { Said } from '../base/chat.ts';

/** The journal cannot be used: what cannot be written down first is not done. */
export interface JournalFault {
  readonly code: 'journal_unavailable';
  readonly trouble: JournalTrouble;
}

export const journalFault = ({ trouble }: JournalUnavailable): JournalFault => ({
  code: 'journal_unavailable',
  trouble,
});

/** Of what somebody wanted, nothing has reached an appliance. */
export function journalUnavailable({ trouble }: JournalFault): Text {
  const { is, until } = journalTroubles[trouble];
  return say`No changes were made: ${is}, and changes that cannot be recorded first are not made. Looking things up on an appliance still works. ${until}`;
}

/** For the admins: what is wrong, and what to do. Undefined where they are not told. */
export function journalAlarm(trouble: JournalTrouble): Said | undefined {
  const { is, toDo } = journalTroubles[trouble];
  return toDo === undefined
    ? undefined
    : {
        headline: say`🚨 Changes are blocked: ${is}. Lookups still work.`,
        details: [{ kind: 'text', text: say`${toDo}` }],
      };
}

export const journalBack: Said = {
  headline: say`The journal can be used again, so changes are made again.`,
};

/** Before it is full. `free` is in bytes. */
export const journalLow = (free: number): Said => ({
  headline: say`⚠️ The disk of the journal is filling up: ${megabytes(free)} are left. When it is full, changes are blocked until there is room.`,
  details: [{ kind: 'text', text: say`Make room on the disk of the data folder.` }],
});

export const journalRoomy = (free: number): Said => ({
  headline: say`The disk of the journal has room again: ${megabytes(free)}.`,
});

/** A folder in which a bot has run before, and no journal in it. */
export const journalBegun = (folder: string): Said => ({
  headline: say`⚠️ A new journal was started in ${code(folder)}: the journal of an earlier run there is missing.`,
  details: [
    {
      kind: 'text',
      text: say`What was asked, approved and done before is not known any more: buttons of older messages do nothing, and what should end by itself, such as emergency mode, does not. If the journal was lost by mistake, stop the bot and restore it from a backup.`,
    },
  ],
});

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_024 / 1_024)} MB`;
