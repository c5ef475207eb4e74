import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { startSimulatedAppliance } from '../../../sandbox/appliance/index.ts';
import { type Appliance, type ApplianceSettings, connectAppliance, type RequestReport } from '../index.ts';
import type { UploadContent } from './content.ts';
import type { UploadProgress } from './multipart.ts';

/** A shell package from the caller through its checks to the appliance. */

const password = 'correct/horse&battery';
const script = '#!/bin/sh\nSCRIPT_ID="check1"\n./install "$SHELL_PASS"\nexit 0\n';
const open: (() => Promise<unknown>)[] = [];
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shell-upload-test-'));
  // The folder for temporary copies of streams.
  vi.stubEnv('TMPDIR', folder);
  open.push(() => rm(folder, { recursive: true }));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of open.splice(0).toReversed()) await close();
});

async function packageOf(text = script, name = 'shell.sh'): Promise<Buffer> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.alloc(200_000, 'data'), 'data/table.csv', { mode: 0o100640 });
  zip.addBuffer(Buffer.from(text), name, { mode: 0o100755 });
  zip.end();
  return buffer(zip.outputStream);
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function connect(url: string, settings: Partial<ApplianceSettings> = {}): Appliance {
  const appliance = connectAppliance({
    ...{ name: 'lab', url, directoryUrl: url, shellPassword: password, sleep: async () => undefined },
    ...settings,
  });
  open.push(() => appliance.close());
  return appliance;
}

async function* slices(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += 10_000) yield bytes.subarray(start, start + 10_000);
}

const ways: [string, (zip: Buffer) => Promise<UploadContent>][] = [
  [
    'a path',
    async (zip) => {
      const path = join(await mkdtemp(join(folder, 'given-')), 'check.zip');
      await writeFile(path, zip);
      return path;
    },
  ],
  ['bytes', async (bytes) => ({ bytes, name: 'check.zip' })],
  ['a stream', async (zip) => ({ stream: slices(zip), name: 'check.zip' })],
];

/** Folders with temporary copies of streams. */
async function kept(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith('given-'));
}

describe('a package arrives with the password in its script', () => {
  test.each(ways)('from %s, and leaves no copy', async (way, give) => {
    let form: FormData | undefined;
    let length: string | undefined;
    const modes: number[] = [];
    const url = await serve(async (request, response) => {
      for (const name of await kept())
        modes.push((await stat(join(folder, name, 'package.zip'))).mode & 0o777);
      length = request.headers['content-length'];
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData();
      response.end('{"status": true}');
    });
    const progress: UploadProgress[] = [];
    const answer = await connect(url).directory.uploadShellPackage({
      file: await give(await packageOf()),
      onProgress: (one) => progress.push(one),
    });
    expect(answer).toMatchObject({ confirmed: true });
    const file = form?.get('zipcontainer');
    if (!(file instanceof File)) throw new Error('There is no file in the form.');
    expect([...(form?.keys() ?? [])]).toEqual(['zipcontainer']);
    expect(file.name).toBe('check.zip');
    const zip = await fromBufferPromise(Buffer.from(await file.arrayBuffer()), { lazyEntries: true });
    const contents: Record<string, string> = {};
    for await (const entry of zip.eachEntry()) {
      contents[entry.fileName] = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    }
    expect(contents).toEqual({
      'data/table.csv': 'data'.repeat(50_000),
      'shell.sh': script.replace('\n', `\nSHELL_PASS="${password}"\n`),
    });
    // The length is announced, although the content was made on the way.
    expect(Number(length)).toBeGreaterThan(file.size);
    expect(progress.at(-1)).toEqual({ sent: file.size, total: file.size });
    expect(new Set(modes)).toEqual(new Set(way === 'a stream' ? [0o600] : []));
    expect(await kept()).toEqual([]);
  });
});

