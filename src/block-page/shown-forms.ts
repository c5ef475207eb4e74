import { randomBytes } from 'node:crypto';
import type { Tokens } from './tokens.ts';

/** A form that was shown. */
interface ShownForm {
  /** The appliance whose block page led to it. */
  readonly appliance: string;
  /** By which it is known again: it is sent once, however often it arrives. */
  readonly nonce: string;
  readonly isFresh: boolean;
}

/** Makes a form good for one sending. */
export interface ShownForms {
  readonly show: (appliance: string) => string;
  /** Undefined where it is none of ours. */
  readonly read: (token: string) => ShownForm | undefined;
}

/** How long a form that lies open can be sent, in milliseconds. */
const lifetime = 60 * 60_000;
/** How far another replica's clock may be ahead, in milliseconds. */
const tolerance = 60_000;

export function createShownForms(tokens: Tokens, now: () => number): ShownForms {
  return {
    show: (appliance) =>
      tokens.sign('form', [now(), randomBytes(15).toString('base64url'), appliance].join(' ')),
    read: (token) => {
      const [shownAt, nonce, appliance] = tokens.read('form', token)?.split(' ') ?? [];
      if (nonce === undefined || appliance === undefined) return undefined;
      const age = now() - Number(shownAt);
      return { appliance, nonce, isFresh: age > -tolerance && age < lifetime };
    },
  };
}
