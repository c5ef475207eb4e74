import { expect, test } from 'vitest';
import { get, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

const prefix = '/system/network/vlan';

interface Listed {
  ID: number;
  State: string;
  Statistics: { rx_bytes: number };
}

async function list(): Promise<Listed[]> {
  return (await get<{ Interfaces: Listed[] }>(`${prefix}/list`)).Interfaces;
}

async function listed(id: number): Promise<Listed | undefined> {
  return (await list()).find(({ ID }) => ID === id);
}

test('six interfaces are listed, some of them down; the traffic of the others grows with time', async () => {
  const before = await list();
  expect(before.map(({ State }) => State)).toEqual(['up', 'up', 'up', 'down', 'up', 'down']);
  pass(60);
  const grown = (await list()).map((one, index) => {
    return one.Statistics.rx_bytes - (before[index]?.Statistics.rx_bytes ?? 0);
  });
  expect(grown).toEqual([44_400_000, 78_600_000, 15_900_000, 0, 720_000, 0]);
});

test('a stopped interface is down and keeps its numbers; started again it goes on counting', async () => {
  const carried = (await listed(1))?.Statistics.rx_bytes ?? 0;
  await get(`${prefix}/stop/1`);
  pass(60);
  expect(await listed(1)).toMatchObject({ State: 'down', Statistics: { rx_bytes: carried } });
  await get(`${prefix}/start/1`);
  pass(1);
  expect(await listed(1)).toMatchObject({ State: 'up', Statistics: { rx_bytes: carried + 740_000 } });
});

test('a reconfigured interface is built anew and counts from zero', async () => {
  await get(`${prefix}/reconfigure/5`);
  expect(await listed(5)).toMatchObject({ State: 'up', Statistics: { rx_bytes: 0 } });
});

test('an unlinked interface is gone, and is not found a second time', async () => {
  expect(await get(`${prefix}/unlink/8`)).toMatchObject({ Status: true });
  expect(await listed(8)).toBeUndefined();
  for (const id of ['8', '1x', '0x1', '01'])
    expect(await get(`${prefix}/unlink/${id}`)).toMatchObject({
      Status: false,
      Error: `No interface has the ID ${id}`,
    });
  expect(await list()).toHaveLength(5);
});

test('without the feature nothing works; installed again, a build brings every interface up', async () => {
  await get(`${prefix}/uninstall`);
  for (const path of ['/list', '/build', '/start/1'])
    expect(await get(prefix + path)).toMatchObject({
      Status: false,
      Error: 'The VLAN feature is not installed',
    });
  await get(`${prefix}/install`);
  expect((await list()).every(({ State }) => State === 'down')).toBe(true);
  await get(`${prefix}/build`);
  expect((await list()).map(({ State }) => State)).toEqual(Array(6).fill('up'));
});
