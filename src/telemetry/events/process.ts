import { event } from './event.ts';

export const started = event('started', {
  level: 'info',
  says: 'Appliance Bot is connected',
  fields: ['team', 'policy', 'appliances', 'proxy', 'node', 'system', 'journal', 'health'],
  means: 'The bot takes lines from now on. The line says what it runs on.',
});

export const clockDoubted = event('clock_doubted', {
  level: 'warn',
  says: 'The clock of this machine and another one differ by more than two minutes',
  fields: ['of', 'aheadMs', 'notLogged'],
  means:
    'One of the two is wrong. Five minutes off, what Slack sends to `PORT` is refused as too old. Until both say so, nothing counts as old enough to be deleted for good: no audit record, no Undo, no message that waits to be sent. At most one line an hour.',
  action: 'Look after the machine’s time service; where this machine is right, after that of the other one.',
});

export const stopping = event('stopping', {
  level: 'info',
  says: 'Appliance Bot is stopping',
  means:
    'The bot takes nothing new, and lets running work finish for 25 seconds. Unfinished work goes on at the next start.',
});

export const stopped = event('stopped', {
  level: 'info',
  says: 'Appliance Bot has stopped',
  fields: ['seconds', 'uptime'],
  means:
    'The last line of a process. What was not over goes on at the next start, or is told as unknown there.',
});

export const cutOff = event('earlier_run_cut_off', {
  level: 'warn',
  says: 'The run before this one did not stop in order',
  fields: ['peer'],
  means:
    'It crashed, was killed, or its machine went down. What it was at is told as interrupted, or read back: then `actions_taken_up` follows. With a PostgreSQL, the other replicas say `replica_gone` instead.',
  action:
    'Look at the last lines before `started`: `crashed` has the stack. Without it, the process was killed: look at its memory limit and at the system log.',
});

export const crashed = event('crashed', {
  level: 'fatal',
  says: 'Unhandled error: the bot is stopping',
  fields: ['err'],
  means:
    'A mistake of the bot’s own. It stops in order, without waiting for what is under way, and exits with 1.',
  action:
    'The supervisor starts it again, and what was under way is looked at then. Report the error with its stack.',
});

export const somethingWentWrong = event('internal_error', {
  level: 'error',
  says: 'Something went wrong',
  fields: ['err', 'reference'],
  means:
    'A mistake of the bot’s own, in one piece of work. Whoever asked was told so, with the reference. Everything else goes on.',
  action: 'Report the error with its stack. `show` and `audit` say how far the action got.',
});

export const fewFiles = event('few_files', {
  level: 'warn',
  says: 'The open file limit (ulimit -n) is low, so the bot handles fewer requests at once',
  fields: ['limit', 'sockets'],
  means: 'Work that exceeds it waits, and is answered later.',
  action: 'Raise the limit to 256 or more.',
});

export const notRecordedSoFar = event('ends_not_recorded', {
  level: 'warn',
  says: 'Not everything that is over is recorded so far',
  fields: ['err'],
  means:
    'Questions that nobody answered, or results that are old, could not be closed in the journal. It is tried again.',
});
