import { expect, test } from 'vitest';
import { disable } from '../acl/objects.commands.ts';
import { plainText } from '../reply.ts';
import { extending } from './extending.ts';

test('an Extend right after somebody’s End now is answered with who ended it', async () => {
  if (disable.kind !== 'change') throw new Error('It changes something');
  const later = extending(disable, { of: 'A', shown: {}, until: 9_000 });
  const known = { state: 'ending', since: 0, until: 5_000, person: 'U1', reason: '', movedBy: 'U2' };
  const verify = later.verify as (context: object) => Promise<{ kind: string; evidence: never }>;
  const { kind, evidence } = await verify({ timedChange: async () => known, now: 6_000 });
  expect([kind, plainText(evidence)]).toEqual([
    'not_happened',
    expect.stringMatching(/U2.* ended it meanwhile\./),
  ]);
  expect(later.sendsNothing).toBe(true);
});
