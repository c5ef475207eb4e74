import { describe, expect, test } from 'vitest';
import { answersAfter, breaksAfter } from '../after-order.ts';
import { converse } from '../conversation.ts';

/** Answers of running appliances, word for word. */
const answers = {
  wellByKerberos: {
    info: 'Testing proxy1.example.com\nThe directory (Kerberos) Connection seems OK',
    hostname: 'proxy1.example.com',
    tested_url: 'http://www.example.com',
    test_credentials_result: 'Success with 200 (OK)',
    current_daemon: '12',
    max_daemons: '60',
  },
  global: { status: false, info: 'Proxy in Emergency mode!' },
  emergency: { status: false, info: 'The directory in Emergency mode!' },
  notUsed: { status: false, info: 'The directory feature is disabled!' },
  refused: { status: false, info: 'Your IP address [203.0.113.9] is not allowed to perform this operation' },
  crashed: { status: false, info: 'Process crashed! size:0 bytes' },
  kerberosDone: { status: false, info: 'Kerberos connection: operation completed' },
  proxyInUse: { status: false, info: 'unable to understand order [None]' },
} as const;

/** A conversation whose appliance answers an operation in these words, and still carries out the order. */
async function conversation() {
  const all = await converse();
  const says = (operation: string, answer: keyof typeof answers) =>
    all.appliance.faults.set(operation, { kind: 'text', text: JSON.stringify(answers[answer]) });
  return { ...all, says };
}

describe('the directory', () => {
  test('is called connected by Kerberos though its status has no status key', async () => {
    const { type, says } = await conversation();
    says('- /status', 'wellByKerberos');
    const said = await type('/appliance directory status');
    expect(said).toContain('The directory is connected');
    expect(said).toContain('Daemons  12 of 60 busy');
    expect(said).toContain('Test login  `Success with 200 (OK)`');
    expect(await type('/appliance status')).not.toMatch(/⚠️? .*irectory|Directory .*not understood/);
  });

  test('is no fault when it is not used', async () => {
    const { type, says } = await conversation();
    says('- /status', 'notUsed');
    expect(await type('/appliance directory status')).toContain('The directory is not used');
    expect(await type('/appliance status')).not.toContain('The directory connection is broken');
  });

  test('is not called broken when it could not be asked', async () => {
    const { type, says } = await conversation();
    says('- /status', 'refused');
    const said = await type('/appliance directory status');
    expect(said).toContain(
      'hq doesn’t allow the bot’s address. No changes were made. Add it to the allowed networks',
    );
    expect(said).toContain('hq said: Your IP address [203.0.113.9] is not allowed to perform this operation');
    expect(await type('/appliance status')).not.toContain('The directory connection is broken');
  });

  test('is disconnected and connected by Kerberos although the order always answers false', async () => {
    const { type, press, says, appliance } = await conversation();
    says('- /kerberos_disconnect', 'kerberosDone');
    says('- /kerberos_connect', 'kerberosDone');
    await type('/appliance directory disconnect kerberos', 'bob');
    const said = await press('Disconnect', 'bob');
    expect(said).toContain('✅ Directory disconnected');
    expect(said).toContain('hq said: Kerberos connection: operation completed');
    expect(appliance.state.directory.connection).toBeUndefined();
    expect(await press('Undo', 'bob')).toContain('✅ Directory connected by Kerberos');
  });
});

describe('a connection whose status cannot be read', () => {
  test('is not called absent because the proxy has an authentication method', async () => {
    const { type, appliance } = await conversation();
    appliance.turn({ directoryConnection: 'none' });
    answersAfter(appliance, '- /ntlm_connect', '- /proxy/auth/status', {
      status: true,
      info: 'Proxy is correctly configured',
    });
    breaksAfter(appliance, '- /ntlm_connect', '- /status');
    const said = await type('/appliance directory connect ntlm', 'dana');
    expect(said).toContain('Connecting to the directory by NTLM: outcome unknown');
    expect(said).toContain('Couldn’t read back whether it happened');
    expect(said).not.toContain('did not happen');
  });
});

test('a directory that is unreachable before and after is not called disconnected', async () => {
  const { type, press, appliance } = await conversation();
  appliance.turn({ directoryConnection: 'broken' });
  appliance.faults.set('- /ntlm_disconnect', { kind: 'forget' });
  await type('/appliance directory disconnect ntlm', 'bob');
  const said = await press('Disconnect', 'bob');
  expect(said).toContain('(accepted, not verified)');
  expect(said).not.toContain('Verified.');
});

