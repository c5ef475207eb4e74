import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { start } from '../../src/start.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { orders, replicas, requestsTo, times } from '../replicas.ts';

/** All that stands in the database, as text. */
async function everythingIn(url: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    let text = '';
    for (const { name } of rows) text += JSON.stringify((await client.query(`select * from ${name}`)).rows);
    return text;
  } finally {
    await client.end();
  }
}

describe('three replicas', () => {
  test('confirm a card at one that was asked at another', async () => {
    const house = await replicas(3);
    house.at(0);
    await house.type('/appliance rdp disconnect 12');
    house.at(2);
    expect(await house.press('Disconnect')).toContain(
      '✅ Session 12 of bob.miller on srv-files-01 disconnected',
    );
    expect(orders(house)).toHaveLength(1);
  });

  test('use a password at one that a form brought to another, and the database never shows it', async () => {
    const house = await replicas(2, { branches: 1 });
    const { type, person, press, appliance, at, url } = house;
    const dana = person('dana');
    at(0);
    await type('/appliance rdp target create srv-new-01 --set address=10.20.1.44 --on all', 'dana');
    const label = dana.form()?.fields[1]?.label ?? '';
    expect(label).toContain('Password');
    await dana.fill({ [label]: 'hunter2, the Third' });
    await dana.submit();
    const waiting = await everythingIn(url);
    expect(waiting).toContain('srv-new-01');
    expect(waiting).not.toContain('hunter2');
    expect(requestsTo(house, 'targets/create')).toEqual([]);
    at(1);
    await press('Create', 'dana');
    expect([...appliance.state.rdp.targets.values()].map(({ name }) => name)).toContain('srv-new-01');
    expect(await everythingIn(url)).not.toContain('hunter2');
  });

  test('take one of fifty clicks at once, and tell the other forty-nine who was first', async () => {
    const house = await replicas(3);
    await house.type('/appliance rdp disconnect 12');
    await Promise.all(
      Array.from({ length: 50 }, () => house.person('alice').press('helpdesk', 'Disconnect')),
    );
    expect(orders(house)).toHaveLength(1);
    expect(times('already confirmed by you', house.read())).toBe(49);
    const { workspace, connectionOf } = house;
    const clicks = workspace.log.envelopes().filter(({ kind }) => kind === 'interactive');
    expect(new Set(clicks.map(({ connection }) => connection))).toEqual(new Set([0, 1, 2].map(connectionOf)));
  });

  test('run a line once that is typed twice at two of them at once', async () => {
    const house = await replicas(3);
    house.appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 500 });
    await Promise.all(
      [1, 2].map(() => house.hastily('alice').type('helpdesk', '/appliance categorize example.com')),
    );
    await house.idle();
    expect(requestsTo(house, '/categories/query')).toHaveLength(1);
    expect(times('is in 1 category', house.read())).toBe(1);
    expect(times('is already running', house.read())).toBe(1);
  });

  test('show one card for a line that is typed twice at two of them, also where the first waits already', async () => {
    const house = await replicas(2);
    const { at, type, press, hastily, idle, read } = house;
    at(0);
    await type('/appliance rdp disconnect 12');
    at(1);
    expect(await type('/appliance rdp disconnect 12')).toContain(
      'rdp disconnect 12 is already waiting to be confirmed: you typed it at',
    );
    for (const number of [0, 1]) {
      at(number);
      await hastily('alice').type('helpdesk', '/appliance rdp disconnect 14');
    }
    await idle();
    expect(times('[Disconnect]', read())).toBe(2);
    // The first card was canceled, so the new line gets one of its own.
    await press('Cancel');
    await type('/appliance rdp disconnect 14');
    expect(times('[Disconnect]', read())).toBe(2);
  });

  test('do not repeat a delivery that Slack sends to another one again', async () => {
    const house = await replicas(3);
    const { type, at, workspace, idle } = house;
    at(0);
    await type('/appliance categorize example.com');
    at(1);
    await workspace.redeliver(undefined, 'new');
    await idle();
    expect(requestsTo(house, '/categories/query')).toHaveLength(1);
    const taken = workspace.log.envelopes().map(({ connection }) => connection);
    expect(new Set(taken).size, 'it came to another one').toBe(2);
  });

  test('take every line while one of them stops, which has something to finish', async () => {
    const house = await replicas(2);
    const { at, type, hastily, appliance, workspace, bots, stopBot, idle, read } = house;
    at(0);
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500 });
    await hastily('alice').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house)).toHaveLength(1);
    let isOver = false;
    const stopped = stopBot(0).finally(() => {
      isOver = true;
    });
    const names = ['alice', 'bob', 'carol', 'dana', 'vic'];
    const taken: string[] = [];
    let failed = 0;
    // Some while it stops, and some when it is gone.
    for (let typed = 0; !isOver || typed <= 10; typed += 1) {
      const line = `ping line ${typed}`;
      const person = hastily(names[typed % names.length] ?? '');
      if ((await person.type('helpdesk', `/appliance ${line}`)).ok) taken.push(line);
      else failed += 1;
      await sleep(50);
    }
    await stopped;
    // Slack reports a line that was sent to a closing socket as failed to its author.
    expect(failed, 'one for each of its two sockets').toBeLessThanOrEqual(2);
    const recorded = async () => (await bots[1]?.journal.recent(500)) ?? [];
    const missing = async () => {
      const known = new Set((await recorded()).map(({ line }) => line));
      return taken.filter((line) => !known.has(line));
    };
    await expect.poll(missing).toEqual([]);
    await idle();
    const lines = await recorded();
    expect(lines.filter(({ outcome }) => outcome?.code === 'stopping')).toEqual([]);
    const unanswered = workspace.log.envelopes().filter(({ ackedAt }) => ackedAt === undefined);
    expect(unanswered.length).toBeLessThanOrEqual(failed);
    expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    // Alone it has nobody who would take them.
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 1_500 });
    await hastily('alice').type('helpdesk', '/appliance categorize example.com');
    await expect.poll(() => requestsTo(house, '/categories/query')).toHaveLength(1);
    const last = stopBot(1);
    await expect
      .poll(async () => {
        await hastily('bob').type('helpdesk', '/appliance ping');
        return read('bob');
      })
      .toContain('Appliance Bot is restarting');
    await last;
  });

  test('undo once when it is typed at two of them and clicked at the same moment', async () => {
    const house = await replicas(2);
    const { at, type, hastily, idle, appliance } = house;
    at(0);
    await type('/appliance acl object disable google_sni', 'bob');
    const typed = [0, 1].map((number) => {
      at(number);
      return hastily('bob').type('helpdesk', '/appliance undo');
    });
    await Promise.all([...typed, hastily('bob').press('helpdesk', 'Undo')]);
    await idle();
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
    expect(requestsTo(house, '/proxy/acls/object/enable/')).toHaveLength(1);
  });

  test('run one compile for the pending changes that they all see', async () => {
    const over = Promise.withResolvers<void>();
    const house = await replicas(3, {
      // Only the quiet that ends a burst is as long as this.
      world: { sleep: async (milliseconds) => (milliseconds > 3_000 ? over.promise : undefined) },
    });
    const { hastily, bots, pass, idle, read, at } = house;
    at(0);
    await hastily('bob').type('helpdesk', '/appliance acl object disable google_sni');
    at(1);
    await hastily('bob').type('helpdesk', '/appliance acl object disable apple_sni');
    await expect.poll(async () => (await house.bot.journal.pendingApplies('hq')).length).toBe(2);
    await Promise.all(bots.map((bot) => bot.answered()));
    over.resolve();
    await pass(6_000);
    await pass(6_000);
    await idle();
    expect(requestsTo(house, '/proxy/acls/compile')).toHaveLength(1);
    expect(times('Compiled', read('bob'))).toBe(2);
    expect(await house.bot.journal.pendingApplies('hq')).toEqual([]);
  });

  test('send once what Slack did not take at first, though all of them find it', async () => {
    const house = await replicas(3);
    const { type, pass, read, workspace, appliance, at } = house;
    at(0);
    // Slack takes the card, and not what is told below it.
    workspace.faults.next('chat.postMessage', { kind: 'delay', ms: 0 });
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'internal_error' }, 12);
    appliance.faults.set('- /proxy/acls/compile', { kind: 'status', status: 500, times: 1 });
    await type('/appliance acl object disable google_sni', 'bob');
    workspace.faults.clear();
    workspace.faults.next('chat.postMessage', { kind: 'delay', ms: 500 }, 3);
    await pass(60_000);
    await pass(60_000);
    expect(times('Not known to be live', read('bob'))).toBe(1);
  });

  test('remind once of the end of emergency mode, end it once and report once', async () => {
    const house = await replicas(3);
    const { type, press, pass, read } = house;
    const minute = 60_000;
    await type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
    await press('Approve', 'carol');
    await pass(25 * minute);
    expect(times('Emergency mode on hq ends in 5 min', read('bob'))).toBe(1);
    await pass(5 * minute);
    expect(house.appliance.state.directory.emergency).toBe(false);
    await pass(minute);
    expect(requestsTo(house, 'emergency_disable')).toHaveLength(1);
    expect(times('Time  from ', read('bob'))).toBe(1);
  });

  test('send two changes to one appliance one after the other, and the one that waits says so', async () => {
    const house = await replicas(2);
    const { at, type, hastily, read, idle, appliance } = house;
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 4_000, times: 1 });
    at(0);
    await hastily('alice').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house).length).toBe(1);
    at(1);
    await hastily('bob').type('helpdesk', '/appliance rdp disconnect 14');
    await expect.poll(() => read('bob')).toContain('Disconnect session 14');
    await hastily('bob').press('helpdesk', 'Disconnect');
    await expect.poll(() => read('bob')).toContain('Waiting: another change is under way on hq.');
    await idle();
    const [first, second] = orders(house);
    expect(second?.at.getTime()).toBeGreaterThanOrEqual(
      first?.endedAt?.getTime() ?? Number.POSITIVE_INFINITY,
    );
    expect(read('bob')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(read('bob')).toContain('✅ Session 14 of yuki.tanaka on srv-cad-03 disconnected');
  });

  test('announce a changed policy once, and all of them use it', async () => {
    const house = await replicas(3);
    const { bots, data, idle, type, read, at, workspace } = house;
    const file = join(dirname(data), 'appliance-bot.yml');
    const random = workspace.channels.find(({ name }) => name === 'random')?.id ?? '';
    const first = readFileSync(file, 'utf8');
    const save = async (text: string) => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
      for (const bot of bots) bot.reload();
      await idle();
    };
    const told = () => read('dana', workspace.people.find(({ id }) => id === workspace.botUserId)?.name);
    const served = `${first}  ${random}:\n    appliance: hq\n    roles: { viewer: everyone }\n`;
    await save(served);
    expect(await house.bot.journal.reloads()).toHaveLength(1);
    expect(times('A new policy is in force', told())).toBe(1);
    for (const number of [0, 1, 2]) {
      at(number);
      expect(await type('/appliance rdp sessions', 'alice', 'random')).not.toContain('isn’t enabled');
    }
    await save(served.replace('name: helpdesk', 'nmae: helpdesk'));
    expect(times('so it was not loaded', told())).toBe(1);
    await save(served);
    expect(times('The policy file is valid again', told())).toBe(1);
    // The same once more is news again.
    await save(first);
    await save(served);
    expect((await house.bot.journal.reloads()).map(({ outcome }) => outcome)).toEqual([
      ...['taken', 'taken', 'refused', 'taken'],
    ]);
    expect(times('A new policy is in force', told())).toBe(3);
  });
});

