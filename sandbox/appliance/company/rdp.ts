import { rememberedHistory, type SimulatedEvent, type SimulatedVideo } from './rdp/history.ts';
import { knownMembers, type SimulatedMember } from './rdp/members.ts';
import { knownPatterns, type SimulatedPattern } from './rdp/patterns.ts';
import {
  knownNetworks,
  knownPolicies,
  knownSchedules,
  type Linkable,
  type SimulatedPolicy,
} from './rdp/policies.ts';
import { openedSessions, type SimulatedSession } from './rdp/sessions.ts';
import { knownTargets, type SimulatedTarget } from './rdp/targets.ts';

export type { SimulatedEvent } from './rdp/history.ts';
export type { SimulatedMember } from './rdp/members.ts';
export type { SimulatedPolicy } from './rdp/policies.ts';
export type { SimulatedSession } from './rdp/sessions.ts';
export type { SimulatedTarget } from './rdp/targets.ts';

/** One change that was made through the API: appliance-api.md §6.1. */
interface AuditEntry {
  readonly who: string;
  /** ISO 8601 in UTC. */
  readonly when: string;
  /** Such as `member 7 (bob.miller) deleted`. */
  readonly what: string;
}

/** The remote-desktop gateway. Whatever has an ID is kept by it. */
export interface RdpState {
  readonly gateway: {
    pid: number;
    startedAt: Date;
    /** Until then it is down; null while it runs. */
    restartingUntil: Date | null;
  };
  readonly sessions: Map<number, SimulatedSession>;
  readonly members: Map<number, SimulatedMember>;
  readonly targets: Map<number, SimulatedTarget>;
  readonly policies: Map<number, SimulatedPolicy>;
  readonly networks: Map<number, Linkable>;
  readonly schedules: Map<number, Linkable>;
  readonly patterns: Map<number, SimulatedPattern>;
  readonly videos: Map<number, SimulatedVideo>;
  /** The oldest first. */
  readonly events: SimulatedEvent[];
  /** The oldest first; empty at the start. */
  readonly audit: AuditEntry[];
  readonly siem: { enabled: boolean; connected: boolean; lastError: string };
  readonly tls: {
    readonly supported: readonly string[];
    /** Cipher suites offered to targets, the best first. */
    offered: readonly string[];
  };
  /** The last ID that was given; an ID is never given twice. */
  readonly lastIds: Record<'members' | 'targets' | 'policies' | 'patterns' | 'events', number>;
}

const supportedCiphers: readonly string[] = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES256-SHA384',
  'AES256-GCM-SHA384',
  'AES128-SHA',
];

export function rdpOfTheCompany(now: Date): RdpState {
  const members = knownMembers(now);
  const targets = knownTargets();
  const policies = knownPolicies(members, targets);
  const patterns = knownPatterns();
  const { events, videos } = rememberedHistory(now);
  return {
    gateway: { pid: 2148, startedAt: new Date(now.getTime() - 9 * 86_400_000), restartingUntil: null },
    sessions: openedSessions(now),
    members,
    targets,
    policies,
    networks: knownNetworks(),
    schedules: knownSchedules(),
    patterns,
    videos,
    events,
    audit: [],
    siem: { enabled: true, connected: true, lastError: '' },
    tls: { supported: supportedCiphers, offered: supportedCiphers.slice(0, 7) },
    lastIds: {
      members: Math.max(...members.keys()),
      targets: Math.max(...targets.keys()),
      policies: Math.max(...policies.keys()),
      patterns: Math.max(...patterns.keys()),
      events: events.length,
    },
  };
}
