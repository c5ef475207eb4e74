import { expect, test } from 'vitest';
import { rawTimesIn } from './raw-times.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Thursday, 5 March 2026, 13:30 in UTC. */
const from = Date.UTC(2026, 2, 5, 13, 30);
const site = 'shop.example.net';

const lines = [
  `category add ${site} to 252 --for 2h`,
  `category add ${site} to 252 --until "in 3h"`,
  `category add ${site} to 252 --for 4h`,
  'category add one.example.net to 252 --at 14:30 --for 1h',
  'category add two.example.net to 252 --at "today 9:00"',
  'category add two.example.net to 252 --at 03/04',
  'category add two.example.net to 252 --at "03/04 10:00"',
  'category add two.example.net to 252 --at "next friday 10:00"',
  'category add two.example.net to 252 --until "5 mar 2026 9:00"',
  'category add two.example.net to 252 --at 23:00',
  'category add two.example.net to 252 --window night',
  'acl object disable google_sni --at 14:45',
  'rdp disconnect 12 --at 14:40',
  'plan --at 14:50 --for 1h\ncategory add three.example.net to 252\nvlan stop 3',
  'emergency enable --for 1h --reason INC-1',
  ...['planned', 'temporary', 'freezes', 'plans', 'windows', 'requests', 'watches'],
  `end ${site} at 15:00`,
  `extend ${site} until "today 15:20"`,
  `end ${site} at 03/04`,
];
const afterwards = [
  ...['audit', 'audit --since 1h', 'audit --since tomorrow', 'timeline', 'timeline --since 2h', 'plans'],
  ...['audit --since 03/04', 'status'],
];

test('no card, answer, refusal, form, thread or Home shows a moment as machines write it, whatever was typed', async () => {
  const policy = {
    windows: { night: ['Mon-Fri 22:00-05:00'] },
    freezes: { closing: { from: '2026-03-05T21:00', to: '2026-03-08', reason: 'quarter end' } },
  };
  const { ask, press, pass, person, read, workspace, appliance } = await withBob({ policy, from });
  const click = (label: string) => press(label, 'bob').catch(() => undefined);
  for (const line of lines) {
    await ask(line);
    for (const label of ['Plan', 'Enable', 'Change the time…']) await click(label);
    if (person('bob').form() !== undefined) await person('bob').dismiss();
  }
  await person('bob').openHome();
  const session = appliance.state.rdp.sessions.get(12);
  if (session !== undefined) appliance.state.rdp.sessions.set(12, { ...session, username: 'anna.berg' });
  appliance.faults.set('GET /proxy/acls/objects', { kind: 'status', status: 503 });
  for (let step = 0; step < 12; step += 1) await pass(10 * minute);
  appliance.faults.clear();
  for (const line of afterwards) await ask(line);
  const [, reference] = /(A-[A-Z0-9]{8})/.exec(read('bob')) ?? [];
  for (const line of [`show ${reference}`, `share ${reference}`]) await ask(line);
  for (const label of ['Plan for after the freeze', 'Ask again now', 'Extend by 2 h']) await click(label);
  await pass(6 * hour);
  await person('bob').openHome();
  const calls = workspace.log.calls().map(({ method, args }) => [method, args]);
  expect(calls.length).toBeGreaterThan(100);
  expect(rawTimesIn(calls)).toEqual([]);
}, 180_000);
