import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';
import { withBob } from '../with-bob.ts';

const addOne = 'GET /categories/{id}/{site}';

const named = (count: number) => Array.from({ length: count }, (_, index) => `site-${index}.example`);

test('categories are listed, and one is shown by its number or its name, however little the appliance reports', async () => {
  const { ask, appliance } = await withBob();
  expect(await ask('categories')).toMatch(/\d+ categories[\s\S]*advertising/);
  const shown = await ask('category shopping');
  expect(shown).toContain('Category shopping');
  expect(shown).toContain('DNS firewall  off');
  appliance.state.categories.shape = 'B';
  const other = await ask('category show 252');
  expect(other).toMatch(/Sites {2}\d+/);
  expect(other).toContain('Online shops and auctions');
});

test('an unknown category name is answered with the nearest', async () => {
  const { ask } = await withBob();
  expect(await ask('category shoping')).toContain('[shopping (252)');
});

test('an unfinished "category add" opens a form, whose lines are the sites', async () => {
  const { ask, person, read, category } = await withBob();
  await ask('category add');
  const bob = person('bob');
  expect(bob.form()?.title).toBe('Category add');
  await bob.fill({ Site: 'one.example\nhttps://two.example/x, three.example', Category: 'shopping' });
  await bob.submit();
  expect(read('bob')).toContain('✅ 3 sites added to category shopping');
  expect(category(252).live).toContain('two.example');
});

test('a site is added, read back, compiled, and taken out again by Undo', async () => {
  const { ask, click, category } = await withBob();
  const said = await ask('category add https://Shop.Example.net/cart to 252');
  expect(said).toContain('✅ shop.example.net added to category shopping');
  expect(said).toContain('Verified. Looked up shop.example.net: it is in shopping.');
  expect(category(252).sites).toContain('shop.example.net');
  expect(category(252).live).toContain('shop.example.net');
  expect(await click('Undo')).toContain('✅ shop.example.net removed from category shopping');
  expect(category(252).sites).not.toContain('shop.example.net');
});

test('sites in another category too are named, and Undo removes only the added ones', async () => {
  const { ask, click, category } = await withBob();
  const said = await ask('category add reddit.com example.com to shopping');
  expect(said).toContain(
    'Also in other categories (the appliance does not check for duplicates): reddit.com is in forums and social_networks.',
  );
  await click('Undo');
  expect(category(252).sites).toContain('example.com');
  expect(category(252).sites).not.toContain('reddit.com');
});

test('a site that the category has already is not added again', async () => {
  const { ask, sent } = await withBob();
  expect(await ask('category add example.com to 252')).toContain('is already in category shopping');
  expect(sent(/252\/(?:example|add)/)).toEqual([]);
});

test('success is not believed when the appliance forgets the site', async () => {
  const { ask, appliance } = await withBob();
  appliance.faults.set(addOne, { kind: 'forget' });
  const said = await ask('category add shop.example.net to 252');
  expect(said).toContain('⚠️ Adding shop.example.net to category shopping: accepted, never seen');
  expect(said).toContain('Looked up shop.example.net: it is not in shopping.');
});

test('too many sites in one line are refused with the number', async () => {
  const { ask, sent } = await withBob();
  const said = await ask(`category add ${named(10_001).join(' ')} to 252`);
  expect(said).toMatch(/at most 10,?000 at once, and these are 10,?001/);
  expect(await ask(`category add ${named(501).join(' ')} to 252 --now`)).toContain(
    'takes at most 500 sites, not 501 sites',
  );
  expect(sent(/POST|PUT/)).toEqual([]);
});

test('with --now sites are added and live in one request', async () => {
  const { ask, category, sent } = await withBob();
  expect(await ask('category add a.example b.example to 252 --now')).toContain(
    '✅ 2 sites added to category',
  );
  expect(category(252).live).toContain('b.example');
  expect(sent(/compile/)).toEqual([]);
  expect(sent(/PUT .*quick\/252/)).toHaveLength(1);
});

