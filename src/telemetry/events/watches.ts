import { event } from './event.ts';

export const watchNotPosted = event('watch_not_told', {
  level: 'error',
  says: 'A change seen by a watch could not be posted',
  fields: ['channel', 'code', 'err'],
  means: 'The bot looks again, and posts what still holds.',
  action: '`code` is Slack’s reason: invite the bot to the channel, or stop the watch there.',
});

export const watchFailed = event('watch_failed', {
  level: 'error',
  says: 'Something on watch could not be looked at',
  fields: ['err', 'watch'],
  means: 'A mistake of the bot’s own. It is tried again.',
  action: 'Report the error with its stack if it comes again.',
});

export const scheduleUnreadable = event('watch_unreadable', {
  level: 'error',
  says: 'A schedule in the journal cannot be read',
  fields: ['watch'],
  means: 'It was written by a later version, or changed by hand. It does not run.',
  action:
    'After going back to an earlier version: update again. Else its owner has to schedule it once more.',
});
