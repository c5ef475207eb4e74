import type { Gate } from './gate.ts';

/**
 * The states of an emergency mode, modelled a second time and apart from the bot. Moments in milliseconds since the
 * epoch.
 */
export interface Model {
  state: 'on' | 'ending' | 'over';
  endsAt: number;
  /** When that end was set, and of which end people have been reminded. */
  setAt: number;
  reminded: number;
  /** When it is tried to end it. */
  nextTryAt: number;
  orders: number;
  tries: number;
  /** Somebody or the bot saw it on. */
  seen: boolean;
  how: 'ended' | 'found' | 'person' | 'confirmed' | undefined;
}

/** The circumstances of an event. */
export interface Scene {
  readonly gate: Gate;
  readonly clock: { at: number };
}

const minute = 60_000;
const ahead = 5 * minute;
const longest = 4 * 60 * minute;
/** After the first, second … failure; then every hour. In minutes. */
const pauses = [1, 2, 4, 8, 16, 32];
/** How long an appliance has to let go, and how soon one that has said no is looked at again, for the last time. */
const timeout = 5_000;
const afterRefusal = 500;

export const begun = (at: number, minutes: number): Model => ({
  ...{ state: 'on', endsAt: at + minutes * minute, setAt: at, reminded: 0, nextTryAt: at + minutes * minute },
  ...{ orders: 0, tries: 0, seen: true, how: undefined },
});

/** The appliance's answer: `hidden` means neither yes nor no, except to a bot that has seen it on. */
export function reading({ mode, isConnected, isNamed, reads }: Gate) {
  if (reads !== 'answered') return 'nothing';
  if (mode === 'global') return 'global';
  if (mode === 'emergency' && isNamed) return 'on';
  return mode === 'normal' && isConnected ? 'off' : 'hidden';
}

/** Somebody looks at the clock. */
export function look(model: Model, { gate, clock }: Scene, { reminds = true } = {}): void {
  const { state, endsAt, setAt, reminded } = model;
  const isNear = clock.at >= endsAt - ahead && clock.at < endsAt && setAt < endsAt - ahead;
  if (reminds && state === 'on' && isNear && reminded !== endsAt) {
    if (isOver(model, gate)) end(model, 'found');
    else model.reminded = endsAt;
  }
  if (model.state === 'over' || clock.at < model.nextTryAt) return;
  model.state = 'ending';
  if (isOver(model, gate)) {
    end(model, 'found');
    return;
  }
  model.orders += 1;
  if (arrives(gate)) {
    if (isOver(model, gate)) {
      end(model, 'ended');
      return;
    }
    if (reading(gate) !== 'nothing') clock.at += patience(gate);
  }
  model.nextTryAt = clock.at + (pauses[model.tries] ?? 60) * minute;
  model.tries += 1;
}

/** Somebody orders the end, and reads the state before. */
export function disable(model: Model, scene: Scene): void {
  const { gate, clock } = scene;
  const before = reading(gate);
  if (before === 'nothing' || before === 'global' || (before === 'off' && model.state === 'over')) return;
  if (arrives(gate)) {
    const after = reading(gate);
    const isSeen = after === 'off' || (after === 'hidden' && before === 'on');
    if (!isSeen) clock.at += patience(gate);
    // The bot looks for the effect of this order, because no end is under way.
    if (after === 'on' && gate.orders === 'forgotten' && model.state === 'over') clock.at += lookedFor;
    // A refused order leaves the end as planned.
    const isOnItsWay = gate.orders !== 'refused';
    if (isSeen && model.state !== 'over') end(model, 'person');
    else if (isOnItsWay && model.state === 'on')
      Object.assign(model, { state: 'ending', nextTryAt: clock.at });
    else if (isOnItsWay && model.state === 'ending') model.nextTryAt = Math.min(model.nextTryAt, clock.at);
  }
  look(model, scene);
}

export function extend(model: Model, scene: Scene, minutes: number): void {
  const until = model.endsAt + minutes * minute;
  if (model.state !== 'on' || until - scene.clock.at > longest) return;
  Object.assign(model, { endsAt: until, nextTryAt: until, setAt: scene.clock.at });
  look(model, scene);
}

/** Somebody says to have seen that it is over. */
export function confirm(model: Model, { gate }: Scene): void {
  if (model.state === 'ending' && reading(gate) !== 'on') end(model, 'confirmed');
}

function isOver(model: Model, gate: Gate): boolean {
  const told = reading(gate);
  // A look at a mode that is on marks it as seen.
  if (told === 'on') model.seen = true;
  return told === 'off' || (told === 'hidden' && model.seen);
}

/** An order to end it; whether it gets as far as the appliance, which then may or may not carry it out. */
function arrives(gate: Gate): boolean {
  if (gate.orders === 'unreachable') return false;
  if ((gate.orders === 'done' || gate.orders === 'lost') && gate.mode !== 'global') gate.mode = 'normal';
  return true;
}

/** Milliseconds for which the bot looks for the effect of an accepted order. */
const lookedFor = 10 * minute;

const patience = ({ orders }: Gate): number => (orders === 'refused' ? afterRefusal : timeout);

function end(model: Model, how: Model['how']): void {
  Object.assign(model, { state: 'over', how });
}
