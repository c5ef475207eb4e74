import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { under } from './approving.ts';
import { withBob } from './planning-lines.ts';

const noon = Date.UTC(2026, 2, 3, 12, 0);
const hour = 60 * 60_000;

/** A policy that begins to require a ticket for planned changes. */
async function later() {
  const house = await withBob(under({}, {}, noon));
  const file = join(dirname(house.data), 'appliance-bot.yml');
  return {
    ...house,
    wantTickets: async () => {
      const tickets = {
        ...{ pattern: '^CHG-[0-9]+$', example: 'CHG-123' },
        required: [{ commands: [{ phrase: 'category add' }] }],
      };
      writeFileSync(`${file}.new`, stringify({ ...parse(readFileSync(file, 'utf8')), tickets }));
      renameSync(`${file}.new`, file);
      house.bot.reload();
      await house.bot.idle();
    },
    send: async (entered: Readonly<Record<string, string>>) => {
      await house.person('bob').fill(entered);
      await house.person('bob').submit();
      await house.bot.idle();
    },
  };
}

test('a planned change that lacks a newly required ticket is reported before its time, once, and asks for one at its time', async () => {
  const { ask, wantTickets, read, pass, click, send, isIn, bot } = await later();
  await ask('category add one.example.net to 252 --at 22:00');
  await ask('category add two.example.net to 252 --at 22:00 --ticket CHG-7');
  await wantTickets();
  const told = 'The policy now wants a ticket for this, so it will not run.';
  expect(read('bob').split(told).length - 1).toBe(1);
  bot.reload();
  await bot.idle();
  expect(read('bob').split(told).length - 1).toBe(1);
  await pass(10 * hour + 5_000);
  expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([false, true]);
  expect(read('bob')).toContain('this was planned and did not run');
  expect(await click('Ask again with a ticket')).toContain('a ticket such as CHG-123');
  await click('Enter a ticket');
  await send({ Ticket: 'CHG-8' });
  expect(isIn('one.example.net')).toBe(true);
});

test('a plan with a line that lacks a newly required ticket sends none of its lines, and names the line', async () => {
  const { plan, wantTickets, read, pass, click, isUp, orders } = await later();
  await plan('--at 22:00', 'vlan stop 3 --ticket CHG-7', 'category add one.example.net to 252');
  await click('Plan');
  await plan('category add two.example.net to 252 --ticket CHG-7', 'category add three.example.net to 252');
  await wantTickets();
  expect(await click('Run plan')).toMatch(/needs a ticket|a ticket/);
  expect(orders()).toEqual([]);
  await pass(10 * hour + 5_000);
  expect([isUp(), orders()]).toEqual([true, []]);
  expect(read('bob')).toContain('this was planned and did not run');
  // The other one keeps its own, and lends it to nobody.
  expect(await click('Ask again with a ticket')).toMatch(
    /1 line of 2 can’t be run[\s\S]*2 {5}category add one.*needs a ticket such as CHG-123/,
  );
});
