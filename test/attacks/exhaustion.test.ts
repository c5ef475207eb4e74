import { expect } from 'vitest';
import { needing, sent } from '../approving.ts';
import { attacks } from './rows.ts';

/** The processor time that this thread spends on something, in milliseconds. */
async function workOf(does: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage();
  await does();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const ticket = (pattern: string) => needing({ reason: { pattern } });

attacks('work per input', [
  {
    attack: 'a reason for which a backtracking engine would try every way to part its 28 letters',
    must: 'it is refused as quickly as any other',
    tryIt: async () => {
      const house = await ticket('^(\\w+[ -]?)+$');
      const ask = (reason: string) => house.type(`/appliance rdp disconnect 12 --reason "${reason}"`);
      await ask('stuck?');
      const usual = await workOf(() => ask('does not answer?'));
      const hostile = await workOf(() => ask(`${'a'.repeat(28)}!`));
      expect(hostile).toBeLessThan(5 * usual + 500);
      expect(sent(house)).toBe(0);
    },
  },
  {
    attack: 'a reason of 7,000 letters',
    must: 'it is refused, and the answer says how long one may be and repeats none of it',
    tryIt: async () => {
      const house = await ticket('^[a-z ]+$');
      const said = await house.type(`/appliance rdp disconnect 12 --reason "${'long '.repeat(1_400)}"`);
      expect(said).toContain(
        'A reason has at most 500 characters, and this one has 7,000. Nothing was done. Shorten it, and type it again.',
      );
      expect(said).not.toContain('long long long long');
      expect(sent(house)).toBe(0);
    },
  },
]);
