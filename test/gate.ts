import {
  type Appliance,
  ConnectionLost,
  DryRunEnd,
  HttpStatus,
  Refused,
  Unreachable,
} from '../src/api/index.ts';

/** What an appliance's proxy lets through, and what the appliance tells of it. A test turns it by hand. */
export interface Gate {
  readonly name: string;
  /** `global`: it entered Global Emergency automatically, which hides the other. */
  mode: 'normal' | 'emergency' | 'global';
  /** Whether the directory is connected while the mode is normal; if not, nothing tells the modes apart. */
  isConnected: boolean;
  /** Whether it says that emergency mode is on, while it is. */
  isNamed: boolean;
  /** What becomes of questions. */
  reads: 'answered' | 'failing' | 'unreachable';
  /**
   * What becomes of orders. `forgotten`: it says yes, and does nothing. `lost`: it does it, and the answer never comes.
   * `refused`: it says no.
   */
  orders: 'done' | 'forgotten' | 'lost' | 'refused' | 'unreachable';
  /** What happens while an order is on its way, or a question. */
  whileOrdered: () => unknown;
  whileRead: () => unknown;
  /** What it was ordered, and when. */
  readonly ordered: Ordered[];
  /** How often it was asked about its connection. */
  asked: number;
}

interface Ordered {
  readonly what: 'enable' | 'disable' | 'remove';
  readonly at: number;
}

export const openGate = (name: string): Gate => ({
  ...{ name, mode: 'normal', isConnected: true, isNamed: true, reads: 'answered', orders: 'done' },
  ...{ whileOrdered: () => undefined, whileRead: () => undefined, ordered: [], asked: 0 },
});

/**
 * From now on, until a test sets it otherwise, no order or no question comes to an end. Resolves when the first of them has
 * got there: what has not would go on, and outlive its test.
 */
export function standsStill(gate: Gate, at: 'whileOrdered' | 'whileRead'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate[at] = () => {
    resolve();
    return new Promise(() => undefined);
  };
  return promise;
}

/** What the bot may ask it, and order. Everything else of an appliance is not there. */
export function applianceAt(gate: Gate, now: () => number): Appliance {
  const operation = 'test';
  const read = async <Value>(value: () => Value): Promise<Value> => {
    gate.asked += 1;
    await gate.whileRead();
    if (gate.reads === 'unreachable') throw new Unreachable('ECONNREFUSED', { operation });
    if (gate.reads === 'failing') throw new HttpStatus(503, { operation, sent: 'yes' });
    return value();
  };
  const order = async (what: Ordered['what']) => {
    gate.ordered.push({ what, at: now() });
    await gate.whileOrdered();
    if (gate.orders === 'unreachable') throw new Unreachable('ECONNREFUSED', { operation });
    if (gate.orders === 'refused') throw new Refused('Feature not enabled', { operation, sent: 'yes' });
    // In Global Emergency it does nothing else, and what was on before is on after it.
    if (gate.orders !== 'forgotten' && (gate.mode === 'global') === (what === 'remove')) {
      gate.mode = what === 'disable' ? 'normal' : 'emergency';
    }
    if (gate.orders === 'lost') throw new ConnectionLost('ECONNRESET', { operation, sent: 'maybe' });
    return { confirmed: true };
  };
  const directory = {
    status: () => read(() => statusOf(gate)),
    authenticationStatus: () =>
      read(() => ({ linked: gate.mode === 'normal' && gate.isConnected, info: '' })),
    enableEmergency: () => order('enable'),
    disableEmergency: () => order('disable'),
    removeGlobalEmergency: () => order('remove'),
  };
  // Its release has everything; what it is looked at for is not ordered.
  const ended = () => Promise.reject(new DryRunEnd('directory.status'));
  const ends = { enableEmergency: ended, disableEmergency: ended, removeGlobalEmergency: ended };
  const identity = async () => undefined;
  const probe = () => ({ name: gate.name, directory: { ...directory, ...ends } });
  return { name: gate.name, directory, identity, probe } as unknown as Appliance;
}

function statusOf({ mode, isConnected, isNamed }: Gate) {
  if (mode === 'global') return { connected: false, info: 'Proxy in Global Emergency mode!' };
  if (mode === 'emergency' && isNamed) return { connected: false, info: 'The directory in Emergency mode!' };
  return mode === 'normal' && isConnected
    ? { connected: true, info: 'Connected by Kerberos' }
    : { connected: false, info: 'No domain controller answers' };
}
