import { event } from './event.ts';

export const evicted = event('replica_evicted', {
  level: 'warn',
  says: 'This replica did not show itself for so long that others have taken over its work; it goes on without that',
  means: 'It stood still, or could not reach the database. What it had begun is told by the others.',
});

export const clockRight = event('clock_right', {
  level: 'info',
  says: 'The clock of this machine is right again',
  means: 'It does its share of what is due by the clock again.',
});

export const clockOff = event('clock_off', {
  level: 'warn',
  says: 'The clock of this machine is off; the database’s counts',
  fields: ['aheadMs'],
  means: 'Far off, it leaves what is due by the clock to other replicas.',
  action: 'Look after the machine’s time service.',
});
