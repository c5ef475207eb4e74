import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';
import { operations } from '../src/api/index.ts';

const readings = new Set(
  [...operations.values()].flatMap(({ effect, method, path }) =>
    effect === 'read' ? [`${method} ${path}`, `- ${path}`] : [],
  ),
);

/** The operations by which an appliance was asked to change something, as often as it was. Some of them are a GET. */
export const ordersTo = ({ requests }: SimulatedAppliance): readonly string[] =>
  requests.flatMap(({ operation }) =>
    operation === undefined || readings.has(operation) ? [] : [operation],
  );
