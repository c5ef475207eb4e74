import { bringDown } from '../../areas/vlan.ts';
import type { SimulatedVlan } from '../../company/vlan.ts';
import { withId } from '../../ids.ts';
import type { Order } from '../../route.ts';
import { asPage } from '../../sent.ts';
import { secondsBetween } from '../../times.ts';
import { type Layer, type Layers, over, said } from '../generation.ts';

const prefix = 'GET /system/network/vlan';

/** VLAN and network interfaces. */
export const network: Layers = {
  ...over(
    [`${prefix}/start/{id}`, `${prefix}/stop/{id}`, `${prefix}/reconfigure/{id}`],
    ofAnInterface((_, order, documented) => documented(order)),
  ),
  // The order only disables: the definition stays in the list.
  [`${prefix}/unlink/{id}`]: ofAnInterface((found, { now }) => {
    bringDown(found, now);
    found.enabled = false;
    return { Status: true, Error: '', Info: `${found.physical}.${found.tag} unlinked` };
  }),
  [`${prefix}/list`]: said(({ state }, reply) => ({
    ...reply,
    // As the area answers them, in the order of the state.
    Interfaces: [...state.vlan.interfaces.values()].map(({ enabled }, index) => ({
      ...(reply.Interfaces as readonly object[])[index],
      Enabled: enabled ? 1 : 0,
    })),
  })),
  '- /system/network/interfaces': said(interfaces),
};

/** An unknown ID gets a page. */
function ofAnInterface(answer: (found: SimulatedVlan, ...order: Parameters<Layer>) => unknown): Layer {
  return (order, documented) => {
    const found = withId(order.state.vlan.interfaces, order.slots.get('id'));
    return found === undefined ? asPage(404) : answer(found, order, documented);
  };
}

function interfaces({ state: { directory }, now }: Order) {
  const seconds = secondsBetween(directory.bootedAt, now);
  return {
    status: true,
    info: '',
    interfaces: directory.interfaces.map(({ name, up, speed, bytesPerSecond }) => ({
      Name: name,
      State: up ? 'up|broadcast|multicast|running' : 'broadcast|multicast',
      RxBytes: bytesPerSecond.received * seconds,
      TxBytes: bytesPerSecond.sent * seconds,
      Drop: 0,
      Speed: speed,
    })),
  };
}
