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
  /** So many requests carry an order of `once`. */
  readonly pieces?: number;
  /** The same of orders of which an action sends one for each of many things: each of those at most once. */
  readonly each?: Readonly<Record<string, string>>;
  /** Compiles: what was under way is compiled again, which changes nothing. */
  readonly again?: readonly string[];
  /** How the last action ends when nobody is killed. It may end `unknown` as well, where nobody can see how it ended. */
  readonly ends: State;
  /** And how it may end otherwise, where the bot has done by itself what was asked for. */
  readonly mayEnd?: readonly State[];
  /** What another system is told of in the end, where that is told and the last action is done. */
  readonly tells?: readonly string[];
  /** Whether what the actions have come to fits together, and to what the first appliance was asked for. */
  readonly agrees?: (
    actions: readonly Pick<Action, 'phrase' | 'state' | 'step'>[],
    appliance: SimulatedAppliance,
  ) => boolean;
  /** What has become of every appliance in the end, unless that is unknown. */
  readonly isRight?: (appliance: SimulatedAppliance) => boolean;
}

/** Somebody before a block page, who says this of herself; and by what the journal knows her. */
export const visitor = { said: 'Erika Schmidt', user: 'erika', address: '127.0.0.1' } as const;
const visitorKey = `block page ${visitor.address} ${visitor.user}`;
/** Who asks for sites: their requests are there also where the bot died before it had recorded their line. */
export const siteAskers: readonly string[] = [visitorKey, 'U0VIC00001'];

/** What people do, one after the other; each waits until the bot has nothing more to say. */
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

/** Does on this appliance what stands in the scene, once in a story: whoever plays it again has done it. */
export function createTurn(appliance: SimulatedAppliance | undefined): (scene: Turn) => void {
  const done = new Set<Turn>();
  return (scene) => {
    if (appliance !== undefined && !done.has(scene)) scene.turns(appliance);
    done.add(scene);
  };
}

/** Bob operates, Carol and Chris approve, Vic may do nothing by himself. Bob, where nobody is named. */
export type Name = 'bob' | 'carol' | 'vic';
