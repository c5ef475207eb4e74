import { event } from './event.ts';

export const socketBack = event('slack_connected', {
  level: 'info',
  says: 'Connected to Slack again',
  fields: ['tries', 'since'],
  means: 'A connection of Socket Mode was lost and is there again.',
});

export const socketAway = event('slack_disconnected', {
  level: 'warn',
  says: 'Not connected to Slack; trying again',
  fields: ['code', 'tries', 'since'],
  means:
    'A connection of Socket Mode was lost or could not be opened. With none, lines do not arrive; what runs goes on.',
  action: 'If it lasts: look at the network, the proxy and https://status.slack.com.',
});

export const socketBrief = event('slack_connection_brief', {
  level: 'warn',
  says: 'A connection to Slack was closed soon after it was opened; trying again after a pause',
  fields: ['code', 'seconds', 'pause', 'tries', 'since'],
  means:
    'Slack, or a proxy on the way, has closed a connection of Socket Mode that was open for less than a minute: `seconds`. `code` is the word of Slack, such as `too_many_websockets`, or the code of the WebSocket: `websocket_1006` where it broke off without a word. Pauses grow up to a minute, until a connection lasts. Connections that are lost together are one line.',
  action:
    '`too_many_websockets`: other programs hold the app’s ten connections; stop them. `websocket_1006`: look whether a proxy or firewall cuts WebSockets. Otherwise look at https://status.slack.com.',
});

export const socketLasts = event('slack_connection_lasts', {
  level: 'info',
  says: 'A connection to Slack has lasted for a minute',
  means: 'The earlier trouble with the connections is over.',
});

export const socketModeOff = event('slack_socket_mode_off', {
  level: 'error',
  says: 'Socket Mode is switched off for the app, so nobody reaches the bot. Turn it on under "Socket Mode" in the settings of the app; the bot tries again by itself',
  fields: ['code', 'seconds', 'pause', 'tries', 'since'],
  means: 'Somebody has switched off Socket Mode in Slack’s settings of the app (`link_disabled`).',
  action: 'Turn it on again under *Socket Mode*. The bot connects by itself within a minute.',
});

export const appElsewhere = event('slack_app_elsewhere', {
  level: 'warn',
  says: 'Other programs are connected to Slack with the same app: Slack gives them a part of what people type',
  fields: ['connections', 'others'],
  means:
    'Slack counts `connections` for the app. `others` of them belong neither to this bot nor to a replica on its journal; behind a NAT or firewall, they can also be the bot’s own that broke off and that Slack still counts. Slack hands each line, click and mention to one connection, whichever: what the others get the bot never sees. Told when it begins and when the number changes.',
  action:
    'Stop the other programs, or give them an app and tokens of their own: an old instance, a test on somebody’s machine, another bot with these tokens.',
});

export const appHereOnly = event('slack_app_here_only', {
  level: 'info',
  says: 'No other program is connected to Slack with the same app any more',
  fields: ['connections'],
  means: 'The bot gets all that people type.',
});

export const adminsNotToldOfApp = event('slack_app_elsewhere_not_told', {
  level: 'warn',
  says: 'Could not tell the admins whether other programs use the same Slack app',
  fields: ['err'],
  means: 'The line before says what they would have heard.',
});

export const appTokenRefused = event('slack_app_token_refused', {
  level: 'error',
  says: 'Slack rejected SLACK_APP_TOKEN. Trying again; background work continues. Fix the token and restart the bot',
  fields: ['code', 'tries', 'since'],
  means: 'No later try can succeed with this token. Nobody reaches the bot.',
  action: 'Make an app-level token with the scope connections:write, and restart the bot with it.',
});

export const secondSocketFailed = event('slack_second_connection_failed', {
  level: 'warn',
  says: 'Could not open the second connection to Slack',
  fields: ['error'],
  means: 'The bot has one connection instead of two, until one is lost and opened again.',
});

export const botTokenBack = event('slack_bot_token_accepted', {
  level: 'info',
  says: 'Slack accepts SLACK_BOT_TOKEN again',
  fields: ['since'],
  means: 'Messages go out again, those that waited first.',
});

export const botTokenRefused = event('slack_bot_token_refused', {
  level: 'error',
  says: 'Slack no longer accepts SLACK_BOT_TOKEN. No command is run until the token is replaced and the bot restarted; what waits to be told is kept',
  fields: ['code'],
  means: 'The token was revoked, or the app was removed from the workspace.',
  action: 'Install the app again, and restart the bot with the new token.',
});

export const slackUnreachable = event('slack_unreachable', {
  level: 'warn',
  says: 'Slack cannot be reached',
  fields: ['problem'],
  means: 'The proxy or its certificate is in the way.',
  action: 'The line says what is wrong with which setting.',
});

