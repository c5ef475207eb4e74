import { event } from './event.ts';

export const formNotOpened = event('form_not_opened', {
  level: 'warn',
  says: 'Could not open a form in Slack',
  fields: ['code', 'details'],
  means:
    'Slack gives three seconds from the click, and they were over, or it refused the form. The person was told.',
});

export const directMessageFailed = event('direct_message_failed', {
  level: 'error',
  says: 'Could not send a direct message',
  fields: ['person', 'code'],
  means: 'Somebody was not told. Where others could be told, they were.',
  action:
    '`code` is Slack’s reason. `messages_tab_disabled`: allow messages to the app in its settings. `user_disabled`: take the person out of the policy.',
});

export const privateAnswerFailed = event('private_answer_failed', {
  level: 'warn',
  says: 'Could not send a private answer',
  fields: ['channel', 'person', 'code'],
  means: 'One way to the person failed; the next one is tried.',
});

export const notTold = event('person_not_told', {
  level: 'error',
  says: 'A person could not be told',
  fields: ['channel', 'person', 'code'],
  means: 'No way of a private answer was taken by Slack.',
  action:
    '`code` is Slack’s reason. `user_not_in_channel`: they have left the channel; nothing has to be done. Else invite the bot to the channel.',
});

export const answerNotKept = event('private_answer_not_kept', {
  level: 'error',
  says: 'A private answer could not be kept',
  fields: ['err', 'person'],
  means: 'The journal could not take it, and it is lost.',
  action: 'Report the error with its stack. The person can ask again.',
});

export const noTimestamp = event('message_without_timestamp', {
  level: 'warn',
  says: 'Slack accepted a message but returned no timestamp',
  fields: ['channel'],
  means: 'It is sent again, once it is sure that it does not stand there.',
});

export const blockRejected = event('block_rejected', {
  level: 'warn',
  says: 'Slack rejected a block type; plain text replaces it from now on',
  fields: ['details', 'block'],
  means: 'Messages look plainer until the next start. Nothing is missing in them.',
});

export const lookupRefused = event('message_lookup_refused', {
  level: 'warn',
  says: 'Could not check in Slack whether a message was posted',
  fields: ['code', 'needed'],
  means: 'After a crash, a result may stand there twice.',
  action: 'Grant the app the scope that the line names.',
});

export const sendingFailed = event('message_sending_failed', {
  level: 'warn',
  says: 'Could not send a message to Slack',
  fields: ['channel', 'attempt', 'code'],
  means: 'It stays in the journal, and is tried again where that can help.',
  action:
    '`code` is Slack’s reason. If it lasts, the alert comes: look at https://status.slack.com and the network.',
});

export const channelFull = event('channel_has_much_to_read', {
  level: 'info',
  says: 'A channel is to be told more than Slack takes; what waits goes out at the bot’s own pace',
  fields: ['channel'],
  means:
    'Nothing failed: the bot says about 54 messages a minute in a channel. Told once in five minutes for each; `appliance_bot_outbox_pending` says how much waits.',
});

export const rateLimited = event('slack_rate_limited', {
  level: 'warn',
  says: 'Slack limits messages to a channel; they wait',
  fields: ['channel', 'seconds'],
  means: 'Slack takes about one message a second in a channel. They go out as fast as it lets them.',
});

export const historyUnreadable = event('history_unreadable', {
  level: 'debug',
  says: 'Could not read the history of a channel in Slack',
  fields: ['channel', 'code', 'needed'],
  means: 'Whether the journal was restored cannot be seen in this channel.',
});

export const workflowStepFailed = event('workflow_step_not_taken', {
  level: 'warn',
  says: 'Slack did not take the end of a workflow step',
  fields: ['execution', 'code'],
  means: 'The workflow waits for a step that is over.',
});

export const messageWaits = event('message_waits', {
  level: 'warn',
  says: 'A message waits until Slack takes it',
  fields: ['code', 'tries', 'pause'],
  means: 'It stays in the journal, and is tried again.',
  action: '`code` is Slack’s reason. `not_in_channel`, `is_archived`: invite the bot, or change the policy.',
});

export const messageRefused = event('message_refused', {
  level: 'error',
  says: 'Slack never took a message',
  fields: ['code', 'action'],
  means: 'Slack’s verdict was final for this message. Somebody may not have been told how an action ended.',
  action: '`show` with what the line has as `called` tells it.',
});

export const messageNotMade = event('message_not_made', {
  level: 'error',
  says: 'A message could not be made',
  fields: ['err'],
  means: 'A mistake of the bot’s own. It is tried some times more.',
  action: 'Report the error with its stack.',
});

export const messageUnreadable = event('message_unreadable', {
  level: 'error',
  says: 'A message in the journal cannot be read',
  fields: ['message', 'problem'],
  means: 'It was written by a later version, or changed by hand. It is not sent.',
  action: 'After going back to an earlier version: update again. `audit` and `show` tell what it was about.',
});

export const homeIsOff = event('home_off', {
  level: 'warn',
  says: 'The Home tab of the app is off',
  fields: ['person', 'code'],
  means: 'Nobody sees their own page there. Everything else works.',
  action: 'Turn it on in the app’s settings (App Home, Home Tab), as manifest.yml does.',
});

export const homeRefused = event('home_refused', {
  level: 'warn',
  says: 'Slack did not take a Home tab',
  fields: ['person', 'code'],
  means:
    'It shows what was true before. It is tried again while somebody looks; the same `code` is told once, until a page was taken.',
});

export const homeNotShown = event('home_not_refreshed', {
  level: 'warn',
  says: 'Could not refresh a Home tab',
  fields: ['err', 'person'],
  means: 'It shows what was true before, until it is opened again.',
});
