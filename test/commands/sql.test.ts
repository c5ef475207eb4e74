import { describe, expect, test } from 'vitest';
import { answers, answersAfter } from '../after-order.ts';
import { converse } from '../conversation.ts';

const password = 'correct horse battery';

describe('looking', () => {
  test('shows the server’s activity, its users, and its databases', async () => {
    const { type } = await converse();
    expect(await type('/appliance sql processes', 'vic')).toContain('8 connections to the SQL server');
    const users = await type('/appliance sql users', 'vic');
    expect(users).toContain('10 SQL users on hq');
    expect(users).toMatch(/root +localhost +all 28/);
    expect(users).toMatch(/replica +10\.20\.1\.% +Repl slave and Repl client/);
    expect(await type('/appliance sql databases', 'vic')).toMatch(/statistics +388 +7\.5 GB/);
    const one = await type('/appliance sql user reports', 'vic');
    expect(one).toContain('SQL user reports@% has 3 privileges on everything');
    expect(one).toContain('Has  Select, Show db, Show view');
    expect(one).toContain('Databases  statistics');
  });

  test('a name of several users is a choice, each with its host', async () => {
    const { type, press } = await converse();
    const said = await type('/appliance sql user root', 'vic');
    expect(said).toContain('which SQL user root do you mean?');
    expect(await press('root (root@127.0.0.1), from 127.0.0.1', 'vic')).toContain(
      'SQL user root@127.0.0.1 has all 28',
    );
  });

  test('a statement with a mention mentions nobody', async () => {
    const { type, appliance, workspace } = await converse();
    const [client] = appliance.state.sqldb.clients;
    Object.assign(client ?? {}, { statement: 'SELECT "<!channel> *x*"', every: 10, takes: 10 });
    expect(await type('/appliance sql processes', 'vic')).toContain('SELECT "<!channel> *x*"');
    const sent = workspace.log.calls();
    expect(sent.filter(({ ok }) => !ok)).toEqual([]);
    for (const { args } of sent) expect(String(args.text)).not.toContain('<!channel>');
    expect(JSON.stringify(sent)).not.toContain('"type":"mrkdwn","text":"SELECT');
  });
});

describe('a database', () => {
  test('is created at once and read back; deleting it shows its content and asks', async () => {
    const { type, press, appliance } = await converse();
    const { databases } = appliance.state.sqldb;
    const made = await type('/appliance sql database create crm', 'bob');
    expect(made).toContain('Database crm created');
    expect(made).toContain('Databases read back: crm is there.');
    expect(databases.has('crm')).toBe(true);
    expect(await type('/appliance create sql database crm', 'bob')).toContain(
      'Database crm already exists on hq',
    );
    const card = await type('/appliance sql database delete statistics', 'bob');
    expect(card).toContain('Delete database statistics and everything in it (388 tables, 7.5 GB)?');
    expect(card).toContain('Connected now  statistics, reports');
    expect(databases.has('statistics')).toBe(true);
    expect(await press('Delete', 'bob')).toContain('statistics is gone, 9 others left');
    expect(databases.has('statistics')).toBe(false);
  });

  test('is never deleted when it belongs to the server itself', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance sql database delete mysql', 'dana')).toContain(
      'It cannot be deleted here. No changes were made.',
    );
    expect(appliance.requests.filter(({ path }) => path.includes('/delete/'))).toEqual([]);
  });

  test('gets the nearest names when it does not exist, and a plain sentence when the name is impossible', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance sql database delete statistic', 'bob')).toContain('[statistics');
    for (const name of ['a/b', 'x'.repeat(65), '"two words"', '../mysql']) {
      expect(await type(`/appliance sql database create ${name}`, 'bob')).toContain(
        'a name of at most 64 letters, digits and _ - $',
      );
    }
    expect(appliance.requests.filter(({ path }) => path.includes('/create/'))).toEqual([]);
  });

  test('is granted with Undo and revoked with a question, and the privileges are read back', async () => {
    const { type, press, appliance } = await converse();
    const grants = () => appliance.state.sqldb.users.find(({ user }) => user === 'backup')?.databases;
    expect(await type('/appliance sql database grant quotas to backup', 'bob')).toContain(
      'they now list quotas',
    );
    expect(grants()?.has('quotas')).toBe(true);
    await press('Undo', 'bob');
    expect(grants()?.has('quotas')).toBe(false);
    const card = await type('/appliance sql database revoke statistics from reports', 'bob');
    expect(card).toContain('Has privileges now  yes');
    expect(card).toContain('Connected now  1 connection');
    expect(card).toContain('the API does not document which privileges this changes');
    expect(await press('Revoke', 'bob')).toContain('they now do not list statistics');
  });

  test('an appliance that says yes and does nothing is not believed', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set('- /sqldb/database/create/{database}', { kind: 'forget' });
    appliance.faults.set('POST /sqldb/database/delete/{database}', { kind: 'forget' });
    appliance.faults.set('- /sqldb/database/grant/{database}/{username}/{host}', { kind: 'forget' });
    expect(await type('/appliance sql database create crm', 'bob')).toContain(
      'Creating database crm: accepted, never seen',
    );
    await type('/appliance sql database delete quotas', 'bob');
    expect(await press('Delete', 'bob')).toContain('quotas is still among them');
    expect(await type('/appliance sql database grant quotas to reports', 'bob')).toContain(
      'they do not list quotas',
    );
  });
});

