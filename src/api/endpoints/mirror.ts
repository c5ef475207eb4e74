import { z } from 'zod';
import { area } from '../endpoint.ts';
import { anywhere, tellingReport, whole } from '../reading/reply.ts';
import { list } from '../reading/shape.ts';
import { dailySyncs, repositorySyncs, syncEvents } from './mirror-events.ts';
import { mirrorClient, mirrorStatus, updateCheck } from './mirror-status.ts';

const endpoint = area({ section: '§4.13', service: 'mirror' });
/** The events are answered at another port (§1 addressing). */
const consoleEndpoint = area({ section: '§4.13', service: 'mirrorConsole' });

/** The mirror-synchronisation service. Its `status` is a word and not the envelope's boolean (§2.12). */
export const mirror = {
  health: endpoint('GET /api/health', {
    summary: 'The health of the mirror service.',
    effect: 'read',
    reply: tellingReport,
  }),

  status: endpoint('GET /api/status', {
    summary: 'Everything about the mirror: its last sync, its clients, its disk.',
    effect: 'read',
    section: '§2.12',
    reply: whole(mirrorStatus),
  }),

  syncStats: endpoint('GET /api/sync/stats', {
    summary: 'Statistics of all syncs, and the time of the last one.',
    effect: 'read',
    reply: tellingReport,
  }),

  serverStats: endpoint('GET /api/server/stats', {
    summary: 'Statistics of what the mirror served.',
    effect: 'read',
    reply: tellingReport,
  }),

  listClients: endpoint('GET /api/clients', {
    summary: 'The machines that fetch from the mirror.',
    effect: 'read',
    section: '§2.12',
    reply: anywhere(list(mirrorClient), ['clients'], 'The machines that fetch from the mirror.'),
    large: true,
  }),

  disk: endpoint('GET /api/disk', {
    summary: 'The disk space of the mirror.',
    effect: 'read',
    reply: tellingReport,
  }),

  checkUpdates: endpoint('GET /api/updates/check', {
    summary: 'Whether updates are available.',
    effect: 'read',
    section: '§2.12',
    reply: whole(updateCheck),
  }),

  triggerSync: endpoint('POST /api/sync/trigger', {
    summary: 'Starts a sync.',
    effect: 'write',
  }),

  /** §8.4: how many come without a limit is not documented. */
  listEvents: consoleEndpoint('GET /api/console/events', {
    summary: 'Past syncs of all repositories, or of one.',
    effect: 'read',
    section: '§2.13',
    query: {
      limit: z.int().positive().optional().describe('The maximum number of events.'),
      repository: z.string().min(1).optional().describe('Only the syncs of the repository with this name.'),
    },
    reply: whole(syncEvents),
    large: true,
  }),

  eventStats: consoleEndpoint('GET /api/console/events/stats', {
    summary: 'Totals of all syncs, by repository.',
    effect: 'read',
    reply: whole(repositorySyncs),
  }),

  dailyEvents: consoleEndpoint('GET /api/console/events/daily', {
    summary: 'Totals of the syncs of the last days, by day.',
    effect: 'read',
    query: { days: z.int().positive().optional().describe('How many days to look back.') },
    reply: whole(dailySyncs),
  }),
};
