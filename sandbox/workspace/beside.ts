import type { Acted } from './protocol.ts';

/** Something beside Slack that the page shows and steers in a panel of its own, such as what the app works on. */
export interface Beside {
  /** The page hears of it in events of this name, and posts to `/sandbox/<name>`. */
  readonly name: string;
  /** The possible actions: sent once, as event `catalogue`. */
  readonly catalogue: unknown;
  /** How it stands; sent at first, and again at each change. */
  readonly now: () => unknown;
  /** Does what a person does to it; undefined when the JSON text is no act at all. */
  readonly act: (json: string) => Acted | undefined;
  readonly onChange: (listener: () => void) => () => void;
}
