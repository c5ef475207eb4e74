import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';

export const disableObject = 'GET /proxy/acls/object/disable/{objectId}';
export const enableObject = 'GET /proxy/acls/object/enable/{objectId}';
export const compileAcl = '- /proxy/acls/compile';
const objectNamed = (appliance: SimulatedAppliance, name: string) =>
  [...appliance.state.acl.objects.values()].find((object) => object.name === name);
/** As it is configured, and as the proxy goes by it. */
export const objectIs = (enabled: boolean) => (appliance: SimulatedAppliance) =>
  objectNamed(appliance, 'google_sni')?.enabled === enabled &&
  [...appliance.state.acl.live.values()].find(({ name }) => name === 'google_sni')?.enabled === enabled;
