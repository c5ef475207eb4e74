import type { Part } from '../reply.ts';

/** The options of a person who found a site blocked: allow it for a time, or ask somebody who may. */
export type WayToAllow =
  | { readonly kind: 'allow'; readonly line: string; readonly time: string }
  | { readonly kind: 'ask' };

export function wayOut(way: WayToAllow | undefined, domain: string): readonly Part[] {
  if (way === undefined) return [];
  const offer =
    way.kind === 'allow'
      ? { label: `Allow ${way.time}`, line: way.line }
      : // It lacks a reason, for which the form asks whoever presses.
        { label: 'Ask for it', line: `ask ${domain}` };
  return [{ kind: 'offers', offers: [offer] }];
}
