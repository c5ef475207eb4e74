import { event } from './event.ts';

export const commandOver = event('command_over', {
  level: 'info',
  says: 'A command is over',
  fields: ['action', 'command', 'effect', 'outcome', 'channel', 'person', 'appliances', 'durationMs', 'code'],
  means:
    'Something that was typed, pressed or due came to its end, one line for each. `audit` and `show` tell more.',
});

export const takenUp = event('actions_taken_up', {
  level: 'warn',
  says: 'Resuming unfinished work',
  fields: ['actions', 'left'],
  means:
    'A crash, a replica that is gone, or a mistake has left these actions in the middle. What had not been sent is given up, what may have been sent is read back; people are told. Nothing is sent twice.',
  action: 'Where one of them ends unknown, a line `outcome_unknown` follows.',
});

export const turnedAway = event('refused_while_stopping', {
  level: 'warn',
  says: 'Refused a request while the bot was stopping',
  fields: ['channel', 'person', 'what'],
  means: 'No other replica could take it. The person was told to try again in a minute.',
  action: 'Two replicas take what comes meanwhile: docs/install.md.',
});

export const endFailed = event('timed_change_not_ended', {
  level: 'error',
  says: 'A temporary change could not be ended; trying again',
  fields: ['action', 'command', 'appliance', 'tries', 'reason', 'pause'],
  means:
    'Its time is over and it is still on, or nobody could see whether it is. It is tried again after `pause`; people are told.',
  action: 'Look at `reason`. What cannot wait is ended on the appliance; the bot finds it ended.',
});

export const peopleCalled = event('timed_change_people_called', {
  level: 'error',
  says: 'A temporary change still could not be ended: people are called at every try',
  fields: ['action', 'command', 'appliance', 'tries', 'reason', 'pause'],
  means:
    'The pauses between tries have come to an hour. Whoever asked, approved or may end it hears of each.',
  action: 'End it on the appliance.',
});

export const leftToPeople = event('timed_change_left_to_people', {
  level: 'warn',
  says: 'A temporary change is not ended: somebody has changed it since',
  fields: ['action', 'command', 'appliance', 'reason'],
  means: 'The bot overwrites nobody’s edit. People were asked; it is looked at again every hour.',
  action: 'Decide, and undo it by hand where it is not wanted.',
});

export const timedOver = event('timed_change_ended', {
  level: 'info',
  says: 'A temporary change has ended',
  fields: ['action', 'command', 'appliance', 'tries', 'how'],
  means: 'The bot saw that it is over.',
});

export const outcomeUnknown = event('outcome_unknown', {
  level: 'error',
  says: 'The outcome of a change is unknown',
  fields: ['action', 'command', 'channel', 'person', 'appliances', 'code'],
  means:
    'The appliance did not answer to the end, or the bot was stopped meanwhile, and reading back did not tell either.',
  action: 'Look on the appliance; `show` with what the line has as `called` says what was sent.',
});

export const phaseOver = event('phase_over', {
  level: 'debug',
  says: 'A phase of an action is over',
  fields: ['action', 'phase', 'durationMs'],
  means:
    'How long it took. `understanding`: what a line means, and whether it is allowed. `preview`: what a change is about to hit. `confirmation` and `approval`: waiting for people. `planned`: waiting for its time. `recheck`: role and preview once more. `order`: from the first order to the last answer. `verification`: reading back. `telling`: from when a message was written down until Slack had taken it.',
});

export const approvalOver = event('approval_over', {
  level: 'info',
  says: 'An approval was decided',
  fields: ['action', 'channel', 'person', 'outcome', 'durationMs'],
  means:
    'Nobody waits for it any more. `outcome` is `given`, `denied`, `withdrawn` or `expired`; `person` decided, unless it has expired. The action itself goes on, or has a line `command_over`.',
});
