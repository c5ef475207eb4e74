import { describe, expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);

/** What bob and dana both want for a time, and how it is seen on the appliance that it is on. */
const things = [
  ['a site', 'category add q1.example to 252'],
  ['an ACL object', 'acl object disable google_sni'],
  ['a link', 'rdp policy link member yuki.tanaka to 5'],
] as const;

async function both(line: string, dana: string) {
  const conversation = await withBob({ from });
  const { appliance, type } = conversation;
  const { categories, acl, rdp } = appliance.state;
  const isOn = () =>
    line.startsWith('category')
      ? categories.all.get(252)?.sites.has('q1.example')
      : line.startsWith('acl')
        ? acl.objects.get(3)?.enabled === false
        : rdp.policies.get(5)?.links.members.has(10);
  await type(`/appliance ${line} --for 1h`, 'bob');
  await type(`/appliance ${line}${dana}`, 'dana');
  return { ...conversation, isOn };
}

describe.each(things)('%s that two want with the very same line', (_, line) => {
  test('stays for who wants it for longer when the other one undoes theirs, and ends with theirs', async () => {
    const { isOn, type, press, pass, read } = await both(line, ' --for 3h');
    await type('/appliance undo', 'bob');
    expect(read('bob')).toContain('which stays');
    await press('Undo', 'bob');
    expect(isOn()).toBe(true);
    expect(read('bob')).not.toMatch(/it is undone now\./);
    await pass(170 * minute);
    expect(isOn()).toBe(true);
    await pass(15 * minute);
    expect(isOn()).toBe(false);
  });

  test('stays until the end of the longer one, of which nothing has to be sent when it is asked for', async () => {
    const { isOn, pass, read } = await both(line, ' --for 3h');
    expect(read('bob')).toMatch(/@bob: @dana wants .* until 17:00/);
    await pass(70 * minute);
    expect(isOn()).toBe(true);
    await pass(120 * minute);
    expect(isOn()).toBe(false);
  });

  test('stays for good for who wants it for good, and is nobody else’s to undo', async () => {
    const { isOn, type, press, pass, read } = await both(line, '');
    await press('Keep', 'dana');
    await type('/appliance undo', 'bob');
    expect(read('bob')).toContain('It was temporary, and @dana wants it still: it is theirs by now.');
    await pass(90 * minute);
    expect(isOn()).toBe(true);
  });

  test('is extended where the same person types it again', async () => {
    const { isOn, type, press, read } = await both(line, ' --for 3h');
    await type(`/appliance ${line} --for 5h`, 'dana');
    expect(read('dana')).toContain('Extended until today 19:00');
    await type('/appliance undo', 'bob');
    await press('Undo', 'bob');
    expect(isOn()).toBe(true);
  });
});

test('a grant that nobody can see twice stays for who wants it for longer', async () => {
  const { type, press, appliance } = await withBob({ from });
  const granted = () => [...appliance.state.sqldb.users.entries()];
  await type('/appliance sql user grant proxy --for 1h', 'bob');
  const had = JSON.stringify(granted());
  await type('/appliance sql user grant proxy --for 3h', 'dana');
  await type('/appliance undo', 'bob');
  await press('Undo', 'bob');
  expect(JSON.stringify(granted())).toBe(had);
});
