import { hostileName } from './sessions.ts';

/** A person who may open sessions. The document names the fields username, password and endoflife (§2.14). */
export interface SimulatedMember {
  readonly id: number;
  readonly username: string;
  readonly full_name: string;
  /** Never answered. */
  readonly password: string;
  /** The Unix time, in seconds, from which the member may not log on any more; '0' for never. */
  readonly endoflife: string;
  readonly secondFactor: SecondFactor;
}

/** The state of a member's one-time codes. */
export interface SecondFactor {
  /** Never answered; '' before the member has enrolled. */
  secret: string;
  locked: boolean;
  /** Logs on without a code. */
  exempt: boolean;
  /** Wrong codes since the last right one. The fifth locks. */
  failures: number;
}

/** A second factor that waits for its first use. */
export function newSecondFactor(): SecondFactor {
  return { secret: '', locked: false, exempt: false, failures: 0 };
}

type Known = [id: number, username: string, fullName: string, daysLeft?: number];

const known: readonly Known[] = [
  [1, 'alice.carter', 'Alice Carter'],
  [2, 'henrik.olsen', 'Henrik Olsen'],
  [3, 'maria.lopez', 'María López'],
  [5, 'contractor.acme', 'Acme Heating', 11],
  [6, 'claire.dubois', 'Claire Dubois'],
  [7, 'bob.miller', 'Bob Miller'],
  [8, 'carla.jones', 'Carla Jones'],
  // Comes from another department, and is in no policy yet.
  [9, 'bob', 'Bob Hansen'],
  [10, 'yuki.tanaka', 'Yuki Tanaka'],
  [11, 'samuel.okafor', 'Samuel Okafor'],
  [12, hostileName, ''],
  [13, 'priya.nair', 'Priya Nair'],
  [14, 'tom.becker', 'Tom Becker'],
  [16, 'elena.petrova', 'Elena Petrova'],
  [17, 'backup.operator', 'Backup account'],
  [18, 'lucas.martin', 'Lucas Martin'],
  [20, 'nadia.rahman', 'Nadia Rahman'],
  [21, 'oliver.schmidt', 'Oliver Schmidt'],
  [22, 'peter.novak', 'Peter Novák', -40],
  [24, 'sofia.rossi', 'Sofia Rossi, intern', 60],
  [25, 'auditor.external', 'Yearly audit', 3],
];

const notEnrolled = new Set(['sofia.rossi', 'auditor.external', hostileName]);
const locked = new Set(['nadia.rahman', 'peter.novak']);
const exempt = new Set(['backup.operator', 'contractor.acme']);

/** The members, by ID. */
export function knownMembers(now: Date): Map<number, SimulatedMember> {
  const second = Math.floor(now.getTime() / 1000);
  return new Map(
    known.map(([id, username, full_name, daysLeft]) => {
      const endoflife = daysLeft === undefined ? '0' : String(second + daysLeft * 86_400);
      const secondFactor = {
        secret: notEnrolled.has(username) || exempt.has(username) ? '' : `secret-of-member-${id}`,
        locked: locked.has(username),
        exempt: exempt.has(username),
        failures: locked.has(username) ? 5 : 0,
      };
      return [id, { id, username, full_name, password: `password-of-member-${id}`, endoflife, secondFactor }];
    }),
  );
}