export const slackSilent = event('slack_not_answering', {
  level: 'warn',
  says: 'Slack does not answer; messages wait until it does',
  fields: ['name', 'code'],
  means:
    'Several calls in a row have failed. Nothing is lost: messages stand in the journal, and go out when Slack answers.',
  action: 'If it lasts: look at https://status.slack.com and the network.',
});

export const slackAnswers = event('slack_answering', {
  level: 'info',
  says: 'Slack answers again',
  fields: ['name', 'seconds'],
  means: 'Waiting messages go out now.',
});

export const scopesMissing = event('slack_scopes_missing', {
  level: 'warn',
  says: 'The Slack app is missing scopes: reinstall it in the workspace to grant them',
  fields: ['missing'],
  means: 'Features that need them do not work: docs/setup.md says what each is for.',
  action: 'Reinstall the app in the workspace.',
});

export const sdkSaid = {
  warn: event('slack_sdk_warning', {
    level: 'warn',
    says: 'Slack’s library has a warning',
    fields: ['sdk'],
    means: 'Word for word what the library says of a connection or a call.',
  }),
  error: event('slack_sdk_error', {
    // The library's own error; another line describes its effect on the bot.
    level: 'warn',
    says: 'Slack’s library has an error',
    fields: ['sdk'],
    means:
      'Word for word what the library says of a connection or a call. What comes of it has a line of its own.',
  }),
};

export const listenerFailed = event('slack_listener_failed', {
  level: 'error',
  says: 'An event listener failed',
  fields: ['code', 'error'],
  means: 'Something from Slack could not be processed. Whoever sent it may have got no answer.',
  action: 'Report the error.',
});

export const acknowledgementFailed = event('slack_acknowledgement_failed', {
  level: 'warn',
  says: 'Could not send an acknowledgement to Slack',
  fields: ['error'],
  means:
    'The connection closed under it. What was asked is done all the same; Slack may show that the app did not respond.',
});

export const deliveredTwice = event('slack_duplicate_delivery', {
  level: 'info',
  says: 'Ignored a duplicate delivery from Slack',
  means: 'Slack sends an event again that it takes for lost. It was taken once.',
});

export const clickIncomplete = event('slack_click_incomplete', {
  level: 'warn',
  says: 'Ignored a click without a message, a token or a channel',
  fields: ['actionId'],
  means: 'The click is on nothing that the bot has sent.',
});

export const shortcutUnknown = event('slack_shortcut_unknown', {
  level: 'warn',
  says: 'Ignored an unknown shortcut',
  fields: ['callbackId'],
  means: 'The app in Slack has a shortcut that this version does not know.',
  action: 'Update the app’s manifest in Slack.',
});

export const groupUnreadable = event('slack_group_unreadable', {
  level: 'warn',
  says: 'Could not read a user group from Slack',
  fields: ['group', 'code', 'cure'],
  means: 'Its members have no role by it until it can be read.',
  action: 'The line says what would help.',
});

export const requestFailed = event('http_request_failed', {
  level: 'error',
  says: 'Could not process an HTTP request',
  fields: ['error'],
  means: 'A request to the port for Slack ended in a mistake of the bot’s own. Slack sends it again.',
  action: 'Report the error.',
});

export const connectionFailed = event('http_connection_failed', {
  level: 'error',
  says: 'Could not accept a connection',
  fields: ['error', 'notLogged'],
  means:
    'The system did not let the bot take a connection to the port for Slack. At most one line a minute; `notLogged` counts the others.',
  action: '`error` is the system’s reason, such as a firewall on this machine.',
});

const ofStranger = ['status', 'method', 'from', 'notLogged'] as const;

export const requestRepeated = event('http_request_repeated', {
  level: 'warn',
  says: 'Ignored a duplicate delivery from Slack',
  fields: ofStranger,
  means: 'The same signed request came twice. It was taken once.',
});

export const strangerRefused = event('http_request_refused', {
  level: 'warn',
  says: 'Refused an HTTP request',
  fields: ofStranger,
  means: 'It was none that the bot answers. At most one line in 30 seconds; `notLogged` counts the others.',
});

export const acknowledgedLate = event('slack_acknowledged_late', {
  level: 'warn',
  says: 'Acknowledged what came from Slack late',
  fields: ['durationMs', 'notLogged'],
  means:
    'It took more than two of the three seconds that Slack gives: whoever asked may have read that the app did not respond. It is done all the same. At most one line a minute; `notLogged` counts the others.',
  action:
    'Look whether the journal is slow (`journal_slow`), and whether the process has enough of a processor.',
});

export const acknowledged = event('slack_acknowledged', {
  level: 'debug',
  says: 'Acknowledged what came from Slack',
  fields: ['durationMs'],
  means: 'So long after it came in. Slack gives three seconds.',
});
