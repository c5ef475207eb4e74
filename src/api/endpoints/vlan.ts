import { area, recordId } from '../endpoint.ts';
import { entries, undocumented } from '../reading/unnamed.ts';

const endpoint = area({ section: '§4.8', availableFrom: '4.50 SP1, or 4.50 hotfix 20240311-15' });
const slots = {
  id: recordId.describe(
    'The ID of the interface, as `vlan.list` gives it; not the number (tag) of the VLAN.',
  ),
};

/** VLAN interfaces. Each `id` is the one in `list`, and not the VLAN number (its tag). */
export const vlan = {
  list: endpoint('GET /system/network/vlan/list', {
    summary: 'All VLAN interfaces with their status and statistics.',
    effect: 'read',
    // §2.14.3 names no field but the ID. `vlanid` does not count, because tags are often called so.
    reply: entries(
      'interface',
      undocumented('VlanInterface', 'A VLAN interface, which is identified by an ID number.'),
      ['name', 'interface', 'interfacename', 'vlanname', 'device'],
    ),
  }),

  install: endpoint('GET /system/network/vlan/install', {
    summary: 'Installs the VLAN management feature.',
    effect: 'write',
    slow: true,
  }),

  uninstall: endpoint('GET /system/network/vlan/uninstall', {
    summary: 'Uninstalls the VLAN management feature.',
    effect: 'destructive',
    slow: true,
  }),

  /** Destructive: traffic through an interface is cut while it is built. */
  build: endpoint('GET /system/network/vlan/build', {
    summary: 'Builds all VLAN interfaces.',
    effect: 'destructive',
    slow: true,
  }),

  start: endpoint('GET /system/network/vlan/start/{id}', {
    summary: 'Brings an interface up.',
    effect: 'write',
    slots,
  }),

  reconfigure: endpoint('GET /system/network/vlan/reconfigure/{id}', {
    summary: 'Deletes an interface and rebuilds it.',
    effect: 'destructive',
    slots,
    slow: true,
  }),

  stop: endpoint('GET /system/network/vlan/stop/{id}', {
    summary: 'Brings an interface down.',
    effect: 'destructive',
    slots,
  }),

  /** Destructive: unlike a policy's links, no operation can create an interface again. */
  unlink: endpoint('GET /system/network/vlan/unlink/{id}', {
    summary: 'Removes an interface.',
    effect: 'destructive',
    slots,
  }),
};
