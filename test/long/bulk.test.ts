import { describe, expect, test } from 'vitest';
import { withBob } from '../with-bob.ts';

/** At the pace of an appliance (200 requests a second): each site is looked up before it is sent. */
const addMany = 'POST /categories/{id}/add';
const query = 'GET /categories/query/{domain}';

const named = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example`);

test('5,000 sites are one message that ends as the result, sent in chunks and read back by a sample', async () => {
  const { ask, click, category, sent } = await withBob();
  const before = category(252).sites.size;
  await ask(`category add ${named(5_000).join(' ')} to 252`);
  const said = await click('Add');
  expect(said).toContain('✅ 5,000 sites added to category shopping');
  expect(said).toContain(
    'Looked up 100 of the 5,000 sites, spread over the list: all of these are in shopping',
  );
  expect(category(252).sites.size).toBe(before + 5_000);
  expect(category(252).live.size).toBe(before + 5_000);
  expect(sent(/^POST \/categories\/252\/add/)).toHaveLength(10);
});

test('a broken transfer reports how much was taken, lists the rest, and compiles the taken part', async () => {
  const { ask, click, category, appliance } = await withBob();
  const before = category(252).sites.size;
  appliance.faults.set(addMany, { kind: 'refuse', error: 'table is locked', times: 1 });
  await ask(`category add ${named(3_000).join(' ')} to 252`);
  const said = await click('Add');
  const taken = category(252).sites.size - before;
  expect(taken).toBeGreaterThan(0);
  expect(said).toContain('❌ Adding 3,000 sites to category shopping succeeded only in part');
  expect(said).toContain(
    `Read-back by batch: ${taken.toLocaleString('en')} sites in shopping, ${(3_000 - taken).toLocaleString('en')} sites not`,
  );
  expect(said).toContain('500 sites: not in shopping (100 of them checked): refused, table is locked');
  expect(category(252).live.size).toBe(category(252).sites.size);
});

test('2,000 sites from a file for two hours are one change, which ends with all of them', async () => {
  const { attach, click, category, pass, read } = await withBob();
  const before = [...category(252).live];
  const file = {
    name: 'phishing.csv',
    content: Buffer.from(
      `domain,seen\n${named(2_000)
        .map((site) => `${site},today`)
        .join('\n')}`,
    ),
  };
  expect(await attach('@appliance-bot category add to 252 for 2h', file, 'bob')).toContain(
    'Add 2,000 sites to category shopping?',
  );
  expect(await click('Add')).toContain('✅ 2,000 sites added to category shopping, until');
  expect(category(252).live.size).toBe(before.length + 2_000);
  await pass(2 * 60 * 60_000 + 60_000);
  // On a machine with other work a try may break off among thousands of requests; the bot goes on with what is left.
  for (let minute = 1; minute <= 15 && category(252).live.size > before.length; minute += 1)
    await pass(60_000);
  expect([...category(252).live].toSorted()).toEqual(before.toSorted());
  expect(read('bob')).toContain(
    'Looked up 100 of the 2,000 sites, spread over the list: none is in shopping now.',
  );
});

describe('a list that is sent in chunks', () => {
  const all = `category add ${named(2_000).join(' ')} to 252`;

  test('is reported as done when it was carried out although its connections broke, and no site as left out', async () => {
    const { ask, press, appliance, bot } = await withBob();
    appliance.faults.set(addMany, { kind: 'reset' });
    await ask(all);
    const said = await press('Add', 'bob');
    expect(appliance.state.categories.all.get(252)?.sites.size).toBeGreaterThan(2_000);
    expect(said).toContain('✅ 2,000 sites added to category shopping');
    expect(said).toContain('500 sites: in shopping anyway');
    expect(said).not.toMatch(/did not take|sites-not-added|unknown/);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'done', outcome: { code: 'checked' } });
  });

  test('is read back chunk by chunk, and only missing sites are listed', async () => {
    const { ask, press, appliance } = await withBob();
    const { sites } = appliance.state.categories.all.get(252) ?? { sites: new Set<string>() };
    appliance.faults.set(addMany, { kind: 'refuse', error: 'table is locked', times: 1 });
    await ask(`category add ${named(5_000).join(' ')} to 252`);
    const said = await press('Add', 'bob');
    const missing = named(5_000).filter((site) => !sites.has(site));
    expect(said).toContain('❌ Adding 5,000 sites to category shopping succeeded only in part');
    expect(said).toContain('500 sites: not in shopping (100 of them checked): refused, table is locked');
    expect(said).toContain(`${(missing.length - 500).toLocaleString('en')} sites: not sent after that`);
    expect(said).toContain('sites-not-added.txt');
    expect(said).toContain(`The last 20 of ${missing.length} lines`);
  });

  test('is unknown, not refused, when it cannot be read back', async () => {
    const { ask, press, appliance, bot } = await withBob();
    appliance.faults.set(addMany, { kind: 'reset' });
    await ask(all);
    // From the first piece on it cannot be read any more.
    const requests = appliance.requests as unknown[];
    const push = requests.push.bind(requests);
    requests.push = (...sent) => {
      const isOrder = JSON.stringify(sent).includes('/categories/252/add');
      if (isOrder)
        appliance.faults.set(query, { kind: 'refuse', error: 'database is being rebuilt', key: 'info' });
      return push(...sent);
    };
    const said = await press('Add', 'bob');
    expect(said).toContain('Adding 2,000 sites to category shopping: outcome unknown');
    expect(said).toContain('500 sites: unknown, could not be read back: refused, database is being rebuilt');
    expect(said).toContain('sites-unknown.txt');
    expect(said).not.toMatch(/did not take|sites-not-added/);
    expect((await bot.journal.recent(1))[0]).toMatchObject({ state: 'unknown' });
  });
});