test('a site moves to another category, both are compiled, and Undo moves it back', async () => {
  const { ask, click, category } = await withBob();
  const said = await ask('category move example.com from 252 to 260');
  expect(said).toContain('✅ example.com moved from category shopping to purchasing');
  expect(said).toContain('it is in purchasing and no longer in shopping');
  expect(category(260).live).toContain('example.com');
  expect(category(252).live).not.toContain('example.com');
  await click('Undo');
  expect(category(252).sites).toContain('example.com');
  expect(category(260).sites).not.toContain('example.com');
});

test('a site that is not in the category is not moved, since the appliance would add it all the same', async () => {
  const { ask, category } = await withBob();
  expect(await ask('category move reddit.com from 252 to 260')).toContain(
    'reddit.com is not in category shopping. reddit.com is in forums and social_networks.',
  );
  expect(category(260).sites).not.toContain('reddit.com');
});

test('a card says once that a site is in no category after its removal, as foretold and as read back', async () => {
  const { ask, click } = await withBob();
  await ask('category add shop.example.net to 252');
  await click('Undo');
  const card = (await ask('status')).split('\n\n').find((one) => one.includes('category delete')) ?? '';
  expect(card).toContain('it is no longer in shopping and is now in no category.');
  expect(card.match(/in no category/g)).toHaveLength(1);
});

test('taking a site out asks first, shows where it stays, and can be undone', async () => {
  const { ask, click, category } = await withBob();
  const card = await ask('category remove reddit.com from forums');
  expect(card).toContain('Remove reddit.com from category forums?');
  expect(card).toContain('Afterwards  reddit.com is in social_networks');
  expect(category(121).sites).toContain('reddit.com');
  expect(await click('Remove')).toContain('✅ reddit.com removed from category forums');
  expect(category(121).live).not.toContain('reddit.com');
  await click('Undo');
  expect(category(121).sites).toContain('reddit.com');
});

test('a site that is found only by the domain above it is shown as that before its removal', async () => {
  const { ask } = await withBob();
  expect(await ask('category delete www.example.com from 252')).toContain(
    'example.com is also in shopping, so www.example.com may still be found there afterwards',
  );
});

test('each site that the appliance refuses is named with its reason, among several', async () => {
  const { ask, click, appliance, category } = await withBob();
  await ask('category delete example.com etsy.com ebay.com from 252');
  appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'refuse', error: 'locked', times: 1 });
  const said = await click('Remove');
  expect(said).toContain('example.com is still found in shopping');
  expect(said).toContain('refused, locked');
  expect(category(252).sites).not.toContain('ebay.com');
});

test('a category is created once, with its number in the answer', async () => {
  const { ask } = await withBob();
  const said = await ask('category create partners --description "Portals of our partners"');
  expect(said).toContain('✅ Category partners created');
  expect(said).toContain('partners has the ID 297');
  expect(await ask('category create Partners')).toContain('Category partners already exists');
});

test('compiles and the backup say that nothing can show them', async () => {
  const { ask, sent } = await withBob();
  for (const line of ['category compile 252', 'filter compile', 'category backup']) {
    expect(await ask(line)).toContain('(accepted, not verified)');
  }
  expect(sent(/252\/compile|webfilter|backup/)).toHaveLength(3);
});

test.each(['co.uk', 'translate.goog', 'amazonaws.com', 'wordpress.com'])(
  'a domain below which others have their sites asks first, with the sites that it hits: %s',
  async (suffix) => {
    const { type, press, appliance } = await converse();
    const asked = await type(`/appliance category add ${suffix} to 252`, 'bob');
    expect(asked).toContain(`Add ${suffix} to category shopping?`);
    expect(asked.replaceAll('`', '')).toContain(`Broad  ${suffix} hits every site that ends in .${suffix}`);
    expect(appliance.state.categories.all.get(252)?.live.has(suffix)).toBe(false);
    expect(await press('Add', 'bob')).toContain(`${suffix} added to category shopping`);
  },
);

test('a site that a domain above it covers asks first, and Undo never removes what may have been there', async () => {
  const { type, press } = await converse();
  await type('/appliance category add wide.example to 252', 'bob');
  expect(await type('/appliance category add maps.wide.example to 252', 'bob')).toMatch(
    /Already included {2}`?wide\.example`? includes `?maps\.wide\.example`?/,
  );
  const done = (await press('Add', 'bob')).split('maps.wide.example added to category shopping').at(-1);
  expect(done).not.toContain('[Undo]');
});

