import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditTool } from '../../cli/audit.ts';
import { journalTool } from '../../cli/journal/journal.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';
import { headOf } from '../../src/journal/audit/hash-chain.ts';
import { openDatabase } from '../../src/journal/storage/sqlite-connection.ts';
import { type Conversation, converse } from '../conversation.ts';
import { replicas } from '../replicas.ts';

const minute = 60_000;
const enable = '/appliance emergency enable --for 1h --reason "directory down"';

/** A bot whose audit channel is #incident. */
/** In the morning, because messages about "today" are read again some minutes later. */
const begun = () => converse({ policy: { audit: { channel: 'C0INCIDENT' } }, from: Date.UTC(2026, 9, 7, 9) });

async function backUp({ data }: Conversation): Promise<string> {
  const file = join(data, '..', 'backup.sqlite');
  const environment = { APPLIANCE_BOT_DATA: data };
  expect(
    await journalTool(['backup', file], {
      environment,
      write: () => undefined,
      complain: () => undefined,
      now: Date.now,
    }),
  ).toBe(0);
  return file;
}

/** As docs/operate.md says, some time later. */
async function restore(conversation: Conversation, backup: string, later = 10 * minute): Promise<void> {
  const { data, restart, wait } = conversation;
  await restart(async () => {
    putBack(data, backup);
    wait(later);
  });
  await conversation.bot.idle();
}

function putBack(data: string, backup: string): void {
  const file = join(data, 'journal.sqlite');
  for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
  copyFileSync(backup, file);
}

/** The clock is looked at: once to record, once to tell the audit channel. */
async function told({ pass }: Conversation): Promise<void> {
  await pass(2_000);
  await pass(2_000);
}

/** The direct messages to this person. */
function directly({ workspace }: Conversation, name: string): string {
  const { id } = workspace.people.find((one) => one.name === name) ?? { id: name };
  return transcript(workspace.snapshot(id), 'appliance-bot');
}

/** The record numbers in the audit channel. */
const recordsIn = (said: string) =>
  [...said.matchAll(/record (\d+):[0-9a-f]{24}@/g)].map(([, seq]) => Number(seq));

async function verify({ data }: Conversation, ...words: readonly string[]) {
  let said = '';
  const write = async (more: string) => {
    said += more;
  };
  const environment = { APPLIANCE_BOT_DATA: data };
  const terminal = { environment, write, complain: write, now: Date.now };
  return { code: await auditTool(['verify', ...words], terminal), said };
}

/** The last record in a backup. */
async function followed(backup: string): Promise<number> {
  const copy = openDatabase(backup, 'crash');
  const { seq } = await headOf(copy);
  await copy.destroy();
  return seq;
}

const minutesOf = (said: string) => said.replace(/\d\d:\d\d/g, 'hh:mm');

