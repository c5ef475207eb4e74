import { type Appliance, connectAppliance, type RequestReport } from '../../api/index.ts';
import { createSemaphore } from '../../semaphore.ts';
import { applianceRequest } from '../../telemetry/events/appliances.ts';
import type { Log } from '../../telemetry/log.ts';
import { currentActions, recorded, replied } from '../base/request-log.ts';
import { type ApplianceStates, createApplianceStates } from './appliance-states.ts';

type ConfiguredOne = Omit<Parameters<typeof connectAppliance>[0], 'takePlace' | 'onRequest' | 'onReply'>;

interface Connected {
  /** By name. */
  readonly appliances: Map<string, Appliance>;
  /** How they stand now. */
  readonly up: ApplianceStates['up'];
}

/** The configured appliances. So many requests are under way to all of them together; as many as come where that is undefined. */
export function connectAppliances(
  configured: readonly ConfiguredOne[],
  most: number | undefined,
  log: Log,
  now: () => number,
): Connected {
  const states = createApplianceStates(log, now);
  const onRequest = (request: RequestReport) => {
    recorded(request);
    states.heard(request);
    log.tell(applianceRequest, { ...request, actions: currentActions() });
  };
  const takePlace = most === undefined ? undefined : createSemaphore(most);
  const connect = (settings: ConfiguredOne) =>
    connectAppliance({ ...settings, takePlace, onRequest, onReply: replied });
  return {
    appliances: new Map(configured.map((settings) => [settings.name, connect(settings)])),
    up: states.up,
  };
}
