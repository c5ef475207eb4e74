import { describe, expect, test } from 'vitest';
import { auditTool } from '../cli/audit.ts';
import { stampIn } from '../src/bot/delivery/slack-chat.ts';
import type { AuditRecord } from '../src/journal/journal.ts';
import { needing, under } from './approving.ts';
import { type Conversation, converse } from './conversation.ts';

/** The audit records, the newest first. */
async function records({ bot, pass }: Conversation): Promise<readonly AuditRecord[]> {
  await pass(2_000);
  const { records: found } = await bot.journal.findRecords({}, 100);
  return found.map(({ record }) => record);
}

/** As somebody writes it who asks too early. */
const dayToCome = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 10);

/** The rows of the newest table that somebody sees, from its heading to the line that counts them, where there is one. */
function newestTable(transcript: string): readonly string[] {
  const lines = transcript.split('\n');
  // An unfiltered table has no such line: it goes on to the end.
  const counted = lines.findLastIndex((line) => /Rows \d+–\d+ of/.test(line));
  const end = counted === -1 ? lines.length : counted;
  const start = lines.slice(0, end).findLastIndex((line) => line.includes('───'));
  // Below a short one stands who asked for it.
  const footer = lines.findIndex((line, index) => index > start && line.includes('·  `/appliance'));
  const last = footer === -1 ? end : Math.min(end, footer);
  return lines.slice(start + 1, last).map((line) => line.replace(/^[│ ]+/, '').replace(/ {2,}/g, ' | '));
}

describe('the record of an action', () => {
  test('holds the whole way of a change: the preview, the clicks, the requests, and the checks', async () => {
    const conversation = await needing();
    const { type, press } = conversation;
    await type('/appliance rdp disconnect 12');
    await press('Approve', 'bob');
    await press('Approve', 'carol');
    await press('Approve', 'vic').catch(() => undefined);
    const [record] = await records(conversation);
    expect(record).toMatchObject({
      line: 'rdp disconnect 12',
      person: 'U0ALICE001',
      channel: 'C0HELPDESK',
      command: 'rdp disconnect',
      effect: 'destructive',
      appliances: ['hq'],
      decision: { allowed: true, roles: ['helpdesk'], policy: expect.stringMatching(/^[0-9a-f]{12}$/) },
      preview: { question: 'Disconnect session 12 of bob.miller on srv-files-01?' },
      approvals: [{ person: 'U0CAROL001', counts: true }],
      refusedClicks: [{ person: 'U0BOB00001', button: 'approve', code: 'not_an_approver' }],
      state: 'done',
      verification: 'checked',
      outcome: { code: 'checked', headline: 'Session 12 of bob.miller on srv-files-01 disconnected' },
      card: expect.stringMatching(/^\d+\.\d+$/),
    });
    const sent = record?.requests.filter(({ effect }) => effect !== 'read');
    expect(sent).toMatchObject([
      { appliance: 'hq', method: 'POST', path: '/rdpproxy/sessions/12/disconnect', status: 200 },
    ]);
    // Looked at when it was asked, at the click, and afterwards.
    expect(record?.requests.length).toBeGreaterThan(3);
  });

  test.each([
    ['accepted', { kind: 'slow', ms: 0 }, '"Status":true'],
    ['refused', { kind: 'refuse', error: 'not possible' }, 'not possible'],
    ['uncertain', { kind: 'status', status: 500 }, 'Internal Server Error'],
  ] as const)('holds the appliance’s answer to its order: %s', async (order, fault, said) => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    conversation.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', fault);
    await conversation.press('Disconnect');
    const [record] = await records(conversation);
    expect(record?.answers).toMatchObject([
      { appliance: 'hq', order, said: expect.stringContaining(said), at: expect.any(String) },
    ]);
  });

  test('holds the beginning of a long answer, and its length', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp disconnect 12');
    const error = 'all that went wrong\n'.repeat(1_000);
    conversation.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'refuse', error });
    await conversation.press('Disconnect');
    const [record] = await records(conversation);
    expect(record?.answers?.[0]?.said).toMatch(/^all that went wrong[\s\S]*… \(19999 characters\)$/);
    expect(record?.answers?.[0]?.said.length).toBeLessThan(4_100);
  });

  test('holds the questions of a lookup', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp sessions');
    const [record] = await records(conversation);
    expect(record).toMatchObject({ effect: 'read', verification: null, outcome: { code: 'answered' } });
    expect(record?.requests).toMatchObject([{ method: 'GET', path: '/rdpproxy/sessions', status: 200 }]);
  });

  test('says when the preview changed before the confirmation', async () => {
    const conversation = await converse();
    const { type, press, appliance } = conversation;
    await type('/appliance rdp disconnect 12');
    const session = appliance.state.rdp.sessions.get(12);
    if (session === undefined) throw new Error('Session 12 is open');
    appliance.state.rdp.sessions.set(12, { ...session, username: 'ann.lee' });
    await press('Disconnect');
    await press('Disconnect');
    const [record] = await records(conversation);
    expect(record?.preview?.question).toBe('Disconnect session 12 of ann.lee on srv-files-01?');
    expect(record?.earlierPreviews.map(({ question }) => question)).toEqual([
      'Disconnect session 12 of bob.miller on srv-files-01?',
    ]);
  });

  test('has the compile that made the change live, though that came later', async () => {
    const conversation = await converse();
    await conversation.type('/appliance acl object disable 3', 'bob');
    await conversation.pass(10_000);
    const all = await records(conversation);
    expect(all).toHaveLength(1);
    expect(all[0]?.requests.at(-1)).toMatchObject({ operation: 'acl.compile', effect: 'write' });
  });

  test('names the missing rights of a refusal, and the appliance', async () => {
    const conversation = await converse();
    await conversation.type('/appliance acl object delete 3 --on hq', 'vic');
    const [record] = await records(conversation);
    expect(record).toMatchObject({
      state: 'refused',
      appliances: ['hq'],
      decision: {
        allowed: false,
        code: 'role_missing',
        reason: expect.stringContaining('requires the operator'),
      },
      requests: [],
    });
  });

  test('is there after a stop, without another look at the clock', async () => {
    const conversation = await converse();
    await conversation.type('/appliance rdp sessions');
    await conversation.restart();
    expect((await conversation.bot.journal.findRecords({}, 10)).count).toBe(1);
  });
});