describe('after a restore from a backup', () => {
  test('the bot notices it, tells the admins once, and leaves later messages as they are', async () => {
    const conversation = await begun();
    const { type, press, read, pass } = conversation;
    await type('/appliance acl object disable google_sni', 'dana');
    await type('/appliance rdp disconnect 12');
    await type('/appliance rdp disconnect 14');
    await told(conversation);
    const backup = await backUp(conversation);
    await press('Cancel');
    await conversation.person('alice').press('helpdesk', 'Disconnect');
    await type('/appliance acl object disable apple_sni', 'dana');
    await told(conversation);
    const channel = read();
    expect(channel).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    const announced = recordsIn(read('alice', 'incident'));
    expect(announced).toHaveLength(4);
    const known = await followed(backup);

    await restore(conversation, backup);
    await pass(minute);
    expect(read()).toBe(channel);
    const [notice, ...more] = directly(conversation, 'dana').match(/🚨 .*/g) ?? [];
    expect(more).toEqual([]);
    expect(minutesOf(notice ?? '')).toBe(
      '🚨 The bot’s journal is older than what the bot posted and did: it knows nothing after hh:mm, and the bot posted until hh:mm. It was restored from a backup, its database has lost its end, or another bot works with the same token.',
    );

    // The bot says that it does not know the messages in between.
    await conversation.person('dana').press('helpdesk', 'Undo');
    expect(minutesOf(read('dana'))).toContain(
      'The bot’s journal was restored from a backup of hh:mm, and this message is newer: its buttons are unknown. Your click did nothing. Type the command instead.',
    );

    await type('/appliance acl object enable apple_sni', 'dana');
    await told(conversation);
    const audit = read('alice', 'incident');
    expect(audit).toMatch(
      new RegExp(`🚨 My journal was restored: .* begins, after record ${known} and with record 10001\\.`),
    );
    const all = recordsIn(audit);
    expect(all.slice(0, announced.length)).toEqual(announced);
    expect(Math.min(...all.slice(announced.length))).toBe(10_001);
    expect(new Set(all).size).toBe(all.length);
    expect(audit).toMatch(/rdp disconnect 12 on hq\. The outcome is not in the journal, which was restored/);
    const { code, said } = await verify(conversation);
    expect(code).toBe(0);
    expect(said).toMatch(
      new RegExp(
        `RESTORED: .* Records after number ${known} are lost\\. .* number 10001\\. The audit channel shows ${announced[3]}:`,
      ),
    );
    const [, held = ''] = /channel shows (\S+)\./.exec(said) ?? [];
    expect((await verify(conversation, '--holds', held)).code).toBe(1);

    const before = [read(), read('alice', 'incident'), directly(conversation, 'dana')];
    await conversation.restart();
    await pass(minute);
    expect([read(), read('alice', 'incident'), directly(conversation, 'dana')]).toEqual(before);
  });

  test('a card that waited in the backup and still waits can be confirmed, and its time runs out as ever', async () => {
    const conversation = await begun();
    const { type, press, read, pass } = conversation;
    await type('/appliance rdp disconnect 14');
    await type('/appliance rdp disconnect 12');
    const backup = await backUp(conversation);
    await type('/appliance acl object disable apple_sni', 'dana');
    await restore(conversation, backup, minute);
    expect(directly(conversation, 'dana')).toContain('journal is older');
    expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    await pass(5 * minute);
    expect(read()).toContain('Nobody confirmed in time, so no changes were made.');
    expect(read().match(/✅ Session/g)).toHaveLength(1);
  });

  test('an emergency mode that was ended since is over, and one that was enabled since is reported', async () => {
    const conversation = await converse({ branches: 1, policy: { audit: { channel: 'C0INCIDENT' } } });
    const { type, press, read, pass, appliance } = conversation;
    await type(enable, 'bob');
    await press('Approve', 'carol');
    const backup = await backUp(conversation);
    await type('/appliance emergency disable', 'bob');
    await told(conversation);
    await type(`${enable} --on branch-2`, 'bob');
    await press('Approve', 'carol');
    await told(conversation);
    const channel = read('bob');
    expect(channel).toContain('✅ Emergency mode on hq is over');
    expect(appliance.state.directory.emergency).toBe(false);

    await restore(conversation, backup, 61 * minute);
    await pass(minute);
    expect(read('bob')).toBe(channel);
    const notice = directly(conversation, 'dana');
    expect(notice).toContain('Emergency mode on hq is over by now, as the appliance shows.');
    expect(notice).toContain(
      'Emergency mode on branch-2 is on, and the journal knows nothing of it: it does not end automatically.',
    );
    const status = await type('/appliance emergency status', 'bob');
    expect(status.slice(channel.length)).toContain('No emergency: the proxy authenticates people');
    expect(status.slice(channel.length)).not.toContain('until');
  });

  test('a planned change that has run or was moved since the backup is not run again; later ones run', async () => {
    const conversation = await begun();
    const { type, press, person, pass, appliance } = conversation;
    const add = (site: string, when: string) =>
      type(`/appliance category add ${site}.example to 252 --at "in ${when}"`, 'bob');
    const isIn = (site: string) => appliance.state.categories.all.get(252)?.live.has(`${site}.example`);
    await add('ran', '5m');
    await add('later', '2h');
    await add('moved', '30m');
    const backup = await backUp(conversation);
    await press('Change the time…', 'bob');
    await person('bob').fill({ 'Run at': 'in 3m' });
    await person('bob').submit();
    await pass(6 * minute);
    expect([isIn('ran'), isIn('moved')]).toEqual([true, true]);
    await type('/appliance category delete ran.example from 252', 'bob');
    await press('Remove', 'bob');
    await restore(conversation, backup);
    await pass(25 * minute);
    expect([isIn('ran'), isIn('later')]).toEqual([false, false]);
    await pass(80 * minute);
    expect([isIn('ran'), isIn('later')]).toEqual([false, true]);
  });

  test('an action that was under way in the backup is not ended a second time', async () => {
    const conversation = await begun();
    const { type, press, read, pass, appliance } = conversation;
    await type('/appliance rdp disconnect 12');
    appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 200 });
    const clicking = press('Disconnect');
    await expect.poll(() => appliance.requests.some(({ method }) => method === 'POST')).toBe(true);
    const backup = await backUp(conversation);
    await clicking;
    await told(conversation);
    const channel = read();
    expect(channel).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    await restore(conversation, backup);
    await pass(minute);
    expect(read()).toBe(channel);
    const [action] = await conversation.bot.journal.recent(1);
    expect(action).toMatchObject({ state: 'unknown', outcome: { code: 'restored' } });
  });

  test('without an audit channel the cards show it', async () => {
    const conversation = await converse();
    const { type, press, read, pass } = conversation;
    await type('/appliance rdp disconnect 12');
    const backup = await backUp(conversation);
    const channel = await press('Disconnect');
    await restore(conversation, backup);
    await pass(minute);
    expect(read()).toBe(channel);
    expect(directly(conversation, 'dana')).toContain(
      'The bot’s journal is older than what the bot posted and did',
    );
  });
});

