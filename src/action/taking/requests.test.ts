import { expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { Journal } from '../../journal/journal.ts';
import { type Consent, consentToStore } from '../base/consent.ts';
import { createRequests } from './requests.ts';

const consent: Consent = {
  needs: [{ by: ['operator'], count: 1, delegates: true, holders: ['S1'] }],
  requester: false,
  open: 3_600_000,
  reason: null,
  unattended: false,
};

/** Asks for approval by way of one replica's journal, as the way of an action does; resolves to whether it stands. */
async function ask(
  journal: Journal,
  requests: ReturnType<typeof createRequests>,
  line: string,
): Promise<boolean> {
  const asked = { team: 'T1', channel: 'C1', person: 'U1', line, effect: 'write', state: 'asked' } as const;
  const action = await journal.write(asked);
  const admitted = await requests.admit(action, consent);
  if (admitted.fault !== undefined || admitted.consent === undefined) return false;
  await journal.move(action, 'waiting', { token: line, consent: consentToStore(admitted.consent) });
  admitted.over();
  return true;
}

test.each(stores)('requests that stand open count on every replica of a journal in $store', async (store) => {
  const clock = { at: 1_000_000_000 };
  const place = await store.newPlace();
  const one = await store.open(place, clock);
  const other = await store.open(place, clock);
  const [here, there] = [one, other].map((journal) => createRequests({ journal, now: () => clock.at }));
  if (here === undefined || there === undefined) throw new Error('There are two');
  expect(await ask(one, here, 'a')).toBe(true);
  expect(await ask(other, there, 'b')).toBe(true);
  expect(await ask(one, here, 'c')).toBe(true);
  expect(await ask(other, there, 'd')).toBe(false);
  expect(await one.requestsOf('U1', clock.at)).toHaveLength(3);
  expect(await one.requestsOf('U2', clock.at)).toEqual([]);
});

test.each(stores.slice(0, 1))('requests that come at once are counted before they stand', async (store) => {
  const clock = { at: 1_000_000_000 };
  const journal = await store.open(await store.newPlace(), clock);
  const requests = createRequests({ journal, now: () => clock.at });
  const asked = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask(journal, requests, `line ${index}`)),
  );
  expect(asked.filter((stands) => stands)).toHaveLength(3);
});
