import { event } from './event.ts';

export const applianceRequest = event('appliance_request', {
  level: 'debug',
  says: 'A request to an appliance',
  fields: [
    ...(['appliance', 'operation', 'effect', 'method', 'path'] as const),
    ...(['attempt', 'durationMs', 'status', 'error', 'reason', 'obstacle', 'actions'] as const),
  ],
  means: 'Every request, with how it ended. Secrets in the path are hidden.',
});

export const applianceAway = event('appliance_away', {
  level: 'error',
  says: 'An appliance does not answer',
  fields: ['appliance', 'operation', 'error', 'reason', 'obstacle'],
  means:
    'It cannot be reached, or three requests in a row got no answer that could be read; `reason` is the code of the system, or what the HTTP parser says. It is told once; lookups and changes there fail until it answers, and what is on for a time is ended when it does.',
  action: 'Look whether the appliance is up, and whether its address and port can be reached from the bot.',
});

export const applianceAnswers = event('appliance_answers', {
  level: 'info',
  says: 'An appliance answers again',
  fields: ['appliance', 'operation', 'seconds'],
  means: 'Waiting work continues.',
});

export const applianceRefuses = event('appliance_refuses', {
  level: 'error',
  says: 'An appliance refuses the bot',
  fields: ['appliance', 'operation', 'status', 'obstacle'],
  means:
    'It does not accept the key, the login or the bot’s address, or has no valid license, and says so with HTTP 401 or 403, or in words with HTTP 200; or a proxy on the way turns the bot’s calls away. `obstacle` says which. It is told once.',
  action:
    '`address`: allow the bot’s address on the appliance. `key_…`: compare the key in the policy file with the one on the appliance. `login…`: the same for the login of its mirror console. `license`: renew it. `access_check`: look into the appliance’s system log. `in_between`: ask who runs that proxy to let the bot through. `appliance-bot doctor` says what it is now.',
});

export const applianceTakes = event('appliance_accepts', {
  level: 'info',
  says: 'An appliance accepts the bot again',
  fields: ['appliance', 'operation', 'seconds'],
  means: 'Nothing has to be done.',
});
