import { describe, expect, test } from 'vitest';
import { asking, blockedSite, newest } from '../asking.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = `${blockedSite} for 2h --reason "booking for customer"`;

interface Wanted {
  readonly site: string;
  readonly lasts?: string;
}

/** The ways in which Vic can ask, each with what he reads then. */
async function everyWay(settings: Readonly<Record<string, unknown>>) {
  const house = await asking(settings);
  const { ask, type, write, press, person, bot, read } = house;
  const vic = person('vic');
  const words = ({ site, lasts = '1h' }: Wanted) => `ask ${site} for ${lasts} --reason x`;
  const filled = async (values: Readonly<Record<string, string>>) => {
    const before = read('vic', 'random');
    await vic.fill({ Reason: 'x', ...values });
    await vic.submit();
    await bot.idle();
    const errors = JSON.stringify(vic.form()?.errors ?? {});
    return errors === '{}' ? newest(read('vic', 'random').replace(before, '')) : errors;
  };
  const ways: Readonly<Record<string, (wanted: Wanted) => Promise<string>>> = {
    typed: (wanted) => ask(words(wanted).slice('ask '.length)),
    'in a direct message': async (wanted) => newest(await write(words(wanted), 'vic', 'appliance-bot')),
    'by a mention': async (wanted) => newest(await write(`@appliance-bot ${words(wanted)}`, 'vic', 'random')),
    'in the form': async ({ site, lasts = '1h' }) => {
      await type('/appliance ask', 'vic', 'random');
      return filled({ Domain: site, 'How long': lasts });
    },
    'by the button under what was said of it': async ({ site, lasts = '1h' }) => {
      await type(`/appliance please unblock ${site}`, 'vic', 'random');
      await press('Ask for the site', 'vic', 'random');
      return filled({ 'How long': lasts });
    },
  };
  return { ...house, ways: Object.entries(ways) };
}

describe('a person who asks for a site, in whatever way,', () => {
  test('gets it for as long as the policy allows, at most', async () => {
    const { ways, type, read } = await everyWay({ longest: '4h', per_person: { day: 50 } });
    for (const [way, ask] of ways)
      for (const lasts of ['8h', '100d', '999999999999d']) {
        expect(await ask({ site: 'bwin.com', lasts }), `${way}, ${lasts}`).toContain(
          'bwin.com for 4 h, the longest time possible',
        );
        await type('/appliance withdraw bwin.com', 'vic', 'random');
      }
    expect(read('bob')).not.toMatch(/for (?:8 h|100 days)/);
  }, 120_000);

  test('is told the shortest time in words', async () => {
    const { ways } = await everyWay({});
    for (const [way, ask] of ways)
      expect(await ask({ site: 'bwin.com', lasts: '30s' }), way).toContain('at least 1 minute');
  });

  test('has no more open requests than the policy allows, and makes no more within a day', async () => {
    const { ways, ask, type, pass } = await everyWay({ per_person: { open: 1, day: 2 }, open: '1h' });
    await ask(line);
    for (const [way, again] of ways)
      expect(await again({ site: 'bwin.com' }), way).toContain('You have 1 open request');
    await type(`/appliance withdraw ${blockedSite}`, 'vic', 'random');
    await ask('bwin.com --reason x');
    await pass(hour + minute);
    for (const [way, again] of ways)
      expect(await again({ site: 'xhamster.com' }), way).toContain('You have made 2 requests within a day');
  }, 120_000);

  test('gets no site of an excluded category, and no internal one', async () => {
    const { ways, read, appliance } = await everyWay({ not: ['malware'] });
    for (const [way, ask] of ways)
      expect(await ask({ site: 'eicar.org' }), way).toContain(
        'can’t be requested: it is in category malware',
      );
    const before = appliance.requests.length;
    for (const [way, ask] of ways)
      expect(await ask({ site: 'wiki.internal' }), way).toContain(
        'can’t be requested: it is an address or a name',
      );
    expect(appliance.requests.length).toBe(before);
    expect(read('bob')).not.toContain('asks for');
  }, 120_000);
});

