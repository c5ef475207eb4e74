import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { under } from './approving.ts';

const minute = 60_000;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const site = 'category add one.example.net to 252';

/** A change planned for 15:00 without a ticket, before the policy requires one. */
async function planned(line: string) {
  const made = await under({}, {}, from);
  await made.type(`/appliance ${line}`, 'bob');
  if (line.startsWith('plan')) await made.press('Plan', 'bob');
  const file = join(dirname(made.data), 'appliance-bot.yml');
  const policy = parse(readFileSync(file, 'utf8'));
  const tickets = { example: 'CHG-123', required: [{ commands: [{ area: 'category' }] }] };
  writeFileSync(`${file}.new`, stringify({ ...policy, tickets }, { aliasDuplicateObjects: false }));
  renameSync(`${file}.new`, file);
  made.bot.reload();
  await made.bot.idle();
  return made;
}

test('moving a planned change that lacks a required ticket leaves it planned, and the line to type has the wanted time', async () => {
  const { type, press } = await planned(`${site} --at 15:00`);
  await type('/appliance reschedule one.example.net to 16:00', 'bob');
  const said = await press('Move to 16:00', 'bob');
  expect(said).toContain('It stays planned for today 15:00.');
  expect(said).toMatch(
    /Cancel what is planned, and plan it anew with one: \/appliance category add one\.example\.net to 252 --at "5 mar 2026 16:00" --ticket CHG-123/,
  );
});

test('moving such a plan leaves it planned, too, with its lines to type below', async () => {
  const { type, press } = await planned(`plan --at 15:00\n${site}\ncategory add two.example.net to 252`);
  await type('/appliance reschedule plan to 16:00', 'bob');
  const said = await press('Move to 16:00', 'bob');
  expect(said).toContain('It stays planned for today 15:00.');
  expect(said).toContain('plan it anew with one: /appliance plan --at "5 mar 2026 16:00" --ticket CHG-123.');
});

test.each([`${site} --at 15:00`, `plan --at 15:00\n${site}\ncategory add two.example.net to 252`])(
  'a planned change that lacks its ticket does not run, is not tried again, and quotes no time that is over: %s',
  async (line) => {
    const { pass, read } = await planned(line);
    await pass(91 * minute);
    const said = read('bob');
    expect(said).toContain(
      'This change needs a ticket such as CHG-123. No changes were made. Ask again with',
    );
    expect(said).toContain('[Ask again with a ticket]');
    expect(said).not.toContain('--at 15:00 --ticket');
    expect(said).not.toContain('Trying again');
  },
);
