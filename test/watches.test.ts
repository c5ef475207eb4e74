import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';
import { replicas, requestsTo, times } from './replicas.ts';
import { goBy, morning, port, second } from './watching.ts';

describe('a watch', () => {
  test('posts a change once within a minute, and its end in the same thread with the duration', async () => {
    const house = await converse(morning);
    const { type, read } = house;
    expect(await type('/appliance watch status', 'bob')).toContain(
      'Watching status of hq. Now: ✅ no problems found',
    );
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', read())).toBe(1);
    expect(read()).toContain('Before: ✅ no problems found');
    await goBy(house, 240);
    expect(times('hq status: ❌', read())).toBe(1);
    port(house, true);
    await goBy(house, 60);
    expect(read()).toMatch(/│ {3}hq status: ✅ no problems found\. Recovered after 5 min/);
    expect(read()).toMatch(/✅ hq status recovered after 5 min/);
  });

  test('says nothing about a state that is seen only once', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    const before = house.read();
    const asked = () => requestsTo(house, '/proxy/ports/check').length;
    const soFar = asked();
    port(house, false);
    for (let gone = 0; asked() === soFar && gone < 60; gone += 2) await goBy(house, 2);
    expect(asked()).toBe(soFar + 1);
    port(house, true);
    await goBy(house, 120);
    expect(house.read()).toBe(before);
  });

  test('names an earlier change there, with its Undo', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance acl object disable google_sni', 'bob');
    house.wait(120 * second);
    port(house, false);
    await goBy(house, 60);
    expect(house.read()).toMatch(/Began [23] min after @bob ran acl object disable google_sni\./);
    await house.press('Undo', 'bob');
    expect(house.appliance.state.acl.objects.get(3)?.enabled).toBe(true);
  });

  test('names nobody without such a change', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await goBy(house, 60);
    expect(house.read()).not.toContain('Began');
  });

  test('says once that a state keeps changing, and goes on when it has been steady', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    for (let change = 0; change < 8; change += 1) {
      port(house, change % 2 === 1);
      await goBy(house, 60);
    }
    const said = house.read();
    expect(times('keeps changing: 4 times', said)).toBe(1);
    expect(times('hq status: ❌', said)).toBe(1);
    await goBy(house, 16 * 60);
    expect(times('is steady again since', house.read())).toBe(1);
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read())).toBe(1);
  });

  test('reports an unreachable appliance as that, and not as better or worse', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch directory', 'bob');
    await house.appliance.close();
    await goBy(house, 120);
    expect(house.read()).toMatch(/hq directory: ⚠️ .*ould not be asked/);
    expect(house.read()).not.toContain('❌');
  });

  test('posts nothing in quiet hours, and at their end the present and past faults', async () => {
    const night = await converse({ from: Date.UTC(2026, 9, 7, 21, 58), policy: { time_zone: 'UTC' } });
    await night.type('/appliance watch status --quiet 22:00-22:30', 'bob');
    const before = night.read();
    await goBy(night, 180);
    port(night, false);
    await goBy(night, 120);
    port(night, true);
    await goBy(night, 120);
    expect(night.read()).toBe(before);
    await goBy(night, 26 * 60);
    expect(times('hq status in the quiet hours: ❌', night.read())).toBe(1);
  });

  test('ends when its owner loses the right, and says so', async () => {
    const roles = { operator: ['S0OPERATOR'], admin: ['U0DANA0001'] };
    const channels = { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } };
    const house = await converse({ ...morning, policy: { channels } });
    await house.type('/appliance watch status', 'bob');
    await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
    await goBy(house, 60);
    expect(times('Stopped watching status of hq', house.read())).toBe(1);
    expect(await house.type('/appliance watches', 'dana')).toContain('Nothing is watched or scheduled');
  });

  test('survives a restart, and then reports what it missed', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await house.restart();
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read())).toBe(1);
  });

  test('is checked by one replica at a time, and reported once', async () => {
    const house = await replicas(2, morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read())).toBe(1);
    const looks = requestsTo(house, '/proxy/ports/check').length;
    expect(looks).toBeLessThan(6);
  });

  test('on denied logons posts the new ones', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch rdp denied', 'bob');
    await goBy(house, 60);
    const before = house.read();
    expect(before).not.toContain('denied\n');
    house.appliance.state.rdp.events.push({
      ...{
        at: new Date(Date.UTC(2026, 9, 7, 9, 1)),
        user: 'mallory',
        target: 'srv-hr-01',
        client_ip: '10.9.9.9',
      },
      ...{ reason: 'bad_password', detail: '' },
    } as never);
    await goBy(house, 60);
    expect(times('1 logon denied', house.read())).toBe(1);
    expect(house.read()).toContain('mallory');
  });

  test('on the disk uses the limit that was named', async () => {
    const house = await converse(morning);
    expect(await house.type('/appliance watch disk > 10%', 'bob')).toMatch(
      /Watching disk of hq\. Now: ❌ the disk is \d+.*% full, over 10 %/,
    );
    expect(await house.type('/appliance watches', 'bob')).toContain('disk > 10 %');
  });

  test('is not set up twice, and stops when anybody there wants it', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    expect(await house.type('/appliance watch status', 'alice')).toContain('Already watching status of hq');
    await house.type('/appliance unwatch status', 'alice');
    expect(await house.press('Stop status on hq', 'alice')).toContain('Stopped: status of hq');
    const before = house.read();
    port(house, false);
    await goBy(house, 60);
    expect(house.read()).toBe(before);
  });
});

describe('a schedule', () => {
  test('runs its line at its time in the policy’s time zone, once, with the rights of its owner', async () => {
    const house = await converse({
      from: Date.UTC(2026, 9, 7, 5, 58),
      policy: { time_zone: 'Europe/Berlin' },
    });
    expect(await house.type('/appliance schedule status every weekday at 8:00', 'bob')).toContain(
      'Scheduled: status every weekday at 08:00 (Europe/Berlin)',
    );
    await goBy(house, 180);
    expect(times('/appliance status', house.read())).toBe(1);
    house.wait(24 * 60 * 60 * second);
    await goBy(house, 10);
    expect(times('/appliance status', house.read())).toBe(2);
  });

  test('ends, and says so, when its owner loses the right', async () => {
    const roles = { operator: ['S0OPERATOR'], admin: ['S0ADMINS01'] };
    const channels = { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } };
    const house = await converse({ from: Date.UTC(2026, 9, 7, 7, 58), policy: { channels } });
    await house.type('/appliance schedule rdp sessions daily at 8:00', 'bob');
    await house.workspace.changeUserGroup('S0OPERATOR', { users: [] });
    await goBy(house, 180);
    const said = house.read('dana');
    expect(said).toMatch(
      /rdp sessions is not scheduled any more: @bob may not run it here: rdp sessions requires the operator or admin role in #helpdesk, and they have no role here/,
    );
    expect(await house.type('/appliance watches', 'dana')).toContain('Nothing is watched or scheduled');
    house.wait(24 * 60 * 60 * second);
    await goBy(house, 10);
    expect(times('is not scheduled any more', house.read('dana'))).toBe(1);
  });

  test('is understood in everyday words, and takes no change', async () => {
    const house = await converse(morning);
    expect(await house.type('/appliance status every weekday at 8:00', 'bob')).toContain(
      'Scheduled: status every weekday at 08:00',
    );
    expect(await house.type('/appliance schedule acl object disable 3 daily at 8:00', 'bob')).toContain(
      'is no lookup',
    );
    expect(await house.type('/appliance schedule status', 'bob')).toContain(
      'status has no time at which it can be scheduled',
    );
  });
});
