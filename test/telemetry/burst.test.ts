import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { watched } from './watched.ts';

test('200 lines in one moment are one log line each, of a few hundred bytes, with person, place and outcome, and no secret', async () => {
  const bot = await watched({ environment: { LOG_LEVEL: 'info' } });
  const typed = ['categorize example.com', 'rdp sessions', 'whoami', 'frobnicate', 'rdp disconnect 12'];
  const people = bot.workspace.people.filter(({ name }) => ['alice', 'bob', 'carol', 'dana'].includes(name));
  const acted = await Promise.all(
    Array.from({ length: 200 }, (_, index) =>
      bot.workspace.act({
        ...{ act: 'type', as: people[index % people.length]?.id ?? '', channel: 'C0HELPDESK' },
        text: `/appliance ${typed[index % typed.length]}`,
      }),
    ),
  );
  expect(acted.filter(({ ok }) => ok)).toHaveLength(200);
  await bot.bot.idle();
  await bot.pass(0);
  const events = Map.groupBy(bot.lines, ({ event }) => event);
  const over = events.get('command_over') ?? [];
  expect(new Set(over.map(({ action }) => action)).size).toBe(over.length);
  expect(over.length).toBeGreaterThan(50);
  expect(over.length).toBeLessThanOrEqual(200);
  const others = [...events.keys()].filter((event) => event !== 'command_over');
  for (const event of others)
    expect(events.get(event)?.length, JSON.stringify(events.get(event)?.slice(0, 3))).toBeLessThanOrEqual(2);
  for (const line of bot.lines.slice(bot.lines.findIndex(({ event }) => event === 'started'))) {
    expect(line).toMatchObject({ version: packageJson.version, replica: expect.any(String) });
    expect(JSON.stringify(line).length).toBeLessThan(700);
  }
  const all = JSON.stringify(bot.lines);
  expect(all.length).toBeLessThan(100_000);
  for (const secret of [bot.workspace.botToken, bot.workspace.appToken, 'sandbox-web-api-key', 'example.com'])
    expect(all).not.toContain(secret);
});
