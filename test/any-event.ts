import type { LogEvent } from '../src/telemetry/events/event.ts';

/** A line with whatever fields a test wants to see in a log. */
// biome-ignore lint/suspicious/noExplicitAny: a declared event has fields of the list only, and what others bring is looked at
export const anyEvent = (says = '', level: LogEvent['level'] = 'info'): LogEvent<any> => ({
  ...{ id: 'test', level, says, fields: [], means: '' },
});
