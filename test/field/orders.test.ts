import { describe, expect, test } from 'vitest';
import { converse } from '../conversation.ts';

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
      'a process of its own crashed',
    ],
    ['answered with an error page', { kind: 'status', status: 500, happens: true }, '(HTTP 500)'],
    ['answered with nothing', { kind: 'empty' }, 'took the order without saying'],
    ['not answered', { kind: 'hang' }, 'did not answer within'],
  ] as const)('that was carried out and %s is told as done, by what was read back', async (_, fault, why) => {
    const { said, action, isOpen } = await disconnecting(fault);
    expect(isOpen).toBe(false);
    expect(said).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(said).toContain(why);
    expect(said).toContain('A check showed that it did happen. Verified.');
    expect(action).toMatchObject({ state: 'done', outcome: { code: 'checked' } });
  });

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
      'wants another HTTP method for this call (HTTP 405)',
    ],
  ] as const)('that was %s is told as failed, and unchanged by what was read back', async (_, fault, why) => {
    const { said, action, isOpen } = await disconnecting(fault);
    expect(isOpen).toBe(true);
    expect(said).toContain('❌ Disconnecting session 12 of bob.miller on srv-files-01 failed');
    expect(said).toContain(why);
    expect(said).toContain('No changes were made: Sessions read back: 12 is still open.');
    expect(action).toMatchObject({ state: 'failed' });
  });

  test('whose answer is long has all of it in a file, under the line that quotes its beginning', async () => {
    const error = Array.from({ length: 40 }, (_, line) => `line ${line} of what went wrong`).join('\n');
    const { said } = await disconnecting({ kind: 'refuse', error, key: 'info', happens: true });
    expect(said).toContain('hq.txt');
  });
});
