import { expect, test } from 'vitest';
import { type Appliance, type ManySites, type ManySitesAdded, Refused, TimedOut } from '../../api/index.ts';
import { plainText, type Text } from '../reply.ts';
import { eachInTurn, handOver, verifyIn } from './orders.ts';

const refused = () => new Refused('locked', { operation: 'some.call', sent: 'yes' });
const lost = () => new TimedOut('whole', 1_000, { operation: 'some.call', sent: 'maybe' });

function said() {
  const words: string[] = [];
  return { words, progress: (text: Text) => void words.push(plainText(text)) };
}

const yes = { confirmed: true, info: '' };

test('orders for several sites go one after the other, and each is told', async () => {
  const { words, progress } = said();
  const ran = await eachInTurn(['a.example', 'b.example'], progress, async () => yes);
  expect(ran).toEqual({ confirmed: true });
  expect(words).toEqual(['1 of 2 sites', '2 of 2 sites']);
});

test('a refusal keeps no other site back', async () => {
  const sent: string[] = [];
  const ran = await eachInTurn(['a.example', 'b.example', 'c.example'], said().progress, async (site) => {
    sent.push(site);
    if (site === 'a.example') throw refused();
    return yes;
  });
  expect(sent).toHaveLength(3);
  expect(ran.confirmed).toBe(false);
  expect(ran.details).toMatchObject([{ rows: [[['a.example'], ['refused, locked']]] }]);
});

test('after an order of which nobody knows whether it arrived, nothing more is sent', async () => {
  const sent: string[] = [];
  const ran = await eachInTurn(['a.example', 'b.example', 'c.example'], said().progress, async (site) => {
    sent.push(site);
    if (site === 'b.example') throw lost();
    return yes;
  });
  expect(sent).toEqual(['a.example', 'b.example']);
  expect(ran.details).toMatchObject([
    {
      rows: [
        [['b.example'], ['no answer in time']],
        [['c.example'], ['not sent']],
      ],
    },
  ]);
});

test('when no site went through, the failure is the one that may have happened', async () => {
  let count = 0;
  const failing = eachInTurn(['a.example', 'b.example'], said().progress, async () => {
    count += 1;
    throw count === 1 ? refused() : lost();
  });
  await expect(failing).rejects.toMatchObject({ code: 'timeout', mayHaveHappened: true });
});

/** An appliance whose hand-over of many sites ends like this. */
function takes(added: Partial<ManySitesAdded>): Appliance {
  const addManySites = async ({ onProgress }: ManySites) => {
    onProgress?.({ sites: 2_000 });
    return { accepted: 0, failed: [], unsent: [], complete: false, ...added };
  };
  // No other call is made for many sites.
  return { categories: { addManySites } } as unknown as Appliance;
}

const shopping = { id: 252, name: 'shopping' };
const many = Array.from({ length: 5_000 }, (_, index) => `site-${index}.example`);

test('a hand-over says how far it is', async () => {
  const { words, progress } = said();
  const ran = await handOver(takes({ accepted: 5_000, complete: true }), shopping, many, progress);
  expect(words).toEqual(['2,000 of 5,000 sites sent']);
  expect(ran).toEqual({ confirmed: true });
});

test('one that breaks off tells every piece that was not accepted, for reading back', async () => {
  const appliance = takes({
    accepted: 4_000,
    failed: [{ sites: many.slice(500, 1_000), error: lost() }],
    unsent: many.slice(0, 200),
  });
  const { confirmed, learned, failure } = await handOver(appliance, shopping, many, said().progress);
  expect({ confirmed, failure }).toMatchObject({ confirmed: false, failure: { code: 'timeout' } });
  expect(JSON.parse(String(learned?.broken))).toEqual([
    { from: 500, until: 1_000, why: 'no answer in time', mayCome: true },
    { from: 0, until: 200 },
    { from: 4_700, until: 5_000 },
  ]);
});

test('one of which nothing was taken is a failure', async () => {
  const appliance = takes({ failed: [{ sites: many, error: refused() }] });
  await expect(handOver(appliance, shopping, many, said().progress)).rejects.toMatchObject({
    code: 'refused',
  });
});

test('of many sites a hundred are asked for, from the first to the last, and others of theirs are told', async () => {
  const asked: string[] = [];
  const query = async ({ domain }: { readonly domain: string }) => {
    asked.push(domain);
    const also = domain === 'site-0.example' ? [{ id: 9, name: 'other' }] : [];
    return { categories: [shopping, ...also], info: '' };
  };
  // No other call is made to read back.
  const appliance = { categories: { query } } as unknown as Appliance;
  const { kind, evidence } = await verifyIn(appliance, shopping, many, true);
  expect(asked).toHaveLength(100);
  expect([asked[0], asked.at(-1)]).toEqual(['site-0.example', 'site-4999.example']);
  expect(kind).toBe('happened');
  expect(plainText(evidence)).toContain(
    '1 of them is also in other categories (the appliance does not check for duplicates)',
  );
});
