import { describe, expect, test } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { referenceOf } from '../src/journal/actions/reference.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const site = 'category add q1.example to 252';

async function withBoth(branches = 0) {
  const found = await withBob({ from, branches });
  const { appliance, category, type, read } = found;
  return {
    ...found,
    isIn: (name: string) => category(252).sites.has(`${name}.example`),
    /** Types a line, and reads what is seen then. */
    say: async (line: string, by: string) => {
      await type(`/appliance ${line}`, by);
      return read(by);
    },
    isOn: (line: string): boolean | undefined =>
      line.startsWith('category')
        ? category(252).sites.has('q1.example')
        : line.startsWith('acl')
          ? appliance.state.acl.objects.get(3)?.enabled === false
          : appliance.state.rdp.policies.get(5)?.links.members.has(10),
  };
}

describe.each([
  ['a site', site],
  ['an ACL object', 'acl object disable google_sni'],
  ['a link', 'rdp policy link member yuki.tanaka to 5'],
] as const)('%s that somebody has on for a time', (_, line) => {
  test('is theirs: whoever wants it for longer reads until when, sends nothing, and extends it', async () => {
    const { say, press, pass, isOn, read, appliance, bot } = await withBoth();
    await say(`${line} --for 1h`, 'bob');
    const before = appliance.requests.filter(({ method }) => method !== 'GET').length;
    expect(await say(`${line} --for 3h`, 'dana')).toMatch(
      /is (?:on|off) already, until 15:00 by @bob, with .*No changes were made\./,
    );
    expect(await bot.journal.timedChanges()).toHaveLength(1);
    await press('Extend by 2 h', 'dana');
    expect(read('bob')).toContain('Extended until today 17:00');
    expect(appliance.requests.filter(({ method }) => method !== 'GET')).toHaveLength(before);
    await pass(62 * minute);
    expect(isOn(line)).toBe(true);
    await pass(121 * minute);
    expect(isOn(line)).toBe(false);
  });

  test('is kept by whoever wants it for good', async () => {
    const { say, press, pass, isOn } = await withBoth();
    await say(`${line} --for 1h`, 'bob');
    expect(await say(line, 'dana')).toContain('until 15:00 by @bob');
    await press('Keep', 'dana');
    await press('Keep', 'dana');
    await pass(90 * minute);
    expect(isOn(line)).toBe(true);
  });

  test('is on for long enough for whoever wants it for less, who reads so', async () => {
    const { say, isOn, pass } = await withBoth();
    await say(`${line} --for 3h`, 'bob');
    const said = await say(`${line} --for 1h`, 'dana');
    expect(said).toMatch(/Yours would not end later\. No changes were made\.$/);
    await pass(62 * minute);
    expect(isOn(line)).toBe(true);
  });

  test('ends with its own Undo, and was never somebody else’s', async () => {
    const { say, isOn } = await withBoth();
    await say(`${line} --for 1h`, 'bob');
    await say(`${line} --for 3h`, 'dana');
    await say('undo', 'bob');
    expect(isOn(line)).toBe(false);
  });

  test('is extended by the same line of the same person', async () => {
    const { say } = await withBoth();
    await say(`${line} --for 1h`, 'bob');
    expect(await say(`${line} --for 5h`, 'bob')).toContain('Extended until today 19:00');
  });
});

