import type * as areas from '../endpoints/index.ts';

/** What the areas are called on the pages, in the order of the document. */
export const areaTitles: Readonly<Record<keyof typeof areas, string>> = {
  acl: 'Proxy ACL objects and records',
  ssl: 'SSL inspection',
  categories: 'Categories and filtering rules',
  analysis: 'Website analysis',
  sqldb: 'SQL database server',
  rdp: 'Remote-desktop gateway',
  software: 'Software collection',
  vlan: 'VLAN interfaces',
  authdns: 'Authoritative DNS server',
  ftpd: 'FTP server',
  resolver: 'Resolver configuration',
  directory: 'Directory authentication and proxy maintenance',
  mirror: 'Mirror synchronization',
};
