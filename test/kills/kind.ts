import type { SimulatedAppliance } from '../../sandbox/appliance/index.ts';
import type { State } from '../../src/journal/actions/states.ts';
import type { Action } from '../../src/journal/journal.ts';

/**
 * One kind of command, told from the first word to the last: what people do, what an appliance may be ordered because
 * of it, and how everything must stand in the end, whenever the bot was killed.
 */
export interface Kind {
  readonly name: string;
  readonly scenes: readonly Scene[];
  /** So many scenes are the beginning of another kind as well, and are not killed twice in `npm test`. */
  readonly known?: number;
  /** Appliances beside hq: `branch-2` and so on. */
  readonly branches?: number;
  /** Phrases for which an approver is asked, and how many minutes of them anybody may have without one. */
  readonly approved?: Readonly<Record<string, number>>;
  /** How the appliance misbehaves. */
  readonly before?: (appliance: SimulatedAppliance) => void;
  /**
   * The orders, and the phrase of which each is: sent at most once to each appliance for an action of that phrase, and only
   * for one that ran. No others are sent.
   */
  readonly once?: Readonly<Record<string, string>>;
  /** The number of requests that carry an order of `once`. */
  readonly pieces?: number;
  /** The same of orders of which an action sends one for each of many things: each of those at most once. */
  readonly each?: Readonly<Record<string, string>>;
  /** Compiles: an interrupted one is repeated, which changes nothing. */
  readonly again?: readonly string[];
  /** The end of the last action without a kill. `unknown` is allowed as well, where the effect cannot be seen. */
  readonly ends: State;
  /** Other possible ends, where the bot has already done the work by itself. */
  readonly mayEnd?: readonly State[];
  /** The webhook events that must have arrived, when a receiver is configured and the last action is done. */
  readonly tells?: readonly string[];
  /** Whether what the actions have come to fits together, and to what the first appliance was asked for. */
  readonly agrees?: (
    actions: readonly Pick<Action, 'phrase' | 'state' | 'step'>[],
    appliance: SimulatedAppliance,
  ) => boolean;
  /** The required state of every appliance in the end, unless the outcome is unknown. */
  readonly isRight?: (appliance: SimulatedAppliance) => boolean;
}

/** Somebody before a block page, who says this of herself. */
export const visitor = { said: 'Erika Schmidt', user: 'erika', address: '127.0.0.1' } as const;

/** Actions of people, one after the other; each waits until the bot is idle. */
export type Scene =
  | { readonly types: string; readonly by?: Name }
  /**
   * Presses the button with this label, where it is there; so does somebody else at the same moment. While what comes of that is under
   * way, the same person presses what stands in `meanwhile` as soon as it is there.
   */
  | { readonly presses: string; readonly by?: Name; readonly so?: Name; readonly meanwhile?: string }
  /** Fills in the form that is open before them, where one is, and sends it. */
  | { readonly fills: Readonly<Record<string, string>>; readonly by?: Name }
  /** Somebody before a block page sends its form for this site, until they see the page of their request. */
  | { readonly sends: string }
  /** Somebody does this on the appliance itself, once. */
  | { readonly turns: (appliance: SimulatedAppliance) => void }
  /** Minutes go by. */
  | { readonly passes: number };

export type Turn = Extract<Scene, { readonly turns: unknown }>;

/** Acts on this appliance as the scene says, once in a scenario: a repetition does nothing. */
export function createTurn(appliance: SimulatedAppliance | undefined): (scene: Turn) => void {
  const done = new Set<Turn>();
  return (scene) => {
    if (appliance !== undefined && !done.has(scene)) scene.turns(appliance);
    done.add(scene);
  };
}

/** Bob operates, Carol and Chris approve, Vic may do nothing by himself. Bob, where nobody is named. */
export type Name = 'bob' | 'carol' | 'vic';
