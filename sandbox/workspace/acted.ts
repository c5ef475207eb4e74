import type { Acted } from './protocol.ts';

export const done: Acted = { ok: true };

export function refused(error: string): Acted {
  return { ok: false, error };
}
