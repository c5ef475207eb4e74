import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { alice, bob, client, connect, helpdesk, incident, refusalOf, start } from './testing.ts';
import { transcript } from './transcript.ts';

const scopes = (...bot: string[]): Manifest => ({
  features: { shortcuts: [{ type: 'message', callback_id: 'send', name: 'Send', description: '' }] },
  oauth_config: { scopes: { bot } },
  settings: { event_subscriptions: { bot_events: ['message.channels', 'file_shared'] } },
});
const all = scopes('commands', 'chat:write', 'files:read', 'files:write', 'channels:history');
const csv = Buffer.from('site,hits\na.example,7\n');

/** A workspace in which alice posted a file. */
async function withFile(manifest = all, options: Parameters<typeof start>[0] = {}) {
  const workspace = await start({ manifest, eventRetryDelaysMs: [], ...options });
  const uploaded = workspace.upload(alice, 'hits.csv', csv);
  const id = uploaded.ok ? uploaded.file.id : '';
  const post = () =>
    workspace.act({ act: 'type', as: alice, channel: helpdesk, text: 'last week', files: [id] });
  const get = async (
    token: string | undefined,
    kind: 'url_private' | 'url_private_download' = 'url_private',
  ) => {
    const { file } = await client(workspace).files.info({ file: id });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return fetch(file?.[kind] ?? '', { headers });
  };
  return { workspace, id, post, get, web: client(workspace) };
}

test('a file that a person posts is on the message, in its events and in files.info', async () => {
  const { workspace, id, post, web } = await withFile();
  const events: Record<string, unknown>[] = [];
  await connect(workspace, (app) => {
    app.event('message', async ({ event }) => void events.push({ ...event }));
    app.event('file_shared', async ({ event }) => void events.push({ ...event }));
  });
  expect(await post()).toEqual({ ok: true });
  expect(workspace.snapshot(bob).messages).toMatchObject([
    { text: 'last week', files: [{ id, name: 'hits.csv', size: csv.length, preview: String(csv) }] },
  ]);
  await expect.poll(() => events.map(({ type }) => type).toSorted()).toEqual(['file_shared', 'message']);
  expect(events.find(({ type }) => type === 'message')).toMatchObject({
    subtype: 'file_share',
    files: [{ id, user: alice, mimetype: 'text/csv', filetype: 'csv', size: csv.length, mode: 'snippet' }],
  });
  expect(await web.files.info({ file: id })).toMatchObject({ file: { id, channels: [helpdesk] } });
  expect((await refusalOf(web.files.info({ file: 'F0NOTHING' }))).error).toBe('file_not_found');
});

test('a person cannot post somebody else’s upload, and a command carries no file', async () => {
  const { workspace, id } = await withFile();
  const post = (as: string, text: string) =>
    workspace.act({ act: 'type', as, channel: helpdesk, text, files: [id] });
  expect(await post(bob, 'mine')).toMatchObject({ ok: false });
  expect(await post(alice, '/appliance upgrade')).toMatchObject({ ok: false });
  expect(workspace.upload(alice, 'empty.txt', Buffer.of())).toMatchObject({ ok: false });
  expect(workspace.snapshot(alice).messages).toEqual([]);
});

test('a download needs the bot token in its header; to anyone else Slack shows its login page with status 200', async () => {
  const { workspace, post, get } = await withFile();
  await post();
  const file = await get(workspace.botToken, 'url_private_download');
  expect(file.headers.get('content-type')).toBe('text/csv');
  expect(file.headers.get('content-length')).toBe(String(csv.length));
  expect(await file.text()).toBe(String(csv));
  for (const token of [undefined, 'xoxb-wrong', workspace.appToken]) {
    const page = await get(token);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('Sign in');
  }
  expect(workspace.log.calls('download').map(({ ok }) => ok)).toEqual([true, false, false, false]);
});

test('a file in a channel without the bot does not exist for it', async () => {
  const { workspace, id, post, web } = await withFile(all, {
    channels: [{ id: helpdesk, name: 'helpdesk', botIsMember: false }],
  });
  await post();
  expect((await refusalOf(web.files.info({ file: id }))).error).toBe('file_not_found');
  const url = `${workspace.url}/files-pri/${workspace.teamId}-${id}/download/hits.csv`;
  const headers = { authorization: `Bearer ${workspace.botToken}` };
  expect(await (await fetch(url, { headers })).text()).toContain('Sign in');
});

test('without files:read the bot gets the login page, also for a file it can see', async () => {
  const { workspace, id, post } = await withFile(scopes('commands', 'chat:write'));
  await post();
  const headers = { authorization: `Bearer ${workspace.botToken}` };
  const url = `${workspace.url}/files-pri/${workspace.teamId}-${id}/hits.csv`;
  expect(await (await fetch(url, { headers })).text()).toContain('Sign in');
});

test('a download fails in every way that was asked for, once', async () => {
  const { workspace, post, get } = await withFile();
  await post();
  const read = async () => (await get(workspace.botToken)).text();
  const { faults } = workspace;
  faults.next('download', { kind: 'login_page' });
  expect(await read()).toContain('Sign in');
  faults.next('download', { kind: 'cut_short', bytes: 5, ends: 'cleanly' });
  expect(await read()).toBe('site,');
  faults.next('download', { kind: 'cut_short', bytes: 5, ends: 'broken' });
  await expect(read()).rejects.toThrow();
  faults.next('download', { kind: 'http', status: 503 });
  expect((await get(workspace.botToken)).status).toBe(503);
  faults.next('download', { kind: 'redirect', to: `${workspace.url}/elsewhere` });
  expect((await get(workspace.botToken)).url).toBe(`${workspace.url}/elsewhere`);
  faults.next('download', { kind: 'close', when: 'before' });
  await expect(read()).rejects.toThrow();
  faults.next('download', { kind: 'slow', ms: 1 });
  const pieces: unknown[] = [];
  for await (const piece of (await get(workspace.botToken)).body ?? []) pieces.push(piece);
  expect(pieces.length).toBeGreaterThan(2);
  expect(await read()).toBe(String(csv));
});

