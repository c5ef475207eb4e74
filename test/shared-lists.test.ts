import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const sites = (count: number) => Array.from({ length: count }, (_, at) => `d${at}.shop.example`);

async function withBoth() {
  const found = await withBob({ from });
  const isIn = (site: string) => found.category(252).sites.has(site);
  return {
    ...found,
    in: (count = 5) => sites(count).filter(isIn),
    isIn,
    dana: (line: string) => found.type(`/appliance ${line}`, 'dana'),
  };
}

test('what two people want for a time stays as long as the longer one wants it, site by site', async () => {
  const { ask, dana, pass, in: there, read } = await withBoth();
  await ask(`category add ${sites(3).join(' ')} to 252 --for 30m`);
  await dana(`category add ${sites(5).join(' ')} to 252 --for 2h`);
  const said = read('bob');
  expect(said).toContain(
    '@bob: @dana wants d0.shop.example, d1.shop.example and d2.shop.example until 16:00, with',
  );
  expect(said).toMatch(/are on already, until 14:30 by @bob with .*; now until 16:00\./);
  await pass(31 * minute);
  expect(there()).toEqual(sites(5));
  const ended = read('bob');
  expect(ended).toContain(
    '✅ 3 sites added to category shopping, which stays, as somebody else wants it for longer',
  );
  expect(ended).toContain('d2.shop.example stay for longer, with');
  await pass(91 * minute);
  expect(there()).toEqual([]);
});

test('a shorter wish for part of a list takes nothing from the longer one, and is told so', async () => {
  const { ask, dana, pass, in: there } = await withBoth();
  await ask(`category add ${sites(3).join(' ')} to 252 --for 2h`);
  await dana(`category add ${sites(5).join(' ')} to 252 --for 30m`);
  await pass(31 * minute);
  expect(there()).toEqual(sites(3));
  expect(await dana('category add d1.shop.example to 252 --for 1h')).toMatch(
    /d1\.shop\.example is on already, until 16:00 by @bob, with .*Yours would end earlier\. No changes were made\./,
  );
  await pass(91 * minute);
  expect(there()).toEqual([]);
});

test('one site of somebody else’s list can be wanted for longer, and for good', async () => {
  const { ask, dana, press, pass, in: there, read } = await withBoth();
  await ask(`category add ${sites(4).join(' ')} to 252 --for 30m`);
  expect(await dana('category add d1.shop.example to 252 --for 3h')).toContain('until 17:00');
  expect(await dana('category add d2.shop.example to 252')).toContain('[Keep]');
  await press('Keep', 'dana');
  expect(read('bob')).toContain('@bob: @dana wants d2.shop.example for good, with');
  await pass(31 * minute);
  expect(there()).toEqual(['d1.shop.example', 'd2.shop.example']);
  await pass(180 * minute);
  expect(there()).toEqual(['d2.shop.example']);
});

test('who ends their own wish early leaves what somebody else wants', async () => {
  const { ask, dana, press, pass, in: there } = await withBoth();
  await ask(`category add ${sites(3).join(' ')} to 252 --for 1h`);
  await dana(`category add ${sites(5).join(' ')} to 252 --for 2h`);
  expect(await press('End now', 'dana')).toContain('Ended early');
  await pass(minute);
  expect(there()).toEqual(sites(3));
  await pass(61 * minute);
  expect(there()).toEqual([]);
});

test('the order in which a list is typed makes no difference', async () => {
  const { ask, dana, pass, in: there } = await withBoth();
  await ask(`category add ${sites(3).join(' ')} to 252 --for 30m`);
  await dana(`category add ${sites(3).toReversed().join(' ')} to 252 --for 2h`);
  await pass(31 * minute);
  expect(there()).toEqual(sites(3));
  await pass(91 * minute);
  expect(there()).toEqual([]);
});

test('two who ask for the same in the same second are treated like one after the other', async () => {
  const { type, pass, isIn, read } = await withBoth();
  const both = (site: string, ...lines: readonly string[]) =>
    Promise.all(
      lines.map((line, at) =>
        type(
          `/appliance category add ${site} to 252${line}`,
          at === 0 ? 'bob' : 'dana',
          at === 0 ? 'helpdesk' : 'incident',
        ),
      ),
    );
  await both('x.shop.example', ' --for 2h', ' --for 30m');
  await both('y.shop.example', ' --for 30m', ' --for 2h');
  await both('z.shop.example', '', ' --for 30m');
  await both('w.shop.example', ' --for 30m', '');
  await pass(32 * minute);
  expect(
    ['x', 'y', 'z', 'w'].filter((one) => isIn(`${one}.shop.example`)),
    read('bob'),
  ).toEqual([...['x', 'y', 'z', 'w']]);
  await pass(90 * minute);
  expect(['x', 'y', 'z', 'w'].filter((one) => isIn(`${one}.shop.example`))).toEqual(['z', 'w']);
});
