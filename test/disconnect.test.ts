import { describe, expect, test } from 'vitest';
import { converse } from './conversation.ts';

const path = 'POST /rdpproxy/sessions/{id}/disconnect';

async function proposed() {
  const conversation = await converse();
  await conversation.type('/appliance rdp disconnect 12');
  const disconnects = () => conversation.appliance.requests.filter(({ method }) => method === 'POST');
  const outcome = async () => (await conversation.bot.journal.recent(1))[0];
  return { ...conversation, disconnects, outcome };
}

describe('the card of rdp disconnect', () => {
  test('shows the session’s user, its target, its start, and two buttons', async () => {
    const { read, disconnects } = await proposed();
    const said = read();
    expect(said).toContain('Disconnect session 12 of bob.miller on srv-files-01?');
    expect(said).toMatch(/srv-files-01\?\n\s*From {2}10\.20\.6\.71/);
    // The question has said whose it is, and where.
    expect(said).not.toMatch(/Person|Target/);
    expect(said).toMatch(/Since {2}.*\(\d+ min\)/);
    expect(said).toContain('[Disconnect] [Cancel]');
    expect(said).toMatch(/expires/);
    expect(disconnects()).toEqual([]);
  });

  test('disconnects at the click, reads the sessions back, and names the check', async () => {
    const { press, disconnects, outcome } = await proposed();
    const said = await press('Disconnect');
    expect(said).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(said).toContain('  Verified. Sessions read back: 12 is gone, 14 other sessions open.');
    expect(said).toContain('From  10.20.6.71');
    // The headline has said whose it was, and since when it was open is over.
    expect(said).not.toMatch(/Person|Target|Since/);
    // The card has room for one line of evidence. A bare success response of the appliance adds nothing.
    expect(said).not.toMatch(/│|hq said/);
    expect(said).not.toContain('[Disconnect]');
    expect(disconnects()).toHaveLength(1);
    expect(await outcome()).toMatchObject({
      state: 'done',
      outcome: { code: 'checked' },
      decidedBy: 'U0ALICE001',
    });
  });

  test('does nothing when it is cancelled', async () => {
    const { press, disconnects, outcome } = await proposed();
    expect(await press('Cancel')).toContain('Canceled by @alice. No changes were made.');
    expect(disconnects()).toEqual([]);
    expect(await outcome()).toMatchObject({ state: 'cancelled' });
  });

  test('can only be pressed by the person who asked', async () => {
    const { press, disconnects, read } = await proposed();
    expect(await press('Disconnect', 'bob')).toContain(
      'Only @alice, who asked for it, can press Disconnect. Your click did nothing. To do it yourself, type the command.',
    );
    expect(read()).toContain('[Disconnect] [Cancel]');
    expect(disconnects()).toEqual([]);
  });

  test('checks the role again at the click', async () => {
    const { press, disconnects, workspace } = await proposed();
    await workspace.changeUserGroup('S0HELPDESK', { users: [] });
    expect(await press('Disconnect')).toContain('Your role here is viewer. No changes were made.');
    expect(disconnects()).toEqual([]);
  });

  test('expires after five minutes by itself', async () => {
    const { read, wait, outcome, disconnects } = await proposed();
    wait(5 * 60_000 + 1);
    await expect.poll(() => read()).toContain('Nobody confirmed in time, so no changes were made.');
    expect(read()).not.toContain('[Disconnect]');
    expect(await outcome()).toMatchObject({ state: 'expired' });
    expect(disconnects()).toEqual([]);
  });

  test('is refused to the millisecond once its time is over', async () => {
    const { press, wait, disconnects } = await proposed();
    wait(5 * 60_000);
    expect(await press('Disconnect')).toMatch(/This card expired at .*\. No changes were made/);
    expect(disconnects()).toEqual([]);
  });

  test('runs once when it is clicked fifty times at once, and tells the others who was first', async () => {
    const { person, read, disconnects, workspace } = await proposed();
    await Promise.all(Array.from({ length: 50 }, () => person('alice').press('helpdesk', 'Disconnect')));
    expect(disconnects()).toHaveLength(1);
    expect(read().match(/already confirmed by you/g)).toHaveLength(49);
    expect(workspace.log.calls().filter(({ method, ok }) => method === 'response_url' && ok)).toHaveLength(
      49,
    );
  });

  test('answers a click on outdated buttons that it is over', async () => {
    const { bot, disconnects, workspace, press, read } = await proposed();
    await press('Disconnect');
    const click = workspace.log.envelopes().findLast(({ kind }) => kind === 'interactive');
    await workspace.repeat(click?.id);
    await bot.idle();
    expect(read()).toMatch(/already confirmed by you, and it ended at .*Your click did nothing/);
    expect(disconnects()).toHaveLength(1);
  });

  test('does nothing when the session has ended meanwhile', async () => {
    const { press, appliance, disconnects, outcome } = await proposed();
    appliance.state.rdp.sessions.delete(12);
    const said = await press('Disconnect');
    expect(said).toContain('Session 12 is not open on hq');
    expect(said).toContain('No changes were made.');
    expect(disconnects()).toEqual([]);
    expect(await outcome()).toMatchObject({ state: 'cancelled' });
  });

  test("does nothing when the session is someone else's by then, and shows whose it is now", async () => {
    const { press, appliance, disconnects } = await proposed();
    const session = appliance.state.rdp.sessions.get(12);
    if (session === undefined) throw new Error('The company has a session 12');
    appliance.state.rdp.sessions.set(12, { ...session, username: 'carla.jones' });
    const said = await press('Disconnect');
    expect(said).toContain('This is not what you were shown a moment ago. No changes were made.');
    expect(said).toContain('Disconnect session 12 of carla.jones on srv-files-01?');
    expect(disconnects()).toEqual([]);
    expect(await press('Disconnect')).toContain('✅ Session 12 of carla.jones on srv-files-01 disconnected');
    expect(disconnects()).toHaveLength(1);
  });

  test('says so when the appliance claims success and nothing happened', async () => {
    const { press, appliance, outcome, disconnects } = await proposed();
    appliance.faults.set(path, { kind: 'forget' });
    const said = await press('Disconnect');
    expect(said).toContain('⚠️ Disconnecting session 12 of bob.miller on srv-files-01: accepted, never seen');
    expect(said).toContain('hq accepted the order. 10 min later it still doesn’t show. Sessions read back');
    expect(said).toContain('12 is still open');
    expect(disconnects()).toHaveLength(1);
    expect(await outcome()).toMatchObject({ state: 'unknown', outcome: { code: 'never_seen' } });
  });

  test('checks the effect when the connection breaks, and does not send it twice', async () => {
    const { press, appliance, outcome, disconnects } = await proposed();
    appliance.faults.set(path, { kind: 'reset' });
    const said = await press('Disconnect');
    expect(said).toContain(
      'The connection to hq broke before the answer was complete. A check showed that it did happen.',
    );
    expect(disconnects()).toHaveLength(1);
    expect(await outcome()).toMatchObject({ state: 'done', outcome: { code: 'checked' } });
  });

  test('reports an unknown outcome when it cannot read back', async () => {
    const { press, appliance, outcome, disconnects } = await proposed();
    appliance.faults.set(path, { kind: 'slow', ms: 200 });
    const pressed = press('Disconnect');
    await expect.poll(disconnects).toHaveLength(1);
    appliance.faults.set('GET /rdpproxy/sessions', { kind: 'status', status: 500 });
    const said = await pressed;
    expect(said).toContain('⚠️ Disconnecting session 12 of bob.miller on srv-files-01: outcome unknown');
    expect(said).toContain(
      'hq accepted the order. Couldn’t read back whether it happened: hq answered with an error (HTTP 500).',
    );
    expect(said).toContain('It is not sent again automatically');
    expect(disconnects()).toHaveLength(1);
    expect(await outcome()).toMatchObject({ state: 'unknown' });
  });

  test('tells the person alone when neither the card nor the thread can be written to', async () => {
    const { press, workspace, outcome } = await proposed();
    workspace.faults.next('chat.update', { kind: 'error', error: 'cant_update_message' }, 9);
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'restricted_action' }, 9);
    const said = await press('Disconnect');
    expect(said).toContain('(only visible to alice)\n  Verified. Sessions read back: 12 is gone');
    expect(await outcome()).toMatchObject({ state: 'done' });
  });

  test('keeps the question, with buttons that work, when the preview fails', async () => {
    const { press, appliance, disconnects } = await proposed();
    appliance.faults.set('GET /rdpproxy/sessions', { kind: 'status', status: 500 });
    expect(await press('Disconnect')).toContain('because the current state couldn’t be read');
    appliance.faults.clear();
    expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(disconnects()).toHaveLength(1);
  });
});