describe('the record of an interaction without a line', () => {
  test('names for each file its reader, its content, the rows, and the filter', async () => {
    const conversation = await converse();
    const { type, press, person } = conversation;
    await type('/appliance acl objects');
    await press('CSV', 'bob');
    await press('Filter…');
    await person('alice').fill({ Words: 'google' });
    await person('alice').submit();
    await press('JSON');
    const [json, form, csv, lookup] = await records(conversation);
    const asked = { line: 'acl objects', command: 'acl objects', appliances: ['hq'], channel: 'C0HELPDESK' };
    expect(lookup).toMatchObject({ ...asked, interaction: null, searches: [] });
    const taken = { kind: 'export', of: lookup?.action };
    expect(csv).toMatchObject({
      ...{ ...asked, person: 'U0BOB00001', effect: null, state: 'done', verification: null },
      interaction: { ...taken, format: 'csv', rows: 26, filter: null },
      outcome: { code: 'exported', says: 'Exported 26 rows as CSV.' },
    });
    expect(csv?.decision).toMatchObject({ allowed: true, policy: lookup?.decision.policy });
    expect(form).toMatchObject({
      ...asked,
      person: 'U0ALICE001',
      interaction: { kind: 'form', form: 'filter' },
    });
    expect(json).toMatchObject({
      ...{ ...asked, person: 'U0ALICE001' },
      interaction: { ...taken, format: 'json', rows: 1, filter: 'google' },
      outcome: { says: 'Exported 1 row as JSON, filtered by google.' },
    });
  });

  test('names for a refused click on an answer who pressed which button, and why it did nothing', async () => {
    const conversation = await converse();
    const { type, press, wait } = conversation;
    await type('/appliance acl objects');
    await press('CSV', 'gus');
    await press('Next ▶', 'gus');
    wait(4 * 24 * 60 * 60_000);
    await press('Next ▶', 'bob');
    const [gone, page, file] = await records(conversation);
    expect(file).toMatchObject({
      ...{ person: 'U0GUS00001', line: 'acl objects', state: 'refused', appliances: ['hq'] },
      interaction: { kind: 'refused_click', button: 'export' },
      decision: { allowed: false, code: 'guest', reason: expect.stringContaining('You are a guest') },
    });
    expect(page).toMatchObject({ interaction: { button: 'page' }, decision: { allowed: false } });
    expect(gone).toMatchObject({
      ...{ person: 'U0BOB00001', line: '(no longer kept)', command: null },
      decision: { allowed: null, code: 'result_gone' },
    });
  });

  test('names a refused click on an offer that is taken, or over', async () => {
    const conversation = await converse();
    const { type, press, wait } = conversation;
    await type('/appliance acl object disable 3', 'bob');
    await Promise.all([press('Undo', 'bob'), press('Undo', 'dana')]);
    await type('/appliance acl object disable 3', 'bob');
    wait(2 * 60 * 60_000);
    await press('Undo', 'dana');
    const all = await records(conversation);
    const refused = all.filter(({ interaction }) => interaction !== null);
    expect(refused).toMatchObject([
      {
        ...{ person: 'U0DANA0001', line: '(no longer kept)', state: 'refused' },
        interaction: { kind: 'refused_click', button: 'offer', of: null },
        decision: { allowed: null, code: 'offer_gone', reason: expect.stringContaining('has expired') },
      },
      {
        ...{ line: 'acl object enable google_sni --on hq', state: 'refused', appliances: ['hq'] },
        interaction: { kind: 'refused_click', button: 'offer', of: all.at(-1)?.action },
        decision: { code: 'offer_gone', reason: expect.stringContaining('already pressed that button') },
      },
    ]);
  });

  test('names for each form who opened it, its command and place, and the number of searches in it', async () => {
    const conversation = await converse({ branches: 1 });
    const { type, person, pass } = conversation;
    const dana = person('dana');
    await type('/appliance acl object disable --on branch-2', 'dana');
    for (const words of ['', 'goo', 'google']) await dana.search('ACL object', words);
    const [open] = await records(conversation);
    const form = {
      ...{
        person: 'U0DANA0001',
        command: 'acl object disable',
        channel: 'C0HELPDESK',
        appliances: ['branch-2'],
      },
      ...{ line: 'acl object disable --on branch-2', effect: null, state: 'done' },
      ...{ interaction: { kind: 'form', form: 'command', of: null }, outcome: { code: 'form_opened' } },
    };
    expect(open).toMatchObject({ ...form, searches: [] });
    await dana.fill({ 'ACL object': 'google_sni' });
    await dana.submit();
    const sent = (await records(conversation)).find(({ action }) => action === open?.action);
    expect(sent).toMatchObject({ ...form, searches: [{ count: expect.any(Number) }] });
    // To fill it in is one more search.
    expect(sent?.searches[0]?.count).toBe(4);

    await type('/appliance acl object disable', 'dana');
    await dana.search('ACL object', 'goo');
    const [left] = await records(conversation);
    await pass(61 * 60_000);
    const over = (await records(conversation)).find(({ action }) => action === left?.action);
    expect(over).toMatchObject({ appliances: ['hq'], searches: [{ count: 1 }] });
  });

  test('names the opened form of a Deny', async () => {
    const conversation = await needing();
    const { type, press, person } = conversation;
    await type('/appliance rdp disconnect 12');
    await press('Deny…', 'carol');
    await person('carol').dismiss();
    const [form] = await records(conversation);
    const [action] = await conversation.bot.journal.unrecorded(1);
    expect(form).toMatchObject({
      ...{ person: 'U0CAROL001', line: 'rdp disconnect 12', command: 'rdp disconnect', appliances: ['hq'] },
      interaction: { kind: 'form', form: 'reason', of: action?.id },
    });
  });

  test('is found like any other, in Slack, with the tool, and by verify', async () => {
    const conversation = await converse();
    const { type, press, data } = conversation;
    await type('/appliance acl objects');
    await press('CSV', 'bob');
    await press('JSON', 'gus');
    expect(newestTable(await type('/appliance audit --by <@U0BOB00001>'))).toEqual([
      expect.stringContaining('@bob | acl objects on hq | ✅ Exported 26 rows as CSV.'),
    ]);
    expect(newestTable(await type('/appliance audit --denied --command acl'))).toEqual([
      expect.stringContaining('@gus | acl objects on hq | 🚫 You are a guest'),
    ]);
    expect(await type('/appliance timeline')).toContain('Timeline of this channel');
    await records(conversation);
    let said = '';
    const terminal = {
      environment: { APPLIANCE_BOT_DATA: data },
      write: async (text: string) => {
        said += text;
      },
      complain: () => undefined,
      now: Date.now,
    };
    expect(await auditTool(['export', '--by', 'U0BOB00001'], terminal)).toBe(0);
    expect(said).toContain('"interaction":{"kind":"export","format":"csv","rows":26,"filter":null');
    expect(await auditTool(['verify'], terminal)).toBe(0);
  });
});

