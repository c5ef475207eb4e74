import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { auditTool } from '../../cli/audit.ts';
import { personIn } from '../../sandbox/person.ts';
import type { State } from '../../src/journal/actions/states.ts';
import { type Action, openJournal } from '../../src/journal/journal.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { openDatabase } from '../../src/journal/storage/sqlite-connection.ts';
import { type Conversation, converse } from '../conversation.ts';
import { formerJournal, makeFormer } from '../former-journals.ts';
import { hotfixFile, send } from '../packages.ts';

/** Leaves the newest action as a crash would have left it: further on in the journal than the bot got to tell. */
async function crashIn(conversation: Conversation, ...steps: readonly State[]): Promise<void> {
  await conversation.restart(async () => {
    const journal = await openJournal(openSqlite(join(conversation.data, 'journal.sqlite')), Date.now);
    let [action] = await journal.recent(1);
    for (const to of steps) {
      const standing: Action = action ?? failed('no action');
      // The process that was to look has died.
      const held = to === 'unknown' || undefined;
      action = await journal.move(standing, to, { decidedBy: 'U0ALICE001', ...(held && { held }) });
      // The note that precedes an order: without it, no order was sent.
      const content = { appliance: 'hq', order: 'uncertain', learned: { inventory: '[]' }, replies: [] };
      if (to === 'running') await journal.note(standing.id, { kind: 'answered', at: Date.now(), content });
    }
    await journal.close();
  });
  await conversation.bot.idle();
}

function failed(why: string): never {
  throw new Error(why);
}

const disconnects = ({ appliance }: Conversation) =>
  appliance.requests.filter(({ method }) => method === 'POST');

describe('after a restart', () => {
  test('the buttons of a waiting card still work', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    await conversation.restart();
    expect(await conversation.press('Disconnect')).toContain(
      '✅ Session 12 of bob.miller on srv-files-01 disconnected',
    );
    expect(disconnects(conversation)).toHaveLength(1);
  });

  test('a card whose time ran out meanwhile expires', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    await conversation.restart(async () => conversation.wait(6 * 60_000));
    await expect.poll(() => conversation.read()).toContain('Nobody confirmed in time');
  });

  test('an unfinished click is given up, and its thread says so', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    await crashIn(conversation, 'approved');
    const said = conversation.read();
    expect(said).toContain(
      'The bot was stopped after the click and before anything was sent. No changes were made.',
    );
    expect(said).not.toContain('[Disconnect]');
    expect(disconnects(conversation)).toEqual([]);
    expect((await conversation.bot.journal.recent(1))[0]).toMatchObject({ state: 'cancelled' });
  });

  test('a change that was under way and did not happen is read back, reported, and not run again', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    await crashIn(conversation, 'approved', 'running');
    const said = conversation.read();
    expect(said).toContain('⚠️ Disconnecting session 12 of bob.miller on srv-files-01: outcome unknown');
    expect(said).toContain('The bot was stopped while this was in progress. It has not happened so far.');
    expect(said).toContain('12 is still open');
    expect(said).not.toContain('accepted');
    expect(disconnects(conversation)).toEqual([]);
    expect((await conversation.bot.journal.recent(1))[0]).toMatchObject({ state: 'unknown' });
  });

  test('a change that was not seen to happen is not compiled, and not called live', async () => {
    const conversation = await converse();
    const { appliance } = conversation;
    await conversation.type('/appliance category delete example.com from 252', 'bob');
    await crashIn(conversation, 'approved', 'running');
    await conversation.pass(60_000);
    const said = conversation.read('bob');
    expect(said).toContain('outcome unknown');
    expect(said).toContain('It has not happened so far. Looked up example.com');
    expect(said).not.toMatch(/Live since|compile/i);
    expect(appliance.requests.map(({ path }) => path).filter((path) => /compile/.test(path))).toEqual([]);
  });

  test('a change that could not be read back is compiled, and not called live', async () => {
    const conversation = await converse();
    const { appliance } = conversation;
    await conversation.type('/appliance category delete example.com from 252', 'bob');
    appliance.faults.set('GET /categories/query/{domain}', { kind: 'status', status: 500 });
    await crashIn(conversation, 'approved', 'running');
    await conversation.pass(60_000);
    const said = conversation.read('bob');
    expect(said).toContain('Couldn’t read back whether it happened');
    expect(said).toMatch(
      /hq was asked to compile .* \d\d:\d\d\. Whether this change is part of it is not known\./,
    );
    expect(said).not.toContain('Live since');
  });

  test('an upload that was under way is not taken for somebody else’s installation', async () => {
    const conversation = await converse();
    await send(conversation, hotfixFile);
    await conversation.press('Hotfix', 'dana');
    conversation.appliance.state.directory.version.text = '4.50 Service Pack 5 hotfix 20261119-07';
    await crashIn(conversation, 'approved', 'running');
    expect(conversation.read('dana')).toContain(
      'The bot was stopped while this was in progress. It was not seen to be done so far. hq now runs 4.50 Service Pack 5 hotfix 20261119-07; before: 4.50 Service Pack 5. Nothing shows that this is the result of hotfix-20261120-01.tgz.',
    );
  });

  test('a change that was under way and did happen is read back and reported as done', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    conversation.appliance.state.rdp.sessions.delete(12);
    await crashIn(conversation, 'approved', 'running');
    expect(conversation.read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
    expect((await conversation.bot.journal.recent(1))[0]).toMatchObject({
      state: 'done',
      outcome: { code: 'checked' },
    });
  });

  test('a doubt after two crashes is checked once more, and a checked one is not', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    conversation.appliance.state.rdp.sessions.delete(12);
    await crashIn(conversation, 'approved', 'running', 'unknown');
    expect(conversation.read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');

    await conversation.type('/appliance rdp disconnect 14');
    await crashIn(conversation, 'approved', 'running');
    const before = conversation.read();
    await conversation.restart();
    await conversation.bot.idle();
    expect(conversation.read()).toBe(before);
  });

  test('a card is not confirmed on an appliance that its channel has lost meanwhile', async () => {
    const conversation = await converse({ branches: 1 });
    const { branches, data, restart, type, press } = conversation;
    const [session] = branches.get('branch-2')?.state.rdp.sessions.keys() ?? [];
    expect(await type(`/appliance rdp disconnect ${session} --on branch-2`)).toContain('[Disconnect]');
    await restart(async () => {
      const config = join(data, '..', 'appliance-bot.yml');
      writeFileSync(config, readFileSync(config, 'utf8').replaceAll('appliances: all', 'appliances: []'));
    });
    expect(await press('Disconnect')).toContain(
      'branch-2 is no longer configured for this channel. No changes were made.',
    );
    expect(branches.get('branch-2')?.state.rdp.sessions.has(Number(session))).toBe(true);
  });

  test('a slow action is checked for as long as it may last, and an hour more', async () => {
    const { workspace, appliance, restart, wait, read } = await converse({
      // The bot is stopped before the end of a long wait.
      world: {
        sleep: (milliseconds) => (milliseconds < 10_000 ? Promise.resolve() : new Promise(() => undefined)),
      },
    });
    const dana = personIn(workspace, { idle: async () => undefined }, 'dana');
    await dana.type('helpdesk', '/appliance mirror sync');
    await expect.poll(() => appliance.requests.some(({ path }) => path.includes('trigger'))).toBe(true);
    await restart();
    await restart(async () => wait(90 * 60_000));
    await expect.poll(() => read('dana')).toContain('✅ Mirror sync finished');
  });
});

