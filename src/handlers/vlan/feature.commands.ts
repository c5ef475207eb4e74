import { change } from '../declare.ts';
import { countText } from '../listing.ts';
import { code, enumerate, plural, say, strong } from '../reply.ts';
import {
  type Fingerprint,
  happened,
  notCheckable,
  notHappened,
  nothing,
  ready,
  underWay,
} from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { acting } from '../wording/acting.ts';
import { settle } from '../wording/answer.ts';
import { calledBy, interfaces, notInstalledIn, type VlanInterface } from './interfaces.ts';

/** The VLAN feature as a whole. Only a list of interfaces shows that it is installed. */

export const install = change({
  ...acting('Install', 'the VLAN feature'),
  phrase: 'vlan install',
  says: `
    install vlan / vlan feature on / install vlan support / activate the vlan feature /
    enable vlans on the appliance / we need vlans / install the vlan package
  `,
  summary: 'Install the VLAN feature',
  before: ['vlan uninstall'],
  effect: 'write',
  preview: async ({ appliance }) => {
    const now = await settle(interfaces.look(appliance));
    // Another answer than a list says nothing about the feature.
    if (!now.answered && notInstalledIn(now) === undefined) throw now.failure;
    if (now.answered && now.value.all.length > 0)
      return nothing`The VLAN feature is already installed: ${strong(appliance.name)} lists ${countText(now.value, 'VLAN interface')}.`;
    return ready({
      question: say`Install the VLAN feature on ${strong(appliance.name)}?`,
      fields: {
        Now: now.answered
          ? say`no interface is listed`
          : say`not installed; the appliance replied: ${code(notInstalledIn(now) ?? '')}`,
      },
      fingerprint: { listed: now.answered },
    });
  },
  run: ({ appliance, progress }) => {
    progress(say`${strong(appliance.name)} is installing it. This can take a few minutes.`);
    return appliance.vlan.install();
  },
  verify: async ({ appliance }, { listed }) => {
    const now = await settle(interfaces.look(appliance));
    if (!now.answered) {
      const says = notInstalledIn(now);
      if (says === undefined) throw now.failure;
      return notHappened`Interfaces read back: they still cannot be listed: ${code(says)}.`;
    }
    const { all, lack } = now.value;
    if (listed === true && all.length === 0) return notCheckable`no interfaces are listed, as before`;
    if (all.length === 0 && lack !== undefined) return notCheckable`${appliance.name} ${lack}`;
    const down = all.filter(({ up }) => up === false).length;
    return happened`Interfaces read back: they can be listed: ${all.length === 0 ? 'there is none' : countText(now.value, 'interface')}${down === 0 ? '' : `, ${down} of them down`}.${down === 0 ? [] : say` ${code('/appliance vlan build')} builds them.`}`;
  },
  lasts: 3 * 60_000,
});

export const uninstall = change({
  ...acting('Uninstall', 'the VLAN feature'),
  phrase: 'vlan uninstall',
  says: `
    uninstall vlan / remove vlan feature / vlan feature off / remove the vlan package / no vlans any more /
    deinstall vlan
  `,
  summary: 'Uninstall the VLAN feature: all VLAN interfaces go down',
  effect: 'destructive',
  preview: async ({ appliance }) => {
    const look = await interfaces.look(appliance);
    const { all } = look;
    return ready({
      question: say`Uninstall the VLAN feature of ${strong(appliance.name)}? ${all.length === 0 ? say`It lists no interfaces.` : say`${strong('Impact:')} ${countText(look, 'VLAN interface')} ${strong('removed.')}`}`,
      fields: {
        'Up now': namesOf(all.filter(({ up }) => up === true)),
        Others: namesOf(all.filter(({ up }) => up !== true)),
        Impact: say`whether a later install restores them is undocumented; Appliance Bot may lose its connection to the appliance`,
      },
      fingerprint: allOf(all),
    });
  },
  run: ({ appliance, progress }) => {
    progress(say`${strong(appliance.name)} is uninstalling it. This can take a few minutes.`);
    return appliance.vlan.uninstall();
  },
  verify: async ({ appliance }) => {
    const now = await settle(interfaces.look(appliance));
    if (!now.answered) {
      const says = notInstalledIn(now);
      if (says === undefined) throw now.failure;
      return happened`Interfaces read back: the appliance replied: ${code(says)}.`;
    }
    const { all } = now.value;
    if (all.length === 0)
      return notCheckable`no interfaces are listed, which does not show whether the feature is installed`;
    const up = all.filter((one) => one.up === true);
    return notHappened`Interfaces read back: ${plural(all.length, 'interface is', 'interfaces are')} still listed${up.length === 0 ? '' : `, ${up.length} of them up`}.`;
  },
  lasts: 3 * 60_000,
});

