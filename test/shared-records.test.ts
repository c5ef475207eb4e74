import { expect, test } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const object = 12;
const list = (...names: readonly string[]) => names.map((name) => `${name}.example`).join(' ');

async function withBoth() {
  const found = await withBob({ from });
  const { type, press, appliance, read } = found;
  return {
    ...found,
    in: () =>
      [...(appliance.state.acl.objects.get(object)?.records.values() ?? [])]
        .map(({ pattern }) => pattern)
        .filter((pattern) => /^[a-d]\.example$/.test(pattern))
        .map((pattern) => pattern.charAt(0))
        .toSorted()
        .join(' '),
    add: async (names: string, term: string, by: string) => {
      await type(`/appliance acl record add ${object} ${names} ${term}`.trim(), by);
      await press('Add', by).catch(() => undefined);
      return read(by);
    },
    undo: async (by: string) => {
      await type('/appliance undo', by);
      await press('Undo', by).catch(() => undefined);
      return read(by);
    },
  };
}

test('patterns of an ACL object that several want for a time stay as long as the longest wants them', async () => {
  const { add, pass, in: there } = await withBoth();
  await add(list('a', 'b'), '--for 1h', 'bob');
  expect(await add(list('b', 'c'), '--for 2h --note later', 'dana')).toContain(
    'b.example is on already, until 15:00 by @bob',
  );
  await pass(62 * minute);
  expect(there()).toBe('b c');
  await pass(62 * minute);
  expect(there()).toBe('');
});

test('Undo of patterns leaves what somebody else wants, until their end', async () => {
  const { add, undo, pass, in: there } = await withBoth();
  await add(list('a', 'b'), '--for 4h', 'bob');
  await add(list('b', 'c'), '--for 2h', 'dana');
  expect(await undo('bob')).toContain('Stays  b.example until 16:00, for @dana');
  expect(there()).toBe('b c');
  await pass(122 * minute);
  expect(there()).toBe('');
});

test('a pattern that is on for somebody already can be wanted for longer, and then stays', async () => {
  const { add, pass, in: there } = await withBoth();
  await add(list('a', 'b'), '--for 1h', 'bob');
  expect(await add(list('b'), '--for 2h', 'dana')).toContain('until 16:00');
  await pass(62 * minute);
  expect(there()).toBe('b');
  await pass(62 * minute);
  expect(there()).toBe('');
});

test('Undo of patterns without an end leaves what somebody else wants, says so before it is pressed, and they go with that', async () => {
  const { add, type, press, pass, read, in: there } = await withBoth();
  await add(list('a', 'b'), '', 'bob');
  await add(list('b', 'c'), '--for 3h', 'dana');
  await type('/appliance undo', 'bob');
  expect(read('bob')).toContain('Stays, because others want it: b.example until 17:00, for @dana with');
  await press('Undo', 'bob');
  expect(there()).toBe('b c');
  await pass(182 * minute);
  expect(there()).toBe('');
});

test('a pattern that somebody takes out of a list by hand and adds again for good does not end with the list', async () => {
  const { add, type, press, pass, in: there } = await withBoth();
  await add(list('a', 'b'), '--for 1h', 'bob');
  await type('/appliance acl record delete b.example', 'bob');
  await press('Delete', 'bob');
  await add(list('b'), '', 'dana');
  await pass(62 * minute);
  expect(there()).toBe('b');
});

/** Lists that are one value, and why. */
const oneValue: Readonly<Record<string, string>> = {
  'rdp ciphers set <suite>…': 'all of them in their order are what is set, and the next list replaces it',
};

test('every change of a list that can be undone says how its parts are told apart, or is one value', () => {
  const lists = commands.flatMap((command) =>
    command.kind === 'change' && command.undo !== undefined && /[>\]]…/.test(command.phrase) ? [command] : [],
  );
  expect(lists.length).toBeGreaterThan(4);
  expect(lists.filter(({ each }) => each === undefined).map(({ phrase }) => phrase)).toEqual(
    Object.keys(oneValue),
  );
  for (const { phrase, each } of lists)
    if (each !== undefined) expect(phrase, phrase).toContain(`<${each}>…`);
});
