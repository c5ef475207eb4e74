import { event } from './event.ts';

export const pickerLate = event('picker_late', {
  level: 'warn',
  says: 'A picker stayed empty: the list came too late',
  fields: ['input'],
  means: 'Slack waits three seconds for a list. The next key press finds it ready.',
});

export const pickerUnknown = event('picker_unknown', {
  level: 'warn',
  says: 'A picker was not answered',
  fields: ['command', 'input', 'person'],
  means:
    'The form asks for an appliance that the person may not use there, or that is not configured any more.',
});

export const pickerShortened = event('picker_shortened', {
  level: 'warn',
  says: 'Some choices do not fit into a picker',
  fields: ['command', 'input', 'appliance', 'left'],
  means: 'Their names are longer than Slack takes. They can be typed.',
});

export const pickerFailed = event('picker_failed', {
  level: 'warn',
  says: 'A picker stayed empty: the appliance did not list',
  fields: ['command', 'input', 'appliance', 'err'],
  means: 'The person can type instead of choosing.',
});
