import { describe, expect, test } from 'vitest';
import { sandboxRoles } from '../../sandbox/sandbox.ts';
import { type Conversation, converse } from '../conversation.ts';
import { requestsTo, times } from '../replicas.ts';
import { goBy, morning, port, second } from '../watching.ts';

const minute = 60 * second;
const served = { appliance: 'hq', appliances: 'all', roles: sandboxRoles };

/** A channel of one's own, one with another organisation, and one that not everybody reads. */
const three = {
  ...morning,
  workspace: {
    channels: [
      { id: 'C0HELPDESK', name: 'helpdesk' },
      { id: 'C0PARTNERS', name: 'partners', isExtShared: true },
      { id: 'C0PRIVATE1', name: 'vault', isPrivate: true, members: ['U0BOB00001', 'U0DANA0001'] },
    ],
  },
  policy: {
    channels: {
      C0HELPDESK: { name: 'helpdesk', ...served },
      C0PARTNERS: { name: 'partners', ...served },
      C0PRIVATE1: { name: 'vault', ...served },
    },
  },
};

const idOf = ({ workspace }: Pick<Conversation, 'workspace'>, name: string) =>
  workspace.people.find((one) => one.name === name)?.id ?? '';
/** The number of new messages in the channels. */
const saidIn = ({ workspace }: Pick<Conversation, 'workspace'>) =>
  workspace.log.calls('chat.postMessage').map(({ args }) => String(args.text));

describe('the earlier change that a watch names', () => {
  const secret = 'acl object disable google_sni --reason "fired: J. Doe"';

  test('is reported from a private channel to others only as a change elsewhere', async () => {
    const house = await converse(three);
    await house.type('/appliance watch status', 'vic');
    await house.type(`/appliance ${secret}`, 'dana', 'vault');
    house.wait(minute);
    port(house, false);
    await goBy(house, 60);
    const said = house.read('vic');
    expect(said).toContain('hq status: ❌');
    expect(said).toMatch(/A change was made from another channel \d min before\./);
    expect(said).not.toMatch(/fired|dana|\[Undo\]/);
  });

  test('is left out when people of another organisation read along', async () => {
    const house = await converse(three);
    await house.type('/appliance watch status', 'vic', 'partners');
    await house.type(`/appliance ${secret}`, 'dana', 'vault');
    house.wait(minute);
    port(house, false);
    await goBy(house, 60);
    const said = house.read('eve', 'partners');
    expect(said).toContain('hq status: ❌');
    expect(said).not.toMatch(/fired|dana|another channel|\[Undo\]/);
  });

  test('is left out where the owner may not read about it', async () => {
    const roles = { ...sandboxRoles, guard: 'everyone', viewer: ['S0ADMINS01'] };
    const channels = { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } };
    const policy = {
      channels,
      roles: { guard: { summary: 'watches', commands: [{ phrase: 'watch status' }, { phrase: 'status' }] } },
    };
    const house = await converse({ ...morning, policy });
    await house.type('/appliance watch status', 'vic');
    await house.type(`/appliance ${secret}`, 'dana');
    house.wait(minute);
    port(house, false);
    await goBy(house, 60);
    expect(house.read('vic')).toContain('hq status: ❌');
    expect(house.read('vic')).not.toContain('Began');
  });

  test('has an Undo until it is used or expires, and not longer', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance acl object disable google_sni', 'bob');
    await house.type('/appliance watch directory', 'bob');
    house.wait(minute);
    port(house, false);
    await goBy(house, 60);
    const post = () => house.read('bob').split('hq status: ❌')[1] ?? '';
    expect(post()).toContain('[Undo]');
    await goBy(house, 10 * 60);
    expect(post()).toContain('Began');
    expect(post()).not.toContain('[Undo]');
  });

  test('is reported as undone where it was, and its undo is neither blamed nor offered for undo', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance acl object disable google_sni', 'bob');
    await house.press('Undo', 'bob');
    house.wait(minute);
    port(house, false);
    await goBy(house, 60);
    const post = house.read('bob').split('hq status: ❌')[1] ?? '';
    expect(post).toMatch(/after @bob ran acl object disable google_sni, which was undone 09:00\./);
    expect(post).not.toMatch(/acl object enable|\[Undo\]/);
  });
});

