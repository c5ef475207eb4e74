import { describe, expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';
import { times } from './replicas.ts';
import { goBy, morning, port, second } from './watching.ts';

const minute = 60 * second;

/** The watches and schedules of the journal: "status of hq", or the line of a schedule. */
async function left({ bot }: Conversation): Promise<readonly string[]> {
  const rows = await bot.journal.watches();
  return rows.map(({ kind, subject, appliances }) =>
    kind === 'watch' ? `${subject.replace(/^watch | \[.*/g, '')} of ${appliances.join()}` : subject,
  );
}

/** The new messages after this step. */
async function said(house: Conversation, does: () => Promise<unknown>, by = 'bob'): Promise<string> {
  const before = house.read(by);
  await does();
  return house.read(by).slice(before.length);
}

const twoWatches = async (): Promise<Conversation> => {
  const house = await converse({ ...morning, branches: 1 });
  await house.type('/appliance watch status', 'bob');
  await house.type('/appliance watch status --on branch-2', 'bob');
  return house;
};

describe('stopping a watch', () => {
  test('by a button stops the one beside it: on the answer, in the list, and on a post', async () => {
    const answer = await twoWatches();
    await answer.press('Stop watching', 'bob');
    expect(await left(answer)).toEqual(['status of hq']);

    const list = await twoWatches();
    await list.type('/appliance watches', 'bob');
    await list.press('Stop status on branch-2', 'bob');
    expect(await left(list)).toEqual(['status of hq']);

    const post = await twoWatches();
    port(post, false);
    await goBy(post, 60);
    await post.press('Stop watching', 'bob');
    expect(await left(post)).toEqual(['status of branch-2']);
  });

  test.each(['--on branch-2', 'on branch-2'])('by a line with `%s` stops that one alone', async (where) => {
    const house = await twoWatches();
    const named = await house.type(`/appliance unwatch status ${where}`, 'bob');
    expect(named).toContain('Stop status of branch-2, set by @bob? Nothing was stopped so far.');
    expect(await left(house)).toHaveLength(2);
    await house.press('Stop status on branch-2', 'bob');
    expect(await left(house)).toEqual(['status of hq']);
  });

  test('by a line that may mean several asks which, and stops the one that is pressed', async () => {
    const house = await twoWatches();
    await house.type('/appliance schedule status daily at 17:00', 'dana');
    expect(await house.type('/appliance unwatch status', 'bob')).toContain(
      'Which one? Nothing was stopped so far.',
    );
    expect(await left(house)).toEqual(['status of hq', 'status of branch-2', 'status']);
    await house.press('Stop status every day at 17:00', 'bob');
    expect(await left(house)).toEqual(['status of hq', 'status of branch-2']);
  });

  test('by `--on all` stops all of that name, and leaves a schedule of that name', async () => {
    const house = await twoWatches();
    await house.type('/appliance watch mirror', 'bob');
    await house.type('/appliance unwatch status --on all', 'bob');
    await house.press('Stop all 2', 'bob');
    expect(await left(house)).toEqual(['mirror of hq']);
  });

  test('accepts every name that sets it up or that the list shows', async () => {
    const house = await converse(morning);
    for (const line of ['disk > 85%', 'disk > 85 %', 'disk', 'the disk', 'disk on hq', 'disk above 85']) {
      await house.type('/appliance watch disk > 85%', 'bob');
      await house.type(`/appliance unwatch ${line}`, 'bob');
      await house.press('Stop disk on hq', 'bob');
      expect({ line, left: await left(house) }).toEqual({ line, left: [] });
    }
    for (const line of ['categorize the example.com', 'categorize example.com daily at 9:05']) {
      await house.type('/appliance schedule categorize the example.com daily at 9:05', 'bob');
      await house.type(`/appliance unwatch ${line}`, 'bob');
      await house.press('Stop categorize example.com every day at 09:05', 'bob');
      expect({ line, left: await left(house) }).toEqual({ line, left: [] });
    }
  });

  test('by the name `all` lists all in the channel, and stops them at the click', async () => {
    const house = await twoWatches();
    await house.type('/appliance schedule status daily at 17:00', 'dana');
    await house.type('/appliance unwatch all', 'bob');
    expect(await left(house)).toHaveLength(3);
    await house.press('Stop all 3', 'bob');
    expect(await left(house)).toEqual([]);
  });

  test('by a line without a name shows a button for each, and stops none', async () => {
    const house = await twoWatches();
    const shown = await house.type('/appliance unwatch', 'bob');
    expect(shown).toContain('[Stop status on hq] [Stop status on branch-2]');
    expect(await left(house)).toHaveLength(2);
  });

  test('by an unknown name says so, with a button for each that exists', async () => {
    const house = await twoWatches();
    const shown = await house.type('/appliance unwatch mirror', 'bob');
    expect(shown).toContain(
      'Nothing called mirror is watched or scheduled in this channel. Nothing was stopped.',
    );
    expect(shown).toContain('[Stop status on hq]');
  });
});

describe('a schedule', () => {
  test.each([
    'schedule status --on branch-2 daily at 9:05',
    'status on branch-2 every day at 9:05',
    'status --on branch-2 daily at 9:05',
  ])('set up by `%s` asks the appliance that it names', async (line) => {
    const house = await converse({ ...morning, branches: 1 });
    await house.type('/appliance schedule status daily at 9:10', 'bob');
    expect(await house.type(`/appliance ${line}`, 'bob')).toContain('Scheduled: status --on branch-2');
    expect(await left(house)).toEqual(['status', 'status --on branch-2']);
    house.wait(5 * minute);
    const posted = await said(house, () => goBy(house, 20));
    expect(posted).toContain('branch-2');
    expect(posted).toContain('/appliance status --on branch-2');
  });

  test('for an unknown appliance is refused', async () => {
    const house = await converse(morning);
    expect(await house.type('/appliance schedule status --on nowhere daily at 9:05', 'bob')).toContain(
      'Unknown appliance nowhere',
    );
    expect(await left(house)).toEqual([]);
  });

  test('for a line with such words in it is read to its end', async () => {
    const house = await converse(morning);
    await house.type('/appliance schedule mirror daily 30 every weekday at 9:30', 'bob');
    expect(await left(house)).toEqual(['mirror daily 30']);
  });

  test.each(['schedule status every hour', 'status every hour'])(
    '`%s` gets the possible times',
    async (line) => {
      const house = await converse(morning);
      const shown = await house.type(`/appliance ${line}`, 'bob');
      expect(shown).toContain('has no time at which it can be scheduled');
      expect(shown).toContain('every weekday at 8:00');
    },
  );

  test('exists once for a line and a time, whoever wants it', async () => {
    const house = await converse(morning);
    await house.type('/appliance schedule status daily at 9:05', 'bob');
    expect(await house.type('/appliance schedule status every day at 9:05', 'dana')).toContain(
      'Already scheduled by @bob: status every day at 09:05',
    );
    await house.type('/appliance schedule status daily at 17:00', 'dana');
    expect(await left(house)).toEqual(['status', 'status']);
  });

  test('runs with all others that are due with it, and no channel has more than twenty', async () => {
    const house = await converse(morning);
    for (let site = 1; site <= 20; site += 1)
      await house.type(`/appliance schedule categorize site${site}.example daily at 9:05`, 'vic');
    expect(await house.type('/appliance schedule status daily at 9:05', 'bob')).toContain(
      '20 lines are scheduled in this channel, as many as one can have, so status was not scheduled.',
    );
    house.wait(5 * minute);
    const posted = await said(house, () => goBy(house, 60));
    expect(times('/appliance categorize site', posted)).toBe(20);
  });

  test('says in the channel that its lookup failed', async () => {
    const house = await converse(morning);
    await house.type('/appliance schedule rdp sessions daily at 9:05', 'bob');
    await house.appliance.close();
    house.wait(5 * minute);
    expect(await said(house, () => goBy(house, 60), 'dana')).toContain('/appliance rdp sessions');
  });

  test('counts as typed by nobody: not for "again", and not on its owner’s page', async () => {
    const house = await converse(morning);
    await house.type('/appliance schedule status daily at 9:05', 'bob');
    await house.type('/appliance categorize example.com', 'bob');
    for (let day = 0; day < 3; day += 1) {
      house.wait(24 * 60 * minute);
      await goBy(house, 4);
    }
    await house.type('/appliance categorize example.com', 'bob');
    house.wait(5 * minute);
    await goBy(house, 20);
    expect(times('/appliance status', house.read())).toBe(4);
    expect(await said(house, () => house.type('/appliance again', 'bob'))).toContain(
      '/appliance categorize example.com',
    );
    await house.person('bob').openHome();
    const { id } = house.workspace.people.find(({ name }) => name === 'bob') ?? { id: '' };
    const page = JSON.stringify(house.workspace.snapshot(id).home?.blocks);
    const [lately = '', commands = ''] = page.split('What you did lately')[1]?.split('Your commands') ?? [];
    expect(lately).toContain('example.com');
    expect(lately).not.toContain('no problems found');
    expect(commands.indexOf('categorize')).toBeLessThan(commands.indexOf('"status"'));
  });
});

describe('a watch that belongs to somebody else', () => {
  test('stays theirs, and people without the right to change it are told whose it is', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    const shown = await said(house, () => house.type('/appliance watch status --quiet 01:00-23:00', 'vic'));
    expect(shown).toContain('Already watching status of hq, set up by @bob');
    expect(shown).toContain('It was not changed: that is for @bob, or somebody who may make changes here.');
    expect(shown).toContain('[Stop watching]');
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read())).toBe(1);
  });

  test('is changed by people who may make changes, visibly for all, and stays its owner’s', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'vic');
    expect(await house.type('/appliance watch status --quiet 01:00-02:00', 'bob')).toContain(
      'Changed: watching status of hq, set up by @vic',
    );
    const [row] = await house.bot.journal.watches();
    expect(row?.person).toBe('U0VIC00001');
  });

  test.each(['00:00-23:59', 'Mon-Sun'])(
    'with quiet hours %s would never post, and is refused',
    async (hours) => {
      const house = await converse(morning);
      await house.type(`/appliance watch status --quiet ${hours}`, 'bob');
      expect(await left(house)).toEqual([]);
    },
  );

  test('keeps the thread of a problem when it is changed', async () => {
    const house = await converse(morning);
    await house.type('/appliance watch status', 'bob');
    port(house, false);
    await goBy(house, 60);
    await house.type('/appliance watch status --quiet 22:00-23:00', 'bob');
    port(house, true);
    await goBy(house, 60);
    expect(house.read()).toMatch(/│ {3}hq status: ✅ no problems found\. Recovered after/);
  });
});

