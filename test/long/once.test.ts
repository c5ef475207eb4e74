import { describe, expect, test } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { type Conversation, converse } from '../conversation.ts';

const categorize = 'GET /categories/query/{domain}';
const asked = ({ appliance }: Conversation) =>
  appliance.requests.filter(({ path }) => path.includes('/categories/query')).length;

/** Types, and does not wait for the answer. */
const hastily = ({ workspace }: Conversation, name = 'alice') =>
  personIn(workspace, { idle: async () => undefined }, name);

const times = (words: string, text: string) => text.split(words).length - 1;

describe('a person who types the same line again', () => {
  test('while the first still runs is told so, and it runs once', async () => {
    const conversation = await converse();
    const { appliance, bot, read } = conversation;
    appliance.faults.set(categorize, { kind: 'slow', ms: 400 });
    await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
    await expect.poll(() => asked(conversation)).toBe(1);
    await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
    await bot.idle();
    expect(asked(conversation)).toBe(1);
    expect(read()).toContain('categorize example.com is already running: you typed it at');
    expect(read()).toContain('It was not started a second time.');
    expect(times('is in 1 category', read())).toBe(1);
  });

  test('when the first has ended gets a second answer, and so does somebody else at any time', async () => {
    const conversation = await converse();
    const { type, appliance, bot } = conversation;
    await type('/appliance categorize example.com');
    await type('/appliance categorize example.com');
    expect(asked(conversation)).toBe(2);
    appliance.faults.set(categorize, { kind: 'slow', ms: 300 });
    await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
    await hastily(conversation, 'bob').type('helpdesk', '/appliance categorize example.com');
    await bot.idle();
    expect(asked(conversation)).toBe(4);
  });

  test('a minute later runs it again', async () => {
    const conversation = await converse();
    const { appliance, wait, bot } = conversation;
    appliance.faults.set(categorize, { kind: 'slow', ms: 400 });
    await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
    await expect.poll(() => asked(conversation)).toBe(1);
    wait(61_000);
    await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
    await bot.idle();
    expect(asked(conversation)).toBe(2);
  });
});

describe('while Slack', () => {
  test('is down, a result waits, and then reaches its thread once', async () => {
    const { type, press, workspace, pass, read, bot } = await converse();
    await type('/appliance rdp disconnect 12');
    // Whatever the bot says, for as long as it tries at once.
    workspace.faults.next('chat.update', { kind: 'http', status: 503 }, 12);
    workspace.faults.next('chat.postMessage', { kind: 'http', status: 503 }, 12);
    await press('Disconnect');
    expect(read()).not.toContain('Verified.');
    expect((await bot.journal.unsent()).length).toBeGreaterThan(0);
    workspace.faults.clear();
    await pass(60_000);
    expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect(times('Verified. Sessions read back', read())).toBe(1);
    await pass(60_000);
    expect(times('Verified. Sessions read back', read())).toBe(1);
    expect(await bot.journal.unsent()).toEqual([]);
  });

  test('breaks off before it confirms a result, the bot looks for it and it stands there once', async () => {
    const { type, press, workspace, pass, read } = await converse();
    await type('/appliance rdp disconnect 12');
    workspace.faults.next('chat.postMessage', { kind: 'close', when: 'after' });
    await press('Disconnect');
    await pass(60_000);
    expect(times('Verified. Sessions read back', read())).toBe(1);
    workspace.faults.next('chat.postMessage', { kind: 'close', when: 'after' });
    await type('/appliance categorize example.com');
    await pass(60_000);
    expect(times('is in 1 category', read())).toBe(1);
    // A message that Slack did not take is sent again.
    workspace.faults.next('chat.postMessage', { kind: 'close', when: 'before' });
    await type('/appliance categorize example.org');
    await pass(60_000);
    expect(read()).toContain('categorize example.org');
  });

  test('does not take a message, what is told of the same card afterwards waits, and stands behind it', async () => {
    let at = Date.now();
    let isStill = false;
    const looks = new Set<() => void>();
    const { type, workspace, read, appliance, bot } = await converse({
      world: {
        now: () => at,
        sleep: async (milliseconds) => {
          if (!isStill) at += milliseconds;
        },
        every: (_, look) => {
          looks.add(look);
          return () => looks.delete(look);
        },
      },
    });
    // Slack takes the card, and not what is told below it.
    workspace.faults.next('chat.postMessage', { kind: 'delay', ms: 0 });
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'internal_error' }, 12);
    appliance.faults.set('- /proxy/acls/compile', { kind: 'status', status: 500, times: 1 });
    await type('/appliance acl object disable google_sni', 'bob');
    isStill = true;
    workspace.faults.clear();
    await type('/appliance apply', 'bob');
    expect(read('bob')).not.toContain('Compile accepted');
    at += 60_000;
    for (const look of looks) look();
    await bot.idle();
    expect(read('bob')).toMatch(/Not known to be live: hq did not confirm.*\n.*\n +│ +Compile accepted/);
  });

  test('delivers a line twice, it runs once; and a click twice, it counts once', async () => {
    const conversation = await converse();
    const { type, press, workspace, appliance, read } = conversation;
    workspace.faults.next('delivery', { kind: 'twice' });
    await type('/appliance categorize example.com');
    expect(asked(conversation)).toBe(1);
    await type('/appliance rdp disconnect 12');
    workspace.faults.next('delivery', { kind: 'twice' });
    await press('Disconnect');
    expect(appliance.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    // A repeated click of one's own is no late click.
    expect(read()).not.toContain('already');
  });

  test('delivers a line again after a restart, it does not run again', async () => {
    const conversation = await converse();
    const { type, workspace, restart, bot } = conversation;
    await type('/appliance categorize example.com');
    await restart();
    await workspace.redeliver(undefined, 'new');
    await bot.idle();
    expect(asked(conversation)).toBe(1);
  });

  test('limits the rate, an answer waits for its turn', async () => {
    const { type, workspace, pass, read, bot } = await converse();
    workspace.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfter: 120 });
    await type('/appliance categorize example.com');
    expect(read()).not.toContain('is in 1 category');
    expect(await bot.journal.unsent()).not.toEqual([]);
    await pass(120_000);
    expect(times('is in 1 category', read())).toBe(1);
  });

  test('does not take the card of a change, the change is not made', async () => {
    const { type, workspace, appliance, pass, read } = await converse();
    workspace.faults.next('chat.postMessage', { kind: 'http', status: 503 }, 12);
    await type('/appliance acl object disable google_sni', 'bob');
    expect(appliance.requests.filter(({ path }) => path.includes('disable'))).toEqual([]);
    workspace.faults.clear();
    await pass(60_000);
    // The late card shows how the change ended.
    expect(read('bob')).toContain('No changes were made.');
  });
});