describe('audit', () => {
  async function afternoon(): Promise<Conversation> {
    const conversation = await converse({ branches: 1 });
    const { type, press } = conversation;
    await type('/appliance rdp sessions');
    await type('/appliance rdp disconnect 12');
    await press('Disconnect');
    await type('/appliance acl object delete 3', 'vic');
    await type('/appliance status --on branch-2', 'bob', 'incident');
    return conversation;
  }

  test('lists the commands of this channel in its thread, the newest first, for people who may run lookups', async () => {
    const { type } = await afternoon();
    const said = await type('/appliance audit', 'vic');
    expect(said).toContain('3 actions in this channel');
    expect(newestTable(said)).toEqual([
      expect.stringContaining(
        '@vic | acl object delete 3 on hq | 🚫 acl object delete requires the operator or admin role',
      ),
      expect.stringContaining(
        '@alice | rdp disconnect 12 on hq | ✅ Session 12 of bob.miller on srv-files-01 disconnected',
      ),
      expect.stringContaining('@alice | rdp sessions on hq | ✅ 15 remote-desktop sessions open'),
    ]);
    expect(said).not.toContain('status');
  });

  test.each([
    ['--by <@U0VIC00001>', 'by @vic', ['acl object delete 3']],
    ['--command "rdp disconnect"', 'with rdp disconnect', ['rdp disconnect 12']],
    ['--command rdp --since 1h', 'with rdp', ['rdp disconnect 12', 'rdp sessions']],
    ['--denied', 'denied in this channel', ['acl object delete 3']],
    ['--on tag:branch', 'No action on tag:branch', []],
    ['--on all --by <@U0ALICE001>', 'by @alice', ['rdp disconnect 12', 'rdp sessions']],
    [`--since ${dayToCome}`, 'No action since', []],
  ])('%s narrows it', async (options, headline, lines) => {
    const { type } = await afternoon();
    const said = await type(`/appliance audit ${options}`);
    expect(said).toContain(headline);
    const told = lines.length === 0 ? [] : newestTable(said);
    expect(told.map((row) => row.split(' | ')[2]?.replace(/ on hq$/, ''))).toEqual(lines);
  });

  test('shows running and waiting actions on top', async () => {
    const { type, press, person } = await needing();
    await type('/appliance rdp sessions');
    await type('/appliance rdp disconnect 12');
    expect(newestTable(await type('/appliance audit', 'bob'))[0]).toContain('✋ waits for approval');
    await press('JSON Lines');
    const [first = '', second = ''] = person('bob').file('helpdesk', 'audit.jsonl').toString().split('\n');
    expect(JSON.parse(first).underWay).toMatchObject({ state: 'waiting', line: 'rdp disconnect 12' });
    expect(JSON.parse(first).underWay).not.toHaveProperty('token');
    expect(JSON.parse(second).record).toMatchObject({ state: 'done', line: 'rdp sessions' });
  });

  test('explains the times that it takes', async () => {
    const { type } = await converse();
    expect(await type('/appliance audit --since whenever')).toContain('a time such as 7d, 2h, 14:30');
  });

  test('goes into files, of which one has every recorded field of each row', async () => {
    const { type, press, person } = await afternoon();
    await type('/appliance audit --command rdp');
    await press('CSV');
    await press('JSON Lines');
    const alice = person('alice');
    const csv = alice.file('helpdesk', 'audit-command-rdp.csv').toString().trimEnd().split('\r\n');
    expect(csv).toHaveLength(3);
    expect(csv[0]).toBe('\ufeffWhen,Who,What,Result,Approved by,Thread');
    const lines = alice.file('helpdesk', 'audit-command-rdp.jsonl').toString().trimEnd().split('\n');
    const whole = lines.map((line): { seq: number; record: AuditRecord } => JSON.parse(line));
    expect(whole.map(({ seq, record }) => [seq, record.line])).toEqual([
      [2, 'rdp disconnect 12'],
      [1, 'rdp sessions'],
    ]);
    expect(whole[0]?.record.requests.length).toBeGreaterThan(0);
  });

  test('is filtered in both files as it is on the screen', async () => {
    const { type, press, person } = await afternoon();
    await type('/appliance audit');
    await press('Filter…');
    await person('alice').fill({ Words: 'sessions open' });
    await person('alice').submit();
    await press('JSON Lines');
    const file = person('alice').file('helpdesk', 'audit-sessions-open.jsonl').toString();
    expect(
      file
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).record.line),
    ).toEqual(['rdp sessions']);
  });

  test('never leaves out rows without saying so, and where all of them are', async () => {
    const { bot, type, press, person, read } = await converse();
    for (let number = 0; number < 600; number += 1) {
      await bot.journal.write({
        ...{
          state: 'done',
          team: 'T1',
          channel: 'C0HELPDESK',
          person: 'U0BOB00001',
          line: `status ${number}`,
        },
        outcome: { code: 'answered', says: 'Fine.' },
      });
    }
    const said = await type('/appliance audit');
    const rest = 'To export all of them, run appliance-bot audit export on the bot’s machine.';
    expect(said).toContain('600 actions in this channel');
    expect(said).toContain(`Showing the newest 500 of 600. ${rest}`);
    await press('JSON Lines');
    expect(person('alice').file('helpdesk', 'audit.jsonl').toString().trimEnd().split('\n')).toHaveLength(
      500,
    );
    expect(read()).toContain('500 rows of `/appliance audit`, for @alice. There are 600 in all.');
  });
});

