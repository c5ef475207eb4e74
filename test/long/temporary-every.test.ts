import { expect, test } from 'vitest';
import type { AnyCommand } from '../../src/handlers/command.ts';
import { commands } from '../../src/handlers/registry.ts';
import { converse } from '../conversation.ts';
import { ordersTo } from '../orders.ts';

const minute = 60_000;

const undoable = commands.filter((command) => command.kind === 'change' && command.undo !== undefined);

/** Everything that the simulated appliance holds, but for what counts calls and moments. */
const snapshot = (state: object): unknown =>
  JSON.parse(
    JSON.stringify(state, (key, value: unknown) =>
      value instanceof Map
        ? [...value]
        : value instanceof Set
          ? [...value].toSorted()
          : // Since when an interface is up is its own; that it is up is not.
            key === 'upSince' && value != null
            ? 'up'
            : value,
    ),
  );

/** The paths at which two of them differ. */
function differences(one: unknown, other: unknown, path = ''): readonly string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other ? [] : [path];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) =>
    differences(Reflect.get(one, key), Reflect.get(other, key), `${path}.${key}`),
  );
}

/** State that belongs to the appliance: past events, uptime, traffic, and the next number. No undo takes that back. */
const itsOwn =
  /^\.(?:acl\.lastRecordId|rdp\.audit|rdp\.lastIds|ftpd\.events|directory\.connection\.since|directory\.proxy\.(?:startedAt|rebuiltFor)|vlan\.interfaces\.\d+\.\d+\.carried)(?:\.|$)/;

/** Parts that come back otherwise than they were, with the reason. */
const named: Readonly<Record<string, RegExp>> = {
  // A record that was deleted is a new one, with another ID, date and place (appliance-api.md §4.1).
  'acl record delete .youtube.com': /^\.acl\.(?:objects|live)\.\d+\.\d+\.(?:records|members)\./,
};

/** Prepares the example of a command: dana types lines, fills in their forms and confirms. */
async function before(command: AnyCommand) {
  const conversation = await converse();
  const { type, press, bot, person } = conversation;
  const dana = person('dana');
  const run = async (line: string) => {
    await type(`/appliance ${line}`, 'dana');
    const form = dana.form();
    if (form !== undefined) {
      const blank = form.fields.filter(({ isOptional, value }) => !isOptional && value.length === 0);
      await dana.fill(Object.fromEntries(blank.map(({ label }) => [label, 'Sandbox-4711'])));
      await dana.submit();
    }
    const [action] = await bot.journal.recent(1);
    if (action?.state !== 'waiting') return;
    if (action.consent !== undefined) return void (await press('Approve', 'carol'));
    const own = commands.find(({ phrase }) => phrase === action.phrase);
    await press(own?.kind === 'change' ? own.verb : '', 'dana');
  };
  for (const line of command.before ?? []) await run(line);
  return { ...conversation, run };
}

test.each(undoable.map((command) => [command.example, command] as const))(
  '`%s` for ten minutes leaves the appliance as it was',
  async (example, command) => {
    const { press, pass, read, appliance, bot, run } = await before(command);
    await pass(2 * minute);
    const former = snapshot(appliance.state);
    await run(`${example} --for 5m`);
    const live = await bot.journal.timedChanges();
    expect(live, read('dana')).not.toEqual([]);
    // Extending it sends nothing, and needs no password again.
    const sent = () => ordersTo(appliance).length;
    const orders = sent();
    await press('Extend by 5 min', 'dana');
    expect(await bot.journal.timedChanges(), read('dana')).toEqual(
      live.map(({ endsAt }) => expect.objectContaining({ state: 'on', endsAt: endsAt + 5 * minute })),
    );
    expect(sent()).toBe(orders);
    await pass(8 * minute);
    const changed = () => differences(former, snapshot(appliance.state)).filter((path) => !itsOwn.test(path));
    expect(changed()).not.toEqual([]);
    await pass(5 * minute);
    expect(await bot.journal.timedChanges(), read('dana')).toEqual([]);
    await pass(2 * minute);
    const isNamed = (path: string) => named[example]?.test(path) === true;
    expect(changed().filter((path) => !isNamed(path))).toEqual([]);
    // A difference that is named is one.
    expect(changed().some(isNamed)).toBe(example in named);
  },
);

test.each(undoable.map((command) => [command.example, command] as const))(
  '`%s` for a time is over as soon as somebody has typed its reversal, and nobody is asked',
  async (example, command) => {
    const { pass, read, bot, run } = await before(command);
    await run(`${example} --for 30m`);
    const [row] = await bot.journal.timedChanges();
    expect(row?.undoLine, read('dana')).toBeDefined();
    await pass(2 * minute);
    await run(row?.undoLine ?? '');
    expect(await bot.journal.timedChanges(), read('dana')).toEqual([]);
    await pass(32 * minute);
    expect(read('dana')).not.toContain('so you decide');
  },
);
