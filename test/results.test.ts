import { describe, expect, test } from 'vitest';
import { type Conversation, converse } from './conversation.ts';

const [day, hour] = [24 * 60 * 60_000, 60 * 60_000];

/** The rows that somebody sees of the newest table, by the name of the object. */
const objectsIn = (transcript: string): readonly string[] =>
  [...transcript.matchAll(/│ {3}\d+ +([a-z0-9_]+) /g)].map(([, name = '']) => name);

/** Does something, and says what the appliance was asked meanwhile. */
async function askedBy({ appliance }: Conversation, act: () => Promise<unknown>): Promise<readonly string[]> {
  const before = appliance.requests.length;
  await act();
  return appliance.requests.slice(before).map(({ method, path }) => `${method} ${path}`);
}

describe('a long table', () => {
  test('shows its first rows, and turns its pages in place without asking the appliance again', async () => {
    const conversation = await converse();
    const { type, press, read, appliance } = conversation;
    const first = await type('/appliance acl objects');
    expect(objectsIn(first)).toHaveLength(15);
    expect(first).toContain('Rows 1–15 of 26');
    expect(first).toContain('[Next ▶] [Filter…] [CSV] [JSON]');
    expect(first).not.toContain('Previous');

    // Something changes meanwhile: the pages stay those of one answer.
    appliance.state.acl.objects.clear();
    const asked = await askedBy(conversation, () => press('Next ▶', 'vic'));
    const second = read();
    expect(asked).toEqual([]);
    expect(objectsIn(second)).toHaveLength(11);
    expect(objectsIn(first).filter((name) => objectsIn(second).includes(name))).toEqual([]);
    expect(second).toContain('Rows 16–26 of 26');
    expect(second).toContain('[◀ Previous] [Filter…] [CSV] [JSON]');
    expect(second.match(/Rows /g)).toHaveLength(1);

    expect(await press('◀ Previous')).toBe(first.replace('│ appliance-bot\n', '│ appliance-bot · edited\n'));
  });

  test('is filtered by words anywhere in a row, and the filter outlives the turning of pages', async () => {
    const conversation = await converse();
    const { type, press, read, person } = conversation;
    const alice = person('alice');
    await type('/appliance category list');
    const asked = await askedBy(conversation, async () => {
      await press('Filter…');
      expect(alice.form()?.fields.map(({ label }) => label)).toEqual(['Words']);
      await alice.fill({ Words: 'OFF' });
      expect((await alice.submit()).ok).toBe(true);
      await press('Next ▶');
    });
    expect(asked).toEqual([]);
    expect(read()).toMatch(/Rows 16–30 of the \d\d that match OFF, 66 in all/);
    expect(alice.form()).toBeUndefined();

    await press('Filter…');
    expect(alice.form()?.fields[0]?.value).toBe('OFF');
    await alice.fill({ Words: 'off  SHOPPING' });
    await alice.submit();
    const narrowed = await press('Filter…');
    expect(narrowed).toContain('1 of 66 rows matches off  SHOPPING');
    await alice.fill({ Words: 'nothing like it' });
    await alice.submit();
    const none = read();
    expect(none).toContain('None of the 66 rows matches nothing like it');
    expect(none).toContain('[Filter…] [Clear filter]');
    expect(none).not.toContain('[CSV]');
    expect(await press('Clear filter')).toContain('Rows 1–15 of 66');
  });

  test('is downloaded as a file, whole or filtered', async () => {
    const conversation = await converse();
    const { type, press, person } = conversation;
    const alice = person('alice');
    await type('/appliance acl objects');
    const asked = await askedBy(conversation, () => press('CSV'));
    expect(asked).toEqual([]);
    const csv = alice.file('helpdesk', 'acl-objects.csv').toString();
    expect(csv.startsWith('\ufeffObject,Name,')).toBe(true);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(27);

    await press('Filter…');
    await alice.fill({ Words: 'google' });
    await alice.submit();
    const said = await press('JSON');
    expect(said).toContain('1 row of `/appliance acl objects` that matches `google`, for @alice');
    const json: unknown = JSON.parse(alice.file('helpdesk', 'acl-objects-google.json').toString());
    expect(json).toMatchObject([{ Object: 3, Name: 'google_sni' }]);
    // In the thread of the answer, and nowhere else.
    expect(said.split('\n').filter((line) => line.includes('[file'))).toEqual([
      expect.stringMatching(/^ {2}│ .*acl-objects\.csv/),
      expect.stringMatching(/^ {2}│ .*acl-objects-google\.json/),
    ]);
  });

  test('outlives a restart, and expires after some days', async () => {
    const { type, press, restart, wait } = await converse();
    await type('/appliance acl objects');
    await restart();
    expect(await press('Next ▶')).toContain('Rows 16–26 of 26');
    wait(2 * day);
    expect(await press('◀ Previous')).toContain('Rows 1–15 of 26');
    wait(day + hour);
    const said = await press('Next ▶');
    expect(said).toContain('(only visible to alice)');
    expect(said).toContain('This result is no longer kept. Your click did nothing. Type the command again.');
    expect(said).toContain('Rows 1–15 of 26');
    // In the thread, where the button stands that was pressed.
    expect(said).toMatch(/│ appliance-bot · \(only visible to alice\)\n\s+│\s+This result is no longer kept/);
  });

  test('turns for nobody without the right to its command, and tells them why', async () => {
    const conversation = await converse();
    const { type, press, read, workspace } = conversation;
    await type('/appliance acl objects');
    for (const button of ['Next ▶', 'CSV', 'Filter…']) {
      expect(await press(button, 'gus')).toContain('You are a guest in this workspace');
    }
    expect(read()).toContain('Rows 1–15 of 26');
    expect(workspace.log.calls('files.getUploadURLExternal')).toEqual([]);
  });

  test('is filtered by nobody whose role went while the form lay open', async () => {
    const { type, press, person, read, workspace, bot } = await converse();
    await type('/appliance acl objects');
    await press('Filter…');
    await workspace.changePerson('U0ALICE001', { isGuest: true });
    await bot.idle();
    await person('alice').fill({ Words: 'google' });
    await person('alice').submit();
    expect(read()).toContain('Rows 1–15 of 26');
    expect(read()).toContain('You are a guest in this workspace');
  });

  test('has a message and pages for each appliance', async () => {
    const { type, press, person } = await converse({ branches: 1 });
    const said = await type('/appliance acl objects --on all');
    expect(said.match(/Rows 1–15 of 26/g)).toHaveLength(2);
    const turned = await press('Next ▶');
    expect(turned.indexOf('Rows 1–15 of 26')).toBeLessThan(turned.indexOf('Rows 16–26 of 26'));
    expect(turned).toMatch(/edited\n.*branch-2/);
    await press('CSV');
    expect(person('alice').file('helpdesk', 'acl-objects-on-all-branch-2.csv').toString()).toContain(
      'google_sni',
    );
  });
});

