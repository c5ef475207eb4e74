import { event } from './event.ts';

export const evicted = event('replica_evicted', {
  level: 'warn',
  says: 'This replica did not show itself for so long that others have taken over its work; it goes on without that',
  means: 'This replica stood still or could not reach the database. The others post the results of its work.',
  action: 'Look why its process or its machine stood still, and whether it reaches the database.',
});

export const replicaGone = event('replica_gone', {
  level: 'warn',
  says: 'A replica died or stands still; its work is taken over',
  fields: ['peer'],
  means:
    'That replica showed no heartbeat for 12 seconds and had not said that it stops. This or another replica takes over its work.',
  action: 'Look why its process ended. If it comes back, it goes on without what was taken over.',
});

export const replicaLeft = event('replica_left', {
  level: 'info',
  says: 'A replica has stopped',
  fields: ['peer'],
  means: 'It had said so before. The others take its work.',
});

export const replicaCame = event('replica_joined', {
  level: 'info',
  says: 'A replica is there',
  fields: ['peer'],
  means: 'It works on the same journal.',
});

export const clockRight = event('clock_right', {
  level: 'info',
  says: 'The clock of this machine is right again',
  means: 'It does its share of the timed work again.',
});

export const clockOff = event('clock_off', {
  level: 'warn',
  says: 'The clock of this machine is off; the database’s counts',
  fields: ['aheadMs'],
  means: 'Far off, it leaves what is due by the clock to other replicas.',
  action: 'Look after the machine’s time service.',
});