describe('an emergency that the engine no longer names', () => {
  const minute = 60_000;
  const unnamed = async () => {
    const all = await converse({ generation: 'field-v1' });
    all.appliance.turn({ emergencyName: 'until_ended' });
    const enable = async () => {
      await all.type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
      return all.press('Approve', 'carol');
    };
    const isOn = () => all.appliance.state.directory.emergency;
    const ends = () =>
      all.appliance.requests.filter(({ operation }) => operation === '- /emergency_disable').length;
    return { ...all, enable, isOn, ends };
  };

  test('is accepted and cannot be seen, which the answer says, and is ended at its time', async () => {
    const { type, pass, read, enable, isOn, ends, bot } = await unnamed();
    expect(await enable()).toContain('Verified.');
    expect(await type('/appliance emergency disable', 'bob')).toContain('Emergency mode is over');
    expect(isOn()).toBe(false);

    const said = await enable();
    expect(isOn()).toBe(true);
    expect(said).not.toContain('did not happen');
    expect(said).toContain('Accepted, not verified: hq still reports that its proxy authenticates people');
    const status = await type('/appliance emergency status', 'vic');
    expect(status).toMatch(/does not show whether emergency mode is on\. Emergency mode was enabled until/);
    expect(status).not.toContain('No emergency');
    expect(await type('/appliance status', 'vic')).not.toMatch(/no emergency|ended elsewhere/i);

    // Ten of the thirty minutes have gone by while it was looked for.
    await pass(16 * minute);
    expect(isOn()).toBe(true);
    expect(await bot.journal.timedChanges()).toHaveLength(1);
    await pass(5 * minute);
    expect(isOn()).toBe(false);
    expect(ends()).toBe(2);
    expect(await bot.journal.timedChanges()).toEqual([]);
    expect(read('bob')).toContain('Emergency mode on hq was ended (accepted, not verified)');
    expect(read('bob')).toMatch(/Verified {2}no\. Accepted, not verified: the appliance reported the same/);
    expect(await type('/appliance emergency status', 'vic')).toContain('No emergency');
  });

  test('is ended by hand, and not called verified', async () => {
    const { type, enable, isOn, bot, pass } = await unnamed();
    await enable();
    await type('/appliance emergency disable', 'bob');
    await enable();
    const said = await type('/appliance emergency disable', 'bob');
    expect(isOn()).toBe(false);
    expect(said).toContain('Accepted, not verified: the appliance reported the same');
    await pass(2 * minute);
    expect(await bot.journal.timedChanges()).toEqual([]);
  });

  test('is not called over when its end is refused', async () => {
    const { appliance, type, enable, isOn, pass, bot } = await unnamed();
    await enable();
    await type('/appliance emergency disable', 'bob');
    await enable();
    appliance.faults.set('- /emergency_disable', { kind: 'refuse', error: 'try again later' });
    await pass(31 * minute);
    expect(isOn()).toBe(true);
    expect(await bot.journal.timedChanges()).toHaveLength(1);
    appliance.faults.clear();
    await pass(60 * minute);
    expect(isOn()).toBe(false);
  });
});

describe('an emergency', () => {
  test('is Global Emergency when the appliance entered it by itself, and can be left', async () => {
    const { type, says } = await conversation();
    for (const operation of ['- /status', '- /proxy/auth/status']) says(operation, 'global');
    expect(await type('/appliance emergency status')).toContain('Global Emergency');
    expect(await type('/appliance emergency disable', 'dana')).toContain('/appliance emergency remove');
    expect(await type('/appliance emergency remove', 'dana')).toContain(
      'Take the proxy of hq out of Global Emergency?',
    );
  });

  test('is emergency mode when people enabled it', async () => {
    const { type, says } = await conversation();
    says('- /status', 'emergency');
    expect(await type('/appliance emergency status')).toContain('Emergency mode is on');
    expect(await type('/appliance emergency remove', 'dana')).toContain(
      'hq is in emergency mode, not in Global Emergency',
    );
  });

  test.each(['refused', 'crashed'] as const)(
    'is not denied, and its end is not checked, where its state is %s to be read',
    async (answer) => {
      const { type, says } = await conversation();
      says('- /status', answer);
      expect(await type('/appliance emergency status')).not.toContain('No emergency');
      expect(await type('/appliance status')).not.toMatch(/no emergency/i);
      const said = await type('/appliance emergency disable', 'dana');
      expect(said).toContain('Ending emergency mode: outcome unknown');
      expect(said).not.toContain('Verified');
    },
  );
});

describe('the proxy for downloads', () => {
  test('is disabled though the appliance cannot show one in use', async () => {
    const { type, says, appliance } = await conversation();
    await type('/appliance download proxy enable proxy.example.com:3128', 'dana');
    says('- /configuration/proxy', 'proxyInUse');
    expect(await type('/appliance download proxy', 'dana')).toContain(
      'hq downloads through a proxy; its API doesn’t report which',
    );
    appliance.faults.set('- /configuration/proxy/disable', { kind: 'status', status: 500 });
    const said = await type('/appliance download proxy disable', 'dana');
    expect(said).toContain('❌ Turning off the download proxy failed');
    appliance.faults.clear();
    expect(await type('/appliance download proxy disable', 'dana')).toContain('✅ Download proxy turned off');
  });

  test('comes with the way to turn it off when the API cannot', async () => {
    const { type } = await converse({ generation: 'field-v1' });
    const enabled = await type('/appliance download proxy enable proxy.example.com:3128', 'dana');
    expect(enabled).toContain('✅ Download proxy set to proxy.example.com:3128');
    expect(await type('/appliance download proxy', 'dana')).toContain('hq downloads through a proxy');
    const said = await type('/appliance download proxy disable', 'dana');
    expect(said).toContain('❌ Turning off the download proxy failed');
    expect(said).toContain(
      'Setting read back: a proxy (address not reported). If its API can’t turn it off, its web console can.',
    );
  });

  test('is seen when it comes into use, though not its address', async () => {
    const { type, appliance } = await conversation();
    appliance.faults.set('- /configuration/proxy', {
      kind: 'text',
      text: '{"use_proxy": "False", "proxy_port": "3128"}',
      times: 1,
    });
    // The preview is read twice: once to show it, and once more before it is ordered.
    const said = await type('/appliance download proxy enable proxy.example.com:3128', 'dana');
    expect(said).toContain('✅ Download proxy set to proxy.example.com:3128');
  });
});
