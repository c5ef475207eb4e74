import { event } from './event.ts';

export const tracesNotTaken = event('traces_not_taken', {
  level: 'warn',
  says: 'The collector does not take traces; trying again',
  fields: ['why'],
  means:
    'Nothing else waits for it. The newest 5,000 spans are kept meanwhile; the audit has all that they say.',
  action: 'Look at the collector, and at OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS.',
});

export const tracesTaken = event('traces_taken', {
  level: 'info',
  says: 'The collector takes traces again',
  fields: ['seconds'],
  means: 'What waited was sent.',
});

export const tracesLost = event('traces_lost', {
  level: 'warn',
  says: 'Spans were given up: the collector refused them, or did not take them for too long',
  fields: ['left'],
  means: 'They are missing in the traces, and nowhere else.',
});
