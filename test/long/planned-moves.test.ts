import { describe, expect, test } from 'vitest';
import { withBob } from '../with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const night = ['Mon-Fri 22:00-05:00'];

describe('moving a planned change', () => {
  test.each([
    ['reschedule shop.example.net to 18:00', 'today 18:00'],
    ['reschedule 1 tomorrow 6pm', 'tomorrow 18:00'],
    ['reschedule it to 22.30', 'today 22:30'],
    ['move planned shop.example.net to 28 mar 22:00', '28 Mar 2026 22:00'],
    ['postpone shop.example.net to noon please', 'tomorrow 12:00'],
    ['reschedule 1 by 1h', 'today 16:00'],
    ['postpone shop.example.net by an hour', 'today 16:00'],
    ['reschedule it one hour later', 'today 16:00'],
    ['reschedule 1 +1h', 'today 16:00'],
    ['reschedule it back by 1h', 'today 16:00'],
    ['reschedule it -30m', 'today 14:30'],
    ['reschedule shop.example.net 30 min earlier', 'today 14:30'],
    ['reschedule shop.example.net into window night', 'today 22:00 in window night, until tomorrow 05:00'],
    ['reschedule shop.example.net to night', 'today 22:00 in window night, until tomorrow 05:00'],
  ])('works by a typed line: %s', async (line, time) => {
    const { ask, click, read, person, workspace } = await withBob({ policy: { windows: { night } }, from });
    await ask('category add shop.example.net to 252 --at 15:00 --for 2h');
    const named = await ask(line);
    const [, label] = /\[(Move to [^\]]*)\]/.exec(named) ?? [];
    // Only its number in the list means no other.
    expect(label === undefined).toBe(line.includes('reschedule 1 '));
    const said = label === undefined ? named : await click(label);
    expect(said).toContain(`Planned for ${time} now: Add shop.example.net to category shopping.`);
    expect(said).toContain(`Planned for ${time}: Add shop.example.net`);
    // The line that the card quotes names no other time.
    const card = said.split('\n').find((one) => one.includes('category add shop.example.net to 252 --'));
    expect(card).not.toContain('15:00');
    expect(card).toMatch(/--for 2h/);
    const list = await ask('planned');
    expect(list.slice(list.lastIndexOf('1 planned change'))).toContain(time.replace(/ in window.*/, ''));
    expect(list).toContain('[Cancel] [Change the time…]');
    await person('bob').openHome();
    const { id } = workspace.people.find(({ name }) => name === 'bob') ?? { id: '' };
    expect(JSON.stringify(workspace.snapshot(id).home)).toContain('Change the time…');
    expect(read('bob', 'helpdesk')).toContain(`moved this from today 15:00 to ${time}.`);
  });

  test('works at once by a button, where no time is said', async () => {
    const { ask, click, pass, read } = await withBob({ from });
    await ask('category add shop.example.net to 252 --at 15:00');
    // The bot offers a guessed command, and does nothing.
    expect(await ask('delay shop.example.net')).toContain('[planned move shop.example.net]');
    expect(await click('planned move shop.example.net')).toMatch(
      /To which time\? Nothing was moved\.[\s\S]*\[Run now\]/,
    );
    expect(await click('Run now')).toContain('Planned for today 13:30 now: Add shop.example.net');
    await pass(minute);
    expect(read('bob', 'helpdesk')).toContain('✅ shop.example.net added to category shopping');
  });

  test.each(['reschedule shop.example.net to now', 'reschedule 1 now'])(
    'may run it at once: %s',
    async (line) => {
      const { ask, click, pass, read } = await withBob({ from });
      await ask('category add shop.example.net to 252 --at 15:00');
      const said = await ask(line);
      expect(said.includes('[Run now]') ? await click('Run now') : said).toContain(
        'Planned for today 13:30 now: Add shop.example.net',
      );
      await pass(minute);
      expect(read('bob', 'helpdesk')).toContain('✅ shop.example.net added to category shopping');
      expect(await ask('planned')).toContain('Nothing is planned');
    },
  );

  test.each([
    [
      'reschedule shop.example.net to 9:00 today',
      'is over already, at 09:00. No changes were made. The nearest that would work: --at "6 mar 2026 09:00".',
    ],
    [
      'reschedule shop.example.net to 03/04 10:00',
      'can be 2 times, of which one can be had. No changes were made. Type it if you mean it: --at "3 apr 2026 10:00".',
    ],
    ['reschedule shop.example.net', 'To which time? Nothing was moved.'],
    [
      'reschedule shop.example.net to tomorrow',
      'tomorrow says no hour. Nothing was moved. reschedule shop.example.net to tomorrow 15:00 moves it to the hour that it has.',
    ],
    ['reschedule shop.example.net 2h earlier', 'is over already'],
    ['reschedule travel to 18:00', 'Nothing planned in this channel is called travel.'],
    ['reschedule example.net to 18:00', 'Which one? Nothing was moved.'],
    ['reschedule 1 to tomorrow 3:00', 'Changes are frozen until tomorrow 08:00'],
  ])('does not happen by %s', async (line, why) => {
    const freezes = { closing: { from: '2026-03-06T02:00', to: '2026-03-06T08:00' } };
    const { ask } = await withBob({ policy: { freezes }, from });
    await ask('category add shop.example.net to 252 --at 15:00');
    await ask('category add two.example.net to 252 --at 15:10');
    const said = await ask(line);
    expect(said).toContain(why);
    expect(said).toContain('Planned for today 15:00: Add shop.example.net');
  });

  test('is refused to people who may not run it, and works by the buttons of the list', async () => {
    const { ask, type, click, person, read } = await withBob({ from });
    await ask('category add shop.example.net to 252 --at 15:00');
    expect(await type('/appliance reschedule shop.example.net to 18:00', 'alice')).toContain(
      'Only @bob, who asked for it, and those who may run it can change its time.',
    );
    await ask('planned');
    await click('Change the time…');
    await person('bob').fill({ 'Run at': 'tonight at 10' });
    await person('bob').submit();
    expect(read('bob')).toContain('Planned for today 22:00: Add shop.example.net');
  });

  test('goes across a freeze, and takes a plan with all its lines, whose line names the new time', async () => {
    const freezes = { closing: { from: '2026-03-05T18:00', to: '2026-03-06T08:00' } };
    const { ask, click, pass, category } = await withBob({ policy: { freezes }, from });
    await ask('plan --at "in 1h"\ncategory add shop.example.net to 252\nacl object disable google_sni');
    await click('Plan');
    await ask('reschedule plan to "tomorrow 9:00"');
    const said = await click('Move to tomorrow 9:00');
    expect(said).toContain('Planned for tomorrow 09:00');
    expect(said).toContain('plan --at "6 mar 2026 09:00"');
    await pass(19 * hour + 31 * minute);
    expect(category(252).live.has('shop.example.net')).toBe(true);
  });
});