describe('of a list, of which somebody has a part on for a time', () => {
  test('the rest is done with an end of its own, and the part is named, with until when and a button that extends it', async () => {
    const { say, press, pass, isIn } = await withBoth();
    const there = () => ['a', 'b', 'c', 'd'].filter(isIn).join('');
    await say('category add a.example b.example c.example to 252 --for 30m', 'bob');
    const said = await say('category add b.example c.example d.example to 252 --for 2h', 'dana');
    expect(said).toContain('✅ d.example added to category shopping, until 16:00');
    expect(said).toMatch(
      /b\.example and c\.example are on already, until 14:30 by @bob, with .*\[Extend by 1 h 30 min\]/s,
    );
    await pass(31 * minute);
    expect(there()).toBe('d');
    await pass(91 * minute);
    expect(there()).toBe('');
    await say('category add a.example b.example to 252 --for 30m', 'bob');
    await say('category add b.example d.example to 252 --for 2h', 'dana');
    await press('Extend by 1 h 30 min', 'dana');
    await pass(31 * minute);
    expect(there()).toBe('abd');
  });

  test('ending early, and Undo, take back what is one’s own alone', async () => {
    const { say, press, pass, isIn } = await withBoth();
    const there = () => ['a', 'b', 'c'].filter(isIn).join('');
    await say('category add a.example b.example to 252 --for 1h', 'bob');
    await say('category add b.example c.example to 252 --for 2h', 'dana');
    await say('undo', 'bob');
    await press('Undo', 'bob');
    expect(there()).toBe('c');
    await say('category add a.example to 252 --for 1h', 'bob');
    await say('category add a.example b.example to 252 --for 2h', 'dana');
    expect(await press('End now', 'dana')).toContain('Ended early');
    await pass(minute);
    expect(there()).toBe('ac');
  });

  test('a pattern that somebody takes out and adds again for good does not end with the list', async () => {
    const { say, press, pass, appliance } = await withBoth();
    const there = () =>
      [...(appliance.state.acl.objects.get(12)?.records.values() ?? [])]
        .map(({ pattern }) => pattern)
        .filter((pattern) => /^[ab]\.example$/.test(pattern));
    await say('acl record add 12 a.example b.example --for 1h', 'bob');
    await press('Add', 'bob').catch(() => undefined);
    await say('acl record delete b.example', 'bob');
    await press('Delete', 'bob');
    await say('acl record add 12 b.example', 'dana');
    await press('Add', 'dana').catch(() => undefined);
    await pass(62 * minute);
    expect(there()).toEqual(['b.example']);
  });

  test('a right of a policy is held like an entry of a list', async () => {
    const { say, pass, press, read, appliance } = await withBoth();
    const allowed = () =>
      Object.entries(appliance.state.rdp.policies.get(1)?.rights ?? {})
        .flatMap(([name, given]) => (given === '1' ? [name.replace('allow_', '')] : []))
        .toSorted();
    const before = allowed();
    await say('rdp policy change 1 --allow drives,printers --for 1h', 'bob');
    expect(await say('rdp policy change 1 --allow printers,audio --for 2h', 'dana')).toContain(
      'printers allowed is on already, until 15:00 by @bob',
    );
    await say('rdp policy change 1 --forbid drives', 'dana');
    // Her value contradicts his, so the bot asks.
    expect(read('dana')).toContain('Wanted by others  drives allowed until 15:00, by @bob with');
    await press('Change', 'dana');
    expect(read('bob')).toContain('@bob: drives allowed is not on any more. @dana ran');
    await pass(62 * minute);
    expect(allowed()).toEqual([...before, 'audio'].toSorted());
    await pass(62 * minute);
    expect(allowed()).toEqual(before);
  });

  test('two who ask in the same second share nothing: what is on for good stays, and what is on for a time ends', async () => {
    const { type, pass, isIn } = await withBoth();
    const both = (name: string, ...terms: readonly string[]) =>
      Promise.all(
        terms.map((term, at) =>
          type(
            `/appliance category add ${name}.example to 252${term}`,
            at === 0 ? 'bob' : 'dana',
            at === 0 ? 'helpdesk' : 'incident',
          ),
        ),
      );
    await both('x', ' --for 2h', ' --for 30m');
    await both('y', ' --for 30m', ' --for 2h');
    await pass(125 * minute);
    expect(['x', 'y'].filter(isIn)).toEqual([]);
  });
});