describe('no copy of a package remains', () => {
  const upload = async (url: string, settings: Partial<ApplianceSettings> = {}, signal?: AbortSignal) =>
    connect(url, settings).directory.uploadShellPackage(
      { file: { stream: slices(await packageOf()), name: 'check.zip' } },
      signal === undefined ? {} : { signal },
    );

  test('after a refusal', async () => {
    const url = await serve((request, response) => {
      request.resume().on('end', () => response.end('{"status": false, "info": "the feature is off"}'));
    });
    await expect(upload(url)).rejects.toMatchObject({ code: 'refused', reason: 'the feature is off' });
    expect(await kept()).toEqual([]);
  });

  test('after a broken connection', async () => {
    const url = await serve((request) => request.once('data', () => request.socket.resetAndDestroy()));
    await expect(upload(url)).rejects.toMatchObject({ code: 'connection_lost' });
    expect(await kept()).toEqual([]);
  });

  test('if the appliance is unreachable', async () => {
    const url = await serve(() => undefined);
    await open.pop()?.();
    await expect(upload(url)).rejects.toMatchObject({ code: 'unreachable', sent: 'no' });
    expect(await kept()).toEqual([]);
  });

  test('if the caller aborts', async () => {
    const controller = new AbortController();
    const url = await serve((request) => request.once('data', () => controller.abort()));
    await expect(upload(url, {}, controller.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(await kept()).toEqual([]);
  });

  test('if the caller aborts while the stream is read', async () => {
    const controller = new AbortController();
    let requests = 0;
    const url = await serve(() => (requests += 1));
    const stream = new PassThrough();
    stream.write('PK');
    const upload = connect(url).directory.uploadShellPackage(
      { file: { stream, name: 'check.zip' } },
      { signal: controller.signal },
    );
    const ended = expect(upload).rejects.toMatchObject({ code: 'aborted', sent: 'no' });
    await expect.poll(kept).toHaveLength(1);
    controller.abort();
    await ended;
    expect(stream.destroyed).toBe(true);
    expect(requests).toBe(0);
    expect(await kept()).toEqual([]);
  });

  test('after a timeout', async () => {
    const url = await serve((request) => request.resume());
    await expect(upload(url, { deadlines: { long: 30 } })).rejects.toMatchObject({ code: 'timeout' });
    expect(await kept()).toEqual([]);
  });

  test('if it is refused before anything is sent', async () => {
    const url = await serve(() => undefined);
    const file = { stream: slices(await packageOf(script, 'scripts/shell.sh')), name: 'check.zip' };
    await expect(connect(url).directory.uploadShellPackage({ file })).rejects.toMatchObject({
      code: 'bad_argument',
      argument: 'file',
      problem:
        'cannot be uploaded: the package has shell.sh in a folder (scripts/shell.sh); move it to the top level',
      sent: 'no',
    });
    expect(await kept()).toEqual([]);
  });

  test('if its stream fails', async () => {
    const url = await serve(() => undefined);
    async function* failing() {
      yield Buffer.from('PK');
      throw new Error('the share is gone');
    }
    await expect(
      connect(url).directory.uploadShellPackage({ file: { stream: failing(), name: 'check.zip' } }),
    ).rejects.toMatchObject({ code: 'bad_argument', argument: 'file', sent: 'no' });
    expect(await kept()).toEqual([]);
  });
});

describe('the password never appears again', () => {
  /** Every part of an error that a log could contain. */
  const all = (error: unknown) => inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error);

  test.each<[string, number, (secret: string) => string]>([
    ['in a refusal', 200, (secret) => JSON.stringify({ status: false, info: `wrong password ${secret}` })],
    ['in an HTTP error', 500, (secret) => `<html>SHELL_PASS=${secret} is wrong</html>`],
    ['in an answer that is no JSON', 200, (secret) => `SHELL_PASS=${secret}`],
    ['escaped', 500, (secret) => JSON.stringify({ error: secret }).replaceAll('/', '\\/')],
    ['encoded', 500, (secret) => `pass=${encodeURIComponent(secret)}`],
    ['on a page', 500, (secret) => `<p>${secret.replaceAll('&', '&amp;')}</p>`],
  ])('where the appliance repeats it %s', async (_where, status, text) => {
    const own = 'its own/secret&pass';
    for (const [configured, secret, sent] of [
      [password, password, script],
      [undefined, own, `${script}SHELL_PASS='${own}'\n`],
    ] as const) {
      const url = await serve((request, response) => {
        request.resume().on('end', () => response.writeHead(status).end(text(secret)));
      });
      const reports: RequestReport[] = [];
      const { directory } = connect(url, {
        shellPassword: configured,
        onRequest: (report) => reports.push(report),
      });
      const bytes = await packageOf(sent);
      const failed = await directory
        .uploadShellPackage({ file: { bytes, name: 'check.zip' } })
        .catch((e) => e);
      expect(failed).toMatchObject({ sent: 'yes', excerpt: expect.stringContaining('[hidden]') });
      expect(all(failed)).not.toMatch(/horse|secret/);
      expect(JSON.stringify(reports)).not.toMatch(/horse|secret/);
    }
  });

  test('in an answer with another shape that repeats it', async () => {
    const url = await serve((request, response) => {
      request
        .resume()
        .on('end', () => response.end(JSON.stringify({ status: true, info: `with ${password}` })));
    });
    const bytes = await packageOf();
    const { directory } = connect(url);
    expect(await directory.uploadShellPackage({ file: { bytes, name: 'check.zip' } })).toEqual({
      confirmed: true,
      info: 'with [hidden]',
    });
  });

  test.each([
    ['the package is refused', async () => packageOf('#!/bin/sh\r\n')],
    ['the package is no zip', async () => Buffer.from('text')],
  ])('where %s', async (_where, make) => {
    const { directory } = connect(await serve(() => undefined));
    const bytes = await make();
    const failed = await directory.uploadShellPackage({ file: { bytes, name: 'check.zip' } }).catch((e) => e);
    expect(failed).toMatchObject({ code: 'bad_argument', sent: 'no' });
    expect(all(failed)).not.toMatch(/horse/);
  });

  test('in a broken connection', async () => {
    const url = await serve((request) => request.once('data', () => request.socket.resetAndDestroy()));
    const bytes = await packageOf();
    const failed = await connect(url)
      .directory.uploadShellPackage({ file: { bytes, name: 'check.zip' } })
      .catch((e) => e);
    expect(failed).toMatchObject({ code: 'connection_lost' });
    expect(all(failed)).not.toMatch(/horse/);
  });
});

test('a file whose damage shows while it is sent aborts the upload', async () => {
  const requests: IncomingMessage[] = [];
  const closed = Promise.withResolvers<void>();
  const url = await serve((request) => {
    requests.push(request.resume().on('error', () => undefined));
    request.socket.once('close', () => closed.resolve());
  });
  const zip = await packageOf();
  // Into the compressed content of its first file.
  zip.fill(0xff, 60, 70);
  await expect(
    connect(url).directory.uploadShellPackage({ file: { bytes: zip, name: 'check.zip' } }),
  ).rejects.toMatchObject({
    code: 'upload_failed',
    problem: expect.stringMatching(
      /^(couldn’t unpack data\/table.csv from the package \(.*\)|data\/table.csv in the package is damaged)$/,
    ),
    mayHaveHappened: true,
  });
  await closed.promise;
  expect(requests.map((request) => request.complete)).toEqual([false]);
});

describe('the simulated appliance', () => {
  test.each(ways)('accepts the package made from %s', async (_way, give) => {
    const simulated = await startSimulatedAppliance();
    open.push(() => simulated.close());
    const { directory } = connect(simulated.url);
    const file = await give(await packageOf());
    expect(await directory.uploadShellPackage({ file })).toEqual({
      confirmed: true,
      info: 'check.zip is correctly uploaded',
    });
    expect(simulated.state.directory.shell.packages.map(({ filename }) => filename)).toContain('check.zip');
  });

  test('reports that the feature is off', async () => {
    const simulated = await startSimulatedAppliance();
    open.push(() => simulated.close());
    simulated.state.directory.shell.enabled = false;
    const bytes = await packageOf();
    await expect(
      connect(simulated.url).directory.uploadShellPackage({ file: { bytes, name: 'check.zip' } }),
    ).rejects.toMatchObject({ code: 'not_served', obstacle: 'shell_off' });
  });
});
