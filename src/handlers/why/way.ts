import type { Part } from '../reply.ts';

/** What whoever finds a site blocked can do about it: allow it for a time, or ask those who may. */
export type WayToAllow =
  | { readonly kind: 'allow'; readonly line: string; readonly time: string }
  | { readonly kind: 'ask' };

/** As a button, which stands for its line. */
export function wayOut(way: WayToAllow | undefined, domain: string): readonly Part[] {
  if (way === undefined) return [];
  const offer =
    way.kind === 'allow'
      ? { label: `Allow ${way.time}`, line: way.line }
      : // It lacks a reason, for which the form asks whoever presses.
        { label: 'Ask for it', line: `ask ${domain}` };
  return [{ kind: 'offers', offers: [offer] }];
}