test('a data folder of an early version with other audit tables is repaired: it records, and verifies', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'former-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  const former = openDatabase(file, 'crash');
  // As this commit and those after it made it, e8797e7 among them.
  await makeFormer(former, formerJournal('969986e'));
  await former.destroy();
  const conversation = await converse({ journal: readFileSync(file) });
  await conversation.type('/appliance rdp sessions');
  expect(await conversation.type('/appliance audit')).toContain('rdp sessions');
  await conversation.stopBot(0);
  let verified = '';
  const write = async (more: string) => {
    verified += more;
  };
  const environment = { APPLIANCE_BOT_DATA: conversation.data };
  expect(await auditTool(['verify'], { environment, write, complain: write, now: Date.now })).toBe(0);
  expect(verified).toContain('OK: 2 records');
});

test('a person who may have missed a refusal is told again, and how to get at the buttons that came with it', async () => {
  const conversation = await converse();
  const { person, read, restart, data } = conversation;
  const vic = { channel: 'C0HELPDESK', person: 'U0VIC00001' };
  const line = 'rdp disconnect 12';
  await restart(async () => {
    // Another process has taken the line and refused it, and died before it had said so.
    const journal = await openJournal(openSqlite(join(data, 'journal.sqlite')), Date.now, 'one that died');
    await journal.claimDelivery('a line', vic);
    const outcome = { code: 'role_missing', says: `${line} requires the operator role.` };
    await journal.write({
      ...{ ...vic, state: 'refused', team: 'T0THETEAM1', delivery: 'a line' },
      ...{ line, phrase: 'rdp disconnect <session>', effect: 'destructive', outcome },
    });
    await journal.close();
  });
  await conversation.bot.idle();
  expect(read('vic')).toContain(
    'so you may have missed this: rdp disconnect 12 requires the operator role. If it offered buttons, type it again.',
  );
  await person('vic').type('helpdesk', `/appliance ${line}`);
  await person('vic').press('helpdesk', 'Ask for approval');
});