describe('canceling a planned change by a typed line', () => {
  test.each(['cancel shop.example.net', 'cancel planned shop.example.net', 'cancel 1'])(
    '%s',
    async (line) => {
      const { ask, click, read } = await withBob({ from });
      await ask('category add shop.example.net to 252 --at 15:00');
      await ask('category add two.example.net to 252 --at 15:10');
      expect(await ask(line)).toContain(
        'Add shop.example.net to category shopping, planned for today 15:00.',
      );
      await click('Cancel');
      expect(read('bob')).toContain('Not done: Add shop.example.net to category shopping. Canceled by @bob');
      expect(await ask('planned')).toContain('1 planned change in this channel');
    },
  );

  test('cancel alone means something else when no planned change is meant', async () => {
    const { ask } = await withBob({ from });
    await ask('rdp disconnect 12');
    expect(await ask('cancel my request')).toContain('rdp disconnect 12, requested today 13:30.');
  });
});

describe('freezes and windows:', () => {
  const policy = {
    windows: { night, weekend: ['Sat,Sun'] },
    freezes: { closing: { from: '2026-03-05T20:00', to: '2026-03-06T08:00', reason: 'quarter end' } },
  };

  test.each(['what is frozen', 'is it frozen', 'freezes', 'windows', 'when is the next window'])(
    '%s shows the present state',
    async (line) => {
      const { ask, pass } = await withBob({ policy, from });
      const before = await ask(line);
      expect(before).toContain('Nothing is frozen now. The next freeze begins today 20:00.');
      expect(before).toContain(
        'Freeze closing holds all changes from today 20:00 to tomorrow 08:00: quarter end',
      );
      expect(before).toContain('Window night: Mon–Fri 22:00–05:00 (UTC), next today 22:00 to tomorrow 05:00');
      await pass(9 * hour);
      const open = await ask(line);
      expect(open).toContain('Frozen now: all changes, until tomorrow 08:00 (closing).');
      expect(open).toContain('Freeze closing holds all changes now, until tomorrow 08:00: quarter end');
      expect(open).toContain('(UTC), open now until tomorrow 05:00');
    },
  );
});

test('a planned change that is in effect already has nothing to do: its card and its thread say so, and that nothing is undone later', async () => {
  const { ask, type, pass, read, category } = await withBob({ from });
  await ask('category add shop.example.net to 252 --at 14:00 --for 2h');
  await type('/appliance category add shop.example.net to 252', 'dana');
  await pass(31 * minute);
  expect(read('bob')).toContain(
    'Nothing to do: Add shop.example.net to category shopping. shop.example.net is already in category shopping. No changes were made. It is not undone at the end that was asked for, because this has not made it.',
  );
  expect(read('bob')).toContain('@bob: this was planned and had nothing left to do:');
  expect(read('bob', 'appliance-bot')).toContain('What you planned in #helpdesk had nothing left to do:');
  expect(read('bob')).not.toContain('[Ask again now]');
  await pass(3 * hour);
  expect(category(252).live.has('shop.example.net')).toBe(true);
});
