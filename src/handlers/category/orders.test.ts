import { expect, test } from 'vitest';
import { type Appliance, type ManySites, type ManySitesAdded, Refused, TimedOut } from '../../api/index.ts';
import { plainText, type Text } from '../reply.ts';
import { eachInTurn, handOver, verifyIn } from './orders.ts';

const refused = () => new Refused('locked', { operation: 'some.call', sent: 'yes' });
const lost = () => new TimedOut('whole', 1_000, { operation: 'some.call', sent: 'maybe' });

function said() {
  const words: string[] = [];
  return {
    words,
    progress: (text: Text) => void words.push(plainText(text)),
    giveWay: async () => void words.push('others have their turn'),
  };
}

const yes = { confirmed: true, info: '' };

test('orders for several sites are sent in turn, and each is reported', async () => {
  const { words, ...telling } = said();
  const ran = await eachInTurn(['a.example', 'b.example'], telling, async () => yes);
  expect(ran).toEqual({ confirmed: true });
  expect(words).toEqual(['1 of 2 sites', '2 of 2 sites']);
});

test('many orders let other commands use the appliance while none is on its way', async () => {
  const order: string[] = [];
  let underWay = 0;
  const telling = { progress: () => undefined, giveWay: async () => void order.push(`turn ${underWay}`) };
  await eachInTurn(many.slice(0, 100), telling, async () => {
    underWay += 1;
    await Promise.resolve();
    order.push('sent');
    underWay -= 1;
    return yes;
  });
  const turns = order.flatMap((word, at) => (word === 'sent' ? [] : [[at, word]]));
  expect(turns).toEqual([
    [40, 'turn 0'],
    [81, 'turn 0'],
  ]);
});

test('a refusal does not stop other sites', async () => {
  const sent: string[] = [];
  const ran = await eachInTurn(['a.example', 'b.example', 'c.example'], said(), async (site) => {
    sent.push(site);
    if (site === 'a.example') throw refused();
    return yes;
  });
  expect(sent).toHaveLength(3);
  expect(ran.confirmed).toBe(false);
  expect(ran.details).toMatchObject([{ rows: [[['a.example'], ['refused, locked']]] }]);
});

test('an order that may not have arrived ends the sending', async () => {
  const sent: string[] = [];
  const ran = await eachInTurn(['a.example', 'b.example', 'c.example'], said(), async (site) => {
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

test('if no site went through, the failure is the one that may have happened', async () => {
  let count = 0;
  const failing = eachInTurn(['a.example', 'b.example'], said(), async () => {
    count += 1;
    throw count === 1 ? refused() : lost();
  });
  await expect(failing).rejects.toMatchObject({ code: 'timeout', mayHaveHappened: true });
});

/** An appliance that takes many sites, with the results of one hand-over. */
function takes(added: (sites: readonly string[]) => Partial<ManySitesAdded> | undefined): Appliance {
  const addManySites = async ({ sites, onProgress }: ManySites) => {
    const given = [...(sites as Iterable<string>)];
    onProgress?.({ sites: given.length });
    const all = { accepted: given.length, failed: [], unsent: [], complete: true };
    const broken = added(given);
    return broken === undefined ? all : { ...all, accepted: 0, complete: false, ...broken };
  };
  // Sending many sites makes no other call.
  return { categories: { addManySites } } as unknown as Appliance;
}

const shopping = { id: 252, name: 'shopping' };
const many = Array.from({ length: 5_000 }, (_, index) => `site-${index}.example`);

test('a hand-over reports progress, and lets other commands use the appliance in between', async () => {
  const { words, ...telling } = said();
  const ran = await handOver(
    takes(() => undefined),
    shopping,
    many,
    telling,
  );
  expect(words).toEqual([
    '2,000 of 5,000 sites sent',
    'others have their turn',
    '4,000 of 5,000 sites sent',
    'others have their turn',
    '5,000 of 5,000 sites sent',
  ]);
  expect(ran).toEqual({ confirmed: true });
});

test('a hand-over that breaks off records every refused chunk, for reading back', async () => {
  const appliance = takes((sites) =>
    sites[0] === many[0]
      ? undefined
      : {
          accepted: 1_000,
          failed: [{ sites: many.slice(2_500, 3_000), error: lost() }],
          unsent: many.slice(2_000, 2_200),
        },
  );
  const { confirmed, learned, failure } = await handOver(appliance, shopping, many, said());
  expect({ confirmed, failure }).toMatchObject({ confirmed: false, failure: { code: 'timeout' } });
  expect(JSON.parse(String(learned?.broken))).toEqual([
    { from: 2_500, until: 3_000, why: 'no answer in time', mayCome: true },
    { from: 2_000, until: 2_200 },
    { from: 3_700, until: 5_000 },
  ]);
});

test('an order of which no site was taken is a failure', async () => {
  const appliance = takes((sites) => ({ failed: [{ sites, error: refused() }] }));
  await expect(handOver(appliance, shopping, many, said())).rejects.toMatchObject({
    code: 'refused',
  });
});

test('reading back many sites looks at a hundred, from first to last, and names their other categories', async () => {
  const asked: string[] = [];
  const query = async ({ domain }: { readonly domain: string }) => {
    asked.push(domain);
    const also = domain === 'site-0.example' ? [{ id: 9, name: 'other' }] : [];
    return { categories: [shopping, ...also], info: '' };
  };
  // Reading back makes no other call.
  const appliance = { categories: { query } } as unknown as Appliance;
  const { kind, evidence } = await verifyIn(appliance, shopping, many, true);
  expect(asked).toHaveLength(100);
  expect([asked[0], asked.at(-1)]).toEqual(['site-0.example', 'site-4999.example']);
  expect(kind).toBe('happened');
  expect(plainText(evidence)).toContain(
    '1 of them is also in other categories (the appliance does not check for duplicates)',
  );
});