describe('a replica that differs from the others', () => {
  const botIn = ({ workspace }: Awaited<ReturnType<typeof replicas>>) =>
    workspace.people.find(({ id }) => id === workspace.botUserId)?.name;

  test.each([
    ['ahead', 120_000],
    ['behind', -120_000],
  ])(
    'with a clock two minutes %s ends emergency mode neither early nor late, and says so',
    async (side, off) => {
      const house = await replicas(2, { clocksAhead: [0, off] });
      const { at, type, press, pass, read, appliance, stopBot } = house;
      const minute = 60_000;
      at(1);
      await type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
      await press('Approve', 'carol');
      expect(read('dana', botIn(house))).toContain(`is 120 seconds ${side}`);
      await pass(29 * minute);
      expect(appliance.state.directory.emergency).toBe(true);
      await pass(minute);
      expect(appliance.state.directory.emergency).toBe(false);
      await pass(minute);
      expect(requestsTo(house, 'emergency_disable')).toHaveLength(1);
      expect(read('bob')).toContain(', 30 min; planned until');
      // Alone, it runs due work by the database's clock.
      await stopBot(0);
      await type('/appliance rdp disconnect 12');
      await pass(4 * minute);
      expect(read()).toContain('[Disconnect]');
      await pass(2 * minute);
      expect(read()).toContain('Nobody confirmed in time');
    },
  );

  test('with another policy file is reported to the admins once, with the difference', async () => {
    const house = await replicas(1);
    const { data, workspace, url, pass, read, bot } = house;
    const file = join(dirname(data), 'appliance-bot.yml');
    const other = join(dirname(data), 'other.yml');
    const random = workspace.channels.find(({ name }) => name === 'random')?.id ?? '';
    const more = `  ${random}:\n    appliance: hq\n    roles: { viewer: everyone }\n`;
    writeFileSync(other, `${readFileSync(file, 'utf8')}${more}`);
    const stranger = await start(
      {
        SLACK_BOT_TOKEN: workspace.botToken,
        SLACK_APP_TOKEN: workspace.appToken,
        SLACK_API_URL: workspace.apiUrl,
        APPLIANCE_BOT_CONFIG: other,
        APPLIANCE_KEY: 'sandbox-web-api-key',
        SHELL_PASSWORD: 'sandbox-shell-password',
        DATABASE_URL: url,
      },
      { log: createLog('silent') },
    );
    onTestFinished(() => stranger.stop());
    const told = () => times('Replicas of the bot decide by different policies', read('dana', botIn(house)));
    await stranger.idle();
    await pass(2_000);
    expect(told()).toBe(0);
    await pass(31_000);
    await pass(31_000);
    expect(told()).toBe(1);
    for (const { replica } of [bot.journal, stranger.journal]) {
      expect(read('dana', botIn(house))).toMatch(new RegExp(`${replica} has [\\da-f]{12}`));
    }
    await stranger.stop();
    await pass(2_000);
    expect(read('dana', botIn(house))).toContain('decide by the same policy again');
  });
});

