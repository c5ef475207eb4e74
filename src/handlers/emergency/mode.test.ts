import { describe, expect, test } from 'vitest';
import type { AskedAppliance } from '../../api/index.ts';
import { plainText } from '../reply.ts';
import { answered, unreachable } from '../status/testing.ts';
import type { ReadResult } from '../wording/answer.ts';
import { lookAtMode, overOrNot } from './mode.ts';

const broken = answered({ connected: false, info: 'No domain controller answers' });
const named = answered({ connected: false, info: 'Emergency: the proxy is disconnected' });
const global = answered({ connected: false, info: 'Global Emergency: no filter' });
const connected = answered({ connected: true, info: '' });
const unlinked = answered({ linked: false, info: '' });
const linked = answered({ linked: true, info: '' });

const told = async <Value>(answer: ReadResult<Value>): Promise<Value> => {
  if (!answer.answered) throw answer.failure;
  return answer.value;
};

describe('whether emergency mode is still on', () => {
  test.each([
    ['what is named is on', named, unlinked, true, 'lasts'],
    ['people who authenticate say that it is over', connected, linked, true, 'over'],
    ['what was never seen may be one that is not named', connected, linked, false, 'unshown'],
    ['a link alone says nothing while the directory cannot be asked', unreachable, linked, true, 'unclear'],
    ['what was seen and is named no more is over', broken, unlinked, true, 'over'],
    ['what was never seen may be hidden by a broken directory', broken, unlinked, false, 'unclear'],
    ['what would name it must have answered', unreachable, unlinked, true, 'unclear'],
    ['a global one hides it', global, unlinked, true, 'unclear'],
  ] as const)('%s', async (_, directory, link, seen, kind) => {
    const appliance = {
      name: 'hq',
      directory: { status: () => told(directory), authenticationStatus: () => told(link) },
      // The two calls that it makes.
    } as unknown as AskedAppliance;
    const found = await lookAtMode({ appliance }, seen);
    expect(found.kind).toBe(kind);
    expect('offer' in found).toBe(directory === global);
  });
});

test('an emergency that was never seen is not over because nothing shows it', () => {
  const reads = { directory: connected, link: linked };
  expect(overOrNot(reads, { emergency: 'off', unseen: true }, 'on').kind).toBe('not_checkable');
  expect(overOrNot(reads, { emergency: 'off', unseen: false }, 'on').kind).toBe('happened');
});

test('an order to end it is not confirmed while the status that would show it cannot be read', () => {
  const verify = (directory: typeof broken | typeof unreachable) =>
    overOrNot({ directory, link: unlinked }, { emergency: 'on' }, 'on');
  expect(() => verify(unreachable)).toThrow('appliance unreachable');
  const over = verify(broken);
  expect(over.kind).toBe('happened');
  expect('evidence' in over && plainText(over.evidence)).toContain('People cannot authenticate yet');
});
