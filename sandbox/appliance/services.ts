import * as areas from './areas/index.ts';
import type { Operation, Service } from './protocol.ts';
import { type Area, nameOf, openRouter, type Route } from './route.ts';

const { directory, mirror, mirrorConsole, ...webAreas } = areas;

/** Each by its name, which is also that of its part of the state (`state.ts`). */
export const areasByName: readonly (readonly [string, Area])[] = Object.entries<Area>(areas);

/** The areas at each of an appliance's addresses (appliance-api.md §1). */
const services: Readonly<Record<Service, readonly Area[]>> = {
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

/** Finds what answers a request at each address. */
export type Routers = Readonly<Record<Service, ReturnType<typeof openRouter>>>;

/** @param methodOf by which method a route is asked for */
export function openRouters(methodOf: (route: Route) => Route['method']): Routers {
  const routerOf = (areas: readonly Area[]) =>
    openRouter(
      areas.flatMap(({ routes }) => routes),
      methodOf,
    );
  return {
    main: routerOf(services.main),
    web: routerOf(services.web),
    directory: routerOf(services.directory),
    mirror: routerOf(services.mirror),
    mirrorConsole: routerOf(services.mirrorConsole),
  };
}

export type AreaName = keyof typeof areas;

/** As faults name them. */
export type OperationsByArea = ReadonlyMap<AreaName, readonly string[]>;

export const operationsByArea: OperationsByArea = new Map(
  // The table's keys are the areas.
  (Object.entries(areas) as [AreaName, Area][]).map(([area, { routes }]) => [area, routes.map(nameOf)]),
);

/** Every operation, in the order of the document (appliance-api.md §4). */
export const operations: readonly Operation[] = Object.entries(headings).flatMap(([key, area]) =>
  (new Map(Object.entries<Area>(areas)).get(key)?.routes ?? []).map((route) => ({
    name: nameOf(route),
    method: route.method,
    path: route.path,
    area,
  })),
);
