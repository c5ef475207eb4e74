import { area } from '../endpoint.ts';
import { tellingReport } from '../reading/reply-reader.ts';
import { named, undocumented } from '../reading/unnamed.ts';
import { domainName } from './host.ts';
import { serviceStatus } from './ini.ts';

const endpoint = area({ section: '§4.9', availableFrom: '4.50 SP1, or 4.50 hotfix 20240220-01' });

export const authdns = {
  statistics: endpoint('GET /authdns/statistics', {
    summary: 'The metrics of the DNS server.',
    effect: 'read',
    reply: tellingReport,
  }),

  status: endpoint('GET /authdns/status', {
    summary: 'The status of the DNS server.',
    effect: 'read',
    reply: serviceStatus,
  }),

  restart: endpoint('GET /authdns/restart', {
    summary: 'Restarts the DNS server in the background.',
    effect: 'destructive',
  }),

  /** A write: the servers keep answering. */
  reload: endpoint('GET /authdns/reload', {
    summary: 'Reloads the authoritative server and the recursor.',
    effect: 'write',
  }),

  listDomains: endpoint('GET /authdns/domains', {
    summary: 'The domains that the server manages.',
    effect: 'read',
    // The name identifies a domain; its other fields are undocumented (§2.14.4).
    reply: named(
      'domain',
      undocumented('DnsDomain', 'A main domain of the DNS server, which is identified by its name.'),
      ['name', 'domainname', 'zone'],
    ),
    large: true,
  }),

  /** A write, although no operation deletes a domain: nothing existing is lost. */
  addDomain: endpoint('GET /authdns/add/domain/{domain}', {
    summary: 'Creates a main domain.',
    effect: 'write',
    slots: {
      domain: domainName.describe(
        'The name of the new main domain, such as example.com; other scripts as `xn--…`.',
      ),
    },
  }),
};
