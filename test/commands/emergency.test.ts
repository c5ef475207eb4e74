import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

const enable = '/appliance emergency enable --for 30m --reason "directory down"';
const path = '- /emergency_enable';

describe('enabling emergency mode', () => {
  test('asks first, with the effect, the reason, the end, and the present state', async () => {
    const { type, appliance } = await converse();
    const said = await type(enable, 'bob');
    expect(said).toContain(
      'Enable emergency mode on hq for 30 min? Everybody will pass without authentication.',
    );
    expect(said).toContain('Reason  directory down');
    expect(said).toContain('For  30 min, then ends automatically');
    expect(said).toMatch(
      /State when asked {2}directory connected “by Kerberos”, authentication linked, queue empty, daemons \d+ of 60 busy/,
    );
    expect(appliance.state.directory.emergency).toBe(false);
  });

  test('is checked on the appliance, says when it ends, and has the button that ends it at once', async () => {
    const { type, press, appliance } = await converse();
    await type(enable, 'bob');
    const said = await press('Approve', 'carol');
    expect(appliance.state.directory.emergency).toBe(true);
    expect(said).toMatch(/Emergency mode on hq is on until \d\d:\d\d/);
    expect(said).toMatch(
      /Verified\. State read back: the proxy does not authenticate people\. The appliance reports: Emergency: the proxy is disconnected from the directory\./,
    );
    const ended = await press('End now', 'bob');
    expect(appliance.state.directory.emergency).toBe(false);
    expect(ended).toContain('Emergency mode is over: people must authenticate again');
    expect(ended).toContain('Verified. State read back: the proxy authenticates people.');
  });

  test('is only accepted, with its end, when the appliance says yes and reports that it still authenticates', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set(path, { kind: 'forget' });
    await type(enable, 'bob');
    const said = await press('Approve', 'carol');
    expect(said).not.toContain('failed');
    expect(said).toMatch(/Accepted, not verified: hq still reports that its proxy authenticates people/);
    expect(said).toContain('[End now]');
  });

  test('is verified when the answer is lost on its way', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set(path, { kind: 'reset' });
    await type(enable, 'bob');
    const said = await press('Approve', 'carol');
    expect(said).toContain('A check showed that it did happen.');
    expect(appliance.state.directory.emergency).toBe(true);
  });

  test('over a broken directory is only accepted when nothing shows it', async () => {
    const { type, press, appliance } = await converse();
    appliance.turn({ directoryConnection: 'broken' });
    appliance.faults.set(path, { kind: 'forget' });
    expect(await type(enable, 'bob')).toContain('directory not connected: “No domain controller answers”');
    const said = await press('Approve', 'carol');
    expect(said).toContain(
      'the API does not distinguish emergency mode from the connection failure that existed before',
    );
    expect(said).toContain('[End now]');
    expect(said).toContain('Accepted, not verified:');
  });

  test('works where one of the two questions about the state cannot be asked', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set('- /status', { kind: 'status', status: 500 });
    expect(await type(enable, 'bob')).toContain(
      'directory could not be asked: HTTP 500, authentication linked',
    );
    expect(await press('Approve', 'carol')).toContain('Emergency mode on hq is on');
    expect(appliance.state.directory.emergency).toBe(true);
  });

  test.each([
    ['--for 8d --reason x', '8d is not a duration: it must be from 1 minute to 7 days'],
    ['--for 30s --reason x', '30s is not a duration: it must be from 1 minute to 7 days'],
    ['--for -5m --reason x', '-5m is not a duration: write it like 30m, 2h or 1h30m'],
    [
      `--for 30m --reason "${'no '.repeat(1_000)}"`,
      '(3000 characters) is not a reason: it has 3000 characters, and at most 500 fit',
    ],
  ])('%.24s… is refused with a plain sentence', async (options, words) => {
    const { type, appliance } = await converse();
    const said = await type(`/appliance emergency enable ${options}`, 'bob');
    expect(said).toContain(words);
    expect(said).toContain('No changes were made.');
    expect(appliance.requests).toEqual([]);
  });

  test('asks in a form for missing arguments', async () => {
    const { type, person, press, read, appliance } = await converse();
    await type('/appliance emergency enable', 'bob');
    const bob = person('bob');
    const [time, reason] = bob.form()?.fields.map(({ label }) => label) ?? [];
    await bob.fill({ [time ?? '']: '9 days', [reason ?? '']: 'directory down' });
    await bob.submit();
    expect(JSON.stringify(bob.form()?.errors)).toContain('from 1 minute to 7 days');
    await bob.fill({ [time ?? '']: '2h' });
    await bob.submit();
    expect(read()).toContain('For  2 h, then ends automatically');
    await press('Approve', 'carol');
    expect(appliance.state.directory.emergency).toBe(true);
  });

  test('is not for the helpdesk', async () => {
    const { type, appliance } = await converse();
    expect(await type(enable, 'alice')).toContain('emergency enable requires the operator or admin role');
    expect(appliance.requests).toEqual([]);
  });
});

describe('ending emergency mode', () => {
  test('says when people still cannot authenticate, because the directory is broken', async () => {
    const { type, appliance } = await converse();
    appliance.turn({ proxyMode: 'emergency', directoryConnection: 'broken' });
    const said = await type('/appliance emergency disable', 'bob');
    expect(said).toContain('✅ Emergency mode is over');
    expect(said).toContain(
      'People cannot authenticate yet, because the directory is not connected. The appliance reports: No domain controller answers.',
    );
  });

  test('is not believed when the appliance says yes and stays open', async () => {
    const { type, appliance } = await converse();
    appliance.turn({ proxyMode: 'emergency' });
    appliance.faults.set('- /emergency_disable', { kind: 'forget' });
    const said = await type('/appliance emergency disable', 'bob');
    expect(said).toContain('⚠️ Ending emergency mode: accepted, never seen');
    expect(said).toContain('State read back: it is still on.');
  });

  test('does nothing where none is on, and offers no click that would open the gate', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance emergency disable', 'bob')).toContain('hq is not in emergency mode');
    appliance.turn({ proxyMode: 'emergency' });
    expect(await type('/appliance emergency disable', 'bob')).not.toContain('[Undo]');
  });
});

describe('Global Emergency', () => {
  test('is distinguished from emergency mode, and left by its own order', async () => {
    const { type, press, appliance } = await converse();
    appliance.turn({ proxyMode: 'global_emergency' });
    expect(await type('/appliance emergency status', 'vic')).toContain(
      '🚨 Global Emergency: the proxy neither filters nor authenticates',
    );
    expect(await type(enable, 'bob')).toContain('entered Global Emergency automatically');
    expect(await type('/appliance emergency disable', 'bob')).toContain(
      '/appliance emergency remove leaves it',
    );
    expect(await type('/appliance emergency remove', 'bob')).toContain(
      'Take the proxy of hq out of Global Emergency?',
    );
    const said = await press('Leave Global Emergency', 'bob');
    expect(said).toContain('✅ Global Emergency is over');
    expect(said).toContain('Verified. State read back: the proxy authenticates people.');
    expect(appliance.state.directory.globalEmergency).toBe(false);
    expect(await type('/appliance emergency remove', 'bob')).toContain('hq is not in Global Emergency');
    appliance.turn({ proxyMode: 'emergency' });
    expect(await type('/appliance emergency remove', 'bob')).toContain(
      'is in emergency mode, not in Global Emergency',
    );
  });
});
