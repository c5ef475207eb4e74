import * as areas from './areas/index.ts';
import type { Operation, Service } from './protocol.ts';
import { type Area, nameOf, openRouter } from './route.ts';

const { directory, mirror, mirrorConsole, ...webAreas } = areas;

/** What answers at each of an appliance's addresses (appliance-api.md §1). */
export const services: Readonly<Record<Service, readonly Area[]>> = {
  main: Object.values<Area>(areas),
  web: Object.values<Area>(webAreas),
  directory: [directory],
  mirror: [mirror],
  mirrorConsole: [mirrorConsole],
};

const headings: Readonly<Record<keyof typeof areas, string>> = {
  acl: 'ACL objects and records',
  ssl: 'SSL inspection',
  categories: 'Categories and filtering rules',
  analysis: 'Website analysis',
  sqldb: 'SQL database server',
  rdp: 'Remote-desktop gateway',
  software: 'Software collection',
  vlan: 'VLAN interfaces',
  authdns: 'Authoritative DNS server',
  ftpd: 'FTP server',
  resolver: 'Resolver',
  directory: 'Directory authentication and maintenance',
  mirror: 'Mirror service',
  mirrorConsole: 'Mirror console',
};

const routerOf = (areas: readonly Area[]) => openRouter(areas.flatMap(({ routes }) => routes));

/** Find what answers a request at each address. Every appliance goes by the same ones. */
export const routers: Readonly<Record<Service, ReturnType<typeof openRouter>>> = {
  main: routerOf(services.main),
  web: routerOf(services.web),
  directory: routerOf(services.directory),
  mirror: routerOf(services.mirror),
  mirrorConsole: routerOf(services.mirrorConsole),
};

/** Every operation, in the order of the document (appliance-api.md §4). */
export const operations: readonly Operation[] = Object.entries(headings).flatMap(([key, area]) =>
  (new Map(Object.entries<Area>(areas)).get(key)?.routes ?? []).map((route) => ({
    name: nameOf(route),
    method: route.method,
    path: route.path,
    area,
  })),
);