describe('a user', () => {
  test('is created with a password that only the form takes, and that nobody sees again', async () => {
    const { type, person, appliance, read, workspace, bot } = await converse();
    expect(await type(`/appliance sql user create crm --password ${password}`, 'bob')).toContain(
      'That line contains a password, so it was not run and not stored.',
    );
    const bob = person('bob');
    await type('/appliance sql user create crm --host 10.20.1.%', 'bob');
    expect(bob.form()).toMatchObject({
      title: 'SQL user create',
      text: expect.stringContaining('the API cannot delete users'),
      submit: 'Create',
    });
    await bob.fill({ 'Password of the new user': password });
    expect(await bob.submit()).toEqual({ ok: true });
    expect(read('bob')).toContain('SQL user crm@10.20.1.% created');
    expect(read('bob')).toContain('with these privileges on everything: none');
    expect(appliance.state.sqldb.users.at(-1)).toMatchObject({ user: 'crm', host: '10.20.1.%', password });
    const kept = JSON.stringify([await bot.journal.recent(10), workspace.log.calls()]);
    expect(kept).not.toContain(password);
  });

  test('comes from the appliance itself without a host, and is not made twice', async () => {
    const { type, person, appliance, read } = await converse();
    const bob = person('bob');
    for (let time = 0; time < 2; time += 1) {
      await type('/appliance sql user create crm', 'bob');
      await bob.fill({ 'Password of the new user': password });
      await bob.submit();
    }
    expect(appliance.state.sqldb.users.filter(({ user }) => user === 'crm')).toMatchObject([
      { host: 'localhost' },
    ]);
    expect(read('bob')).toContain('SQL user crm@localhost already exists on hq. No changes were made.');
  });

  test('is granted and revoked what the appliance decides, and the answer names it', async () => {
    const { type, press, appliance } = await converse();
    const of = (name: string) =>
      appliance.state.sqldb.users.find(({ user }) => user === name)?.privileges.size;
    expect(await type('/appliance sql user grant proxy', 'bob')).toContain(
      'proxy@localhost has 27 more privileges on everything than before, now all 28 but Grant',
    );
    await press('Undo', 'bob');
    expect(of('proxy')).toBe(0);
    const card = await type('/appliance sql user revoke reports', 'bob');
    expect(card).toContain('Has now  Select, Show db and Show view');
    expect(await press('Revoke', 'bob')).toContain(
      'has 3 fewer privileges on everything than before, now none',
    );
    // The user had all privileges before, so their presence proves nothing.
    expect(await type('/appliance sql user grant root@localhost', 'bob')).toContain('Accepted, not verified');
  });

  test('gets the undocumented order only from an admin, with a warning about the unknown effect', async () => {
    const { type, press } = await converse();
    expect(await type('/appliance sql user post backup', 'bob')).toContain(
      'sql user post requires the admin role',
    );
    expect(await type('/appliance sql user post backup', 'dana')).toContain(
      'create, change, delete or only show something',
    );
    expect(await press('Send', 'dana')).toContain('Accepted, not verified: its effect is undocumented');
  });
});

describe('restarting the server', () => {
  test('shows which connections break, and proves it by their numbers', async () => {
    const { type, press, appliance } = await converse();
    const card = await type('/appliance sql restart', 'bob');
    expect(card).toContain('Restart the SQL server of hq? Running statements are aborted.');
    expect(card).toContain('Impact  8 connections');
    expect(card).toContain('Connections of  webconsole, proxy');
    expect(await press('Restart', 'bob')).toContain('connection IDs started over');
    expect(appliance.state.sqldb.server.firstConnection).toBe(1);
  });

  test('works when the server does not report its activity, and a restart without effect is found out', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set('- /sqldb/service/processes', { kind: 'status', status: 500, times: 3 });
    expect(await type('/appliance sql restart', 'bob')).toContain('Impact  could not be read');
    expect(await press('Restart', 'bob')).toContain('SQL server restarted (accepted, not verified)');
    appliance.faults.clear();
    appliance.faults.set('- /sqldb/service/restart', { kind: 'forget' });
    await type('/appliance sql restart', 'bob');
    expect(await press('Restart', 'bob')).toContain('so the server did not restart');
  });
});