describe('states that change together', () => {
  test('on one appliance under six watches make one message', async () => {
    const house = await converse(morning);
    for (const what of ['rdp denied', 'status', 'directory', 'mirror', 'disk', 'updates'])
      await house.type(`/appliance watch ${what}`, 'bob');
    const before = saidIn(house).length;
    await house.appliance.close();
    await goBy(house, 120);
    expect(saidIn(house).slice(before)).toHaveLength(1);
    expect(house.read('bob')).toMatch(
      /hq rdp denied, status, directory, mirror, disk and updates: ⚠️ could not be asked: no connection/,
    );
  });

  test('on many appliances make a few messages with a line for each, and so does their end', async () => {
    const house = await converse({ ...morning, branches: 20 });
    await house.type('/appliance watch directory --on all', 'dana');
    const breakAll = (broken: string | undefined) => {
      for (const { state } of [house.appliance, ...house.branches.values()]) {
        if (state.directory.connection !== undefined) Object.assign(state.directory.connection, { broken });
      }
    };
    const before = saidIn(house).length;
    breakAll('NT_STATUS_NO_LOGON_SERVERS');
    await goBy(house, 66);
    const broken = saidIn(house).slice(before);
    expect(broken.length).toBeLessThan(10);
    expect(times(' directory: ❌', house.read('dana'))).toBe(21);
    breakAll(undefined);
    await goBy(house, 80);
    expect(saidIn(house).length - before - broken.length).toBeLessThan(15);
    const said = house.read('dana');
    expect(said).toMatch(/✅ \d+ appliances changed and recovered/);
    expect(said).not.toContain(
      'directory: ❌ The directory connection is broken: NT_STATUS_NO_LOGON_SERVERS (',
    );
  });
});

describe('a watch whose post Slack refuses', () => {
  test.each([
    'thread_not_found',
    'message_not_found',
    'restricted_action_thread_locked',
    'invalid_blocks',
    'msg_too_long',
  ])('finds another way, and goes on: %s', async (error) => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await goBy(house, 60);
    house.workspace.faults.next('chat.postMessage', { kind: 'error', error }, 1);
    port(house, true);
    await goBy(house, 60);
    const said = house.read('bob');
    expect(times('Recovered after 1 min', said)).toBe(1);
    expect(said).not.toContain('Stopped watching');
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read('bob'))).toBe(1);
  });

  test('is paused while the channel takes nothing, tells its owner, and tells it when the channel works again', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance watch disk', 'bob');
    port(house, false);
    house.workspace.faults.next('chat.postMessage', { kind: 'error', error: 'is_archived' }, 1);
    await goBy(house, 120);
    expect(house.read('bob')).not.toContain('hq status');
    expect(times('are paused', house.read('bob', 'appliance-bot'))).toBe(1);
    await goBy(house, 5 * 60);
    expect(times('hq status: ❌', house.read('bob'))).toBe(1);
    expect(house.read('bob')).not.toContain('Stopped watching');
  });

  test('is not stopped for good while the channel is archived, and goes on afterwards', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.workspace.changeChannel('C0HELPDESK', { isArchived: true });
    port(house, false);
    await goBy(house, 7 * 60);
    await house.workspace.changeChannel('C0HELPDESK', { isArchived: false });
    await goBy(house, 6 * 60);
    expect(times('hq status: ❌', house.read('bob'))).toBe(1);
    expect(times('are paused', house.read('bob', 'appliance-bot'))).toBe(1);
  });
});

describe('a watch for denied logons', () => {
  const deny = ({ appliance }: Conversation, count: number, from = morning.from) => {
    for (let index = 0; index < count; index += 1) {
      appliance.state.rdp.events.push({
        ...{ at: new Date(from + index * second), user: `mallory${index}` },
        ...{ target: 'srv-hr-01', client_ip: '10.9.9.9', reason: 'bad_password', detail: '' },
      } as never);
    }
  };

  test('says when it cannot read them any more, and reports the missed ones when it can', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch rdp denied', 'bob');
    house.appliance.faults.set('GET /rdpproxy/events' as never, { kind: 'status', status: 500 } as never);
    await goBy(house, 60);
    expect(times('hq rdp denied: ⚠️ could not be asked', house.read('bob'))).toBe(1);
    expect(await house.type('/appliance watches', 'bob')).toMatch(/rdp denied +hq +⚠️ could not be asked/);
    deny(house, 2);
    house.appliance.faults.clear();
    await goBy(house, 60);
    expect(house.read('bob')).toContain('hq rdp denied: ✅ can be asked. Recovered after');
    expect(times('2 logons denied', house.read('bob'))).toBe(1);
  });

  test('counts hundreds of one interval, and says where the appliance may have had more', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch rdp denied', 'bob');
    deny(house, 300);
    await goBy(house, 60);
    expect(house.read('bob')).toContain('hq: 300 logons denied');
    expect(house.read('bob')).toContain('… and 280 earlier ones.');
    deny(house, 700, morning.from + 60 * minute);
    await goBy(house, 60);
    expect(house.read('bob')).toContain('hq: at least 500 logons denied');
    expect(house.read('bob')).toContain('… and at least 480 earlier ones.');
  });
});

