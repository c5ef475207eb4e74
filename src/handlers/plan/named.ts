import type { Argument } from '../argument.ts';
import { readReference } from '../audit/reference.ts';

export const planNamed: Argument<string> = {
  what: 'a plan',
  example: 'A-7KQ2MX9D',
  recognisable: true,
  read: (word) => {
    const reference = readReference(word);
    return reference === undefined
      ? { ok: false, problem: { code: 'malformed', wanted: 'the name of a plan such as A-7KQ2MX9D' } }
      : { ok: true, value: reference };
  },
};