describe('audit --not-understood', () => {
  test('lists the lines that were no command, the most frequent first, with the commands that followed soon', async () => {
    const { type, press, wait } = await converse();
    await type('/appliance kick bob.miller');
    await press('rdp disconnect bob.miller');
    await press('Cancel');
    wait(1_000);
    await type('/appliance Kick  bob.miller', 'bob');
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance zxcv qwer');
    wait(6 * 60_000);
    await type('/appliance rdp status');
    const said = await type('/appliance audit --not-understood', 'vic');
    expect(said).toContain('2 lines in this channel were not understood, 3 times');
    expect(newestTable(said).map((row) => row.split(' | ').filter((_, index) => index !== 2))).toEqual([
      ['Kick bob.miller', '2', '@bob and @alice', 'rdp sessions and rdp disconnect'],
      ['zxcv qwer', '1', '@alice', '–'],
    ]);
    expect(said).toContain('words in the policy file');
  });

  test('lists no mistake in a named command, and nothing of a line with a password', async () => {
    const { type, bot, pass } = await converse();
    await type('/appliance categorize foo');
    await type('/appliance rdp');
    await type('/appliance rdp member create --password hunter2hunter2');
    expect(await type('/appliance audit --not-understood')).toContain(
      'No line in this channel is recorded as not understood',
    );
    await pass(2_000);
    const kept = await bot.journal.findRecords({}, 100);
    expect(kept.count).toBeGreaterThan(3);
    expect(JSON.stringify(kept)).not.toContain('hunter2hunter2');
  });

  test('covers one channel, and with everywhere all of them', async () => {
    const { type } = await converse();
    await type('/appliance zxcv qwer', 'bob', 'incident');
    expect(await type('/appliance audit --not-understood', 'dana')).toContain('No line in this channel');
    const all = await type('/appliance audit everywhere --not-understood --by <@U0BOB00001>', 'dana');
    expect(all).toContain('1 line of @bob in all channels was not understood, 1 time');
    expect(all).toContain('zxcv qwer');
    expect(await type('/appliance audit everywhere --not-understood --by <@U0VIC00001>', 'dana')).toContain(
      'No line of @vic in all channels',
    );
  });

  test('refuses every other filter', async () => {
    const { type } = await converse();
    await type('/appliance zxcv qwer');
    expect(await type('/appliance audit --not-understood --command rdp')).toContain(
      'do not apply to lines that were not understood',
    );
  });
});

