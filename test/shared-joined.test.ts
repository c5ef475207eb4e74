import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const line = 'category add q1.example to 252';

async function withBoth() {
  const conversation = await withBob({ from });
  const { category } = conversation;
  return { ...conversation, isIn: (site: string) => category(252).sites.has(site) };
}

test('who wants for good what somebody else has on for a time can undo it', async () => {
  const { type, press, pass, isIn } = await withBoth();
  await type(`/appliance ${line} --for 1h`, 'bob');
  await type(`/appliance ${line}`, 'dana');
  await press('Keep', 'dana');
  await pass(62 * minute);
  expect(isIn('q1.example')).toBe(true);
  await press('Undo', 'dana');
  expect(isIn('q1.example')).toBe(false);
});

test('who wants some of a list for good can undo that when the rest has ended, and nothing else', async () => {
  const { type, press, pass, isIn } = await withBoth();
  await type('/appliance category add q1.example q2.example to 252 --for 1h', 'bob');
  await type(`/appliance ${line}`, 'dana');
  await press('Keep', 'dana');
  await expect(press('Undo', 'dana')).rejects.toThrow('sees no button "Undo"');
  await pass(62 * minute);
  expect([isIn('q1.example'), isIn('q2.example')]).toEqual([true, false]);
  await press('Undo', 'dana');
  expect(isIn('q1.example')).toBe(false);
});

test('what two want until the same moment is told as undone to both', async () => {
  const { type, press, pass, read, isIn } = await withBoth();
  await type(`/appliance ${line} --for 1h`, 'bob');
  await type(`/appliance ${line} --until 16:00`, 'dana');
  await press('Extend by 1 h', 'bob');
  await pass(122 * minute);
  expect(isIn('q1.example')).toBe(false);
  expect(read('dana').match(/Over, and undone: q1\.example/g)).toHaveLength(2);
  expect(read('dana')).not.toContain('somebody else wants it for longer');
});
