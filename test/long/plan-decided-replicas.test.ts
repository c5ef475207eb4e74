import { expect, test, vi } from 'vitest';
import { five, withBob } from '../planning-lines.ts';
import { replicas } from '../replicas.ts';

const buttons = ['Go on', 'Roll back', 'Leave it so'] as const;
type Button = (typeof buttons)[number];

/** The state of the first line and of the last, after a plan of five, of which the third has failed, was decided about. */
const left: Readonly<Record<Button, readonly boolean[]>> = {
  'Go on': [true, true],
  'Roll back': [false, false],
  'Leave it so': [true, false],
};
const pairs = buttons.flatMap((one) => buttons.map((other) => [one, other] as const));

test.each(pairs)(
  '%s and %s that two press at two replicas at the same moment: one of them decides, and the other is told who did',
  async (first, second) => {
    const house = await withBob(replicas(2));
    const { at, hastily, idle, isIn, read, breakVlan, click, plan } = house;
    breakVlan();
    await plan(...five);
    await click('Run plan');
    at(0);
    const one = hastily('bob').press('helpdesk', first);
    at(1);
    await Promise.all([one, hastily('dana').press('helpdesk', second)]);
    // The replica that has lost may still be at it when the other one is idle.
    await vi.waitFor(
      async () => {
        await idle();
        const now = [isIn('one.example.net'), isIn('three.example.net', 257)];
        const [won] = [first, second].filter((button) => String(left[button]) === String(now));
        expect(won).toBeDefined();
        const said = `${read('bob')}\n${read('dana')}`;
        expect(said.includes('leaves the plan as it is')).toBe(won === 'Leave it so');
        expect(said).toMatch(
          /@\w+ (?:was first|has left the plan as it is before|has pressed|already pressed)|still under way/,
        );
        expect(said).not.toMatch(/U0(?:BOB|DANA)/);
      },
      { timeout: 15_000, interval: 100 },
    );
  },
);