describe('no restore is reported', () => {
  test('after an ordinary restart, with waiting, finished and expired cards', async () => {
    const conversation = await begun();
    const { type, press, read, pass, restart } = conversation;
    await type(enable, 'bob');
    await press('Approve', 'carol');
    await type('/appliance rdp disconnect 12');
    await press('Disconnect');
    await type('/appliance rdp disconnect 14');
    await told(conversation);
    await restart(async () => conversation.wait(10 * minute));
    await pass(minute);
    expect(read()).toContain('Nobody confirmed in time');
    await restart();
    expect(directly(conversation, 'dana')).not.toContain('My journal');
    expect(await conversation.bot.journal.generations()).toHaveLength(1);
  });

  test('when a replica starts while another one works, and sees its newer messages', async () => {
    const { stopBot, startBot, workspace, at, type, read, idle, bot } = await replicas(2);
    await stopBot(1);
    // The replica has read the journal, and waits for Slack's messages.
    workspace.faults.next('conversations.history', { kind: 'delay', ms: 1_500 }, 2);
    at(0);
    await Promise.all([startBot(1), type('/appliance rdp policy disable Contractors', 'bob')]);
    await idle();
    expect(read('bob')).toContain('✅ Policy Contractors disabled');
    expect(await bot.journal.generations()).toHaveLength(1);
  });

  test('when the clock was set back before something ended, and its card could not be updated', async () => {
    const conversation = await begun();
    const { type, person, pass, wait, workspace } = conversation;
    await type('/appliance rdp disconnect 12');
    wait(-24 * 60 * minute);
    workspace.faults.next('chat.update', { kind: 'http', status: 503 }, 1_000);
    await person('alice').press('helpdesk', 'Disconnect');
    expect(await conversation.bot.journal.recent(1)).toMatchObject([{ state: 'done' }]);
    await conversation.restart(async () => workspace.faults.clear());
    await pass(minute);
    expect(await conversation.bot.journal.generations()).toHaveLength(1);
    expect(conversation.read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  });

  test('when the clock was set back before a click, and the bot died before it acted on it', async () => {
    const conversation = await begun();
    const { type, wait, pass } = conversation;
    await type('/appliance rdp disconnect 12');
    const [waiting] = await conversation.bot.journal.recent(1);
    if (waiting === undefined) throw new Error('It waits');
    wait(-24 * 60 * minute);
    await conversation.bot.journal.move(waiting, 'approved', { decidedBy: waiting.person }, waiting.token);
    await conversation.restart();
    await pass(minute);
    expect(await conversation.bot.journal.generations()).toHaveLength(1);
    expect(await conversation.bot.journal.byId(waiting.id)).toMatchObject({ state: 'cancelled' });
  });

  test('when a power cut has taken back a lookup, whose record is not promised', async () => {
    const conversation = await begun();
    const { type, restart, pass, data } = conversation;
    await type('/appliance rdp disconnect 12');
    await restart(async () => {
      const before = await backUp(conversation);
      conversation.wait(minute);
      await conversation.startBot(0);
      await type('/appliance rdp sessions');
      await conversation.stopBot(0);
      putBack(data, before);
    });
    await pass(minute);
    expect(await conversation.bot.journal.generations()).toHaveLength(1);
  });

  test('while Slack does not answer, and until then nothing ends and nothing is recorded', async () => {
    const conversation = await begun();
    const { type, press, read, pass, workspace } = conversation;
    await type('/appliance rdp disconnect 12');
    const backup = await backUp(conversation);
    const channel = await press('Disconnect');
    workspace.faults.next('conversations.history', { kind: 'http', status: 503 }, 1_000);
    await restore(conversation, backup);
    await pass(minute);
    expect(await conversation.bot.journal.recent(1)).toMatchObject([{ state: 'waiting' }]);
    workspace.faults.clear();
    await pass(minute);
    expect(await conversation.bot.journal.recent(1)).toMatchObject([{ state: 'unknown' }]);
    expect(read()).toBe(channel);
  });
});
