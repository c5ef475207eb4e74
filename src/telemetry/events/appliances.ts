import { event } from './event.ts';

export const applianceRequest = event('appliance_request', {
  level: 'debug',
  says: 'A request to an appliance',
  fields: [
    ...(['appliance', 'operation', 'effect', 'method', 'path'] as const),
    ...(['attempt', 'durationMs', 'status', 'error', 'actions'] as const),
  ],
  means: 'Every request, with how it ended. Secrets in the path are hidden.',
});