describe('a watch', () => {
  test.each(['> 85 %', '>85%', 'over 85', '85 %', 'above 85 %'])('on the disk takes `%s`', async (limit) => {
    const house = await converse(morning);
    await house.type(`/appliance watch disk ${limit}`, 'bob');
    const [row] = await house.bot.journal.watches();
    expect(row?.terms).toMatchObject({ over: 85 });
  });

  test('from a direct message says in which channel it posts, and one from a thread says that it posts elsewhere', async () => {
    const house = await converse(morning);
    expect(await house.write('watch status', 'bob', 'appliance-bot')).toContain(
      'A message is posted in #helpdesk, not in this conversation, within a minute when something is wrong',
    );
    expect(await house.write('status every day at 9:10', 'bob', 'appliance-bot')).toContain(
      'the answer is posted in #helpdesk, not in this conversation.',
    );
    await house.workspace.act({ act: 'type', as: 'U0ALICE001', channel: 'C0INCIDENT', text: 'hello' });
    const root = house.workspace.snapshot('U0ALICE001').messages.at(-1)?.ts;
    expect(await house.write('@appliance-bot watch directory', 'bob', 'incident', root)).toContain(
      'A message is posted in #incident, not in this conversation, within a minute when the directory',
    );
  });
});

const approved = {
  ...morning,
  policy: {
    approvals: [{ commands: [{ phrase: 'rdp events' }, { phrase: 'status' }], by: 'approver' }],
  },
} as never;

