import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

describe('the proxy', () => {
  test('shows its ports, a silent one first', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance proxy ports')).toContain('✅ 3 ports listening');
    appliance.turn({ proxyPorts: 'one_silent' });
    expect(await type('/appliance proxy ports')).toContain(
      '❌ The port check of the proxy failed: Not listening: 3129',
    );
    appliance.turn({ licence: 'expired' });
    expect(await type('/appliance proxy ports')).toMatch(/hq refused: .*licence/);
  });

  test('shows its metrics in units, and whether it authenticates', async () => {
    const { type, appliance } = await converse();
    const said = await type('/appliance proxy metrics');
    expect(said).toMatch(/The proxy serves \d+ clients over [\d,]+ open connections/);
    // The simulated proxy breathes with the time of day.
    expect(said).toMatch(/Memory +(?:1\.9|2) GB/);
    expect(await type('/appliance proxy authentication')).toContain(
      '✅ The proxy is linked to an authentication method',
    );
    appliance.turn({ directoryConnection: 'broken' });
    expect(await type('/appliance auth status')).toContain(
      '❌ The proxy is not linked to an authentication method',
    );
  });

  test('is reset only after a strong question, and the new start is read back', async () => {
    const { type, press, appliance } = await converse();
    const asked = await type('/appliance proxy reset', 'bob');
    expect(asked).toContain('Reset the proxy of hq to its web console settings');
    expect(asked).toContain('are lost permanently');
    expect(asked).toMatch(/Clients {2}\d+/);
    appliance.turn({ proxyPorts: 'one_silent' });
    const said = await press('Reset the proxy', 'bob');
    expect(said).toContain('✅ Proxy reset to the configuration of the web console');
    expect(said).toMatch(/Verified\. .*the proxy has started again.* It listens on 3128, 3129 and 3130\./);
    expect(appliance.state.directory.proxy.rebuiltFor).toBe('reset');
    expect(said).not.toContain('[Undo]');
  });

  test.each([
    ['proxy reconfigure', 'all settings', '- /proxy/general/reconfigure'],
    ['authentication reconfigure', 'authentication', '- /proxy/auth/reconfigure'],
    ['reconfigure proxy auth', 'authentication', '- /proxy/auth/reconfigure'],
  ])(
    'is rebuilt by "%s", and reported as never seen without a new start',
    async (line, rebuiltFor, operation) => {
      const { type, press, appliance } = await converse();
      await type(`/appliance ${line}`, 'bob');
      expect(await press('Reconfigure', 'bob')).toContain('the proxy has started again');
      expect(appliance.state.directory.proxy.rebuiltFor).toBe(rebuiltFor);
      appliance.faults.set(operation, { kind: 'forget' });
      await type(`/appliance ${line}`, 'bob');
      const said = await press('Reconfigure', 'bob');
      expect(said).toContain('accepted, never seen');
      expect(said).toContain('the proxy is still the same run as before');
    },
  );

  test('says when it could not be rebuilt', async () => {
    const { type, press, appliance } = await converse();
    appliance.turn({ directoryConnection: 'none' });
    await type('/appliance auth reconfigure', 'bob');
    expect(await press('Reconfigure', 'bob')).toContain(
      'hq refused: No authentication method is defined. Nothing on the appliance can show whether something was changed all the same',
    );
  });
});

describe('the proxy for downloads', () => {
  test('is set, changed and dropped, and each is taken back by one click', async () => {
    const { type, press, appliance } = await converse();
    expect(await type('/appliance download proxy')).toContain('hq downloads directly, without a proxy');
    const first = await type('/appliance download proxy enable p1.example.com:3128', 'bob');
    expect(first).toContain('✅ Download proxy set to p1.example.com:3128');
    expect(first).toContain('Verified. Setting read back: p1.example.com:3128.');
    expect(await type('/appliance download proxy enable p1.example.com:3128', 'bob')).toContain('already');
    await type('/appliance enable download proxy [2001:db8::1]:8080', 'bob');
    expect(appliance.state.directory.downloadProxy).toEqual({ host: '[2001:db8::1]', port: 8080 });
    await press('Undo', 'bob');
    expect(appliance.state.directory.downloadProxy).toEqual({ host: 'p1.example.com', port: 3128 });
    await type('/appliance download proxy disable', 'bob');
    expect(appliance.state.directory.downloadProxy).toBeUndefined();
    await press('Undo', 'bob');
    expect(appliance.state.directory.downloadProxy).toEqual({ host: 'p1.example.com', port: 3128 });
  });

  test('is not called set without proof, and never set to an invalid address', async () => {
    const { type, appliance } = await converse();
    expect(await type('/appliance download proxy disable', 'bob')).toContain(
      'already downloads without a proxy',
    );
    appliance.faults.set('- /configuration/proxy/enable/{host}:{port}', { kind: 'forget' });
    expect(await type('/appliance download proxy enable p1.example.com:3128', 'bob')).toContain(
      '10 min later it still doesn’t show. Setting read back: no proxy.',
    );
    for (const bad of ['p1.example.com', 'p1.example.com:70000', '../etc:80']) {
      expect(await type(`/appliance download proxy enable ${bad}`, 'bob')).toContain(
        'it must be a host and a port',
      );
    }
  });
});
