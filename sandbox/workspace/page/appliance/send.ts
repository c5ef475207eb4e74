import type { Acted } from '../../protocol.ts';
import { post } from '../connection.ts';
import type { ApplianceAct } from './protocol.ts';

/** Sends an act to the simulated appliance. Never rejects: a missing answer is reported like any other failure. */
export const sendToAppliance = (act: ApplianceAct): Promise<Acted> => post('/sandbox/appliance', act);
