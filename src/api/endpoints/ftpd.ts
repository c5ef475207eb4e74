import { z } from 'zod';
import { area } from '../endpoint.ts';
import { under } from '../reading/reply-reader.ts';
import { rows, undocumented } from '../reading/unnamed.ts';
import { ini } from './ini.ts';

const endpoint = area({ section: '§4.10' });

export const ftpd = {
  status: endpoint('GET /ftpd/status', {
    summary: 'The status of the FTP server, by section.',
    effect: 'read',
    reply: under('Info', ini, 'The status of the server.'),
  }),

  /** §6.2: the content of an event is undocumented. */
  findEvents: endpoint('GET /ftpd/events/{search}/{max}', {
    summary: 'The events of the FTP server that contain these words, up to a maximum number.',
    effect: 'read',
    slots: {
      search: z
        .string()
        .trim()
        .min(1, 'has no search term')
        .describe('The words to search for in the event log.'),
      max: z.int().positive().describe('The maximum number of events (rows).'),
    },
    reply: rows('event', undocumented('FtpEvent', 'An event of the FTP server.')),
    large: true,
  }),

  install: endpoint('GET /ftpd/install', {
    summary: 'Installs the FTP server, whose binaries must be on the appliance already.',
    effect: 'write',
    slow: true,
  }),

  uninstall: endpoint('GET /ftpd/uninstall', {
    summary: 'Uninstalls the FTP server.',
    effect: 'destructive',
    slow: true,
  }),

  restart: endpoint('GET /ftpd/restart', {
    summary: 'Restarts the FTP server.',
    effect: 'destructive',
  }),
};
