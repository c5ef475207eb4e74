import { z } from 'zod';
import type { SimulatedAppliance } from './appliance/index.ts';
import { NotUnderstood, readFault } from './appliance/read-fault.ts';
import { done, refused } from './workspace/acted.ts';
import type { Beside } from './workspace/beside.ts';
import type { ApplianceCatalogue, ApplianceNow } from './workspace/page/appliance/protocol.ts';
import type { Acted } from './workspace/protocol.ts';

/** The parts of a simulated appliance that the page shows and steers. */
type Simulated = Pick<
  SimulatedAppliance,
  'catalogue' | 'faults' | 'requests' | 'switches' | 'turn' | 'pending' | 'reset' | 'onChange'
>;

const shownRequests = 50;

/** The simulated appliance as the page of the workspace shows and steers it, in a panel of its own. */
export function steered(appliance: Simulated): Beside {
  const catalogue: ApplianceCatalogue = { operations: appliance.catalogue };
  return {
    name: 'appliance',
    catalogue,
    now: () => applianceNow(appliance),
    act: (json) => actOn(appliance, json),
    onChange: (listener) => appliance.onChange(listener),
  };
}

/** How it stands. */
function applianceNow({ faults, switches, pending, requests }: Simulated): ApplianceNow<Date> {
  return {
    faults: faults.active(),
    switches: switches(),
    pending: pending(),
    requests: requests.slice(-shownRequests).reverse(),
  };
}

/** The shape of `ApplianceAct` from outside. The appliance itself checks the rest. */
const actSchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('misbehave'), operation: z.string(), fault: z.unknown() }),
  z.object({ act: z.literal('behave'), operation: z.string().optional() }),
  z.object({ act: z.literal('turn'), switches: z.record(z.string(), z.string()) }),
  z.object({ act: z.literal('reset') }),
]);

/** Does what a person does to the appliance; undefined when the JSON text is no act at all. */
function actOn(appliance: Simulated, json: string): Acted | undefined {
  const given = read(json);
  if (given === undefined) return undefined;
  try {
    carryOut(appliance, given);
    return done;
  } catch (error) {
    if (error instanceof NotUnderstood) return refused(error.message);
    throw error;
  }
}

function carryOut(appliance: Simulated, given: z.infer<typeof actSchema>): void {
  if (given.act === 'misbehave') appliance.faults.set(given.operation, readFault(given.fault));
  else if (given.act === 'behave') appliance.faults.clear(given.operation);
  else if (given.act === 'turn') appliance.turn(given.switches);
  else appliance.reset();
}

function read(json: string): z.infer<typeof actSchema> | undefined {
  try {
    return actSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
