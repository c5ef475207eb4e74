import type { ComponentType } from 'react';

/** A panel for the system beside Slack (`Beside` on the server's side), from the page that includes it. */
export interface BesidePanel {
  /** As the server calls it; also in the page's address. */
  readonly name: string;
  readonly title: string;
  readonly Icon: ComponentType;
  /** The noun that `troubles` counts. */
  readonly noun: string;
  /** How much goes wrong on purpose. */
  readonly troubles: (now: unknown) => number;
  readonly Panel: ComponentType<{
    readonly catalogue: unknown;
    readonly now: unknown;
    readonly onClose: () => void;
  }>;
}