describe('at another replica than the one before,', () => {
  test('a card is approved by the second of two, and a late change in Slack does not restore the old card', async () => {
    const house = await replicas(2, {
      policy: {
        approvals: [{ commands: [{ phrase: 'rdp disconnect' }], by: ['approver', 'admin'], count: 2 }],
      },
    });
    const { at, type, hastily, read, workspace, idle } = house;
    at(0);
    await type('/appliance rdp disconnect 12', 'bob');
    workspace.faults.next('chat.update', { kind: 'delay', ms: 1_500 });
    await hastily('carol').press('helpdesk', 'Approve');
    await expect
      .poll(async () => {
        const [action] = await house.bot.journal.recent(1);
        return action && (await house.bot.journal.approvalsOf(action.id, action.token ?? '')).length;
      })
      .toBe(1);
    await sleep(200);
    at(1);
    await hastily('dana').press('helpdesk', 'Approve');
    await idle();
    expect(orders(house)).toHaveLength(1);
    expect(read('bob')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(read('bob')).not.toContain('[Approve]');
  });

  test('a form is sent, a page is turned, an Undo is pressed', async () => {
    const house = await replicas(2);
    const { at, type, press, person, read, appliance } = house;
    const dana = person('dana');
    at(0);
    await type('/appliance acl object disable', 'dana');
    await dana.fill({ 'ACL object': 'google_sni' });
    at(1);
    await dana.submit();
    expect(read('dana')).toContain('ACL object google_sni disabled');
    at(0);
    await press('Undo', 'dana');
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
    await type('/appliance category list');
    at(1);
    expect(await press('Next ▶')).toMatch(/Rows \d\d–/);
  });

  test('emergency mode is extended, and ends once at its new end', async () => {
    const house = await replicas(2);
    const { at, type, press, pass, appliance } = house;
    const minute = 60_000;
    at(0);
    await type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
    await press('Approve', 'carol');
    at(1);
    await type('/appliance emergency extend --for 30m --reason "still down"', 'bob');
    await press('Approve', 'carol');
    await pass(31 * minute);
    expect(appliance.state.directory.emergency).toBe(true);
    await pass(30 * minute);
    expect(appliance.state.directory.emergency).toBe(false);
    expect(requestsTo(house, 'emergency_disable')).toHaveLength(1);
  });

  test('an order that outlasts a stop is read back at once', async () => {
    const house = await replicas(2, { world: { timeout: 200 } });
    const { at, type, hastily, read, appliance, stopBot } = house;
    at(0);
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_000 });
    await hastily('alice').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house)).toHaveLength(1);
    await stopBot(0);
    const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
    await expect.poll(() => read()).toContain(told);
    expect(orders(house)).toHaveLength(1);
  });
});