describe('a line in other words', () => {
  test('is listed and recorded as it was typed, with the command that it was understood as', async () => {
    const conversation = await converse();
    await conversation.type('/appliance show me the open sessions please mate');
    const [record] = await records(conversation);
    expect(record).toMatchObject({ command: 'rdp sessions', understoodAs: 'rdp sessions' });
    expect(newestTable(await conversation.type('/appliance audit'))).toEqual([
      expect.stringContaining(`${record?.line} (understood as rdp sessions) on hq`),
    ]);
  });
});

describe('audit everywhere', () => {
  test('lists all channels, to the requester alone', async () => {
    const { type, read } = await converse();
    await type('/appliance rdp sessions');
    await type('/appliance status', 'bob', 'incident');
    const said = await type('/appliance audit everywhere', 'dana');
    expect(said).toContain('(only visible to dana)');
    expect(newestTable(said)).toEqual([
      expect.stringContaining('@bob | #incident | status on hq'),
      expect.stringContaining('@alice | #helpdesk | rdp sessions on hq'),
    ]);
    expect(read('alice')).not.toContain('#incident');
  });

  test('is not granted by a rule about effects, and needs a role that names it', async () => {
    const roles = {
      reader: { summary: 'reads', commands: [{ effect: 'read' }] },
      auditor: { summary: 'reads what was done', commands: [{ area: 'audit' }] },
    };
    const { type } = await under(
      { roles },
      { roles: { viewer: 'everyone', reader: ['U0ALICE001'], auditor: ['U0VIC00001'] } },
    );
    expect(await type('/appliance audit everywhere')).toContain(
      'audit everywhere requires the auditor role in',
    );
    expect(await type('/appliance audit everywhere', 'vic')).toContain('in all channels');
    expect(await type('/appliance who can audit everywhere')).toContain('auditor');
  });
});

