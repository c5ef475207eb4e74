import { generationNames, isGeneration } from './generations/names.ts';
import type { Switch } from './protocol.ts';
import { NotUnderstood } from './read-fault.ts';
import type { State } from './state.ts';

/** A switch, and where in the state it stands. */
interface Kept extends Omit<Switch, 'name' | 'value'> {
  readonly read: (state: State) => string;
  readonly write: (state: State, value: string, now: Date) => void;
}

/** Milliseconds: when the allowed hours of a mirror begin that is outside of them. */
const hoursUntilOpen = 6 * 3_600_000;

/** The switches of a whole appliance: differences in the field, and states that no call leads to. */
const switches = {
  categoryList: {
    label: 'Category list',
    says: 'The document shows two shapes of /categories/list.',
    values: { A: 'Shape A, an array', B: 'Shape B, by ID' },
    read: ({ categories }) => categories.shape,
    write: ({ categories }, value) => {
      categories.shape = value === 'B' ? 'B' : 'A';
    },
  },
  generation: {
    label: 'Answers',
    says: 'In the field, answers differ from the document. field-strict also requires an allowed network, the key and a login.',
    values: generationNames,
    read: ({ ways }) => ways.generation,
    write: ({ ways }, value) => {
      if (isGeneration(value)) ways.generation = value;
    },
  },
  networks: {
    label: 'Allowed networks',
    says: 'Whether your address is in an allowed network. Only field-strict checks it.',
    values: { own: 'Yours', foreign: 'Others', unreadable: 'Unreadable' },
    read: ({ ways: { networks } }) =>
      networks.includes('127.0.0.0/8') ? 'own' : networks.includes('-') ? 'unreadable' : 'foreign',
    write: ({ ways }, value) => {
      ways.networks = [value === 'own' ? '127.0.0.0/8' : value === 'foreign' ? '192.0.2.0/24' : '-'];
    },
  },
  consoleLogin: {
    label: 'Login of the mirror console',
    says: 'How field-strict refuses a call without a login: HTTP 401, or HTTP 302 to its login page.',
    values: { words: 'Says so', login: 'Leads there' },
    read: ({ ways }) => ways.console.refuses,
    write: ({ ways }, value) => {
      ways.console.refuses = value === 'login' ? 'login' : 'words';
    },
  },
  release: {
    label: 'Release',
    says: 'In the field, a release before 4.50 SP5 answers HTTP 404 to calls that came with SP5.',
    values: { current: '4.50 SP5', earlier: 'Before it' },
    read: ({ ways }) => ways.release,
    write: ({ ways }, value) => {
      ways.release = value === 'earlier' ? 'earlier' : 'current';
    },
  },
  engineIndex: {
    label: 'Index of engine versions',
    says: 'In the field, the cache file of the index can be corrupted until it is refreshed.',
    values: { whole: 'Whole', corrupted: 'Corrupted' },
    read: ({ directory }) => (directory.engine.isCacheCorrupted ? 'corrupted' : 'whole'),
    write: ({ directory }, value) => {
      directory.engine.isCacheCorrupted = value === 'corrupted';
    },
  },
  mirrorService: {
    label: 'Mirror service',
    says: 'In the field, 1.1.1 delays a sync until its allowed hours, and counts failed files anew with each sync.',
    values: { earlier: 'Before 1.1.1', current: '1.1.1', waiting: '1.1.1, outside its hours' },
    read: ({ mirror: { release, opensAt } }) =>
      release === 'earlier' ? 'earlier' : opensAt === undefined ? 'current' : 'waiting',
    write: ({ mirror }, value, now) => {
      mirror.release = value === 'earlier' ? 'earlier' : '1.1.1';
      mirror.opensAt = value === 'waiting' ? new Date(now.getTime() + hoursUntilOpen) : undefined;
    },
  },
  emergencyName: {
    label: 'Name of an emergency',
    says: 'In the field, the status of a first-generation engine names no emergency once one was ended.',
    values: { always: 'Always', until_ended: 'Until one is ended', never: 'No more' },
    read: ({ directory }) => directory.namesEmergency,
    write: ({ directory }, value) => {
      directory.namesEmergency = value === 'never' || value === 'until_ended' ? value : 'always';
    },
  },
  build: {
    label: 'Build',
    says: 'Builds before 2026-09-23 cannot enable or disable ACL records: they answer with a syntax error near zdate.',
    values: { current: 'Current', zdate: 'Earlier' },
    read: ({ acl }) => acl.build,
    write: ({ acl }, value) => {
      acl.build = value === 'zdate' ? 'zdate' : 'current';
    },
  },
  licence: {
    label: 'Enterprise licence',
    says: 'The directory API requires a valid licence.',
    values: { valid: 'Valid', expired: 'Expired' },
    read: ({ directory }) => directory.licence,
    write: ({ directory }, value) => {
      directory.licence = value === 'expired' ? 'expired' : 'valid';
    },
  },
  proxyMode: {
    label: 'Proxy',
    says: 'In emergency mode, all users pass without authentication. In Global Emergency, nothing is filtered, either.',
    values: { normal: 'Normal', emergency: 'Emergency', global_emergency: 'Global' },
    read: ({ directory: { emergency, globalEmergency } }) =>
      globalEmergency ? 'global_emergency' : emergency ? 'emergency' : 'normal',
    write: ({ directory }, value) => {
      directory.emergency = value === 'emergency';
      directory.globalEmergency = value === 'global_emergency';
    },
  },
  directoryConnection: {
    label: 'Directory connection',
    says: 'A broken connection gets no answer from the directory. On a slow one, requests wait.',
    values: { up: 'Up', broken: 'Broken', slow: 'Slow', none: 'None' },
    read: ({ directory: { connection } }) =>
      !connection
        ? 'none'
        : connection.broken !== undefined
          ? 'broken'
          : connection.queued > 0
            ? 'slow'
            : 'up',
    write: ({ directory }, value, now) => {
      const { kind, since } = directory.connection ?? { kind: 'kerberos', since: now };
      const broken = value === 'broken' ? 'No domain controller answers' : undefined;
      directory.disconnectedFrom = value === 'none' ? kind : undefined;
      directory.connection =
        value === 'none' ? undefined : { kind, since, broken, queued: value === 'slow' ? 140 : 0 };
    },
  },
  shell: {
    label: 'Shell packages',
    says: 'Whether the appliance accepts uploads of scripts. In the field, a local command decides.',
    values: { on: 'On', off: 'Off' },
    read: ({ directory }) => (directory.shell.enabled ? 'on' : 'off'),
    write: ({ directory }, value) => {
      directory.shell.enabled = value === 'on';
    },
  },
  proxyPorts: {
    label: 'Proxy ports',
    says: 'A silent port fails the check of the ports until the proxy is rebuilt.',
    values: { all: 'All listen', one_silent: 'One is silent' },
    read: ({ directory }) =>
      directory.proxy.ports.every(({ listening }) => listening) ? 'all' : 'one_silent',
    write: ({ directory }, value) => {
      for (const [index, port] of directory.proxy.ports.entries())
        port.listening = value === 'all' || index !== 1;
    },
  },
} as const satisfies Readonly<Record<string, Kept>>;

/** How each way of the whole appliance can stand. */
export type Switches = {
  readonly [Name in keyof typeof switches]: keyof (typeof switches)[Name]['values'];
};

export const switchNames: readonly string[] = Object.keys(switches);

export const isSwitch = (name: string): name is keyof Switches => Object.hasOwn(switches, name);

/** Every switch as it stands. */
export function switchesIn(state: State): Switch[] {
  return Object.entries(switches).map(([name, { label, says, values, read }]) => ({
    name,
    label,
    says,
    values,
    value: read(state),
  }));
}

/** Turns switches: `{ categoryList: 'B' }`. Turns all or none. @throws NotUnderstood for a name or value that there is not */
export function turn(state: State, wanted: Readonly<Record<string, unknown>>, now: Date): void {
  const found = Object.entries(wanted).map(([name, value]) => {
    if (!isSwitch(name))
      throw new NotUnderstood(`There is no switch ${name}; there are ${switchNames.join(', ')}.`);
    const one: Kept = switches[name];
    if (typeof value !== 'string' || !Object.hasOwn(one.values, value))
      throw new NotUnderstood(`${name} is ${Object.keys(one.values).join(' or ')}.`);
    return () => one.write(state, value, now);
  });
  for (const write of found) write();
}
