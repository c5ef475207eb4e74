import { dateText } from '../times.ts';
import { type KnownObject, knownObjects } from './acl/objects.ts';
import { rulesOfTheCompany, type SimulatedAclRule } from './acl/rules.ts';

/** A list that rules of the proxy match against (appliance-api.md §2.1). */
export interface SimulatedAclObject {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  enabled: boolean;
  /** By ID; no two objects have a record of the same ID. */
  readonly records: Map<number, SimulatedAclRecord>;
}

/** The patterns of an object (appliance-api.md §2.2). */
export interface SimulatedAclRecord {
  readonly id: number;
  readonly pattern: string;
  /** `YYYY-MM-DD HH:MM:SS`, in UTC. */
  readonly date: string;
  /** The user who pushed it. */
  readonly uid: string;
  readonly other: string;
  /** Searched, but not answered: the document does not have it among the fields. */
  readonly description: string;
  enabled: boolean;
}

export interface AclState {
  /** 'zdate': one released before 2026-09-23, which can enable and disable no record (§4.1 rule 3). */
  build: 'current' | 'zdate';
  /** As configured, by ID. */
  readonly objects: Map<number, SimulatedAclObject>;
  /** The objects in force in the proxy: as they were at the last compile. */
  live: ReadonlyMap<number, SimulatedAclObject>;
  readonly rules: readonly SimulatedAclRule[];
  /** No ID is given twice, not even that of a deleted record. */
  lastRecordId: number;
}

/** Everything is compiled. */
export function aclOfTheCompany(now: Date): AclState {
  const objects = new Map<number, SimulatedAclObject>();
  let lastRecordId = 100;
  const daysAgo = (days: number) => dateText(new Date(now.getTime() - days * 86_400_000));
  for (const known of knownObjects()) {
    const records = known.patterns.map((pattern) => {
      // The gaps are those of records that were deleted.
      lastRecordId += lastRecordId % 9 === 0 ? 3 : 1;
      return recordOf(lastRecordId, pattern, known, daysAgo(1140 - lastRecordId * 1.97));
    });
    const { id, name, type, enabled } = known;
    objects.set(id, { id, name, type, enabled, records: new Map(records.map((one) => [one.id, one])) });
  }
  return {
    build: 'current',
    objects,
    live: compiled(objects),
    rules: rulesOfTheCompany(),
    lastRecordId,
  };
}

/** A copy of the objects as they are now. */
export function compiled(objects: AclState['objects']): AclState['live'] {
  const copyOf = (object: SimulatedAclObject): SimulatedAclObject => ({
    ...object,
    records: new Map([...object.records].map(([id, record]) => [id, { ...record }])),
  });
  return new Map([...objects].map(([id, object]) => [id, copyOf(object)]));
}

const people = ['alice.carter', 'henrik.olsen', 'nadia.rahman', 'tom.becker', 'samuel.okafor'];

/** Somebody wrote what a chat could take for a mention, a link and formatting. */
const hostileId = 562;
const hostile = 'asked for by <!channel> & *the board*, see <https://evil.example|our wiki>';

function recordOf(
  id: number,
  pattern: string,
  { description }: KnownObject,
  date: string,
): SimulatedAclRecord {
  return {
    id,
    pattern,
    date,
    uid: people[id % people.length] ?? '',
    other: id % 11 === 5 ? `CHG-${4000 + id}` : id === hostileId ? hostile : '',
    description,
    enabled: id % 29 !== 0,
  };
}
