import { isApplianceFailure } from '../../api/index.ts';
import { type Named, nameOrNumber } from '../argument.ts';
import type { AskingAppliance } from '../context.ts';
import { change, lookup } from '../declare.ts';
import { countText, readBackIn, withLack } from '../listing.ts';
import { code, enumerate, fieldList, type Part, plural, say, strong, type Text } from '../reply.ts';
import { resource } from '../resource.ts';
import { happened, notCheckable, notHappened, nothing, ready, underWay } from '../results.ts';
import { impossible } from '../understanding/impossible.ts';
import { settle } from '../wording/answer.ts';
import { bytes } from '../wording/quantities.ts';
import { reportedFields } from '../wording/reported.ts';
import {
  calledBy,
  describe,
  described,
  findInterface,
  fingerprintOf,
  gone,
  interfaces,
  notInstalledIn,
  shownAs,
  stateOf,
  type VlanInterface,
  vlanInterface,
  whoIsCut,
} from './interfaces.ts';

type On = AskingAppliance<{ readonly interface: Named }>;

const anInterface = resource<On['args'], VlanInterface>({
  noun: 'VLAN interface',
  nameOf: (args, shown = {}) => shownAs(args.interface, shown),
  list: () => interfaces,
  fits: ({ id }, args) => id === args.interface.id,
  gone: ({ appliance, args }) => gone(appliance.name, args.interface),
  missing: ({ args }) =>
    notHappened`Interfaces read back: ${nameOrNumber(args.interface)} no longer exists. ${code('/appliance vlan list')} lists all interfaces.`,
});

export const list = lookup({
  phrase: 'vlan list',
  says: `
    vlans / list vlans / which vlans / vlan interfaces / vlan status / is vlan up / vlan traffic /
    which vlans do we have / what vlans are there / is the vlan up / list of vlans / how many vlans /
    vlan ids / state of the vlans / vlans on eth1 / show all vlans
  `,
  also: ['vlan interfaces', 'vlans'],
  summary: 'List the VLAN interfaces with their state and traffic',
  answer: async ({ appliance }) => {
    const answer = await settle(interfaces.look(appliance));
    if (notInstalledIn(answer) !== undefined)
      return {
        headline: say`The VLAN feature is not installed on ${strong(appliance.name)}. ${code('/appliance vlan install')} installs it`,
      };
    if (!answer.answered) throw answer.failure;
    const look = answer.value;
    const { all } = look;
    if (all.length === 0)
      return withLack(appliance.name, look, {
        headline: say`${strong(appliance.name)} lists no VLAN interfaces`,
      });
    const down = all.filter(({ up, enabled }) => up === false && enabled !== false);
    const troubled = all.filter((one) => one.trouble !== undefined && !down.includes(one));
    const withTrouble =
      troubled.length === 0
        ? []
        : say`; ${troubled.length} of them with an error: ${enumerate(troubled.map(calledBy))}`;
    return withLack(appliance.name, look, {
      headline:
        down.length === 0
          ? say`${countText(look, 'VLAN interface')}${all.every(({ up }) => up) ? ', all up' : ''}${withTrouble}`
          : say`${countText(look, 'VLAN interface')}, ${down.length} of them down: ${enumerate(down.map(calledBy))}${withTrouble}`,
      details: [interfacesTable(all)],
    });
  },
});

export const show = lookup({
  phrase: 'vlan interface <interface>',
  byNameAlone: true,
  says: `
    show vlan <interface> / details of vlan <interface> / is vlan <interface> up / ip of vlan <interface> /
    state of vlan <interface> / which address has vlan <interface> / is vlan <interface> running /
    show me vlan <interface> / what ip is on vlan <interface> / info about vlan <interface> /
    traffic of vlan <interface> / vlan <interface> ok / <interface> is down / is <interface> down /
    is <interface> up / what is wrong with <interface> / <interface> has no link /
    <interface> has no traffic
  `,
  also: ['vlan <interface>', 'vlan show <interface>'],
  args: { interface: vlanInterface },
  summary: 'Show all details of a VLAN interface',
  example: 'vlan interface eth1.31',
  answer: async ({ appliance, args }) => {
    const found = await findInterface(appliance, args.interface);
    if (found === undefined)
      return {
        headline: say`VLAN interface ${args.interface.id} no longer exists on ${strong(appliance.name)}`,
      };
    return {
      headline: say`VLAN interface ${strong(calledBy(found))} is ${found.up === undefined ? 'in an unreported state' : strong(stateOf(found))}`,
      details: [fieldList(reportedFields(found.fields))],
    };
  },
});

