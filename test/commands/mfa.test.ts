import { expect, test } from 'vitest';
import { converse } from '../conversation.ts';

async function start() {
  const conversation = await converse();
  const factorOf = (user: string) =>
    [...conversation.appliance.state.rdp.members.values()].find(({ username }) => username === user)
      ?.secondFactor;
  return {
    ...conversation,
    factorOf,
    type: (line: string) => conversation.type(`/appliance ${line}`, 'bob'),
    press: (label: string) => conversation.press(label, 'bob'),
  };
}

test('mfa users names locked people first, and unlock works at once and is read back', async () => {
  const { type, factorOf } = await start();
  expect(await type('mfa users')).toMatch(
    /21 second-factor users, 2 locked, 2 exempt[\s\S]*Locked: nadia\.rahman and peter\.novak\./,
  );
  expect(await type('mfa unlock nadia.rahman')).toMatch(
    /Second factor of nadia\.rahman unlocked[\s\S]*Verified\..*it is not locked/,
  );
  expect(factorOf('nadia.rahman')).toMatchObject({ locked: false, exempt: false });
  expect(await type('unlock mfa nadia.rahman')).toContain('The second factor of nadia.rahman is not locked.');
});

test('a part of a name finds the person, and a reset is confirmed before it is done', async () => {
  const { type, press, factorOf } = await start();
  expect(await type('mfa reset miller')).toMatch(
    /hq lists no second-factor user miller\.[\s\S]*\[bob\.miller\]/,
  );
  const card = await press('bob.miller');
  expect(card).toContain('Reset the second factor of bob.miller?');
  expect(card).toContain('verify who is asking');
  expect(factorOf('bob.miller')?.secret).not.toBe('');
  expect(await press('Reset')).toMatch(/Verified\..*none is set up now/);
  expect(factorOf('bob.miller')?.secret).toBe('');
  expect(await type('mfa reset bob.miller')).toContain('has no second factor to reset');
});

test('a whole name means that person, whoever else begins with it', async () => {
  const { type, press, factorOf } = await start();
  expect(await type('mfa reset bob')).toContain('Reset the second factor of bob?');
  expect(await press('Reset')).toContain('Second factor of bob reset');
  expect(factorOf('bob')?.secret).toBe('');
  expect(factorOf('bob.miller')?.secret).not.toBe('');
});

test('an exemption names its risk, and is not believed when the appliance only says yes', async () => {
  const { type, press, appliance, factorOf } = await start();
  const card = await type('mfa exempt sofia.rossi');
  expect(card).toContain('the password alone opens every target');
  expect(card).toContain('security audit trail');
  appliance.faults.set('POST /rdpproxy/mfa/exempt', { kind: 'forget' });
  expect(await press('Exempt')).toMatch(
    /accepted, never seen[\s\S]*10 min later it still doesn’t show. .*there is no exemption/,
  );
  appliance.faults.clear();
  await type('mfa exempt sofia.rossi');
  expect(await press('Exempt')).toContain('sofia.rossi exempted from the second factor');
  expect(factorOf('sofia.rossi')?.exempt).toBe(true);
});

test('a state that the appliance does not report is not called verified', async () => {
  const { type, press, appliance } = await start();
  const body = JSON.stringify({ Status: true, Users: ['bob.miller', 'eve.adams'] });
  appliance.faults.set('GET /rdpproxy/mfa/users', { kind: 'text', text: body });
  expect(await type('mfa users')).toMatch(/2 second-factor users\n[\s\S]*eve\.adams/);
  await type('mfa reset bob.miller');
  expect(await press('Reset')).toContain('not verified: the API does not report who is enrolled');
});
