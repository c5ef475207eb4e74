import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

describe('the connection to the directory', () => {
  test('is reported with its numbers, also when it is slow or broken', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance directory status')).toMatch(
      /The directory is connected by Kerberos since .*\n[\s\S]*Daemons {2}\d+ of 60 busy\n.*Queue {2}empty/,
    );
    appliance.turn({ directoryConnection: 'slow' });
    expect(await type('/appliance directory')).toContain(
      '⚠️ The directory is connected but slow: 140 requests waiting',
    );
    appliance.turn({ directoryConnection: 'broken' });
    expect(await type('/appliance directory status')).toContain(
      '❌ The directory connection is broken: No domain controller answers',
    );
  });

  test('is cut after a question that explains the impact, and restored by one click', async () => {
    const { type, press, appliance } = await converse();
    expect(await type('/appliance directory disconnect kerberos', 'bob')).toContain(
      'Disconnect the proxy of hq from the directory (Kerberos)? Nobody can authenticate until it is connected again.',
    );
    const said = await press('Disconnect', 'bob');
    expect(said).toContain('✅ Directory disconnected');
    expect(said).toContain('Verified. Status read back: the directory is not connected.');
    expect(appliance.state.directory.connection).toBeUndefined();
    expect(await type('/appliance directory disconnect kerberos', 'bob')).toContain(
      'hq is not connected to a directory',
    );
    expect(await press('Undo', 'bob')).toContain('✅ Directory connected by Kerberos');
    expect(appliance.state.directory.connection?.kind).toBe('kerberos');
  });

  test('is made at once by the other protocol, and Undo restores the first', async () => {
    const { type, press, appliance } = await converse();
    expect(await type('/appliance directory connect kerberos', 'bob')).toContain(
      'is already connected to the directory by Kerberos',
    );
    const said = await type('/appliance connect directory ntlm', 'bob');
    expect(said).toContain('✅ Directory connected by NTLM');
    expect(said).toContain('The appliance reports: Connected by NTLM.');
    expect(await type('/appliance directory disconnect kerberos', 'bob')).toContain(
      'is connected by NTLM, not by Kerberos',
    );
    await press('Undo', 'bob');
    expect(appliance.state.directory.connection?.kind).toBe('kerberos');
  });

  test('is made anew after it broke, and Undo would disconnect it', async () => {
    const { type, press, appliance } = await converse();
    appliance.turn({ directoryConnection: 'broken' });
    expect(await type('/appliance directory connect kerberos', 'bob')).toContain(
      '✅ Directory connected by Kerberos',
    );
    expect(await press('Undo', 'bob')).toContain('✅ Directory disconnected');
    expect(appliance.state.directory.connection).toBeUndefined();
  });

  test('is reported as failed when the appliance only says that it is made', async () => {
    const { type, press, appliance } = await converse();
    appliance.faults.set('- /kerberos_disconnect', { kind: 'forget' });
    await type('/appliance directory disconnect kerberos', 'bob');
    expect(await press('Disconnect', 'bob')).toContain('the directory is still connected');
    appliance.turn({ directoryConnection: 'none' });
    appliance.faults.set('- /ntlm_connect', { kind: 'forget' });
    expect(await type('/appliance directory connect ntlm', 'bob')).toContain(
      'Status read back: the directory is not connected. The appliance reports: The proxy is not connected to a directory.',
    );
  });

  test('cannot be checked during an emergency, and the answer says why', async () => {
    const { type, appliance } = await converse();
    appliance.turn({ proxyMode: 'emergency' });
    const said = await type('/appliance directory connect ntlm', 'bob');
    expect(said).toContain('(accepted, not verified)');
    expect(said).toContain('during an emergency the proxy stays disconnected');
    expect(appliance.state.directory.connection?.kind).toBe('ntlm');
  });

  test('is made by two protocols and no others', async () => {
    const { type } = await converse();
    expect(await type('/appliance directory connect ldap', 'bob')).toContain(
      'Unknown command directory connect ldap. No changes were made.',
    );
    const ways = await type('/appliance directory connect', 'bob');
    expect(ways).toContain('/appliance directory connect kerberos');
    expect(ways).toContain('/appliance directory connect ntlm');
  });

  test('shows nothing that could become a mention', async () => {
    const { type, appliance, workspace } = await converse();
    const { connection } = appliance.state.directory;
    if (connection !== undefined) connection.broken = '<!channel> *down* \u202e@here';
    await type('/appliance directory status');
    await type('/appliance status');
    const elements = JSON.stringify(workspace.log.calls().map(({ args }) => args.blocks));
    expect(elements).toContain('*down* @here');
    expect(elements).not.toContain('<!channel>');
    expect(elements).not.toContain('broadcast');
    expect(elements).not.toContain('\u202e');
  });
});