export const start = change({
  ...anInterface.acting('Start'),
  phrase: 'vlan start <interface>',
  says: `
    vlan <interface> up / start vlan <interface> / bring vlan <interface> up / enable vlan <interface> /
    activate vlan <interface> / vlan <interface> on / turn on vlan <interface> /
    switch vlan <interface> on / bring vlan <interface> back / start the vlan <interface>
  `,
  also: ['vlan up <interface>'],
  args: { interface: vlanInterface },
  summary: 'Bring a VLAN interface up, by its ID (not its tag) or its name',
  example: 'vlan start 5',
  effect: 'write',
  preview: anInterface.preview((found) =>
    found.up
      ? nothing`VLAN interface ${strong(calledBy(found))} is already up.`
      : ready({
          question: say`Start VLAN interface ${strong(calledBy(found))}?`,
          fields: describe(found),
          fingerprint: fingerprintOf(found),
        }),
  ),
  run: ({ appliance, args }) => appliance.vlan.start({ id: args.interface.id }),
  verify: readState('up'),
  beside: described,
  undo: (args, { up }) => (up === false ? `vlan stop ${args.interface.id}` : undefined),
});

export const stop = change({
  ...anInterface.acting('Stop'),
  phrase: 'vlan stop <interface>',
  says: `
    vlan <interface> down / stop vlan <interface> / bring vlan <interface> down / disable vlan <interface> /
    shut vlan <interface> / vlan <interface> off / turn off vlan <interface> / switch vlan <interface> off /
    take vlan <interface> down / cut off vlan <interface> / shutdown vlan <interface> /
    stop the vlan <interface> / isolate vlan <interface>
  `,
  also: ['vlan down <interface>'],
  args: { interface: vlanInterface },
  summary: 'Bring a VLAN interface down, by its ID (not its tag) or its name',
  example: 'vlan stop 3',
  effect: 'destructive',
  preview: anInterface.preview((found) =>
    found.up === false
      ? nothing`VLAN interface ${strong(calledBy(found))} is already down.`
      : ready({
          question: say`Stop VLAN interface ${strong(calledBy(found))}?`,
          fields: [...describe(found), whoIsCut],
          fingerprint: fingerprintOf(found),
        }),
  ),
  run: ({ appliance, args }) => appliance.vlan.stop({ id: args.interface.id }),
  verify: readState('down'),
  beside: described,
  undo: (args, { up }) => (up === true ? `vlan start ${args.interface.id}` : undefined),
});

/** An interface that goes down was stopped, under any name. */
const stops = {
  name: 'vlan stop',
  always: true,
  with: (args: { readonly interface: unknown }) => ({ interface: args.interface }),
} as const;

export const reconfigure = change({
  phrase: 'vlan reconfigure <interface>',
  says: `
    restart vlan <interface> / rebuild vlan <interface> / reset vlan <interface> / bounce vlan <interface> /
    recreate vlan <interface> / fix vlan <interface> / vlan <interface> is stuck /
    rebuild the vlan <interface> / set vlan <interface> up again /
    vlan <interface> does not work, rebuild it / reload vlan <interface> / repair vlan <interface>
  `,
  also: ['vlan rebuild <interface>'],
  args: { interface: vlanInterface },
  summary: 'Delete a VLAN interface and rebuild it from its settings',
  example: 'vlan reconfigure 3',
  effect: 'destructive',
  alsoDoes: [stops, { ...stops, name: 'vlan start' }],
  verb: 'Reconfigure',
  doing: (args, shown) => say`Reconfiguring VLAN interface ${shownAs(args.interface, shown)}`,
  done: (args, shown) => say`VLAN interface ${strong(shownAs(args.interface, shown))} rebuilt`,
  preview: anInterface.preview((found) =>
    ready({
      question: say`Delete VLAN interface ${strong(calledBy(found))} and rebuild it?`,
      fields: [...describe(found), whoIsCut],
      fingerprint: fingerprintOf(found),
    }),
  ),
  run: async ({ appliance, args, progress }) => {
    // The traffic before shows afterwards whether it is a new interface. If it is unreadable, the repair still
    // runs.
    const before = await findInterface(appliance, args.interface).catch(ignoreFailure);
    progress(say`${strong(appliance.name)} is deleting and rebuilding ${nameOrNumber(args.interface)}.`);
    const { confirmed } = await appliance.vlan.reconfigure({ id: args.interface.id });
    return { confirmed, learned: { received: before?.received ?? null } };
  },
  verify: anInterface.verify<On['args']>(
    (now, { args }, { up, received }) => {
      const name = nameOrNumber(args.interface);
      if (now.up === false) return underWay`${name} is listed, but still down.`;
      if (up === false && now.up) return happened`Interface read back: it was down and is now up.`;
      if (typeof received !== 'number' || received === 0 || now.received === undefined)
        return notCheckable`${name} is unchanged, and its counters do not show whether it was rebuilt`;
      return now.received < received
        ? happened`Interface read back: it is ${stateOf(now)}, and its counters started over.`
        : notHappened`Interface read back: its counters continue, so it was not rebuilt.`;
    },
    ({ args }) => underWay`${nameOrNumber(args.interface)} is not in the list at the moment.`,
  ),
  lasts: 3 * 60_000,
});