describe('rdp disconnect', () => {
  test('tells the person when the session is not open, and makes no card', async () => {
    const { type } = await converse();
    const said = await type('/appliance rdp disconnect 99');
    expect(said).toContain('(only visible to alice)');
    expect(said).toContain('hq lists no open session 99. No changes were made.');
    expect(said).not.toContain('[Disconnect]');
  });

  test('takes the user’s name, and lets the person choose among several sessions', async () => {
    const { type, press } = await converse();
    expect(await type('/appliance rdp disconnect bob.miller')).toContain(
      'Disconnect session 12 of bob.miller on srv-files-01?',
    );
    const said = await type('/appliance rdp disconnect alice.carter');
    expect(said).toContain('hq has 2 of that name: which open session alice.carter do you mean?');
    expect(await press('alice.carter (15), on srv-db-01 from 10.20.4.17')).toContain(
      'Disconnect session 15 of alice.carter on srv-db-01?',
    );
  });

  test.each(['0', '-3', '1.5', '99999999999'])('takes no %s for a session number', async (typed) => {
    const { type, appliance } = await converse();
    expect(await type(`/appliance rdp disconnect ${typed}`)).toMatch(/is not an open session/);
    expect(appliance.requests).toEqual([]);
  });

  test.each(['twelve', '12abc'])('finds nobody with the name %s, and changes nothing', async (typed) => {
    const { type, appliance } = await converse();
    expect(await type(`/appliance rdp disconnect ${typed}`)).toContain(`hq lists no open session ${typed}.`);
    expect(appliance.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