describe('timeline', () => {
  test('lists the events of this channel, the oldest first, with the approvers', async () => {
    const conversation = await needing();
    const { type, press } = conversation;
    await type('/appliance help');
    await type('/appliance rdp sessions', 'bob');
    await type('/appliance rdp disconnect 12');
    await press('Approve', 'carol');
    const said = await type('/appliance timeline', 'vic');
    expect(said).toMatch(/2 actions, including 1 change; 1 question to Appliance Bot not counted/);
    expect(
      newestTable(said).map((row) => row.replace(/^\d\d:\d\d \| /, '').replace(/ \| A-[0-9A-Z]{8} .*$/, '')),
    ).toEqual([
      '@bob | rdp sessions on hq: ✅ 15 remote-desktop sessions open',
      '@alice | rdp disconnect 12 on hq; approved by @carol: ✅ Session 12 of bob.miller on srv-files-01 disconnected',
    ]);
  });

  test('names an undone change, says once where, and marks each row once', async () => {
    const { type, press } = await converse({ branches: 1 });
    await type('/appliance acl object disable 3', 'bob');
    await press('Undo', 'bob');
    await type('/appliance status --on all', 'bob');
    const rows = newestTable(await type('/appliance timeline', 'vic'));
    expect(rows.map((row) => row.replace(/^\d\d:\d\d \| /, '').replace(/ \| A-[0-9A-Z]{8} .*$/, ''))).toEqual(
      [
        '@bob | acl object disable 3 on hq: ✅ ACL object google_sni disabled',
        '@bob | acl object enable google_sni --on hq: ✅ ACL object google_sni enabled',
        '@bob | status --on all on hq and branch-2: ✅ No problems found on 2 appliances',
      ],
    );
    expect(newestTable(await type('/appliance audit', 'vic')).slice(1, 3)).toEqual([
      expect.stringContaining(
        '@bob | status --on all on hq and branch-2 | ✅ No problems found on 2 appliances |',
      ),
      expect.stringContaining(
        '@bob | acl object enable google_sni --on hq | ✅ ACL object google_sni enabled |',
      ),
    ]);
  });

  test('begins four hours ago, or at the given time', async () => {
    const conversation = await converse();
    const { type, pass } = conversation;
    await type('/appliance rdp sessions');
    await pass(5 * 60 * 60_000);
    expect(await type('/appliance timeline')).toContain('Nothing happened in this channel since');
    expect(newestTable(await type('/appliance timeline --since 6h'))).toHaveLength(1);
  });

  test('ends at the given time, and of a day shows all of it and nothing else', async () => {
    const { type, pass } = await converse({ from: Date.UTC(2026, 9, 7, 22) });
    await type('/appliance rdp sessions');
    await pass(60 * 60_000);
    await type('/appliance software list');
    await pass(9 * 60 * 60_000);
    await type('/appliance services');
    // Each cell but the time and the thread.
    const rows = async (line: string) =>
      newestTable(await type(`/appliance ${line}`)).map((row) => row.split(' | ')[2]?.split(' on ')[0]);
    expect(await rows('timeline --since 12h')).toEqual(['rdp sessions', 'software list', 'services']);
    expect(await rows('timeline --since 12h --until 22:30')).toEqual(['rdp sessions']);
    expect(await rows('timeline --until 23:30')).toEqual(['rdp sessions', 'software list']);
    for (const day of ['yesterday', 'wednesday', '7 oct']) {
      expect(await rows(`timeline ${day}`)).toEqual(['rdp sessions', 'software list']);
    }
    expect(await rows('timeline today')).toEqual(['services']);
    expect(await rows('timeline 12h')).toEqual(['rdp sessions', 'software list', 'services']);
    expect(await rows('timeline --since yesterday --until yesterday')).toEqual([
      'rdp sessions',
      'software list',
    ]);
    expect(await type('/appliance timeline yesterday')).toMatch(
      /Timeline of this channel since .* until .*: 2 actions/,
    );
    expect(await type('/appliance audit --until yesterday')).toMatch(/2 actions until /);
  });
});