describe('asking for a site', () => {
  test('changes no appliance, and calls the deciders at once', async () => {
    const { ask, type, read } = await asking();
    for (const option of ['--at 22:00', '--window night'])
      expect(await ask(`${line} ${option}`)).toMatch(
        /is for commands that change an appliance, and ask changes none\. Whoever may allow the site is asked at once/,
      );
    const dry = await ask(`${line} --dry-run`);
    expect(dry).toContain('--dry-run is for commands that change an appliance, and ask changes none');
    for (const other of [`withdraw ${blockedSite}`, 'requests'])
      expect(newest(await type(`/appliance ${other} --dry-run`, 'vic', 'random'))).toMatch(
        /and \w+ changes none\.(?! Whoever)/,
      );
    expect(read('bob')).not.toContain('asks for');
  });

  test('can be taken back by a form whose button says so', async () => {
    const { type, person, ask, read } = await asking();
    await ask(line);
    await type('/appliance withdraw', 'vic', 'random');
    const vic = person('vic');
    expect(vic.form()?.submit).toBe('Withdraw');
    await vic.fill({ Domain: blockedSite });
    await vic.submit();
    expect(read('vic', 'random')).toContain('Withdrawn: your request for live-betting.example.');
  });
});

describe('a request from a place that others cannot read', () => {
  test('says so on its card, and is answered in person', async () => {
    const channels = [
      { id: 'C0RANDOM01', name: 'random' },
      { id: 'C0HELPDESK', name: 'helpdesk' },
      { id: 'C0INCIDENT', name: 'incident' },
      { id: 'C0SECRET01', name: 'secret', isPrivate: true, members: ['U0VIC00001'] },
    ];
    const { type, write, press, soon, read, heard } = await asking({}, {}, { workspace: { channels } });
    expect(newest(await type(`/appliance ask ${line}`, 'vic', 'secret'))).toContain(
      'Requested: live-betting.example for 2 h.',
    );
    await write('ask bwin.com for 1h --reason "fair"', 'vic', 'appliance-bot');
    const cards = read('bob');
    // Its name Slack shows to those who are in it.
    expect(cards).toMatch(/live-betting[\s\S]*Asked in {2}#C0SECRET01/);
    expect(cards).toMatch(/bwin\.com for 1 h[\s\S]*Asked in {2}a direct message/);
    await press('Approve', 'bob');
    await press('Approve', 'bob');
    await soon();
    for (const site of ['live-betting.example', 'bwin.com'])
      expect(heard().split(`✅ ${site} is allowed`), site).toHaveLength(2);
    expect(read('vic', 'secret')).not.toContain('is allowed');
  });
});

describe('while Slack takes no messages', () => {
  const unavailable = { kind: 'http', status: 503 } as const;

  test('a denial stays one, and the requester hears of it afterwards, once', async () => {
    const { ask, person, pass, heard, workspace, bot } = await asking();
    await ask(line);
    const bob = person('bob');
    await bob.press('helpdesk', 'Deny…');
    for (const call of ['chat.postMessage', 'chat.update', 'chat.postEphemeral'])
      workspace.faults.next(call, unavailable, 10_000);
    await bob.fill({ Reason: 'not for work' });
    await bob.submit();
    await bot.idle();
    await pass(2 * minute);
    expect(heard()).not.toContain('denied');
    workspace.faults.clear();
    await pass(3 * minute);
    await pass(minute);
    expect(heard().split('was denied by @bob: not for work')).toHaveLength(2);
  });

  test('a site that was allowed right before works, and the requester hears of it afterwards, once', async () => {
    const { ask, press, pass, heard, isAllowed, workspace } = await asking();
    await ask(line);
    workspace.faults.next('chat.postMessage', unavailable, 10_000, 'U0VIC00001');
    await press('Approve', 'bob');
    await pass(2 * minute);
    expect([isAllowed(), heard().includes('is allowed')]).toEqual([true, false]);
    workspace.faults.clear();
    await pass(3 * minute);
    await pass(minute);
    expect(heard().split('✅ live-betting.example is allowed')).toHaveLength(2);
  });
});
