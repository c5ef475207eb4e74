import { afterEach, describe, expect, test } from 'vitest';
import { startSimulatedAppliance } from './index.ts';

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

interface Reply {
  readonly Status: boolean;
  readonly Error: string;
  readonly Users: readonly Readonly<Record<string, string>>[];
  readonly Processes: readonly {
    Id: number;
    User: string;
    Command: string;
    Time: number;
    Info: string | null;
  }[];
  readonly Databases: readonly { Database: string }[];
}

/** An appliance with a clock that the test moves; forms are sent where there are fields. */
async function start() {
  const clock = { now: new Date('2026-11-20T12:00:00Z') };
  const appliance = await startSimulatedAppliance({ clock: () => clock.now });
  open.push(() => appliance.close());
  async function call(method: string, path: string, fields?: Record<string, string>): Promise<Reply> {
    const body = fields && { body: new URLSearchParams(fields) };
    const response = await fetch(`${appliance.url}/sqldb${path}`, { method, ...body });
    // Each test reads the fields that its operation answers.
    return (await response.json()) as Reply;
  }
  const pass = (seconds: number) => {
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
  };
  return { ...appliance, sqldb: appliance.state.sqldb, call, pass };
}

const account = { User: 'planner', Host: '%' };

describe('users', () => {
  test('have a letter for each privilege, a name, and no password', async () => {
    const { call, sqldb } = await start();
    const reply = await call('GET', '/users');
    expect(reply).toMatchObject({ Status: true, Error: '' });
    const { Users } = reply;
    expect(Users.find(({ User }) => User === 'statistics')).toMatchObject({
      Host: 'localhost',
      Select_priv: 'Y',
      Create_tmp_table_priv: 'Y',
      Reload_priv: 'N',
      File_priv: 'N',
    });
    for (const user of Users) {
      const flags = Object.entries(user).filter(([name]) => name.endsWith('_priv'));
      expect(flags.every(([, flag]) => /^[YN]$/.test(flag))).toBe(true);
    }
    for (const { password } of sqldb.users) expect(JSON.stringify(Users)).not.toContain(password);
  });

  test('one is created with nothing, granted everything, and revoked; from any host', async () => {
    const { call, sqldb } = await start();
    const created = await call('POST', '/users/create', { ...account, Password: 'pw-7311' });
    const planner = async () => (await call('GET', '/users')).Users.find(({ User }) => User === 'planner');
    expect(await planner()).toMatchObject({ Host: '%', Select_priv: 'N', File_priv: 'N' });
    const granted = await call('POST', '/users/grant', account);
    expect(await planner()).toMatchObject({ Select_priv: 'Y', File_priv: 'Y' });
    const revoked = await call('POST', '/users/revoke', account);
    expect(await planner()).toMatchObject({ Select_priv: 'N', File_priv: 'N' });
    const shown = await call('POST', '/user/planner/%25');
    expect(JSON.stringify([created, granted, revoked, shown])).not.toContain('pw-7311');
    expect(sqldb.users.at(-1)).toMatchObject({ password: 'pw-7311' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['/users/create', { ...account, Password: '' }, 'Password is missing'],
    ['/users/create', { User: 'planner', Password: 'x' }, 'Host is missing or malformed'],
    ['/users/create', { ...account, User: "x' OR '1", Password: 'x' }, 'User is missing or malformed'],
    ['/users/create', { User: 'reports', Host: '%', Password: 'x' }, 'user exists already'],
    ['/users/grant', { User: 'reports', Host: 'localhost' }, 'user not found'],
    ['/users/revoke', { User: 'reports' }, 'user not found'],
    ['/user/nobody/%25', {}, 'user not found'],
  ])('%s %j: %s', async (path, fields, reason) => {
    const { call, sqldb } = await start();
    const before = structuredClone(sqldb);
    expect(await call('POST', path, fields)).toEqual({ Status: false, Error: reason, Info: '' });
    expect(sqldb).toEqual(before);
  });

  test('the operation whose meaning is not documented answers the record and changes nothing', async () => {
    const { call, sqldb } = await start();
    const before = structuredClone(sqldb);
    expect(await call('POST', '/user/reports/%25')).toMatchObject({
      Status: true,
      User: { User: 'reports', Host: '%', Select_priv: 'Y' },
    });
    expect(sqldb).toEqual(before);
  });
});

describe('databases', () => {
  test('one is created, granted, revoked and deleted', async () => {
    const { call } = await start();
    const names = async () => (await call('GET', '/databases')).Databases.map(({ Database }) => Database);
    const granted = async () => (await call('GET', '/user/reports/%25/privileges')).Databases;
    expect(await call('GET', '/database/grant/planning/reports/%25')).toMatchObject({ Status: false });
    expect(await call('GET', '/database/create/planning')).toMatchObject({ Status: true });
    expect(await call('GET', '/database/create/planning')).toMatchObject({ Status: false });
    expect(await names()).toContain('planning');
    expect(await call('GET', '/database/grant/planning/reports/%25')).toMatchObject({ Status: true });
    expect(await granted()).toEqual(['statistics', 'planning']);
    expect(await call('GET', '/database/revoke/planning/reports/%25')).toMatchObject({ Status: true });
    expect(await call('GET', '/database/revoke/planning/reports/%25')).toMatchObject({ Status: false });
    expect(await granted()).toEqual(['statistics']);
    expect(await call('POST', '/database/delete/planning')).toMatchObject({ Status: true });
    expect(await call('POST', '/database/delete/planning')).toMatchObject({ Status: false });
    expect(await names()).not.toContain('planning');
  });

  test('a grant on a deleted database does not hold for its successor', async () => {
    const { call } = await start();
    await call('POST', '/database/delete/statistics');
    await call('GET', '/database/create/statistics');
    expect((await call('GET', '/user/reports/%25/privileges')).Databases).toEqual([]);
  });

  test('the server’s own databases are not deleted, and a name stays a name', async () => {
    const { call, sqldb } = await start();
    expect(await call('POST', '/database/delete/mysql')).toMatchObject({ Status: false });
    expect(await call('GET', '/database/create/a%60%3B%20drop')).toMatchObject({ Status: false });
    expect(sqldb.databases.size).toBe(9);
  });
});

describe('the server', () => {
  test('its processes move with time', async () => {
    const { call, pass } = await start();
    const before = (await call('GET', '/service/processes')).Processes;
    expect(before).toHaveLength(8);
    pass(1);
    const after = (await call('GET', '/service/processes')).Processes;
    expect(after.map(({ Id }) => Id)).toEqual(before.map(({ Id }) => Id));
    expect(after).not.toEqual(before);
    for (const { Command, Info } of after) expect(Info === null).toBe(Command === 'Sleep');
  });

  test('a restart breaks every connection; they come back one after the other, with new numbers', async () => {
    const { call, pass, sqldb } = await start();
    const { pid } = sqldb.server;
    expect(await call('GET', '/service/restart')).toMatchObject({ Status: true });
    expect(sqldb.server.pid).not.toBe(pid);
    expect((await call('GET', '/service/processes')).Processes).toMatchObject([{ User: 'root' }]);
    pass(10);
    expect((await call('GET', '/service/processes')).Processes.map(({ Id }) => Id)).toEqual([1, 2, 3, 4, 8]);
    pass(60);
    expect((await call('GET', '/service/processes')).Processes).toHaveLength(8);
  });
});