export const unlink = change({
  phrase: 'vlan unlink <interface>',
  says: `
    delete vlan <interface> / remove vlan <interface> / unlink vlan <interface> /
    get rid of vlan <interface> / drop vlan <interface> / vlan <interface> is not needed any more /
    delete the vlan <interface> / vlan <interface> must go
  `,
  also: ['vlan delete <interface>'],
  args: { interface: vlanInterface },
  summary: 'Unlink a VLAN interface: it goes down, and the API cannot relink it',
  example: 'vlan unlink 8',
  effect: 'destructive',
  alsoDoes: [stops],
  verb: 'Remove',
  doing: (args, shown) => say`Removing VLAN interface ${shownAs(args.interface, shown)}`,
  done: (args, shown) => say`VLAN interface ${strong(shownAs(args.interface, shown))} unlinked`,
  preview: anInterface.preview((found) =>
    found.enabled === false && found.up === false
      ? nothing`VLAN interface ${strong(calledBy(found))} is already disabled.`
      : ready({
          question: say`Remove VLAN interface ${strong(calledBy(found))}? The API cannot create it again. Use the web console.`,
          fields: [...describe(found), ...(found.up === false ? [] : [whoIsCut])],
          fingerprint: fingerprintOf(found),
        }),
  ),
  run: ({ appliance, args }) => appliance.vlan.unlink({ id: args.interface.id }),
  verify: readBackIn<On['args'], VlanInterface>(
    () => interfaces,
    async ({ seek }, { args }, { up }) => {
      const { id } = args.interface;
      const { found: now, all } = await seek((one) => one.id === id, id);
      const name = nameOrNumber(args.interface);
      if (now === undefined)
        return happened`Interfaces read back: ${name} is gone, ${plural(all.length, 'other')} left.`;
      if (now.up === true || now.enabled === true)
        return notHappened`Interfaces read back: ${name} is still there and is ${stateOf(now)}.`;
      if (now.enabled === false)
        return happened`Interfaces read back: ${name} is disabled. Its definition stays in the list.`;
      // If unlinking means disabling, the definition stays in the list.
      return notCheckable`${name} is in the list and ${up === false ? 'down, as before' : stateOf(now)}, and nothing shows whether it is linked`;
    },
  ),
});

function readState(wanted: 'up' | 'down') {
  return anInterface.verify<On['args']>((now) => {
    if (now.up === undefined)
      return notCheckable`the list of interfaces does not report which of them are up`;
    return now.up === (wanted === 'up')
      ? happened`Interface read back: it is ${wanted}.`
      : notHappened`Interface read back: it is ${stateOf(now)}.`;
  });
}

function ignoreFailure(error: unknown): undefined {
  if (!isApplianceFailure(error)) throw error;
  return undefined;
}

export const createVlan = impossible({
  says: `
    create vlan / add vlan / new vlan / add a vlan interface / change vlan tag / rename vlan /
    set ip of vlan / how to make a new vlan / make a new vlan / set up a vlan / we need a new vlan /
    put vlan on eth1 / create vlan <number> on <interface> / new vlan <number> / add vlan <number> /
    change the ip of vlan <number> / change the tag of vlan <number> / rename vlan <number> /
    assign vlan <number> to port <port> / move vlan <number> to <interface> /
    which ip range has the new vlan / put <port> into vlan <number> / add port to vlan <number> /
    create vlan <number> / add a vlan with id <number>
  `,
  why: 'The Web API brings VLAN interfaces up and down, rebuilds and unlinks them, but cannot create or change one. Use the web console.',
  source: 'appliance-api.md §4.8',
  nearest: ['vlan list', 'vlan build'],
});

/** One interface a row. Columns that no interface reports are left out. */
function interfacesTable(all: readonly VlanInterface[]): Part {
  const columns = known.filter(({ isTold }) => all.some(isTold));
  return {
    kind: 'table',
    columns: columns.map(({ name }) => name),
    rows: all.map((one) => columns.map(({ value }) => value(one))),
  };
}

interface Column {
  readonly name: string;
  readonly isTold: (one: VlanInterface) => boolean;
  readonly value: (one: VlanInterface) => Text;
}

const known: readonly Column[] = [
  { name: 'ID', isTold: () => true, value: ({ id }) => say`${id}` },
  { name: 'Name', isTold: ({ name }) => name !== '', value: (one) => say`${nameOrNumber(one)}` },
  { name: 'State', isTold: () => true, value: (one) => say`${stateOf(one)}` },
  optional('Description', ({ description }) => description),
  optional('Tag', ({ tag }) => tag),
  optional('Address', ({ address }) => address),
  optional('Received', ({ received }) => received, bytes),
  optional('Sent', ({ sent }) => sent, bytes),
];

function optional<Value extends string | number>(
  name: string,
  read: (one: VlanInterface) => Value | undefined,
  shown: (value: Value) => string = String,
): Column {
  return {
    name,
    isTold: (one) => read(one) !== undefined,
    value: (one) => {
      const value = read(one);
      return say`${value === undefined ? 'not reported' : shown(value)}`;
    },
  };
}
