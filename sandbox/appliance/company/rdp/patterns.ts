import { byId } from './by-id.ts';

/** Text that the gateway looks for on the screen or in what is typed. */
export interface SimulatedPattern {
  readonly id: number;
  /** The policy it belongs to; 0 for all policies. */
  readonly policy: number;
  /** A regular expression. */
  readonly pattern: string;
  readonly action: 'notify' | 'disconnect';
  readonly description: string;
}

/** The detection patterns, by ID. */
export function knownPatterns(): Map<number, SimulatedPattern> {
  return byId([
    { id: 1, policy: 0, pattern: 'mimikatz', action: 'disconnect', description: 'Password theft' },
    {
      id: 2,
      policy: 0,
      pattern: '\\brm\\s+-rf\\s+/',
      action: 'disconnect',
      description: 'Deletes everything',
    },
    {
      id: 3,
      policy: 0,
      pattern: 'net\\s+user\\s+.+/add',
      action: 'notify',
      description: 'New local account',
    },
    {
      id: 5,
      policy: 1,
      pattern: 'drop\\s+(table|database)',
      action: 'notify',
      description: 'Data is dropped',
    },
    { id: 6, policy: 1, pattern: 'grant\\s+all', action: 'notify', description: 'Database rights' },
    { id: 7, policy: 2, pattern: 'curl\\b.*\\|\\s*sh', action: 'notify', description: 'Foreign script' },
    { id: 9, policy: 8, pattern: 'wevtutil\\s+cl', action: 'disconnect', description: 'Log is cleared' },
    { id: 10, policy: 9, pattern: '\\.(xlsx|csv)$', action: 'notify', description: 'Staff list exported' },
    {
      id: 11,
      policy: 11,
      pattern: 'powershell',
      action: 'disconnect',
      description: 'Not needed for heating',
    },
    { id: 12, policy: 11, pattern: 'regedit', action: 'notify', description: 'Registry' },
  ]);
}
