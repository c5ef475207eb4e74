import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import type { DownloadFault } from '../../../sandbox/workspace/faults.ts';
import { team } from '../../../sandbox/workspace/people.ts';
import { createMembers } from '../../auth/members.ts';
import { FileFailure } from '../../handlers/context.ts';
import { createLog } from '../../telemetry/log.ts';
import { createSlackFiles } from './files.ts';
import { createSlackLookup } from './slack-people.ts';

const alice = 'U0ALICE001';
const bob = 'U0BOB00001';
const helpdesk = 'C0HELPDESK';
const content = randomBytes(300_000);

/** A workspace with a file from alice, and a function that fetches it. */
async function withFile({
  silence = 5_000,
  name = 'hotfix.tgz',
  bytes = content,
  answer = fetch,
}: {
  readonly silence?: number;
  readonly name?: string;
  readonly bytes?: Buffer;
  readonly answer?: typeof fetch;
} = {}) {
  const workspace = await startHarbour();
  onTestFinished(() => workspace.stop());
  const uploaded = workspace.upload(alice, name, bytes);
  if (!uploaded.ok) throw new Error(uploaded.error);
  const { id } = uploaded.file;
  await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: 'here', files: [id] });
  const { botToken, apiUrl } = workspace;
  const client = new WebClient(botToken, {
    slackApiUrl: apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 1_000,
    logLevel: LogLevel.ERROR,
  });
  const asked: { readonly url: string; readonly authorization: string | null }[] = [];
  const watched: typeof fetch = (input, init) => {
    asked.push({ url: String(input), authorization: new Headers(init?.headers).get('authorization') });
    return answer(input, init);
  };
  const lookup = createSlackLookup(client, team.id, createLog('silent'));
  const members = createMembers(lookup, Date.now);
  const filesFor = createSlackFiles({ client, botToken, apiUrl, fetch: watched, members }, { silence });
  return { workspace, filesFor, files: filesFor(alice), file: { id, name, size: bytes.length }, asked };
}

const failureOf = async (task: Promise<unknown>): Promise<FileFailure> => {
  const error = await task.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof FileFailure)) throw new Error(`It did not fail as a file does: ${String(error)}`);
  return error;
};

test('a file arrives byte for byte, and its digest and first bytes identify it', async () => {
  const { files, file, asked, workspace } = await withFile();
  const pieces: Uint8Array[] = [];
  for await (const piece of await files.open(file)) pieces.push(piece);
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
  expect(await files.digest(file)).toEqual({
    sha256: createHash('sha256').update(content).digest('hex'),
    size: 300_000,
    head: content.subarray(0, 512),
    postedBy: 'U0ALICE001',
  });
  expect(asked.every(({ url }) => url.startsWith(`${workspace.url}/files-pri/`))).toBe(true);
});

test('simultaneous requests for a digest share one download, and the next one downloads again', async () => {
  const { files, file, asked, workspace } = await withFile();
  const digests = await Promise.all(Array.from({ length: 50 }, () => files.digest(file)));
  expect(new Set(digests.map(({ sha256 }) => sha256)).size).toBe(1);
  expect(asked).toHaveLength(1);
  workspace.faults.next('download', { kind: 'http', status: 503 });
  await failureOf(files.digest(file));
  await files.digest(file);
  expect(asked).toHaveLength(3);
});

describe('a reader of a file', () => {
  test('gets it as a member of a channel that it was posted in', async () => {
    const { filesFor, file } = await withFile();
    expect((await filesFor(bob).digest(file)).postedBy).toBe(alice);
  });

  test('learns nothing of it otherwise, whatever has become of it', async () => {
    const { workspace, filesFor, file, asked } = await withFile();
    await workspace.act({ act: 'remove', as: alice, channel: helpdesk, user: bob });
    for (const said of [{}, { mode: 'tombstone' }, { size: 4 }, { size: 0 }]) {
      workspace.changeFile(file.id, said);
      const failure = await failureOf(filesFor(bob).open(file));
      expect([failure.code, failure.message]).toEqual([
        'no_access',
        expect.stringMatching(/was not read: you didn’t post it/),
      ]);
    }
    expect(asked).toEqual([]);
  });

  test('does not get it if Slack does not report their channels, except for their own files', async () => {
    const { workspace, filesFor, file } = await withFile();
    workspace.faults.next('users.conversations', { kind: 'error', error: 'internal_error' });
    expect(await failureOf(filesFor(bob).open(file))).toMatchObject({ code: 'no_answer' });
    workspace.faults.next('users.conversations', { kind: 'error', error: 'internal_error' });
    expect((await filesFor(alice).digest(file)).size).toBe(300_000);
  });

  test('must be a person, and not the bot itself', async () => {
    const { filesFor, file } = await withFile();
    expect(await failureOf(filesFor('').open(file))).toBeInstanceOf(FileFailure);
  });
});

test('a file without a size in the form is accepted with Slack’s size', async () => {
  const { files, file } = await withFile();
  expect((await files.digest({ ...file, size: 0 })).size).toBe(300_000);
});

test('a reader who stops ends the download, also before its first byte', async () => {
  const { files, file, workspace } = await withFile();
  workspace.faults.next('download', { kind: 'slow', ms: 20 });
  const pieces = (await files.open(file))[Symbol.asyncIterator]();
  expect(await pieces.return?.()).toMatchObject({ done: true });
  const { code } = await failureOf(pieces.next());
  expect(code).toBe('no_answer');
});

