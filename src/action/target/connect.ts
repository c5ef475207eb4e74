import { type Appliance, connectAppliance, type RequestReport } from '../../api/index.ts';
import { createSemaphore } from '../../semaphore.ts';
import { applianceRequest } from '../../telemetry/events/appliances.ts';
import type { Log } from '../../telemetry/log.ts';
import { currentActions, recorded, replied } from '../base/request-log.ts';

type ConfiguredOne = Omit<Parameters<typeof connectAppliance>[0], 'takePlace' | 'onRequest' | 'onReply'>;

/** The configured appliances, by name. So many requests are under way to all of them together; as many as come where that is undefined. */
export function connectAppliances(
  configured: readonly ConfiguredOne[],
  most: number | undefined,
  log: Log,
): Map<string, Appliance> {
  const onRequest = (request: RequestReport) => {
    recorded(request);
    log.tell(applianceRequest, { ...request, actions: currentActions() });
  };
  const takePlace = most === undefined ? undefined : createSemaphore(most);
  return new Map(
    configured.map((settings) => [
      settings.name,
      connectAppliance({ ...settings, takePlace, onRequest, onReply: replied }),
    ]),
  );
}
