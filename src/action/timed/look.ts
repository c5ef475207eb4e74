import { type Appliance, isApplianceFailure } from '../../api/index.ts';
import type { Timed } from '../../handlers/command.ts';
import type { Lasting } from '../../handlers/results.ts';
import type { Action } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';

/** Looks whether something is on. `seen`: it was seen to be. Undefined when the appliance cannot be asked. */
export const lookAt = (
  { contexts }: Pick<Parts, 'contexts'>,
  appliance: Appliance,
  action: Pick<Action, 'id' | 'person' | 'channel'>,
  timed: Timed<never>,
  seen: boolean,
): Promise<Lasting | undefined> =>
  unlessAway(() => timed.look(contexts.acting(action, { appliance, args: {} as never }), seen));

/** Undefined when the appliance cannot be asked. */
export async function unlessAway<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return undefined;
  }
}
