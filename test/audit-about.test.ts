import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

test('audit --about finds the history of a site or an object by any name that people have for it', async () => {
  const house = await converse({});
  await house.type('/appliance category add shop.example.net to 252', 'bob');
  await house.type('/appliance acl object disable google_sni', 'bob');
  await house.type('/appliance acl object disable google_sni', 'alice');
  const ask = (line: string) => house.type(`/appliance ${line}`, 'dana');
  for (const line of [
    'audit --about shop.example.net',
    'audit about shop.example.net',
    'audit --about https://www.shop.example.net/cart',
    'audit --about example.net',
  ]) {
    const found = await ask(line);
    expect(found, line).toContain('category add shop.example.net to 252');
    expect(found, line).toMatch(/1 action\W+about/);
  }
  expect(await ask('audit --about google_sni')).toMatch(/2 actions\W+about google_sni in/);
  expect(await ask('audit --about google_sni --denied')).toMatch(/1 action\W+about google_sni denied/);
  const found = await ask('audit --about "<!channel> nobody"');
  expect(found).toContain('No action about');
  expect(found).not.toContain('@channel');
  expect(await ask('audit --about A-7KQ2MX9D')).toContain('show finds an action');
  for (const [line, understood] of [
    ['what failed today', 'audit --since 00:00 --failed'],
    ['audit failed', 'audit --failed'],
    ['audit refused', 'audit --denied'],
    ['audit approved', 'audit --approved'],
    ['audit shop.example.net', 'audit --about shop.example.net'],
    ['who touched shop.example.net', 'audit --about shop.example.net'],
    ['who added shop.example.net', 'audit --about shop.example.net'],
    ['who disabled google_sni', 'audit --about google_sni'],
  ] as const)
    expect(await ask(line)).toContain(`Understood as /appliance ${understood}.`);
  // Others may be meant, and are offered beside it.
  for (const [line, offered] of [
    ['what happened to shop.example.net', '--about shop.example.net'],
    ['what was done to google_sni', '--about google_sni'],
    ['history of shop.example.net', '--about shop.example.net'],
    ['who approved shop.example.net', '--about shop.example.net --approved'],
  ] as const)
    expect(await ask(line)).toContain(`/appliance audit ${offered}`);
  expect(await ask('what happened to A-7KQ2MX9D')).toContain('A-7KQ2MX9D');
});
