import type { AreaName, OperationsByArea } from '../../services.ts';
import type { State } from '../../state.ts';
import { couldNot, type Layer, type Layers } from '../generation.ts';

/** Why an area refuses every request; undefined: the area answers. None of these says anything about the object. */
type Obstacle = (state: State, operation: string) => string | undefined;

const obstacles: Partial<Record<AreaName, Obstacle>> = {
  acl: withoutProxy,
  ssl: withoutProxy,
  categories: ({ directory }) =>
    directory.services.get('APP_CATEGORIES')?.startedAt === undefined
      ? 'Category service disabled on this server'
      : undefined,
  rdp: ({ software }) =>
    software.installed.has('APP_RDPPROXY') ? undefined : 'Feature not enabled, Aborting',
  vlan: ({ vlan }, operation) =>
    vlan.installed || operation.endsWith('/install') ? undefined : 'Feature not enabled, Aborting',
  directory: ({ directory, software }, operation) => {
    // The licence is checked first, and refused as documented.
    if (directory.licence !== 'valid') return undefined;
    if (directory.globalEmergency && !waysOut.has(operation)) return 'Proxy in Emergency mode!';
    return operation.startsWith('- /proxy/') ? withoutProxy({ software }) : undefined;
  },
};

/** Out of Global Emergency. */
const waysOut: ReadonlySet<string> = new Set(['- /emergency_remove', '- /proxy/general/emergency/remove']);

function withoutProxy({ software }: Pick<State, 'software'>): string | undefined {
  return software.installed.has('APP_PROXY') ? undefined : 'Proxy Service is not enabled';
}

/** Puts what stands in the way of an area before each of its operations. */
export function unlessObstructed(layers: Layers, operations: OperationsByArea): Layers {
  // The table's keys are areas.
  const areas = Object.entries(obstacles) as [AreaName, Obstacle][];
  const obstructed = areas.flatMap(([area, obstacle]) =>
    (operations.get(area) ?? []).map((operation): [string, Layer] => [
      operation,
      (order, documented) => {
        const reason = obstacle(order.state, operation);
        if (reason !== undefined) return couldNot(reason);
        const layer = layers[operation];
        return layer === undefined ? documented(order) : layer(order, documented);
      },
    ]),
  );
  return { ...layers, ...Object.fromEntries(obstructed) };
}
