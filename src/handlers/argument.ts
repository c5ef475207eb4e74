import { readDomain } from './domain.ts';

/** Why a word does not fit an argument; the words for each stand in `action/`. */
export type Problem =
  | { readonly code: 'not_a_domain' }
  | { readonly code: 'not_a_number' }
  | { readonly code: 'out_of_range'; readonly min: number; readonly max: number };

export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problem: Problem };

/** One kind of argument: how to read it from a typed word, and how to speak of it. */
export interface Argument<Value = unknown> {
  /** What is wanted, for people: "a session number". */
  readonly what: string;
  readonly example: string;
  /** How many different ones a command takes at once, where its phrase takes several; any number when absent. */
  readonly most?: number;
  /** Set when a word of this kind is known by its looks, so that a bare one suggests the commands that ask about it. */
  readonly recognisable?: true;
  readonly read: (word: string) => Reading<Value>;
}

/** A domain name, or a URL or an address where a domain is meant. */
export const domain: Argument<string> = {
  what: 'a domain',
  example: 'example.com',
  recognisable: true,
  read: (word) => {
    const value = readDomain(word);
    return value === undefined ? { ok: false, problem: { code: 'not_a_domain' } } : { ok: true, value };
  },
};

/** A whole number that identifies something on the appliance. `what` speaks of it: "a session number". */
export function identifier(what: string, example: string): Argument<number> {
  // Identifiers are unsigned 32-bit at most in the appliance's database; more is a typing slip, not an ID.
  const [min, max] = [1, 4_294_967_295];
  return {
    what,
    example,
    read: (word) => {
      const digits = /^#?([0-9]+)$/.exec(word)?.[1];
      if (digits === undefined) return { ok: false, problem: { code: 'not_a_number' } };
      const value = Number(digits);
      if (value < min || value > max) return { ok: false, problem: { code: 'out_of_range', min, max } };
      return { ok: true, value };
    },
  };
}

/** Any word, taken as it stands. */
export function word(what: string, example: string): Argument<string> {
  return { what, example, read: (value) => ({ ok: true, value }) };
}
