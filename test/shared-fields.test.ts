import { expect, test } from 'vitest';
import { commands } from '../src/handlers/registry.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);

async function withRights() {
  const found = await withBob({ from });
  const { appliance, type, press, read } = found;
  return {
    ...found,
    /** The rights of policy 1. */
    allowed: () =>
      Object.entries(appliance.state.rdp.policies.get(1)?.rights ?? {})
        .flatMap(([name, given]) => (given === '1' ? [name.replace('allow_', '')] : []))
        .toSorted(),
    say: async (line: string, by: string, verb?: string) => {
      await type(`/appliance ${line}`, by);
      if (verb !== undefined) await press(verb, by);
      return read(by);
    },
  };
}

test('a right of a policy that two want for a time stays as long as the longer one wants it, and the others end in time', async () => {
  const { allowed, say, pass, read } = await withRights();
  const before = allowed();
  await say('rdp policy change 1 --allow drives,printers --for 1h', 'bob');
  await say('rdp policy change 1 --allow printers,audio --for 2h', 'dana');
  expect(read('bob')).toContain('@dana wants printers allowed until 16:00');
  await pass(62 * minute);
  expect(allowed()).toEqual([...before, 'audio', 'printers'].toSorted());
  expect(read('bob')).toContain('Stays  printers allowed stays for longer');
  await pass(62 * minute);
  expect(allowed()).toEqual(before);
});

test('a right that somebody wants for good while it is on for a time stays, and no other with it', async () => {
  const { allowed, say, pass } = await withRights();
  const before = allowed();
  await say('rdp policy change 1 --allow drives,printers --for 1h', 'bob');
  await say('rdp policy change 1 --allow drives', 'dana', 'Keep');
  await pass(62 * minute);
  expect(allowed()).toEqual([...before, 'drives'].toSorted());
});

test('a right that is on already for longer is not asked for anew', async () => {
  const { say } = await withRights();
  await say('rdp policy change 1 --allow drives,printers --for 2h', 'bob');
  expect(await say('rdp policy change 1 --allow printers --for 1h', 'dana')).toContain(
    'printers allowed is on already, until 16:00 by @bob',
  );
});

test('a right that somebody forbids meanwhile stays as they left it, is told at once, and the others end in time', async () => {
  const { allowed, say, type, press, pass, read } = await withRights();
  const before = allowed();
  await say('rdp policy change 1 --allow drives,printers --for 1h', 'bob');
  await type('/appliance rdp policy change 1 --forbid drives', 'dana');
  // It is the opposite of what bob wants, so it is asked.
  expect(read('dana')).toContain('Wanted by others  drives allowed until 15:00, by @bob with');
  await press('Change', 'dana');
  expect(read('bob')).toContain('@bob: drives allowed is not on any more. @dana ran');
  await pass(62 * minute);
  expect(allowed()).toEqual(before);
  expect(read('bob')).toContain('Left alone, because somebody has changed it since: drives allowed.');
});

test('Undo of several rights leaves what somebody else wants, until their end', async () => {
  const { allowed, say, pass } = await withRights();
  const before = allowed();
  await say('rdp policy change 1 --allow drives,printers --for 4h', 'bob');
  await say('rdp policy change 1 --allow printers,audio --for 2h', 'dana');
  expect(await say('undo', 'bob', 'Undo')).toContain('Stays  printers allowed until 16:00, for @dana');
  expect(allowed()).toEqual([...before, 'audio', 'printers'].toSorted());
  await pass(122 * minute);
  expect(allowed()).toEqual(before);
});

test('Undo of rights that have no end leaves what somebody else wants for a time', async () => {
  const { allowed, say, pass, type, press, read } = await withRights();
  const before = allowed();
  await say('rdp policy change 1 --allow drives,printers', 'bob');
  await say('rdp policy change 1 --allow printers,audio --for 3h', 'dana');
  await type('/appliance undo', 'bob');
  expect(read('bob')).toContain('Stays, because others want it: printers allowed until 17:00, for @dana');
  await press('Undo', 'bob');
  expect(allowed()).toEqual([...before, 'audio', 'printers'].toSorted());
  await pass(182 * minute);
  expect(allowed()).toEqual(before);
});

test('fields of a target that are set together belong to whoever wants each of them, by their values', async () => {
  const { appliance, say, pass } = await withRights();
  const shown = () => {
    const { address, description } = appliance.state.rdp.targets.get(1) ?? {};
    return [address, description];
  };
  const before = shown();
  await say('rdp target change 1 --set address=10.9.9.9, description=Moved --for 1h', 'bob', 'Change');
  await say('rdp target change 1 --set description=Moved --for 2h', 'dana', 'Keep');
  await pass(62 * minute);
  expect(shown()).toEqual([before[0], 'Moved']);
  await pass(62 * minute);
  expect(shown()).toEqual(before);
});

/** What `--set` belongs to that is undone as a whole. */
const whole = [
  'rdp member change <member> [--username] [--until] [--set]',
  'rdp member create <username> <--password> [--until] [--set]',
  'rdp pattern create <pattern> in <policy> [--set]',
  'rdp policy create <name> [--allow] [--set]',
  'rdp target create <name> <--password> [--set]',
];

test('every change that sets several fields and can be undone says how they are told apart, or is undone as a whole', () => {
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
