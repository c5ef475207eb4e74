import {
  type Appliance,
  ConnectionLost,
  DryRunEnd,
  HttpStatus,
  Refused,
  Unreachable,
} from '../src/api/index.ts';

/** An appliance's proxy: whether it lets traffic through, and what the appliance reports. A test turns it by hand. */
export interface Gate {
  readonly name: string;
  /** `global`: the appliance entered Global Emergency automatically, which hides the other mode. */
  mode: 'normal' | 'emergency' | 'global';
  /** Whether the directory is connected while the mode is normal; if not, nothing tells the modes apart. */
  isConnected: boolean;
  /** Whether it says that emergency mode is on, while it is. */
  isNamed: boolean;
  /** How questions end. */
  reads: 'answered' | 'failing' | 'unreachable';
  /** How orders end. `forgotten`: success without effect. `lost`: effect without an answer. `refused`: an error. */
  orders: 'done' | 'forgotten' | 'lost' | 'refused' | 'unreachable';
  /** Runs while an order or a question is on its way. */
  whileOrdered: () => unknown;
  whileRead: () => unknown;
  /** The orders, and when they came. */
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
 * Holds all orders, or all questions, until a test sets it otherwise. Resolves at the first one. An order on its way
 * would outlive its test.
 */
export function standsStill(gate: Gate, at: 'whileOrdered' | 'whileRead'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  gate[at] = () => {
    resolve();
    return new Promise(() => undefined);
  };
  return promise;
}

/** The calls that the bot may make. The appliance has no others. */
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
    // Global Emergency ignores other orders, and the earlier mode returns after it.
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
  // Its release has every operation; the dry run sends nothing.
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
