import { describe, expect, test } from 'vitest';
import { restartGateway } from '../../sandbox/appliance/areas/rdp/gateway.ts';
import { converse } from '../conversation.ts';
import { converseInTime, hotfixFile, send } from '../packages.ts';

const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';

/** Asks to disconnect session 12, and presses the button while the appliance misbehaves. */
async function disconnecting(fault: Parameters<Conversation['appliance']['faults']['set']>[1]) {
  const conversation = await converse({ timeouts: { read: 0.6, whole: 0.9 } });
  await conversation.type('/appliance rdp disconnect 12');
  conversation.appliance.faults.set(disconnect, fault);
  const said = await conversation.press('Disconnect');
  const [action] = await conversation.bot.journal.recent(1);
  return { said, action, isOpen: conversation.appliance.state.rdp.sessions.has(12) };
}
type Conversation = Awaited<ReturnType<typeof converse>>;

const refusal = 'Process crashed! size:0 bytes';

describe('an order', () => {
  test.each([
    ['answered false', { kind: 'refuse', error: 'not possible', happens: true }, 'hq refused: not possible.'],
    [
      'answered by a crash',
      { kind: 'refuse', error: refusal, key: 'info', happens: true },
      'hq reported a problem (a process crashed). A check showed that it did happen.',
    ],
    ['answered with an error page', { kind: 'status', status: 500, happens: true }, '(HTTP 500)'],
    ['answered with nothing', { kind: 'empty' }, 'took the order without saying'],
    ['not answered', { kind: 'hang' }, 'did not answer within'],
  ] as const)(
    'is reported as done by its read-back, when it was carried out and %s',
    async (_, fault, why) => {
      const { said, action, isOpen } = await disconnecting(fault);
      expect(isOpen).toBe(false);
      expect(said).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
      expect(said).toContain(why);
      expect(said).toContain('A check showed that it did happen. Verified.');
      expect(action).toMatchObject({ state: 'done', outcome: { code: 'checked' } });
    },
  );

  test.each([
    ['refused', { kind: 'refuse', error: 'not possible' }, 'hq refused: not possible.'],
    [
      'refused for a reason of the appliance’s own',
      {
        kind: 'refuse',
        error: 'Your IP address [203.0.113.9] is not allowed to perform this operation',
        key: 'info',
      },
      'hq doesn’t allow the bot’s address. Add it to the allowed networks of its Web API.',
    ],
    [
      'sent with a method it does not take',
      { kind: 'status', status: 405, text: 'Method Not Allowed' },
      'requires another HTTP method for this call (HTTP 405)',
    ],
  ] as const)(
    'is reported as failed and unchanged by its read-back, when it was %s',
    async (_, fault, why) => {
      const { said, action, isOpen } = await disconnecting(fault);
      expect(isOpen).toBe(true);
      expect(said).toContain('❌ Disconnecting session 12 of bob.miller on srv-files-01 failed');
      expect(said).toContain(why);
      expect(said).toContain('No changes were made: Sessions read back: 12 is still open.');
      expect(action).toMatchObject({ state: 'failed' });
    },
  );

  test('with a long answer has all of it in a file, under the line that quotes its beginning', async () => {
    const error = Array.from({ length: 40 }, (_, line) => `line ${line} of what went wrong`).join('\n');
    const { said } = await disconnecting({ kind: 'refuse', error, key: 'info', happens: true });
    expect(said).toContain('hq.txt');
  });
});

describe('a refusal although the work is under way', () => {
  const restart = 'GET /rdpproxy/restart';
  const refused = { kind: 'refuse', error: 'Unable to restart the service', key: 'info' } as const;

  test('is reported for a restart only after the bot has looked for it', async () => {
    let waited = 0;
    const { type, press, appliance } = await converseInTime(({ appliance: { state } }, milliseconds) => {
      waited += milliseconds;
      if (waited > 40_000 && state.rdp.sessions.size > 0) restartGateway(state, new Date());
    });
    await type('/appliance rdp restart', 'dana');
    appliance.faults.set(restart, refused);
    const said = await press('Restart', 'dana');
    expect(said).toContain('✅ Remote-desktop gateway restarted');
    expect(said).toContain('hq refused: Unable to restart the service. A check showed that it did happen.');
    expect(said).not.toContain('Nothing shows');
  });

  test('stands when the restart never comes', async () => {
    let waited = 0;
    const { type, press, appliance } = await converseInTime((_, milliseconds) => {
      waited += milliseconds;
    });
    await type('/appliance rdp restart', 'dana');
    appliance.faults.set(restart, refused);
    const said = await press('Restart', 'dana');
    expect(said).toContain('❌ Restarting the remote-desktop gateway failed');
    expect(said).toContain('No changes were made: ');
    expect(waited).toBeGreaterThan(60_000);
  });

  test('is held back for an upload while the appliance shows that it installs the file', async () => {
    let waited = 0;
    const all = await converseInTime(({ appliance: { state } }, milliseconds) => {
      waited += milliseconds;
      const { version } = state.directory;
      const begun = `12:00 ${hotfixFile.name}: extracting`;
      if (waited > 10_000) version.latestUpgrade = [begun];
      if (waited > 10 * 60_000)
        version.latestUpgrade = [begun, `12:10 The hotfix ${hotfixFile.name} is installed`];
    });
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    all.appliance.faults.set('POST /system/appliance/hotfix', { ...refused, error: 'Process killed' });
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('✅ Hotfix hotfix-20261120-01.tgz installed');
    expect(said).toContain('A check showed that it did happen.');
  });

  test('becomes unknown for an upload that goes on and on, with its progress', async () => {
    let waited = 0;
    const all = await converseInTime(({ appliance: { state } }, milliseconds) => {
      waited += milliseconds;
      if (waited > 10_000) state.directory.version.latestUpgrade = [`12:00 ${hotfixFile.name}: extracting`];
    });
    await send(all, hotfixFile);
    await all.press('Hotfix', 'dana');
    all.appliance.faults.set('POST /system/appliance/hotfix', { ...refused, error: 'Process killed' });
    const said = await all.press('Upload', 'dana');
    expect(said).toContain('Uploading hotfix hotfix-20261120-01.tgz: outcome unknown');
    expect(said).toContain(': extracting');
    expect(said).not.toContain('Nothing shows');
  });
});
