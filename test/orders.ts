import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';
import { operations } from '../src/api/index.ts';

const readings = new Set(
  [...operations.values()].flatMap(({ effect, method, path }) =>
    effect === 'read' ? [`${method} ${path}`, `- ${path}`] : [],
  ),
);

/** Requests that change something. Some of them are a GET. */
export const orderRequestsTo = ({ requests }: SimulatedAppliance) =>
  requests.flatMap(({ operation, path, at }) =>
    operation === undefined || readings.has(operation) ? [] : [{ operation, path, at }],
  );

/** The operations by which an appliance was asked to change something, as often as it was. */
export const ordersTo = (appliance: SimulatedAppliance): readonly string[] =>
  orderRequestsTo(appliance).map(({ operation }) => operation);
