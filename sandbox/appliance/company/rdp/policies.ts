import { byId } from './by-id.ts';
import type { SimulatedMember } from './members.ts';
import { hostileName } from './sessions.ts';
import type { SimulatedTarget } from './targets.ts';

/** Rights that a policy may grant inside a session. The document says `allow_*` and no more (§2.14). */
export const rights = [
  'allow_clipboard',
  'allow_file_transfer',
  'allow_drives',
  'allow_printers',
  'allow_audio',
  'allow_smartcards',
  'allow_remote_shell',
] as const;

type Rights = Readonly<Record<(typeof rights)[number], '0' | '1'>>;

/** Kinds of links of a policy: appliance-api.md §4.6. */
export const linkKinds = ['networks', 'schedules', 'members', 'targets'] as const;

export type LinkKind = (typeof linkKinds)[number];

/** A policy: which members may reach which targets, from where and when. */
export interface SimulatedPolicy {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** 1 or 0 (§3). */
  readonly enabled: number;
  readonly rights: Rights;
  /** IDs. */
  readonly links: Readonly<Record<LinkKind, Set<number>>>;
}

/** A network or a schedule: they are defined in the web console, and the API only links them. */
export interface Linkable {
  readonly id: number;
  readonly name: string;
}

export function knownNetworks(): Map<number, Linkable> {
  return byId([
    { id: 1, name: 'IT department (10.20.4.0/24)' },
    { id: 2, name: 'Web and mail team (10.20.5.0/24)' },
    { id: 3, name: 'Offices (10.20.6.0/23)' },
    { id: 4, name: 'Engineering (10.20.8.0/24)' },
    { id: 5, name: 'Contractors (10.20.90.0/24)' },
    { id: 6, name: 'Meeting rooms (10.20.99.0/24)' },
  ]);
}

export function knownSchedules(): Map<number, Linkable> {
  return byId([
    { id: 1, name: 'Any time' },
    { id: 2, name: 'Office hours' },
    { id: 3, name: 'Night maintenance' },
  ]);
}

interface Known {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly enabled?: 0;
  readonly allows: readonly (keyof Rights)[];
  readonly networks: readonly number[];
  readonly schedules: readonly number[];
  readonly members: readonly string[];
  readonly targets: readonly string[];
}

const office: readonly (keyof Rights)[] = ['allow_clipboard', 'allow_printers', 'allow_audio'];
const administration: readonly (keyof Rights)[] = [
  'allow_clipboard',
  'allow_file_transfer',
  'allow_remote_shell',
];

const known: readonly Known[] = [
  {
    id: 1,
    name: 'Database administration',
    description: 'Databases and their backups',
    allows: administration,
    networks: [1],
    schedules: [1],
    members: ['alice.carter', 'nadia.rahman', 'backup.operator'],
    targets: ['srv-db-01', 'srv-db-02', 'srv-backup-01'],
  },
  {
    id: 2,
    name: 'Build and web',
    description: 'Everything that ships',
    allows: administration,
    networks: [1, 2],
    schedules: [1],
    members: ['henrik.olsen', 'lucas.martin', 'alice.carter'],
    targets: ['srv-build-01', 'srv-web-01', 'srv-web-02'],
  },
  {
    id: 3,
    name: 'Build reserve',
    description: 'More room for builds',
    allows: administration,
    networks: [1, 2],
    schedules: [1],
    members: ['henrik.olsen'],
    targets: ['srv-build-02'],
  },
  {
    id: 4,
    name: 'ERP users',
    description: 'Orders, stock and accounting',
    allows: office,
    networks: [3],
    schedules: [2],
    members: ['maria.lopez', 'priya.nair'],
    targets: ['srv-erp-01', 'srv-erp-02'],
  },
  {
    id: 5,
    name: 'File servers',
    description: 'Files from outside the offices',
    allows: [...office, 'allow_file_transfer', 'allow_drives'],
    networks: [3, 6],
    schedules: [1],
    members: ['claire.dubois', 'bob.miller', 'carla.jones', hostileName],
    targets: ['srv-files-01', 'srv-files-02'],
  },
  {
    id: 6,
    name: 'Engineering workstations',
    description: 'Drawing and simulation',
    allows: [...office, 'allow_drives', 'allow_smartcards'],
    networks: [4],
    schedules: [1],
    members: ['yuki.tanaka', 'oliver.schmidt'],
    targets: ['srv-cad-01', 'srv-cad-02', 'srv-cad-03'],
  },
  {
    id: 8,
    name: 'IT operations',
    description: 'Mail, printers and directory',
    allows: administration,
    networks: [1, 2, 3],
    schedules: [1],
    members: ['samuel.okafor', 'tom.becker', 'alice.carter'],
    targets: ['srv-mail-01', 'srv-print-01', 'srv-ad-01'],
  },
  {
    id: 9,
    name: 'Human resources',
    description: 'Staff records; nothing leaves the session',
    allows: [],
    networks: [3],
    schedules: [2],
    members: ['elena.petrova'],
    targets: ['srv-hr-01'],
  },
  {
    id: 11,
    name: 'Contractors',
    description: 'People from other companies, always recorded',
    allows: [],
    networks: [5],
    schedules: [2],
    members: ['contractor.acme', 'auditor.external', 'sofia.rossi'],
    targets: ['srv-hvac-01', 'srv-scada-01'],
  },
  {
    id: 12,
    name: 'Legacy access',
    description: 'Until the old accounting is switched off',
    enabled: 0,
    allows: ['allow_clipboard'],
    networks: [3],
    schedules: [2],
    members: ['peter.novak'],
    targets: ['srv-legacy-01'],
  },
];

/** The policies by ID, linked with the members and targets that are there. */
export function knownPolicies(
  members: ReadonlyMap<number, SimulatedMember>,
  targets: ReadonlyMap<number, SimulatedTarget>,
): Map<number, SimulatedPolicy> {
  return byId(
    known.map(({ id, name, description, enabled = 1, allows, ...links }) => ({
      id,
      name,
      description,
      enabled,
      rights: grantedRights((right) => allows.includes(right)),
      links: {
        networks: new Set(links.networks),
        schedules: new Set(links.schedules),
        members: idsOf(members, ({ username }) => links.members.includes(username)),
        targets: idsOf(targets, (target) => links.targets.includes(target.name)),
      },
    })),
  );
}

/** Every right, granted where asked for. */
export function grantedRights(isGranted: (right: keyof Rights) => boolean): Rights {
  const granted = rights.map((right) => [right, isGranted(right) ? '1' : '0'] as const);
  // Object.fromEntries forgets which keys it was given: they are all the rights.
  return Object.fromEntries(granted) as Rights;
}

function idsOf<Kept extends { readonly id: number }>(
  all: ReadonlyMap<number, Kept>,
  isLinked: (one: Kept) => boolean,
): Set<number> {
  return new Set([...all.values()].filter(isLinked).map(({ id }) => id));
}
