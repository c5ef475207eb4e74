import type { SimulatedAppliance } from '../sandbox/appliance/index.ts';

/** From the moment at which an order has been answered, another operation answers nothing but this. */
export function answersAfter(
  appliance: SimulatedAppliance,
  order: string,
  operation: string,
  body: unknown,
): void {
  after(appliance, order, () => answers(appliance, operation, body));
}

/** From that moment on, another operation cannot be asked. */
export function breaksAfter(appliance: SimulatedAppliance, order: string, operation: string): void {
  after(appliance, order, () => appliance.faults.set(operation, { kind: 'status', status: 500 }));
}

function after(appliance: SimulatedAppliance, order: string, happens: () => void): void {
  const end = appliance.onChange(() => {
    const isOver = appliance.requests.some((one) => one.operation === order && one.outcome === 'answered');
    if (!isOver) return;
    end();
    happens();
  });
}

/** From now on an operation answers nothing but this. */
export function answers(appliance: SimulatedAppliance, operation: string, body: unknown): void {
  appliance.faults.set(operation, { kind: 'text', text: JSON.stringify(body) });
}
