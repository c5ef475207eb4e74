import { expect, test } from 'vitest';
import { type Caller, itself } from '../../caller.ts';
import { openPermits, type Permits } from './permits.ts';

const forever = new AbortController().signal;

test('no more permits are out at once than allowed', async () => {
  const permits = openPermits({ atOnce: 3, perSecond: 10_000 });
  let out = 0;
  let most = 0;
  let release = Promise.withResolvers<void>();
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      const giveBack = await permits.take(forever, itself);
      out += 1;
      most = Math.max(most, out);
      // Each waits until three are out, and a little longer, so that a fourth would be seen.
      const together = release;
      if (out === 3) setImmediate(() => together.resolve());
      await together.promise;
      release = Promise.withResolvers();
      out -= 1;
      giveBack();
    }),
  );
  expect(most).toBe(3);
  permits.close('done');
});

test('saved permits are available at once, and further ones come no faster than the pace', async () => {
  const permits = openPermits({ atOnce: 2, perSecond: 100 });
  const began = performance.now();
  for (let taken = 0; taken < 7; taken += 1) (await permits.take(forever, itself))();
  // Nothing was saved up: seven permits have six pauses of 10 ms between them. Timers may fire a little early.
  expect(performance.now() - began).toBeGreaterThan(6 * 10 - 6);

  await expect.poll(async () => takenAtOnce(permits), { interval: 400, timeout: 15_000 }).toBeGreaterThan(20);
  permits.close('done');
});

/** The number of permits in sequence before one has to be awaited. */
async function takenAtOnce(permits: Permits): Promise<number> {
  const now = new AbortController();
  for (let taken = 0; ; taken += 1) {
    const permit = permits.take(now.signal, itself);
    const giveBack = await Promise.race([permit, new Promise<void>((resolve) => setImmediate(resolve))]);
    if (!giveBack) {
      now.abort();
      await permit.catch(() => undefined);
      return taken;
    }
    giveBack();
  }
}

test('permits are granted in the order of requests', async () => {
  const permits = openPermits({ atOnce: 1, perSecond: 10_000 });
  const order: number[] = [];
  const ask = async (number: number) => {
    const giveBack = await permits.take(forever, itself);
    order.push(number);
    giveBack();
  };
  await Promise.all([1, 2, 3, 4].map(ask));
  expect(order).toEqual([1, 2, 3, 4]);
  permits.close('done');
});

test('a returned permit goes to the next in line at once', async () => {
  const permits = openPermits({ atOnce: 1, perSecond: 10_000 });
  const giveBack = await permits.take(forever, itself);
  const next = permits.take(forever, itself);
  giveBack();
  const first = await Promise.race([next, new Promise<void>((resolve) => setImmediate(resolve))]);
  expect(first).toBeTypeOf('function');
  permits.close('done');
});

test('a caller who aborts leaves the line, and the next one is served', async () => {
  const permits = openPermits({ atOnce: 1, perSecond: 10_000 });
  const giveBack = await permits.take(forever, itself);
  const impatient = new AbortController();
  const given = permits.take(impatient.signal, itself);
  const next = permits.take(forever, itself);
  impatient.abort('too long');
  await expect(given).rejects.toBe('too long');
  giveBack();
  (await next)();
  permits.close('done');
});

test('closing rejects everybody in line', async () => {
  const permits = openPermits({ atOnce: 1, perSecond: 10_000 });
  await permits.take(forever, itself);
  const waiting = permits.take(forever, itself);
  permits.close('closed');
  await expect(waiting).rejects.toBe('closed');
  await expect(permits.take(forever, itself)).rejects.toBe('closed');
});

const asking = (person: string): Caller => ({ person, priority: 'low' });
const changing = (person: string): Caller => ({ person, priority: 'high' });

/** Takes this many permits for somebody, and records their order. */
function taking(permits: Permits) {
  const came: { readonly who: string; readonly giveBack: () => void }[] = [];
  return {
    came: () => came.map(({ who }) => who),
    giveBack: () => came.shift()?.giveBack(),
    take: (caller: Caller, count: number) => {
      for (let taken = 0; taken < count; taken += 1) {
        const who = `${caller.person}${caller.priority === 'high' ? '!' : ''}`;
        permits.take(forever, caller).then(
          (giveBack) => came.push({ who, giveBack }),
          // Everybody still in line at the end is rejected.
          () => undefined,
        );
      }
    },
  };
}

test('one person’s lookups leave half of the permits to others, and all lookups a quarter to changes', async () => {
  const permits = openPermits({ atOnce: 8, perSecond: 100_000 });
  const { take, came } = taking(permits);
  take(asking('alice'), 20);
  await expect.poll(came).toEqual(Array(4).fill('alice'));
  take(asking('bob'), 20);
  await expect.poll(() => came().slice(4)).toEqual(['bob', 'bob']);
  take(changing('carol'), 2);
  await expect.poll(() => came().slice(6)).toEqual(['carol!', 'carol!']);
  permits.close('done');
});

test('if one request at a time is allowed, a lookup is one too, and a change comes next', async () => {
  const permits = openPermits({ atOnce: 1, perSecond: 100_000 });
  const { take, came, giveBack } = taking(permits);
  take(asking('alice'), 20);
  await expect.poll(came).toEqual(['alice']);
  take(changing('bob'), 1);
  giveBack();
  await expect.poll(came).toEqual(['bob!']);
  giveBack();
  await expect.poll(came).toEqual(['alice']);
  permits.close('done');
});
