import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';

/** From the moment at which an order has been answered, another operation answers nothing but this. */
export function answersAfter(
  appliance: SimulatedAppliance,
  order: string,
  operation: string,
  body: unknown,
): void {
  const end = appliance.onChange(() => {
    const isOver = appliance.requests.some((one) => one.operation === order && one.outcome === 'answered');
    if (!isOver) return;
    end();
    answers(appliance, operation, body);
  });
}

/** From now on an operation answers nothing but this. */
export function answers(appliance: SimulatedAppliance, operation: string, body: unknown): void {
  appliance.faults.set(operation, { kind: 'text', text: JSON.stringify(body) });
}
