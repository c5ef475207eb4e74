import { event } from './event.ts';

const blocked = 'The journal is unavailable: lookups still work, changes are blocked';

export const journalWritten = event('journal_written', {
  level: 'debug',
  says: 'The journal was written',
  fields: ['durationMs'],
  means: 'One commit, with all that was written in it.',
});

export const journalSlow = event('journal_slow', {
  level: 'warn',
  says: 'The journal is slow',
  fields: ['durationMs', 'notLogged'],
  means:
    'One commit took more than half a second, and everything waited for it. At most one line a minute; `notLogged` counts the others.',
  action:
    'Look at what else uses the disk, or at the database’s own metrics. A network folder is no place for SQLite.',
});

export const journalLocked = event('journal_locked', {
  level: 'warn',
  says: blocked,
  fields: ['trouble', 'is', 'reason', 'holders'],
  means: 'Another process holds it, or a database of replicas is out of reach for a moment. Nothing is lost.',
  action: 'If it lasts: end what holds it (docs/failures.md, “When the journal cannot be used”).',
});

export const journalAway = event('journal_unavailable', {
  level: 'error',
  says: blocked,
  fields: ['trouble', 'is', 'reason', 'holders'],
  means: 'No change is made, and the end of emergency mode waits. Admins get a direct message.',
  action: 'Look up `trouble` in docs/failures.md, “When the journal cannot be used”.',
});

export const journalAvailable = event('journal_available', {
  level: 'info',
  says: 'The journal is available again',
  fields: ['written'],
  means: 'Changes are made again.',
});

export const journalLost = event('journal_entries_lost', {
  level: 'error',
  says: 'This was lost and will be missing from the journal',
  fields: ['what', 'reason'],
  means: 'Lookups were answered and could not be recorded.',
  action:
    'No change is among them. `reason` says why; look whether the journal’s disk or database is as it should be.',
});

export const diskLow = event('journal_disk_low', {
  level: 'warn',
  says: 'Disk space for the journal is low',
  fields: ['free'],
  means: 'When it is used up, changes are refused.',
  action: 'Free space on the disk of the data folder.',
});

export const diskEnough = event('journal_disk_enough', {
  level: 'info',
  says: 'Disk space for the journal is sufficient again',
  fields: ['free'],
  means: 'Nothing has to be done.',
});

export const journalUnchecked = event('journal_unchecked', {
  level: 'warn',
  says: 'The journal could not be checked for damage',
  fields: ['reason'],
  means: 'It is tried again.',
});

export const journalBegan = event('journal_new', {
  level: 'warn',
  says: 'A new journal was started: the journal of an earlier run is missing',
  fields: ['folder'],
  means:
    'The folder was used before, and its journal is not there. The bot knows nothing of what was before.',
  action: 'If it was not on purpose: stop the bot and restore a backup.',
});

export const adminsNotToldOfJournal = event('journal_admins_not_told', {
  level: 'warn',
  says: 'The admins could not be notified about the journal',
  fields: ['reason'],
  means: 'The line before says what it is about.',
});

export const filesWereOpen = event('journal_files_were_open', {
  level: 'warn',
  says: 'Other users could read journal files until now; their mode is now 600',
  fields: ['folder', 'files'],
  means: 'The journal has typed lines and names of people in it.',
});

export const folderIsOpen = event('journal_folder_open', {
  level: 'warn',
  says: 'The data folder is accessible to other users of this machine: set its mode to 700',
  fields: ['folder', 'mode'],
  means: 'The bot tightens its files, and leaves the folder as it is.',
  action: 'chmod 700 the folder.',
});

export const journalRestored = event('journal_restored', {
  level: 'warn',
  says: 'The journal was restored',
  fields: ['from', 'to', 'generation', 'told'],
  means:
    'Slack has messages that the journal does not know. What was under way in the backup is unknown now.',
  action: 'Read what the line says was told to the admins, and look at what it names.',
});

export const nobodyToldOfRestore = event('journal_restored_untold', {
  level: 'warn',
  says: 'No admin could be told that the journal was restored',
  means: 'The line before says what is to be looked at.',
});

export const auditBroken = event('audit_broken', {
  level: 'error',
  says: 'The audit is not as it was written',
  fields: ['record', 'reason'],
  means:
    'A record, or its action, was changed in the database or is missing there. The bot itself never does that. It goes on, and records after it are chained as before.',
  action:
    'Ask who can write to the database, and keep a copy of it as it is. `appliance-bot audit verify` says what is broken and up to where all is intact; a backup from before has what stood there.',
});

export const auditIntact = event('audit_intact', {
  level: 'info',
  says: 'The audit is as it was written again',
  means: 'All records were verified from the beginning, and none is broken any more.',
});
