import { event } from './event.ts';

export const commandOver = event('command_over', {
  level: 'info',
  says: 'A command is over',
  fields: ['action', 'command', 'effect', 'outcome', 'channel', 'person', 'appliances', 'durationMs', 'code'],
  means:
    'Something that was typed, pressed or due came to its end, one line for each. `audit` and `show` tell more.',
});

export const outcomeUnknown = event('outcome_unknown', {
  level: 'error',
  says: 'Nobody knows whether a change was made',
  fields: ['action', 'command', 'channel', 'person', 'appliances', 'code'],
  means:
    'The appliance did not answer to the end, or the bot was stopped meanwhile, and reading back did not tell either.',
  action: 'Look on the appliance; `show` with the action’s ID says what was sent.',
});
