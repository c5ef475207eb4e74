import { expect, test } from 'vitest';
import { rules } from '../../src/handlers/ssl/ssl.commands.ts';
import { ofKind, read } from '../commands.ts';
import { converse } from '../conversation.ts';

test('the rules are listed in the order in which they are tried, with what each does and for whom', async () => {
  const { type } = await converse();
  const said = await type('/appliance ssl rules', 'vic');
  expect(said).toContain('9 SSL rules, 1 of them disabled');
  expect(said).toMatch(
    /9 +Google for everybody but guests +decrypts +enabled +google_sni and not guest_network/,
  );
  expect(said.indexOf('Calls are not decoded')).toBeLessThan(said.indexOf('Decode the offices'));
});

test('the order is that of the rules themselves, however the appliance lists them', async () => {
  const listed = [
    { id: 1, name: 'without a place' },
    { id: 2, name: 'second', order: 20, decodes: true, enabled: false, objects: [] },
    { id: 3, name: 'first', order: 10, decodes: false, enabled: true, objects: [{ id: 7, negated: true }] },
  ];
  const appliance = { name: 'hq', ssl: { listRules: async () => listed } };
  // The command reads only this part of its context.
  const said = read(await ofKind('lookup', rules).answer({ appliance, args: {} } as never));
  expect(said.match(/first|second|without a place/g)).toEqual(['first', 'second', 'without a place']);
  expect(said).toContain('not number 7');
  expect(said).toContain('has an unreported action');
});

test('a rule is shown by its number or its name, with the ACL objects that it uses', async () => {
  const { type } = await converse();
  for (const rule of ['9', '"Google for everybody but guests"']) {
    const said = await type(`/appliance ssl rule ${rule}`, 'vic');
    expect(said).toContain('SSL rule Google for everybody but guests decrypts and is enabled');
    expect(said).toContain('number 6 of 9');
    expect(said).toMatch(/24 +guest_network +src +everything except its records/);
  }
  const unknown = await type('/appliance ssl rule "Banks stay privat"', 'vic');
  expect(unknown).toContain('hq lists no SSL rule Banks stay privat.');
  expect(unknown).toContain('[Banks stay private (1), does not decrypt, enabled]');
});

test('building makes the configured rules live, and claims only that the order was taken', async () => {
  const { type, appliance } = await converse();
  expect(appliance.state.ssl.live).toHaveLength(7);
  const said = await type('/appliance ssl build', 'bob');
  expect(said).toContain('SSL rules built (accepted, not verified)');
  expect(said).toContain('the API does not report active SSL rules');
  expect(appliance.state.ssl.live).toHaveLength(8);
});

test('a viewer builds nothing, and a refusal is reported as one', async () => {
  const { type, appliance } = await converse();
  expect(await type('/appliance ssl build', 'vic')).toContain('ssl build requires the operator');
  appliance.faults.set('GET /proxy/ssl/build', { kind: 'refuse', error: 'the compiler is busy' });
  const said = await type('/appliance ssl build', 'bob');
  expect(said).toContain('Building the SSL rules failed');
  expect(said).toContain(
    'hq refused: the compiler is busy. Nothing on the appliance can show whether something was changed all the same',
  );
  expect(appliance.state.ssl.live).toHaveLength(7);
});
