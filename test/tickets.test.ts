import { expect, test } from 'vitest';
import { sandboxRoles } from '../sandbox/sandbox.ts';
import { under } from './approving.ts';

const add = '/appliance category add shop.example.net to 252';
const tickets = {
  pattern: '^CHG-[0-9]+$',
  example: 'CHG-123',
  link: 'https://itsm.example.com/change/{ticket}',
};
const asOperator = { roles: { ...sandboxRoles, helpdesk: [], operator: ['U0ALICE001'] } };
const sentTo = ({ appliance }: Awaited<ReturnType<typeof under>>): number =>
  appliance.requests.filter(({ method }) => method !== 'GET').length;

test('a change has its ticket on the card as a link, in show, the timeline and the audit, and is found by it', async () => {
  const house = await under({ tickets }, asOperator);
  const { type, press } = house;
  expect(await type(`${add} --ticket chg-7`)).toMatch(
    /Ticket +CHG-7 \(https:\/\/itsm\.example\.com\/change\/CHG-7\)/,
  );
  expect(await press('Undo')).toContain('Undone:');
  await type('/appliance category add press.example to 252 --ticket https://itsm.example.com/change/CHG-70');
  await type('/appliance category add plain.example to 252');
  const found = await type('/appliance audit ticket chg-7');
  const heard = found.slice(found.lastIndexOf('2 actions for chg-7'));
  expect(heard).toContain('shop.example.net');
  expect(heard).not.toContain('press.example');
  expect(await type('/appliance timeline')).toMatch(/press\.example.* for CHG-70 \(https/);
  const [of] = await house.bot.journal.findRecords({ ticket: 'CHG-70' }, 5).then(({ records }) => records);
  expect(of?.record).toMatchObject({ ticket: 'CHG-70', state: 'done' });
  expect(await type(`/appliance show ${/A-[0-9A-Z]{8}/.exec(heard)?.[0]}`)).toMatch(/Ticket +CHG-7 /);
  expect(await type('/appliance please add b.example to category 252 for ticket CHG-9')).toContain(
    '[category add b.example to 252 --ticket CHG-9]',
  );
  expect(await type('/appliance what was done for ticket CHG-70', 'dana')).toContain('1 action for CHG-70');
  // As it stands in the browser, or as somebody else has sent it.
  expect(await type('/appliance audit ticket https://itsm.example.com/change/CHG-70', 'dana')).toContain(
    '1 action for https://itsm.example.com/change/CHG-70',
  );
});

test('a line without a required ticket is refused with an example, and a form asks for one', async () => {
  const policy = { tickets: { ...tickets, required: [{ commands: [{ effect: 'write' }] }] } };
  const house = await under(policy, asOperator);
  const { type, person, read, bot } = house;
  const before = sentTo(house);
  expect(await type(add)).toContain(
    'This change needs a ticket such as CHG-123. No changes were made. Type it with one: /appliance category add shop.example.net to 252 --ticket CHG-123',
  );
  expect(await type(`${add} --ticket INC-1`)).toContain(
    'INC-1 is not the name of a ticket here: it looks like CHG-123',
  );
  expect(await type(`${add} --dry-run`)).toContain('No changes were made');
  expect(sentTo(house)).toBe(before);
  const alice = person('alice');
  await alice.press('helpdesk', 'Enter a ticket');
  expect(alice.form()?.fields).toContainEqual(
    expect.objectContaining({ label: 'Ticket', hint: expect.stringContaining('CHG-123'), isOptional: false }),
  );
  await alice.fill({ Ticket: 'nonsense' });
  await alice.submit();
  expect(JSON.stringify(alice.form()?.errors)).toContain('It must look like CHG-123');
  await alice.fill({ Ticket: 'CHG-9' });
  await alice.submit();
  expect(read()).toContain('shop.example.net added');
  expect((await bot.journal.recent(1))[0]).toMatchObject({ ticket: 'CHG-9', state: 'done' });
});

test('a reversal, an early end and Keep have the ticket of their change, also where none is required', async () => {
  const policy = { tickets: { ...tickets, required: [{ commands: [{ effect: 'write' }] }] } };
  const { type, press, bot, pass, read } = await under(policy, asOperator);
  await type(`${add} --for 2h ticket CHG-8`);
  await press('Extend by 2 h');
  await press('End now');
  const all = await bot.journal.recent(3);
  expect(all.map(({ state, ticket }) => `${state} ${ticket}`)).toEqual([
    'done CHG-8',
    'done CHG-8',
    'done CHG-8',
  ]);
  await pass(60_000);
  // Typed again with a later end, and without a ticket.
  await type('/appliance acl object disable google_sni --for 1h --ticket CHG-8');
  await type('/appliance acl object disable google_sni --for 3h');
  expect((await bot.journal.recent(1))[0]).toMatchObject({ ticket: 'CHG-8', state: 'done' });
  expect(read()).toContain('Extended');
  await type('/appliance category add other.example to 252 for ticket CHG-8');
  await press('Undo');
  const [undo, added] = await bot.journal.recent(2);
  expect(undo).toMatchObject({ ticket: 'CHG-8', undoes: added?.id, state: 'done' });
});

test('a change without a ticket can be undone after the policy requires one, and break-glass and the end of emergency mode need none', async () => {
  const { type, press, bot } = await under(
    {
      tickets: {
        ...tickets,
        required: [
          { commands: [{ area: 'emergency' }, { effect: 'write' }], except: [{ phrase: 'category add' }] },
        ],
      },
      emergency: { break_glass: 'admin' },
    },
    { roles: { ...sandboxRoles, operator: ['U0ALICE001'] } },
  );
  await type(add);
  expect(await press('Undo')).toContain('Undone:');
  expect((await bot.journal.recent(1))[0]).toMatchObject({
    phrase: expect.stringContaining('category delete'),
    state: 'done',
  });
  expect(await type('/appliance emergency enable --for 30m --reason "directory down"', 'dana')).toContain(
    'This change needs a ticket',
  );
  await type(
    '/appliance emergency enable --for 30m --reason "directory down" --ticket CHG-5 --break-glass',
    'dana',
  );
  await press('Enable emergency mode', 'dana');
  // Extending or ending it by a line inherits its ticket.
  await type('/appliance emergency extend --for 30m --reason "directory still down"', 'dana');
  expect((await bot.journal.recent(1))[0]).toMatchObject({
    line: expect.stringContaining('extend'),
    ticket: 'CHG-5',
  });
  expect(await type('/appliance emergency disable', 'dana')).toContain('Emergency mode is over');
});

test('the policy requires a ticket by channel, appliance and command, and the answer to can says so', async () => {
  const required = [
    { commands: [{ phrase: 'category add', where: { category: [252] } }], channels: ['C0HELPDESK'] },
  ];
  const { type } = await under({ tickets: { ...tickets, required } }, asOperator);
  expect(await type('/appliance category add shop.example.net to 257')).toContain('added');
  expect(await type('/appliance category add shop.example.net to shopping')).toContain(
    'This change needs a ticket',
  );
  expect(await type('/appliance can @alice category add shop.example.net to 252')).toContain(
    '--ticket CHG-123',
  );
});

const slips = [
  ['status --ticket CHG-1', '--ticket is for commands that change something'],
  ['category add a.example to 252 --ticket', '--ticket needs a value after it'],
  ['category add a.example to 252 --ticket CHG-1 --ticket CHG-2', 'give --ticket once'],
  ['category add a.example to 252 --ticket <!channel>', '--ticket takes the name of one ticket'],
  ['category add a.example to 252 -ticket CHG-1', 'write it with two dashes'],
] as const;

test('mistakes with the ticket option are refused in plain words', async () => {
  const house = await under({ tickets }, asOperator);
  const before = sentTo(house);
  for (const [line, said] of slips) expect(await house.type(`/appliance ${line}`)).toContain(said);
  expect(sentTo(house)).toBe(before);
});