export const build = change({
  phrase: 'vlan build',
  says: `
    build all vlans / rebuild vlans / apply vlan configuration / recreate all vlans / rebuild all vlans /
    build the vlans / apply the vlans / activate the vlan configuration / set up all vlans again
  `,
  summary: 'Build all VLAN interfaces: their traffic is interrupted',
  effect: 'destructive',
  verb: 'Build',
  doing: () => say`Building all VLAN interfaces`,
  done: () => say`VLAN interfaces built`,
  preview: async ({ appliance }) => {
    const { all, lack } = await interfaces.look(appliance);
    if (all.length === 0 && lack === undefined)
      return nothing`${strong(appliance.name)} lists no VLAN interfaces to build.`;
    return ready({
      question:
        all.length === 0
          ? say`Build all VLAN interfaces of ${strong(appliance.name)}? It lists none now. Their traffic is interrupted meanwhile.`
          : say`Build all ${strong(plural(all.length, 'VLAN interface'))} of ${strong(appliance.name)}? Their traffic is interrupted meanwhile.`,
      fields: {
        Interrupted: namesOf(all.filter(({ up }) => up !== false)),
        'Down now': namesOf(all.filter(({ up }) => up === false)),
      },
      fingerprint: allOf(all),
    });
  },
  run: ({ appliance, progress }) => {
    progress(say`${strong(appliance.name)} is building its interfaces. This can take a few minutes.`);
    return appliance.vlan.build();
  },
  verify: async ({ appliance }, before) => {
    const { all: now } = await interfaces.look(appliance);
    const wasUp = idsIn(before.up);
    const wasDown = idsIn(before.down);
    const broken = now.filter(({ id, up }) => up === false && wasUp.has(id));
    // A disabled interface is not built.
    const lost = [...wasUp].filter((id) => id > 0 && !now.some((one) => one.id === id));
    if (lost.length > 0)
      return underWay`${plural(lost.length, 'interface')} that ${lost.length === 1 ? 'was' : 'were'} up ${lost.length === 1 ? 'is' : 'are'} not listed.`;
    const raised = now.filter(({ id, up }) => up === true && wasDown.has(id));
    const left = now.filter(({ id, up, enabled }) => up === false && enabled !== false && wasDown.has(id));
    if (broken.length > 0) return underWay`Not up yet: ${namesOf(broken)}.`;
    if (raised.length > 0)
      return happened`Interfaces read back: ${namesOf(raised)} came up, and ${left.length === 0 ? 'none is down' : say`still down: ${namesOf(left)}`}.`;
    return left.length > 0
      ? notHappened`Interfaces read back: still down: ${namesOf(left)}.`
      : notCheckable`all interfaces were up before and are up now, and nothing shows whether they were rebuilt`;
  },
  // The duration is undocumented: an interface takes seconds, and there may be dozens.
  lasts: 5 * 60_000,
});

function allOf(all: readonly VlanInterface[]): Fingerprint {
  const ids = (state: boolean | undefined) =>
    all
      .filter(({ up }) => up === state)
      .map(({ id }) => id)
      .join(' ');
  return { up: ids(true), down: ids(false), others: ids(undefined) };
}

const idsIn = (written: Fingerprint[string] | undefined): ReadonlySet<number> =>
  new Set(
    String(written ?? '')
      .split(' ')
      .map(Number),
  );

const namesOf = (all: readonly VlanInterface[]) =>
  all.length === 0 ? say`none` : enumerate(all.map(calledBy));

export const vlanFilter = impossible({
  says: `
    turn on filtering on vlan <number> / take vlan <number> out of the filter /
    exclude vlan <number> from filtering / do not filter vlan <number> / is vlan <number> filtered /
    which vlans are filtered / send vlan <number> through the proxy / who is in vlan <number> /
    which devices are in vlan <number> / which clients are connected to vlan <number> /
    let vlan <number> talk to vlan <other> / routing between vlans /
    what vlan is <address> in / which vlan does <address> belong to / in which vlan is <host>
  `,
  why: 'The Web API brings VLAN interfaces up and down, but knows no devices in them and cannot change what is filtered or routed between them.',
  source: 'appliance-api.md §4.8',
  nearest: ['vlan list'],
});
