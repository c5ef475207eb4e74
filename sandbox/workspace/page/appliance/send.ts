import type { Acted } from '../../protocol.ts';
import { post } from '../connection.ts';
import type { ApplianceAct } from './protocol.ts';

/** Does something to the simulated appliance. Never rejects: a server that does not answer is told like any other failure. */
export const sendToAppliance = (act: ApplianceAct): Promise<Acted> => post('/sandbox/appliance', act);