test('a line during the stop is refused with a word, and running commands may finish', async () => {
  const conversation = await converse();
  const { appliance, bot, read, workspace } = conversation;
  appliance.faults.set(categorize, { kind: 'slow', ms: 600 });
  await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
  await expect.poll(() => asked(conversation)).toBe(1);
  const stopped = bot.stop();
  await hastily(conversation, 'bob').type('helpdesk', '/appliance rdp sessions');
  await expect.poll(() => read('bob')).toContain('Appliance Bot is restarting');
  expect(read('bob')).toContain('No changes were made. Try again in a minute.');
  await stopped;
  expect(read()).toContain('is in 1 category');
  await expect.poll(() => workspace.sockets.count).toBe(0);
});

test('a refusal during the stop is recorded like any other', async () => {
  const conversation = await converse();
  const { appliance, bot, type, person, read, startBot } = conversation;
  await type('/appliance rdp disconnect 12');
  const dana = person('dana');
  await type('/appliance acl object disable', 'dana');
  await dana.fill({ 'ACL object': 'google_sni' });
  appliance.faults.set(categorize, { kind: 'slow', ms: 1_500 });
  await hastily(conversation).type('helpdesk', '/appliance categorize example.com');
  await expect.poll(() => asked(conversation)).toBe(1);
  const stopped = bot.stop();
  await hastily(conversation, 'bob').type('helpdesk', '/appliance rdp sessions');
  await hastily(conversation).press('helpdesk', 'Disconnect');
  await personIn(conversation.workspace, { idle: async () => undefined }, 'dana').submit();
  await hastily(conversation, 'bob').globalShortcut('Run a command');
  await expect.poll(() => times('Appliance Bot is restarting', read('bob', 'appliance-bot'))).toBe(1);
  await expect.poll(() => times('Appliance Bot is restarting', read())).toBe(1);
  await stopped;
  await startBot(0);
  const rows = await conversation.bot.journal.recent();
  const refused = rows.filter(({ outcome }) => outcome?.code === 'stopping');
  expect(refused.map(({ person: by, line, phrase, state }) => ({ by, line, phrase, state }))).toEqual(
    expect.arrayContaining([
      { by: 'U0BOB00001', line: 'rdp sessions', phrase: 'rdp sessions', state: 'refused' },
      { by: 'U0BOB00001', line: '(Run a command)', phrase: undefined, state: 'refused' },
      { by: 'U0ALICE001', line: 'rdp disconnect 12', phrase: 'rdp disconnect <session>', state: 'refused' },
      {
        by: 'U0DANA0001',
        line: 'acl object disable <object>',
        phrase: 'acl object disable <object>',
        state: 'refused',
      },
    ]),
  );
  expect(refused).toHaveLength(4);
  expect(rows.find(({ line, state }) => line === 'rdp disconnect 12' && state === 'waiting')).toBeDefined();
});

test('an action that outlasts the stop is left to the next start, which looks whether it happened', async () => {
  const conversation = await converse({ world: { timeout: 200 } });
  const { type, appliance, restart, read } = conversation;
  await type('/appliance rdp disconnect 12');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 4_000 });
  await hastily(conversation).press('helpdesk', 'Disconnect');
  const orders = () => appliance.requests.filter(({ method }) => method === 'POST');
  await expect.poll(orders).toHaveLength(1);
  await restart(async () => {
    await expect.poll(() => appliance.state.rdp.sessions.has(12)).toBe(false);
  });
  const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
  await expect.poll(() => read()).toContain(told);
  expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  expect(orders()).toHaveLength(1);
});

test('an abandoned action ends although its replica lives', async () => {
  const { bot, pass, read } = await converse();
  // As a mistake of ours, or a journal that did not take the next step, would leave it.
  const { id } = await bot.journal.write({
    ...{ state: 'asked', team: 'T0SANDBOX1', channel: 'C0HELPDESK', person: 'U0ALICE001' },
    ...{ line: 'acl object delete 3', phrase: 'acl object delete <object>', effect: 'destructive' },
  });
  await pass(30_000);
  expect(await bot.journal.byId(id)).toMatchObject({ state: 'asked' });
  await pass(31_000);
  expect(await bot.journal.byId(id)).toMatchObject({ state: 'failed' });
  expect(read()).toContain('acl object delete 3');
  expect(read()).toContain('Ask again.');
});