describe('an appliance in the field:', () => {
  const settings = { methods: { 'sqldb.deleteDatabase': 'GET', 'sqldb.postUser': 'GET' } };
  const field = async () => converse({ generation: 'field-v1', settings });
  const privilegesOf = '- /sqldb/user/{username}/{host}/privileges';

  test('reports privileges on a database as those, and never as privileges on everything', async () => {
    const { type, appliance } = await field();
    const told = await type('/appliance sql user reports', 'vic');
    expect(told).toContain('SQL user reports@% has privileges on 1 database');
    expect(told).toMatch(/statistics +all 28 but Grant/);
    expect(told).not.toMatch(/all \d+ privileges on everything|privileges on everything\n/);
    expect(told).toContain('/appliance sql users lists privileges on everything');
    answers(appliance, privilegesOf, { Status: true, Databases: [] });
    expect(await type('/appliance sql user reports', 'vic')).toContain(
      'has no privileges on a single database',
    );
  });

  test('does not grant a database that it names without a single privilege', async () => {
    const { type, press, appliance } = await field();
    const none = { DatabaseName: 'statistics', Select_priv: 'N', Insert_priv: 'N' };
    await type('/appliance sql database revoke statistics from reports', 'bob');
    answersAfter(appliance, '- /sqldb/database/revoke/{database}/{username}/{host}', privilegesOf, {
      Status: true,
      Databases: [none],
    });
    expect(await press('Revoke', 'bob')).toContain('they now do not list statistics');
    expect(await type('/appliance sql user reports', 'vic')).toContain(
      'SQL user reports@% has no privileges on a single database',
    );
  });

  test('lists databases with their size, which is in bytes', async () => {
    const { type } = await field();
    expect(await type('/appliance sql databases', 'vic')).toMatch(/statistics +7\.5 GB/);
  });

  test.each([
    ['null', { Status: true, Databases: null }],
    ['an empty list', { Status: true, Databases: [] }],
    ['nothing', {}],
    ['a refusal', { status: false, info: 'Process crashed! size:0 bytes' }],
  ])('does not prove by %s that a database is gone, or that there is none', async (_, body) => {
    const { type, press, appliance } = await field();
    await type('/appliance sql database delete statistics', 'bob');
    answersAfter(appliance, 'POST /sqldb/database/delete/{database}', '- /sqldb/databases', body);
    const told = await press('Delete', 'bob');
    expect(told).not.toContain('is gone');
    expect(told).toContain('Couldn’t read back whether it happened');
    expect(await type('/appliance sql databases', 'vic')).not.toContain('has no databases');
  });

  test('does not deny privileges by an empty reply', async () => {
    const { type, press, appliance } = await field();
    await type('/appliance sql database revoke statistics from reports', 'bob');
    answersAfter(appliance, '- /sqldb/database/revoke/{database}/{username}/{host}', privilegesOf, {
      Databases: null,
    });
    expect(await press('Revoke', 'bob')).toContain('do not list databases');
  });

  test('deletes a database by its own method, once that is set', async () => {
    const { type, press, appliance } = await field();
    await type('/appliance sql database delete statistics', 'bob');
    expect(await press('Delete', 'bob')).toContain('statistics is gone, 8 others left');
    expect(appliance.state.sqldb.databases.has('statistics')).toBe(false);
  });

  test('refuses another method, and the sentence says what to set', async () => {
    const { type, press, appliance } = await converse({ generation: 'field-v1' });
    await type('/appliance sql database delete statistics', 'bob');
    expect(await press('Delete', 'bob')).toContain(
      'hq requires another HTTP method for this call (HTTP 405). Set the method of sqldb.deleteDatabase under methods in the bot’s configuration. No changes were made',
    );
    expect(appliance.state.sqldb.databases.has('statistics')).toBe(true);
  });

  test('reports one account with its privileges where the document shows an order', async () => {
    const { type, press } = await field();
    await type('/appliance sql user post reports', 'dana');
    const told = await press('Send', 'dana');
    expect(told).toContain('Has  Select, Show db, Show view');
  });
});