test('the target of a wrapped link is changed, and an unknown wrapper asks for the target', async () => {
  const { type, press, appliance } = await converse();
  const has = (site: string) => appliance.state.categories.all.get(252)?.live.has(site);
  const wrapped = 'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Ftarget.example%2Fa';
  expect(await type(`/appliance category add ${wrapped} to 252`, 'bob')).toMatch(
    /target\.example added[\s\S]*Read as {2}target\.example, from a Safe Links address/,
  );
  expect(
    await type('/appliance category add https://x.example/?to=https://y.example to 252', 'bob'),
  ).toContain('Which site do you mean?\n  [y.example] [x.example]');
  expect([has('x.example'), has('y.example')]).toEqual([false, false]);
  await press('y.example', 'bob');
  expect([has('target.example'), has('x.example'), has('y.example')]).toEqual([true, false, true]);
});

describe('several sites of which some are there already, or are not there:', () => {
  const audit = { channel: 'C0INCIDENT' };

  test.each([
    {
      line: 'category delete example.com nothere.example from 252',
      button: 'Remove',
      done: 'example.com removed from category shopping',
      skipped: 'nothere.example, not in shopping',
    },
    {
      line: 'category move example.com nothere.example from 252 to 260',
      done: 'example.com moved from category shopping to purchasing',
      skipped: 'nothere.example, not in shopping',
    },
    {
      line: 'category add example.com new.example to 252',
      done: 'new.example added to category shopping',
      skipped: 'example.com, already in shopping',
    },
    {
      line: 'category add example.com new.example newer.example to 252 --for 30m',
      done: '2 sites added to category shopping',
      skipped: 'example.com, already in shopping',
    },
  ])(
    '$line names only the sites that it was ordered for, everywhere',
    async ({ line, button, done, skipped }) => {
      const { ask, click, read, pass } = await withBob({ policy: { audit } });
      const asked = await ask(line);
      if (button !== undefined) expect(asked).toContain(`Skipped  ${skipped}`);
      const said = button === undefined ? asked : await click(button);
      expect(said).toContain(`✅ ${done}`);
      expect(said.split(`Skipped: ${skipped}.`)).toHaveLength(2);
      for (let times = 0; times < 2; times += 1) await pass(2_000);
      const told = [
        read('bob', 'incident'),
        await ask('audit'),
        await ask('timeline'),
        await ask('temporary'),
      ];
      expect(told.slice(0, line.includes('--for') ? 4 : 3).every((words) => words.includes(done))).toBe(true);
    },
  );

  test('on several appliances, a number is given only where it is true of each', async () => {
    const { type, press, branches } = await withBob({ branches: 1 });
    const branch = branches.get('branch-2');
    if (branch === undefined) throw new Error('There is a branch');
    Object.assign(branch.state.directory.version, { servicePack: '5', text: '4.50 Service Pack 5' });
    await type('/appliance upgrade status --on branch-2', 'dana');
    branch.state.categories.all.get(252)?.sites.add('b.example');
    const asked = await type('/appliance category add a.example b.example to 252 --on all', 'dana');
    expect(asked).toContain('Adding sites to category shopping on 2 appliances: go ahead?');
    expect(asked).toMatch(/branch-2 {2}.*Skipped: b\.example, already in shopping/);
    const said = await press('Add', 'dana');
    expect(said).toContain('Adding sites to category shopping: done on 2 of 2 appliances');
    expect(said).toContain('Skipped: b.example, already in shopping.');
  });

  test('when most of a long list came in before the click, only the rest is reported', async () => {
    const { ask, click, category } = await withBob();
    await ask(`category add ${named(60).join(' ')} to 252 --for 30m`);
    for (const site of named(60).slice(1)) category(252).sites.add(site);
    const said = await click('Add');
    expect(said).toContain('✅ site-0.example added to category shopping, until');
    expect(said).toMatch(/Skipped: site-1\.example, .* and 54 more, already in shopping\./);
    expect(said).not.toContain('60 sites added');
  });
});