describe('the audit channel', () => {
  /** The audit channel after two looks at the clock: the first records, the second posts. */
  const told = async ({ pass, read }: Conversation) => {
    await pass(2_000);
    await pass(2_000);
    return read('alice', 'incident').replace(/ \(http[^)]*\)/g, '');
  };

  test('gets one line for each change, with the beginning of the digest of its record, and none for a lookup', async () => {
    const conversation = await under({ audit: { channel: 'C0INCIDENT' } });
    const { type, press, bot } = conversation;
    await type('/appliance rdp sessions');
    await type('/appliance rdp disconnect 12');
    await press('Disconnect');
    const said = await told(conversation);
    const [{ seq, digest } = { seq: 0, digest: '' }] = (await bot.journal.findRecords({ changes: true }, 1))
      .records;
    expect(said).toContain(
      `✅ @alice: rdp disconnect 12 on hq. Session 12 of bob.miller on srv-files-01 disconnected. In #helpdesk (thread), record ${seq}:${digest.slice(0, 12)}`,
    );
    expect(said.match(/@alice/g)).toHaveLength(1);
    // A click on a finished card is recorded, and is no news.
    const [done] = await bot.journal.recent(1);
    const click = { person: 'U0BOB00001', button: 'confirm', code: 'already' };
    await bot.journal.note(done?.id ?? '', { kind: 'click_refused', content: click });
    expect(await told(conversation)).toBe(said);
    expect((await bot.journal.findRecords({ changes: true }, 1)).records[0]?.seq).toBe(seq + 1);
  });

  test('gets a change that was refused', async () => {
    const conversation = await under({ audit: { channel: 'C0INCIDENT' } });
    await conversation.type('/appliance rdp disconnect 12', 'vic');
    expect(await told(conversation)).toContain('🚫 @vic: rdp disconnect 12');
  });

  test('gets nothing where the policy names none', async () => {
    const conversation = await under({});
    await conversation.type('/appliance rdp disconnect 12', 'vic');
    expect(await told(conversation)).not.toContain('@vic');
  });
});