describe('an unavailable file is refused with one sentence', () => {
  test.each<[string, Record<string, unknown>, FileFailure['code'], RegExp]>([
    [
      'that lies elsewhere',
      { mode: 'external', is_external: true },
      'no_access',
      /is a link to a file outside Slack/,
    ],
    ['that was deleted', { mode: 'tombstone' }, 'not_found', /was deleted/],
    [
      'that the plan hides',
      { mode: 'hidden_by_limit' },
      'not_found',
      /is too old: this workspace’s Slack plan no longer gives access/,
    ],
    [
      'of a stranger',
      { url_private_download: undefined },
      'no_access',
      /download hotfix\.tgz: Slack doesn’t give Appliance Bot access/,
    ],
    ['that has become another', { size: 4 }, 'changed', /its size is different now/],
    ['that is too large', { size: 2 ** 31 }, 'too_large', /larger than 1 GiB/],
    ['that is empty', { size: 0 }, 'incomplete', /is empty/],
  ])('%s', async (_, said, code, sentence) => {
    const { workspace, files, file, asked } = await withFile();
    workspace.changeFile(file.id, said);
    const failure = await failureOf(files.open(file));
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(sentence)]);
    expect(asked).toEqual([]);
  });

  test.each<[string, DownloadFault, FileFailure['code'], RegExp]>([
    [
      'that answers with the login page',
      { kind: 'login_page' },
      'no_access',
      /Invite the bot to the channel/,
    ],
    [
      'that is sent elsewhere',
      { kind: 'redirect', to: 'http://127.0.0.1:9/x' },
      'no_access',
      /Invite the bot/,
    ],
    ['that ends early', { kind: 'cut_short', bytes: 1_000, ends: 'cleanly' }, 'incomplete', /1000 bytes/],
    [
      'that breaks off',
      { kind: 'cut_short', bytes: 1_000, ends: 'broken' },
      'no_answer',
      /connection to Slack was lost/,
    ],
    ['that fails', { kind: 'http', status: 503 }, 'no_answer', /HTTP 503/],
    ['that is gone', { kind: 'http', status: 404 }, 'not_found', /hotfix\.tgz is no longer available/],
    ['that is paced', { kind: 'rate_limited', retryAfter: 30 }, 'no_answer', /HTTP 429/],
    ['without a connection', { kind: 'close', when: 'before' }, 'no_answer', /connection to Slack was lost/],
  ])('%s', async (_, fault, code, sentence) => {
    const { workspace, files, file } = await withFile();
    workspace.faults.next('download', fault);
    const failure = await failureOf(files.digest(file));
    expect([failure.code, failure.message]).toEqual([code, expect.stringMatching(sentence)]);
    expect(failure.message).not.toContain(workspace.botToken);
  });

  test.each<[string, DownloadFault]>([
    ['that never answers', { kind: 'hang' }],
    ['that stops in the middle', { kind: 'slow', ms: 400 }],
  ])('%s, after a while', async (_, fault) => {
    const { workspace, files, file } = await withFile({ silence: 100 });
    workspace.faults.next('download', fault);
    const { code, message } = await failureOf(files.digest(file));
    expect([code, message]).toEqual([
      'no_answer',
      expect.stringMatching(/Slack sent no data of hotfix\.tgz/),
    ]);
  });

  test('also in a channel without the bot', async () => {
    const { workspace, files, file, asked } = await withFile();
    workspace.faults.next('files.info', { kind: 'error', error: 'file_not_found' });
    expect((await failureOf(files.open(file))).message).toContain('invite the bot there');
    expect(asked).toEqual([]);
  });

  test.each<[string, string, FileFailure['code']]>([
    ['the scope is missing', 'missing_scope', 'no_access'],
    ['the file was deleted', 'file_deleted', 'not_found'],
    ['Slack has trouble', 'internal_error', 'no_answer'],
  ])('when %s', async (_, error, code) => {
    const { workspace, files, file } = await withFile();
    workspace.faults.next('files.info', { kind: 'error', error });
    expect((await failureOf(files.open(file))).code).toBe(code);
  });
});

test('the token is sent to Slack and no other host, wherever Slack says that the file is', async () => {
  const heard: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    heard.push(request.headers.authorization);
    response.end(content);
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => other.close(() => resolve())));
  const { port } = other.address() as AddressInfo;
  const { workspace, files, file, asked } = await withFile();
  for (const address of [
    `http://127.0.0.1:${port}/x`,
    `${workspace.url}@127.0.0.1:${port}/x`,
    `http://files.slack.com.example/x`,
    'not an address',
  ]) {
    workspace.changeFile(file.id, { url_private_download: address });
    expect((await failureOf(files.open(file))).message).toContain('files are downloaded only from there');
  }
  expect([heard, asked]).toEqual([[], []]);

  workspace.changeFile(file.id, { url_private_download: `${workspace.url}/files-pri/T0-${file.id}/x` });
  workspace.faults.next('download', { kind: 'redirect', to: `http://127.0.0.1:${port}/x` });
  await failureOf(files.open(file));
  expect(heard).toEqual([]);
});

test.each([
  ['fewer', content.subarray(0, 299_999), /only 299999 of the 300000 bytes/],
  ['more', Buffer.concat([content, Buffer.from('x')]), /more than the 300000 bytes/],
])(
  '%s bytes than Slack told, without a length before them, are not taken for the file',
  async (_, bytes, sentence) => {
    // In chunks, so that no length is announced.
    const answer = async () => new Response(new Blob([bytes]).stream());
    const { files, file } = await withFile({ answer });
    const failure = await failureOf(files.digest(file));
    expect([failure.code, failure.message]).toEqual(['incomplete', expect.stringMatching(sentence)]);
  },
);

test('an HTML file is a file, and no login page', async () => {
  const { files, file } = await withFile({ name: 'report.html', bytes: Buffer.from('<html></html>') });
  expect((await files.digest(file)).size).toBe(13);
});