test('what somebody takes out of a list for good is told to its holder at once, and the rest ends in time', async () => {
  const { say, press, pass, isIn, read } = await withBoth();
  await say('category add a.example b.example to 252 --for 2h', 'bob');
  await say('category delete b.example from 252', 'dana');
  expect(read('dana')).toContain('Wanted by others  b.example until 16:00, by @bob with');
  await press('Remove', 'dana');
  expect(read('bob')).toContain(
    '@bob: b.example is not on any more. @dana ran category delete b.example from',
  );
  await pass(122 * minute);
  expect(['a', 'b'].filter(isIn)).toEqual([]);
  expect(read('bob')).toContain('Left alone, because somebody has changed it since: b.example.');
});

test('a plan’s rollback takes back its own lines, and what was on before stays until its end', async () => {
  const { say, press, pass, isIn, bot } = await withBoth();
  await say('category add b.example to 252 --for 1h', 'dana');
  await say('plan\ncategory add a.example b.example to 252\ncategory add b.example d.example to 252', 'bob');
  await press('Run plan', 'bob');
  const plan = (await bot.journal.recent(20)).find(({ phrase }) => phrase?.startsWith('plan'));
  await say(`plan rollback ${referenceOf(plan?.id ?? '')}`, 'bob');
  await press('Roll back', 'bob');
  expect(['a', 'b', 'd'].filter(isIn)).toEqual(['b']);
  await pass(62 * minute);
  expect(isIn('b')).toBe(false);
});

test('on several appliances, what is on already on one of them is left alone there, and named with its end', async () => {
  const { say, press, pass, appliance, branches } = await withBoth(1);
  const on = () =>
    [appliance, branches.get('branch-2')].map((one) => one?.state.rdp.policies.get(5)?.links.members.has(10));
  const line = 'rdp policy link member yuki.tanaka to 5';
  await say(`${line} --for 1h --on hq`, 'bob');
  await say(`${line} --for 3h --on all`, 'dana');
  expect(await press('Link', 'dana')).toMatch(/hq +skipped: It is on already, until 15:00 by @bob, with /);
  await pass(62 * minute);
  expect(on()).toEqual([false, true]);
  await pass(122 * minute);
  expect(on()).toEqual([false, false]);
});

test('a change sends the appliance the same requests, however many others are on for a time', async () => {
  const { say, appliance, isIn } = await withBoth();
  const requestsOf = async (line: string) => {
    const before = appliance.requests.length;
    await say(line, 'dana');
    // Questions that are asked side by side come in any order.
    return appliance.requests
      .slice(before)
      .map(({ operation }) => operation)
      .toSorted();
  };
  // The first one learns what the others know.
  await say('category add first.example to 252 --for 1h', 'dana');
  const alone = await requestsOf('category add alone.example to 252 --for 1h');
  for (let at = 0; at < 20; at += 1) await say(`category add n${at}.example to 252 --for 2h`, 'bob');
  expect(isIn('n19')).toBe(true);
  expect(await requestsOf('category add beside.example to 252 --for 1h')).toEqual(alone);
});

/** Lists that are one value, and why. */
const oneValue: Readonly<Record<string, string>> = {
  'rdp ciphers set <suite>…': 'all of them in their order are what is set, and the next list replaces it',
};

test('every change of a list that can be undone distinguishes its parts, or is one value', () => {
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

/** Options of `--set` commands whose Undo takes back the whole change. */
const whole = [
  'rdp member change <member> [--username] [--until] [--set]',
  'rdp member create <username> <--password> [--until] [--set]',
  'rdp pattern create <pattern> in <policy> [--set]',
  'rdp policy create <name> [--allow] [--set]',
  'rdp target create <name> <--password> [--set]',
];

test('every change of several fields that can be undone distinguishes them, or is undone as a whole', () => {
  const setting = commands.flatMap((command) =>
    command.kind === 'change' && command.undo !== undefined && command.args.set !== undefined
      ? [command]
      : [],
  );
  expect(setting.filter(({ fields }) => fields !== undefined).length).toBeGreaterThan(2);
  expect(
    setting
      .filter(({ fields }) => fields === undefined)
      .map(({ phrase }) => phrase)
      .toSorted(),
  ).toEqual(whole);
});