describe('retention', () => {
  test('deletes records older than the policy’s limit, and keeps everything without one', async () => {
    const day = 24 * 60 * 60_000;
    const kept = await under({});
    const pruned = await under({ audit: { keep: '30d' } });
    for (const { type, pass } of [kept, pruned]) {
      await type('/appliance rdp sessions');
      await pass(31 * day);
      await type('/appliance rdp sessions');
      // An hour after the last time, by Slack's clock, which tells whole seconds.
      await pass(61 * 60_000);
    }
    expect((await kept.bot.journal.findRecords({}, 10)).count).toBe(2);
    expect((await pruned.bot.journal.findRecords({}, 10)).count).toBe(1);
    expect(await pruned.bot.journal.recent()).toHaveLength(1);
  });

  test('deletes nothing of a change that is still on: it ends in time, and is reported', async () => {
    const day = 24 * 60 * 60_000;
    const { type, read, pass, appliance } = await converse({ policy: { audit: { keep: '30d' } } });
    await type('/appliance acl object disable google_sni --for 60d', 'bob');
    for (let days = 0; days < 45; days += 15) await pass(15 * day);
    // By now whatever else was done then is gone.
    await pass(61 * 60_000);
    expect(await type('/appliance temporary', 'bob')).toContain('google_sni');
    await pass(15 * day);
    expect(appliance.state.acl.objects.get(3)?.enabled).toBe(true);
    expect(read('bob')).toContain('Ended and undone: ACL object google_sni disabled');
  });
});

test('an action that is shown to everyone is one message with its facts, found again by its mark', async () => {
  const house = await converse();
  await house.type('/appliance acl object disable 3', 'bob');
  const [action = ''] = /A-[0-9A-Z]{8}/.exec(await house.type('/appliance audit', 'bob')) ?? [];
  await house.type(`/appliance show ${action}`);
  const shown = await house.press('Show it to everyone here');
  expect(shown).toContain(`${action}: ✅ ACL object google_sni disabled\n  Asked by  @bob`);
  // Its card shows what the appliance said when it was read back.
  expect(house.read('dana').split(`${action}: ✅`)[1]).not.toContain('Evidence');
  const posted = house.workspace.log.calls('chat.postMessage').at(-1)?.args;
  expect(String(posted?.text)).toContain(action);
  expect(stampIn(JSON.parse(String(posted?.metadata)))).toMatchObject({ key: expect.any(String) });
});
