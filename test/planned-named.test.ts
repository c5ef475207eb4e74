import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

describe('a planned change', () => {
  async function planned() {
    const made = await withBob({ from });
    await made.ask('category add one.example.net to 252 --at 15:00 --for 1h');
    await made.ask('plan --at 15:00 --for 3h\ncategory add two.example.net to 252\nvlan stop 3');
    await made.click('Plan');
    return made;
  }
  /** The newest answer. */
  const last = (said: string) => said.slice(said.lastIndexOf('appliance-bot'));
  /** The row of the list that has this word. */
  const row = (said: string, word: string) =>
    said.split('\n').findLast((line) => line.includes(word) && / {2}hq {2}/.test(line));

  test('shows its lines and its end in the list when it is a plan', async () => {
    const { ask, click } = await planned();
    const list = await ask('planned');
    expect(row(list, 'Run this plan')).toContain(
      'category add two.example.net to 252 --for 3h and vlan stop 3 --for 3h',
    );
    expect(row(list, 'Run this plan')).toMatch(/after 3 h {2}@bob/);
    expect(row(list, 'Add one.example.net')).toMatch(/after 1 h {2}@bob/);
    await ask(
      'plan --at 16:00 --until 18:30\ncategory add three.example.net to 252\nacl object disable google_sni',
    );
    await click('Plan');
    await ask(
      'plan --at 16:00\ncategory add four.example.net to 252 --for 1h\nacl object disable google_sni\ncategory add five.example.net to 252',
    );
    await click('Plan');
    const all = await ask('planned');
    expect(row(all, 'three.example.net')).toMatch(/today 18:30 {2}/);
    expect(row(all, 'four.example.net')).toContain('line 1: after 1 h; lines 2 and 3: for good');
  });

  test.each([
    [
      'reschedule vlan stop 3 to 23:00',
      /Run this plan[\s\S]*Nothing was moved so far[\s\S]*\[Move to 23:00\]/,
    ],
    [
      'cancel two.example.net',
      /Nothing was canceled so far.*\n.*Run this plan of 2 lines on hq: .*vlan stop 3/,
    ],
    ['cancel 1 and 2', /1: Add one\.example\.net.*\n.*2: Run this plan/],
    ['cancel one.example.net, vlan stop 3', /1: Add one\.example\.net.*\n.*2: Run this plan/],
    ['cancel 1 and 7', /Waiting|Planned, or waiting/],
  ])('is found by its words: %s', async (line, said) => {
    const { ask } = await planned();
    expect(last(await ask(line))).toMatch(said);
  });

  test.each([
    ['planned mine', /1 planned change[\s\S]*one\.example\.net/, 'two.example.net'],
    ['planned vlan stop 3', /1 planned change[\s\S]*two\.example\.net/, 'one.example.net'],
    [
      'when does one.example.net run',
      /1 planned change[\s\S]*one\.example\.net[\s\S]*Understood as \/appliance planned one\.example\.net\./,
      'two.example.net',
    ],
    ['what is planned for tomorrow', /2 planned changes/, 'three.example'],
    ['planned today', /2 planned changes/, 'three.example'],
    ['planned before 14:00', /Nothing is planned in this channel until today 14:00\./, 'example.net'],
    ['cancel all of mine', /planned for today 15:00/, 'two.example.net'],
    [
      'planned xyz.example',
      /Nothing of what is planned in this channel is meant by xyz\.example/,
      'one.example',
    ],
  ])('is listed by a part of them: %s', async (line, said, other) => {
    const { ask, type, press } = await withBob({ from });
    await ask('category add one.example.net to 252 --at 15:00');
    await type('/appliance plan --at 15:00\ncategory add two.example.net to 252\nvlan stop 3', 'dana');
    await press('Plan', 'dana');
    const answer = last(await ask(line));
    expect(answer).toMatch(said);
    expect(answer).not.toContain(other);
  });

  test('is marked in the list when a window or a ticket keeps it from running', async () => {
    const { ask, data, bot } = await withBob({
      from,
      policy: { windows: { night: ['Mon-Fri 22:00-05:00'] } },
    });
    await ask('category add one.example.net to 252 --window night');
    await ask('category add two.example.net to 252 --at 15:00 --ticket CHG-1');
    expect(await ask('planned')).not.toContain('Will not run');
    const file = join(dirname(data), 'appliance-bot.yml');
    const policy = { ...parse(readFileSync(file, 'utf8')), windows: {} };
    writeFileSync(`${file}.new`, stringify(policy));
    renameSync(`${file}.new`, file);
    bot.reload();
    await bot.idle();
    const list = await ask('planned');
    expect(row(list, 'Add one.example.net')).toContain('⚠ window night has other hours, or is gone');
    expect(row(list, 'Add two.example.net')).toMatch(/ – /);
  });

  test('is shown with its new time everywhere after it was moved', async () => {
    const { ask, click, pass } = await planned();
    await ask('reschedule one.example.net to 14:00');
    await click('Move to 14:00');
    await pass(31 * minute);
    await pass(hour + minute);
    for (const line of ['audit', 'timeline']) {
      const told = last(await ask(line))
        .split('\n')
        .filter((one) => one.includes('add one.example.net'));
      expect(told.length).toBeGreaterThan(1);
      expect(told.filter((one) => !one.includes('--at "5 mar 2026 14:00"'))).toEqual([]);
    }
    const wish = await ask('category add one.example.net to 252 --for 2h');
    expect(wish).not.toMatch(/with `?category add one.example.net to 252 --at 15:00/);
  });
});
