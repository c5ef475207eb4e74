import type { ComponentType } from 'react';

/** A panel for what stands beside Slack (`Beside` on the server's side), as whoever draws the page brings it along. */
export interface BesidePanel {
  /** As the server calls it; also in the page's address. */
  readonly name: string;
  readonly title: string;
  readonly Icon: ComponentType;
  /** What `troubles` counts. */
  readonly noun: string;
  /** How much goes wrong on purpose. */
  readonly troubles: (now: unknown) => number;
  readonly Panel: ComponentType<{
    readonly catalogue: unknown;
    readonly now: unknown;
    readonly onClose: () => void;
  }>;
}