test('a message shortcut brings the files of its message', async () => {
  const { workspace, id, post } = await withFile();
  const seen: unknown[] = [];
  await connect(workspace, (app) => {
    app.shortcut('send', async ({ ack, shortcut }) => {
      seen.push('message' in shortcut && shortcut.message);
      await ack();
    });
  });
  await post();
  const ts = workspace.snapshot(alice).messages[0]?.ts ?? '';
  await workspace.act({ act: 'shortcut', as: bob, callback_id: 'send', channel: helpdesk, ts });
  expect(seen).toMatchObject([
    { ts, files: [{ id, name: 'hits.csv', url_private_download: expect.anything() }] },
  ]);
});

test('an upload by the SDK becomes a message in the thread, readable by those who see it', async () => {
  const workspace = await start({ manifest: all });
  const web = client(workspace);
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'root' });
  await web.filesUploadV2({
    channel_id: helpdesk,
    thread_ts: ts,
    initial_comment: 'All records',
    filename: 'records.csv',
    title: 'Records',
    file: csv,
  });
  const [, reply] = workspace.snapshot(bob).messages;
  expect(reply).toMatchObject({
    user: workspace.botUserId,
    thread_ts: ts,
    text: 'All records',
    files: [{ name: 'records.csv', title: 'Records', pretty_type: 'CSV' }],
  });
  const id = reply?.files?.[0]?.id ?? '';
  expect(workspace.fileContent(bob, id)).toEqual(csv);
  expect(workspace.fileContent('U0NOBODY01', id)).toBeUndefined();
  expect(transcript(workspace.snapshot(bob), 'helpdesk')).toMatch(
    /│ {3}All records\n {2}│ {3}\[file records\.csv, 22 B]$/,
  );
});

test('an upload is refused where Slack refuses it, and posts nothing then', async () => {
  const workspace = await start({ manifest: all });
  const web = client(workspace);
  const announce = async (length = csv.length) =>
    web.files.getUploadURLExternal({ filename: 'plot.png', length, alt_text: 'Hits by day' });
  const send = async (url = '', body: Buffer = csv) => (await fetch(url, { method: 'POST', body })).status;
  expect((await refusalOf(announce(0))).error).toBe('invalid_arguments');

  const { upload_url, file_id = '' } = await announce();
  const complete = (more: Record<string, unknown> = {}) =>
    web.apiCall('files.completeUploadExternal', { files: [{ id: file_id }], channel_id: helpdesk, ...more });
  const error = async (more?: Record<string, unknown>) => (await refusalOf(complete(more))).error;
  expect(await error()).toBe('file_not_found');
  expect(await send(upload_url, csv.subarray(1))).toBe(400);
  workspace.faults.next('upload', { kind: 'http', status: 500 });
  expect(await send(upload_url)).toBe(500);
  expect(await send(upload_url)).toBe(200);
  expect(await send(upload_url)).toBe(404);
  expect(await error({ channel_id: 'C0NOWHERE1' })).toBe('channel_not_found');
  expect(await error({ channel_id: 'helpdesk' })).toBe('channel_not_found');
  expect(await error({ thread_ts: '1.000001' })).toBe('thread_not_found');
  expect(await error({ files: [] })).toBe('invalid_arguments');
  expect(workspace.snapshot(alice).messages).toEqual([]);
  await complete({ channel_id: incident });
  expect(workspace.snapshot(alice).messages).toMatchObject([
    { text: '', files: [{ alt_txt: 'Hits by day', pretty_type: 'PNG' }] },
  ]);
  expect(await error()).toBe('file_not_found');
});

test('the page uploads as a person and reads what that person sees; other sites and other people do not', async () => {
  const workspace = await start({ manifest: all });
  const upload = (headers: Record<string, string>) =>
    fetch(`${workspace.url}/sandbox/upload?as=${alice}&name=evil.svg`, {
      method: 'POST',
      headers,
      body: '<svg onload="alert(1)"/>',
    });
  expect((await upload({ 'content-type': 'text/plain' })).status).toBe(415);
  const bytes = { 'content-type': 'application/octet-stream' };
  expect((await upload({ ...bytes, origin: 'http://evil.example' })).status).toBe(403);
  const { file } = (await (await upload(bytes)).json()) as { file: { id: string } };
  const read = (as: string) => fetch(`${workspace.url}/sandbox/file/${file.id}?as=${as}`);
  expect((await read(bob)).status).toBe(404);
  const own = await read(alice);
  expect(own.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(own.headers.get('content-type')).toBe('application/octet-stream');
});

test('Slack can be made to report other facts about a file', async () => {
  const { workspace, id, post, web } = await withFile();
  await post();
  workspace.changeFile(id, { mode: 'external', is_external: true, size: 1 });
  expect(await web.files.info({ file: id })).toMatchObject({ file: { mode: 'external', size: 1 } });
});