describe('the state in posts and lists', () => {
  test('is true as of the last look when another port is silent than before', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await goBy(house, 60);
    const before = house.read('bob').length;
    port(house, true);
    port(house, false, 1);
    await goBy(house, 60);
    const [, other = ''] = /Not listening: (\d+)\n/.exec(house.read('bob').slice(before)) ?? [];
    expect(other).not.toBe('3128');
    expect(await house.type('/appliance watches', 'bob')).toContain(`Not listening: ${other}, since`);
  });

  test('names other things that can no longer be asked', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    const fail = (operation: string) =>
      house.appliance.faults.set(operation as never, { kind: 'status', status: 500 } as never);
    fail('- /dnsfw/status');
    await goBy(house, 60);
    expect(house.read('bob')).toContain('hq status: ⚠️ Could not be asked: DNS firewall');
    fail('- /system/services');
    await goBy(house, 60);
    expect(house.read('bob')).toContain('hq status: ⚠️ Could not be asked: Services and DNS firewall');
  });

  test('has the decimal that makes it true', async () => {
    const house = await converse(morning);
    expect(await house.type('/appliance watch disk > 64%', 'bob')).toMatch(
      /the disk is 64\.\d% full, over 64 %/,
    );
  });

  test('is a fault when the fault differs at every look', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    const asked = () => requestsTo(house, '/proxy/ports/check').length;
    const { connection } = house.appliance.state.directory;
    if (connection === undefined) throw new Error('The appliance has a directory');
    port(house, false);
    for (let gone = 0, soFar = asked(); gone < 90; gone += 2) {
      await goBy(house, 2);
      if (asked() === soFar) continue;
      soFar = asked();
      const broken = connection.broken === undefined ? 'NT_STATUS_NO_LOGON_SERVERS' : undefined;
      Object.assign(connection, { broken });
    }
    expect(times('hq status: ❌', house.read('bob'))).toBeGreaterThan(0);
  });
});

describe('the rights of an owner', () => {
  test('end with their membership: the channel reads it, and neither a watch nor a schedule goes on', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance schedule rdp sessions daily at 9:10', 'bob');
    const bob = idOf(house, 'bob');
    await house.workspace.act({ act: 'remove', as: bob, channel: 'C0HELPDESK', user: bob });
    await goBy(house, 11 * 60);
    const said = house.read('alice');
    expect(said).toContain('Stopped watching status of hq: @bob isn’t in this channel any more');
    expect(said).toContain('rdp sessions is not scheduled any more: @bob isn’t in this channel any more');
    expect(said).not.toContain('remote-desktop sessions open');
  });

  test('are reported in the third person when they are gone with the account', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.workspace.changePerson(idOf(house, 'bob'), { deleted: true });
    await goBy(house, 6 * 60);
    const said = house.read('alice');
    expect(said).toMatch(
      /Stopped watching status of hq: .* may not run it here: their account is deactivated/,
    );
    expect(said).not.toContain('Your account');
  });

  test('end with the hour from which on others must approve', async () => {
    const rule = { commands: [{ phrase: 'watch status' }], by: 'approver', not_needed: ['09:00-09:05'] };
    const policy = { time_zone: 'UTC', approvals: [rule] };
    const house = await converse({ ...morning, policy: policy as never });
    expect(await house.type('/appliance watch status', 'bob')).toContain('Watching status of hq');
    await goBy(house, 4 * 60);
    expect(house.read('alice')).not.toContain('Stopped watching');
    await goBy(house, 2 * 60);
    expect(house.read('alice')).toContain(
      'Stopped watching status of hq: it needs an approval now, and nobody has given one',
    );
  });

  test('go on where others have approved it', async () => {
    const rule = { commands: [{ phrase: 'watch status' }], by: 'approver' };
    const house = await converse({ ...morning, policy: { approvals: [rule] } as never });
    await house.type('/appliance watch status', 'bob');
    await house.press('Approve', 'carol');
    port(house, false);
    await goBy(house, 60);
    expect(house.read('alice')).toContain('hq status: ❌');
  });

  test('show nothing in a channel that another organisation reads by now, and the owner is told', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    await house.type('/appliance schedule rdp sessions daily at 9:03', 'bob');
    await house.workspace.changeChannel('C0HELPDESK', { isExtShared: true });
    const before = house.read('eve');
    port(house, false);
    await goBy(house, 5 * 60);
    expect(house.read('eve')).toBe(before);
    const told = house.read('bob', 'appliance-bot');
    expect(told).toContain('Stopped watching status of hq: the channel is shared with another organization');
    expect(told).toContain('rdp sessions is not scheduled any more: the channel is shared');
  });

  test('are enough in a channel that was shared when the watch began', async () => {
    const house = await converse(three);
    await house.type('/appliance watch status', 'vic', 'partners');
    port(house, false);
    await goBy(house, 60);
    expect(house.read('vic', 'partners')).toContain('hq status: ❌');
  });
});
