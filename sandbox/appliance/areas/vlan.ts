import type { SimulatedVlan, Traffic } from '../company/vlan.ts';
import { counted } from '../counted.ts';
import { done, refused } from '../envelope.ts';
import { withId } from '../ids.ts';
import type { Area, Order, Route } from '../route.ts';

const prefix = '/system/network/vlan';

/** VLAN interfaces: appliance-api.md §4.8. The document shows no shape of its answers. */
export const vlan: Area = {
  routes: [
    {
      method: 'GET',
      path: `${prefix}/install`,
      answer({ state }) {
        // The interfaces that were configured before come back with the next build.
        state.vlan.installed = true;
        return done('The VLAN feature is installed');
      },
    },
    {
      method: 'GET',
      path: `${prefix}/uninstall`,
      answer({ state, now }) {
        for (const one of state.vlan.interfaces.values()) bringDown(one, now);
        state.vlan.installed = false;
        return done('The VLAN feature is uninstalled');
      },
    },
    ofTheFeature('/list', ({ state, now }) => ({
      Status: true,
      Error: '',
      Interfaces: [...state.vlan.interfaces.values()].map((one) => listed(one, now)),
    })),
    ofTheFeature('/build', ({ state, now }) => {
      const enabled = [...state.vlan.interfaces.values()].filter((one) => one.enabled);
      for (const one of enabled) bringUp(one, now);
      return done(`${counted(enabled.length, 'interface')} built`);
    }),
    ofAnInterface('/start/{id}', (one, { now }) => {
      bringUp(one, now);
      return 'up';
    }),
    ofAnInterface('/stop/{id}', (one, { now }) => {
      bringDown(one, now);
      return 'down';
    }),
    ofAnInterface('/reconfigure/{id}', (one, { now }) => {
      // The interface is deleted and built anew (§3), so it counts from zero.
      one.carried = none;
      one.upSince = now;
      return 'rebuilt';
    }),
    ofAnInterface('/unlink/{id}', (one, { state }) => {
      state.vlan.interfaces.delete(one.id);
      return 'removed';
    }),
  ],
};

const none: Traffic = { rx_bytes: 0, tx_bytes: 0, rx_packets: 0, tx_packets: 0 };

function ofTheFeature(path: string, answer: Route['answer']): Route {
  return {
    method: 'GET',
    path: prefix + path,
    answer: (order) =>
      order.state.vlan.installed ? answer(order) : refused('The VLAN feature is not installed'),
  };
}

function ofAnInterface(path: string, change: (one: SimulatedVlan, order: Order) => string): Route {
  return ofTheFeature(path, (order) => {
    const id = order.slots.get('id');
    const found = withId(order.state.vlan.interfaces, id);
    if (found === undefined) return refused(`No interface has the ID ${id}`);
    return done(`${nameOf(found)}: ${change(found, order)}`);
  });
}

function bringUp(one: SimulatedVlan, now: Date): void {
  one.upSince ??= now;
}

export function bringDown(one: SimulatedVlan, now: Date): void {
  one.carried = trafficUntil(now, one);
  one.upSince = undefined;
}

/** The traffic of an interface until now; while it is down, its counters stand still. */
function trafficUntil(now: Date, { upSince, carried, perSecond }: SimulatedVlan): Traffic {
  const seconds = upSince === undefined ? 0 : Math.max(0, (now.getTime() - upSince.getTime()) / 1000);
  const sum = (key: keyof Traffic) => Math.floor(carried[key] + perSecond[key] * seconds);
  return {
    rx_bytes: sum('rx_bytes'),
    tx_bytes: sum('tx_bytes'),
    rx_packets: sum('rx_packets'),
    tx_packets: sum('tx_packets'),
  };
}

function nameOf({ physical, tag }: SimulatedVlan): string {
  return `${physical}.${tag}`;
}

function listed(one: SimulatedVlan, now: Date) {
  return {
    ID: one.id,
    Name: nameOf(one),
    Physical: one.physical,
    Tag: one.tag,
    Address: one.address,
    Netmask: one.netmask,
    Description: one.description,
    State: one.upSince === undefined ? 'down' : 'up',
    Statistics: { ...trafficUntil(now, one), rx_errors: 0, tx_errors: 0 },
  };
}
