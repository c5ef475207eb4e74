import { expect, test } from 'vitest';
import { under } from './approving.ts';
import { five, withBob } from './planning-lines.ts';

const tickets = {
  pattern: '^CHG-[0-9]+$',
  example: 'CHG-123',
  link: 'https://itsm.example.com/change/{ticket}',
};

test('a ticket in a plan is read like that of one line: by its address, in any case, and refused with the same sentence', async () => {
  const { ask, click, plan, bot } = await withBob(under({ tickets }));
  const alone = await ask(`${five[0]} --ticket nonsense`);
  const why = 'nonsense is not the name of a ticket here: it looks like CHG-123.';
  expect(alone).toContain(why);
  expect(await plan(`${five[0]} --ticket nonsense`, `${five[1]}`)).toMatch(
    new RegExp(`1 line of 2 can’t be run[\\s\\S]*${why}`),
  );
  await ask(
    `plan --ticket chg-7\n${five[0]} --ticket https://itsm.example.com/change/CHG-8\n${five[1]} for ticket chg-9\n${five[2]}`,
  );
  await click('Run plan');
  const [run] = (await bot.journal.recent(10)).filter(({ phrase }) => phrase === 'plan <lines>…');
  const steps = await bot.journal.stepsOf(run?.id ?? '');
  expect([run?.ticket, ...steps.map(({ ticket }) => ticket)]).toEqual(['CHG-8', 'CHG-8', 'CHG-9', 'CHG-7']);
  for (const ticket of ['chg-9', 'https://itsm.example.com/change/CHG-9'])
    expect(await ask(`audit ticket ${ticket}`)).toContain(`1 action for ${ticket}`);
});

test('a rollback has the ticket of what it takes back', async () => {
  const { click, plan, bot } = await withBob(under({ tickets }));
  await plan(`${five[0]} --ticket CHG-1`, `${five[1]} --ticket CHG-2`);
  await click('Run plan');
  await click('Undo');
  const [back] = (await bot.journal.recent(20)).filter((one) => one.phrase === 'plan rollback <plan>');
  const steps = await bot.journal.stepsOf(back?.id ?? '');
  expect([back?.ticket, ...steps.map(({ ticket }) => ticket)]).toEqual(['CHG-1', 'CHG-2', 'CHG-1']);
});

test('a line without a ticket takes none from another line: it is refused where it needs one, and each is shown with its own', async () => {
  const required = [{ commands: [{ phrase: 'vlan stop' }, { phrase: 'acl object disable' }] }];
  const { click, plan, planned, ask, bot } = await withBob(under({ tickets: { ...tickets, required } }));
  expect(
    await plan(`${five[1]} --ticket CHG-1`, `${five[0]} --ticket CHG-2`, `${five[2]}`, `${five[3]}`),
  ).toMatch(/1 line of 4 can’t be run[\s\S]*\n {2}3 {5}vlan stop 3 .*ticket/);
  const shown = await plan(`${five[1]} --ticket CHG-1`, `${five[2]} --ticket CHG-2`, `${five[3]}`);
  expect(shown).toMatch(/Tickets {2}CHG-1[^\n]* and CHG-2[^\n]*\n/);
  expect(shown).toMatch(/Line 2 [^\n]*\(for CHG-2\)\n {2}Line 3 [^\n]*\(for no ticket\)\n/);
  expect(await click('Run plan')).toMatch(/Tickets {2}CHG-1[^\n]* and CHG-2/);
  const steps = async (phrase: string) => {
    const [run] = (await bot.journal.recent(20)).filter((one) => one.phrase === phrase);
    const each = await bot.journal.stepsOf(run?.id ?? '');
    return [run?.ticket, ...each.map(({ ticket }) => ticket)];
  };
  expect(await steps('plan <lines>…')).toEqual(['CHG-1', 'CHG-1', 'CHG-2', undefined]);
  await ask('acl object enable google_sni');
  await ask(`plan rollback ${await planned()}`);
  await click('Roll back');
  expect((await steps('plan rollback <plan>')).slice(1)).toContain('CHG-2');
});

test('a plan without a required ticket offers a form for it, for all of its lines, with its options', async () => {
  const required = [{ commands: [{ phrase: 'vlan stop' }, { phrase: 'acl object disable' }] }];
  const { click, plan, person, bot, read } = await withBob(under({ tickets: { ...tickets, required } }));
  const lines = [`${five[1]}`, `${five[2]}`, `${five[3]}`] as const;
  expect(await plan('--for 2h', ...lines)).toMatch(/2 lines of 3 can’t be run[\s\S]*\[Enter a ticket\]/);
  await click('Enter a ticket');
  await person('bob').fill({ Ticket: 'CHG-5' });
  await person('bob').submit();
  await bot.idle();
  expect(read('bob')).toMatch(/Run this plan of 3 lines[\s\S]*For: 2 h/);
  expect(await click('Run plan')).toContain('✅ Plan done: 3 lines');
  const [run] = (await bot.journal.recent(10)).filter(({ phrase }) => phrase === 'plan <lines>…');
  expect((await bot.journal.stepsOf(run?.id ?? '')).map(({ ticket }) => ticket)).toEqual(
    Array(3).fill('CHG-5'),
  );
  // Its own is none, and counts before that of all.
  expect(await plan(`${five[0]} --ticket nonsense`, `${five[2]}`)).not.toMatch(
    /can’t be run[\s\S]*nonsense[\s\S]*\[Enter a ticket\]/,
  );
});
