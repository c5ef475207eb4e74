import { describe, expect, test } from 'vitest';
import { under } from './approving.ts';

const minute = 60_000;
/** Thursday, 5 March 2026, 13:30 in UTC, which is the policy's time zone here. */
const from = Date.UTC(2026, 2, 5, 13, 30);

/** Bob has planned it for the night, when it needs no approval; he has moved it into the day. */
async function movedIntoTheDay() {
  const approvals = [
    {
      ...{ commands: [{ phrase: 'category add' }], by: 'approver', open: '1d' },
      not_needed: ['22:00-05:00'],
    },
  ];
  const made = await under({ approvals }, {}, from);
  const ask = async (line: string, by = 'bob') => {
    const before = made.read(by).length;
    const said = await made.type(`/appliance ${line}`, by);
    return said.slice(Math.min(before, said.length) - 200 > 0 ? before - 200 : 0);
  };
  await ask('category add one.example.net to 252 --at 23:00');
  await ask('reschedule one.example.net to 18:00');
  expect(await made.press('Move to 18:00', 'bob')).toContain(
    'needs a new confirmation or approval, on its card',
  );
  return { ...made, ask };
}

describe('a moved change that waits for its new confirmation', () => {
  test('is shown as that, and not as planned for its old time', async () => {
    const { ask, press } = await movedIntoTheDay();
    expect(await ask('planned')).toContain('today 18:00, once it is confirmed or approved again');
    for (const line of ['cancel one.example.net', 'cancel 1']) {
      const said = await ask(line);
      expect(said).toContain('moved to today 18:00, which has to be agreed to on its card.');
      expect(said).not.toContain('planned for today 23:00');
    }
    const all = await ask('cancel all');
    expect(all).not.toContain('planned for today 23:00');
    expect(await ask('reschedule one.example.net to 23:00')).toContain(
      'it can get another time when it is agreed to. Cancel it to plan it anew.',
    );
    expect(await press('Approve', 'carol')).toContain('Planned for today 18:00');
  });

  test('is no longer planned for its old time when it is denied, or nobody approves it', async () => {
    const { press, person, bot, read } = await movedIntoTheDay();
    await press('Deny…', 'carol');
    await person('carol').fill({ Reason: 'not today' });
    await person('carol').submit();
    await bot.idle();
    expect(read('bob')).toMatch(/Denied by @carol: not today\. No changes were made\. It is not planned for/);

    const late = await movedIntoTheDay();
    await late.pass(5 * 60 * minute);
    expect(late.read('bob')).toContain(
      'Nobody approved it in time, so no changes were made. It is not planned for today 23:00 any more, either.',
    );
  });
});

test('Cancel of a planned change is offered only to people who may press it', async () => {
  const { type } = await under({}, {}, from);
  await type('/appliance category add one.example.net to 252 --at 23:00', 'bob');
  for (const line of ['cancel 1', 'cancel one.example.net'])
    expect(await type(`/appliance ${line}`, 'alice')).toContain(
      'Nothing was canceled. Only whoever asked for it, and those who may run or approve it, can cancel it.',
    );
  expect(await type('/appliance cancel 1', 'dana')).toContain('Nothing was canceled so far.');
});