describe('a long table that only one person sees', () => {
  const cannotPost = { kind: 'error', error: 'not_in_channel' } as const;

  test('turns its pages and is filtered in place, and is no file', async () => {
    const { type, press, read, person, workspace } = await converse();
    workspace.faults.next('chat.postMessage', cannotPost);
    const first = await type('/appliance acl objects');
    expect(first).toContain('(only visible to alice)');
    expect(first).toContain('Rows 1–15 of 26');
    expect(first).toContain('[Next ▶] [Filter…]\n');
    expect(first).not.toContain('CSV');
    const second = await press('Next ▶');
    expect(second).toContain('Rows 16–26 of 26');
    expect(second).toContain('26 ACL objects');
    expect(second).not.toContain('Rows 1–15');
    await press('Filter…');
    await person('alice').fill({ Words: 'google' });
    await person('alice').submit();
    expect(read()).toContain('1 of 26 rows matches google');
    expect(read().match(/only visible/g)).toHaveLength(1);
  });
});

describe('a file that Slack does not take', () => {
  test('is reported in the thread, with the missing scope', async () => {
    const { type, press, workspace } = await converse();
    await type('/appliance acl objects');
    workspace.faults.next('files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' });
    const said = await press('CSV');
    expect(said).toContain('Couldn’t post the file acl-objects.csv here:');
    expect(said).toContain('the app needs the scope files:write');
  });
});

describe('numbers over time', () => {
  const kindsIn = ({ workspace }: Conversation) =>
    workspace.snapshot('U0ALICE001').messages.flatMap(({ blocks = [] }) => blocks.map(({ type }) => type));

  test('come as a chart that Slack takes, with the numbers in words for screen readers', async () => {
    const conversation = await converse();
    await conversation.type('/appliance mirror daily 14');
    expect(kindsIn(conversation)).toContain('data_visualization');
    const posts = conversation.workspace.log.calls('chat.postMessage');
    expect(posts.every(({ ok }) => ok)).toBe(true);
    const drawn = posts
      .map(({ args }) => JSON.stringify(args))
      .filter((sent) => sent.includes('data_visualization'));
    expect(drawn.join()).toMatch(/Fetched: from [\d,]+ \(.* highest [\d,]+ \(/);
    // Its numbers stand in the next message, and not twice in one.
    expect(drawn.join()).not.toContain('"table"');
  });

  test('come as bars where Slack takes no charts, after one attempt', async () => {
    const conversation = await converse();
    const { type, workspace } = conversation;
    const pointed = ['unsupported type [json-pointer:/blocks/1/type]'];
    // The answer's headline is posted first, and has no chart.
    workspace.faults.next('chat.postMessage', { kind: 'delay', ms: 0 });
    workspace.faults.next('chat.postMessage', {
      kind: 'error',
      error: 'invalid_blocks',
      details: { response_metadata: { messages: pointed } },
    });
    expect(await type('/appliance mirror daily')).toMatch(/█{3,}/);
    await type('/appliance mirror daily');
    expect(kindsIn(conversation)).not.toContain('data_visualization');
    expect(workspace.log.calls('chat.postMessage').map(({ ok }) => ok)).toEqual([
      true,
      false,
      ...Array(5).fill(true),
    ]);
  });
});
