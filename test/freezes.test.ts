import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
const site = 'shop.example.net';
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const closing = { from: '2026-03-05T15:00', to: '2026-03-06T08:00', except: ['admin'] };
const policy = { freezes: { closing } };

describe('a temporary change that is on when a freeze begins', () => {
  test('says in its answer, and on its card, that it is undone in the freeze, and is', async () => {
    const { ask, click, read, pass, category } = await withBob({ policy, from });
    const card = `added to category shopping, until 15:30, and undone then although closing freezes changes`;
    expect(await ask(`category add ${site} to 252 --for 2h`)).toContain(card);
    // A change that ends before the freeze or starts after it says nothing of it.
    expect(await ask('category add two.example.net to 252 --for 1h')).toContain(
      'two.example.net added to category shopping, until 14:30\n',
    );
    expect(await ask('acl object disable apple_sni --until "tomorrow 9:00"')).toMatch(
      /apple_sni disabled, until tomorrow 09:00\n/,
    );
    expect(await ask('vlan stop 3 --at 14:50 --for 2h')).toMatch(
      /For +2 h, then it is undone automatically, although closing freezes changes by then/,
    );
    expect(
      await ask(`plan --for 2h\ncategory add three.example.net to 252\nacl object disable google_sni`),
    ).toMatch(/Line 1 +Add three\.example\.net[^\n]*although closing freezes changes by then/);
    await pass(90 * minute + 26 * minute);
    expect(read('bob')).toContain('@bob: changes are frozen until tomorrow 08:00, so it can’t be extended.');
    expect(category(252).live.has(site)).toBe(true);
    await pass(6 * minute);
    expect(read('bob')).toContain(`Ended and undone: ${site} added to category shopping`);
    expect(category(252).live.has(site)).toBe(false);
    expect(await click('Undo').catch(String)).not.toContain('frozen');
  });

  test('is extended into the freeze before it begins, and then the card says so', async () => {
    const { ask, click, read } = await withBob({ policy, from });
    expect(await ask(`category add ${site} to 252 --for 1h`)).not.toContain('although');
    await click('Extend by 1 h');
    expect(read('bob')).toContain('until 15:30, and undone then although closing freezes changes');
  });

  test.each([
    ['the button Extend', '', 'Extend by 2 h'],
    ['extend', `extend ${site} by 1h`, ''],
    ['extend … until', `extend ${site} until 18:00`, ''],
    ['the same line with a later end', `category add ${site} to 252 --for 5h`, ''],
    ['keep', `keep ${site}`, ''],
    ['keep … until', `keep ${site} until 18:00`, ''],
  ])('is not extended by %s, and the answer says when it ends', async (_, line, label) => {
    const { ask, click, pass, category } = await withBob({ policy, from });
    await ask(`category add ${site} to 252 --for 2h`);
    await pass(91 * minute);
    const said = line === '' ? await click(label) : await ask(line);
    expect(said).toContain(
      'Changes are frozen until tomorrow 08:00 (closing), so this can’t be kept on for longer. No changes were made: it still ends today 15:30. The role admin is exempt.',
    );
    expect(said).not.toContain('--at');
    await pass(31 * minute);
    expect(category(252).live.has(site)).toBe(false);
  });

  test('ends early by every command and button, and is extended by an exempt person', async () => {
    const { ask, click, type, press, pass, read, category } = await withBob({ policy, from });
    await ask(`category add ${site} to 252 --for 2h`);
    await ask('category add two.example.net to 252 --for 2h');
    await pass(91 * minute);
    await type('/appliance extend two.example.net by 1h', 'dana');
    expect(await press('Extend', 'dana')).toContain(
      'two.example.net added to category shopping, until 16:30',
    );
    await ask(`end ${site} at 15:20`);
    await click('Shorten');
    expect(read('bob')).toContain(`${site} added to category shopping, until 15:20`);
    await ask(`end ${site}`);
    await click('End now');
    expect(category(252).live.has(site)).toBe(false);
    expect(category(252).live.has('two.example.net')).toBe(true);
  });

  test('is not extended by an approval in the freeze', async () => {
    const approvals = [{ commands: [{ phrase: 'category add' }], by: 'approver' }];
    const { ask, type, press, pass, read } = await withBob({ policy: { ...policy, approvals }, from });
    await ask(`category add ${site} to 252 --for 2h`);
    await press('Approve', 'carol');
    await pass(86 * minute);
    await ask(`extend ${site} by 1h`);
    await pass(5 * minute);
    await press('Approve', 'carol');
    expect(read('carol')).toContain('so this can’t be kept on for longer');
    expect(await type('/appliance temporary')).toMatch(/15:30/);
  });

  test('is still kept by people when it could not be undone at its end', async () => {
    const { ask, click, pass, appliance, read } = await withBob({ policy, from });
    await ask(`category add ${site} to 252 --for 2h`);
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'status', status: 503 });
    await pass(2 * hour + minute);
    expect(read('bob')).toContain('couldn’t be undone');
    appliance.faults.clear();
    await click('Keep');
    expect(await click('Keep')).toContain('It stays, and no longer ends by itself');
  });
});

describe('a planned change that a new policy blocks', () => {
  const night = ['Mon-Fri 22:00-05:00'];

  test.each(['read again', 'there at the next start'] as const)(
    'is reported to the person who planned it when the policy is %s, once',
    async (how) => {
      const conversation = await withBob({ policy: { windows: { night } }, from });
      const { ask, read, restart, data } = conversation;
      await ask(`category add ${site} to 252 --at 18:00`);
      await ask('category add two.example.net to 252 --window night');
      await ask('category add three.example.net to 252 --at 14:00');
      const file = join(dirname(data), 'appliance-bot.yml');
      const change = (more: object) => {
        writeFileSync(`${file}.new`, stringify({ ...parse(readFileSync(file, 'utf8')), ...more }));
        renameSync(`${file}.new`, file);
      };
      const look = async () => {
        if (how === 'read again') conversation.bot.reload();
        await (how === 'read again' ? conversation.bot.idle() : restart());
        await conversation.bot.idle();
      };
      change({ freezes: { closing } });
      await look();
      const frozen =
        '@bob: The policy now freezes changes then, until tomorrow 08:00 (closing), so it will not run. Change the time… on its card moves it.';
      const times = (words: string) => read('bob').split(words).length - 1;
      expect(times(frozen)).toBe(2);
      expect(read('bob', 'appliance-bot')).toContain(
        `What you planned in #helpdesk will not run: category add ${site} to 252 --at 18:00.`,
      );
      change({ freezes: {}, windows: { night: ['Sat 22:00-24:00'] } });
      await look();
      expect(times('The policy now has other hours for the window night, or no such window')).toBe(1);
      // The freeze is lifted, and another freeze has another reason by now.
      const lifted = 'The policy keeps this from running no more: it runs as planned, today 18:00.';
      expect(times(lifted)).toBe(1);
      expect(read('bob', 'appliance-bot')).toContain('will run after all');
      await look();
      await restart();
      await conversation.bot.idle();
      expect(times(frozen)).toBe(2);
      expect(times('The policy now has other hours')).toBe(1);
      expect(times(lifted)).toBe(1);
      change({ windows: { night } });
      await look();
      expect(times('The policy keeps this from running no more')).toBe(2);
    },
  );
});