describe('an approval for a lookup', () => {
  test('is needed for a watch that reads it, too, which begins with the approval', async () => {
    const house = await converse(approved);
    for (const line of ['watch rdp denied', 'watch status']) await house.type(`/appliance ${line}`, 'bob');
    expect(await left(house)).toEqual([]);
    await house.press('Approve', 'carol');
    expect(await left(house)).toEqual(['status of hq']);
    port(house, false);
    await goBy(house, 60);
    expect(times('hq status: ❌', house.read())).toBe(1);
  });

  test('at certain hours ends a watch that was set up without it, which says so', async () => {
    const rule = { commands: [{ phrase: 'status' }], by: 'approver', not_needed: ['09:00-09:05'] };
    const house = await converse({ ...morning, policy: { time_zone: 'UTC', approvals: [rule] } } as never);
    await house.type('/appliance watch status', 'bob');
    expect(await left(house)).toEqual(['status of hq']);
    house.wait(5 * minute);
    await goBy(house, 60);
    expect(house.read()).toContain(
      'Stopped watching status of hq: it needs an approval now, and nobody has given one',
    );
  });

  test('keeps a schedule of it from being set up, because nobody could give it then', async () => {
    const house = await converse(approved);
    expect(await house.type('/appliance schedule status daily at 9:05', 'bob')).toContain(
      'status needs an approval each time it runs, and a schedule also runs when nobody is there to approve it. It was not scheduled.',
    );
    expect(await left(house)).toEqual([]);
  });
});

describe('a role without the right to a lookup', () => {
  const roles = { watcher: ['U0VIC00001'], operator: ['S0OPERATOR'] };
  const limited = {
    ...morning,
    policy: {
      roles: {
        watcher: {
          summary: 'watches the mirror',
          commands: [{ area: 'watch' }, { area: 'schedule' }, { area: 'mirror' }],
        },
      },
      channels: { C0HELPDESK: { name: 'helpdesk', appliance: 'hq', roles } },
    },
  } as never;

  test('can neither watch nor schedule it', async () => {
    const house = await converse(limited);
    expect(await said(house, () => house.type('/appliance watch rdp denied', 'vic'), 'vic')).toContain(
      'rdp events requires the operator role',
    );
    expect(
      await said(house, () => house.type('/appliance schedule rdp sessions daily at 9:05', 'vic'), 'vic'),
    ).toContain('rdp sessions requires the operator role');
    expect(await left(house)).toEqual([]);
    await house.type('/appliance watch mirror', 'vic');
    expect(await left(house)).toEqual(['mirror of hq']);
  });
});
