import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { type ApplianceSettings, connectAppliance, type RequestReport } from '../index.ts';

/** An appliance behind a raw socket that answers with these bytes; with the received requests and reports. */
async function answering(bytes: string | Buffer, settings: Partial<ApplianceSettings> = {}, scheme = 'http') {
  const heard: string[] = [];
  const requests: RequestReport[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (request) => {
      heard.push(request.toString('latin1'));
      socket.end(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => void server.close(() => resolve())));
  const url = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const appliance = connectAppliance({
    ...{ name: 'lab', url, release: '4.50 SP5', onRequest: (one) => requests.push(one), ...settings },
  });
  onTestFinished(() => appliance.close());
  return { appliance, heard, requests };
}

const http = (body: Buffer | string, headers: readonly string[] = []) =>
  Buffer.concat([
    Buffer.from(
      ['HTTP/1.1 200 OK', ...headers, `Content-Length: ${Buffer.byteLength(body)}`, '', ''].join('\r\n'),
    ),
    Buffer.from(body),
  ]);

const alert = Buffer.from([0x15, 3, 1, 0, 2, 2, 0x50]);

test.each([
  ['20 KB of headers', http('{}', [`X-Long: ${'a'.repeat(20_000)}`]), 'long_headers', /OVERFLOW/, true],
  [
    'lines that end without CR',
    'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}',
    'malformed_http',
    /HTTPParserError|HPE_/,
    true,
  ],
  ['no status line', '{"Status":true}', 'malformed_http', /HTTPParserError|HPE_/, true],
  ['an alert of TLS', alert, 'tls_wanted', /HTTPParserError|HPE_/, false],
  ['an SSH server', 'SSH-2.0-OpenSSH_9.6\r\n', 'other_protocol', /HTTPParserError|HPE_/, false],
  ['an FTP server', '220 ready\r\n', 'other_protocol', /HTTPParserError|HPE_/, false],
] as const)(
  '%s is named, asked once, and reported with what the parser says',
  async (_, bytes, obstacle, reason, may) => {
    const { appliance, heard, requests } = await answering(bytes);
    const failure = { code: 'unreadable', obstacle, reason: expect.stringMatching(reason) };
    await expect(appliance.rdp.listSessions()).rejects.toMatchObject(failure);
    expect(heard).toHaveLength(1);
    expect(requests).toMatchObject([
      { error: 'unreadable', obstacle, reason: expect.stringMatching(reason) },
    ]);
    await expect(appliance.rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
      ...failure,
      mayHaveHappened: may,
    });
  },
);

test('another service at the address is quoted', async () => {
  const { appliance } = await answering('SSH-2.0-OpenSSH_9.6\r\n');
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({ excerpt: 'SSH-2.0-OpenSSH_9.6' });
});

test('an address that has no TLS is named', async () => {
  const { appliance } = await answering(http('{}'), {}, 'https');
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({
    ...{ code: 'unreachable', obstacle: 'tls_unknown', reason: 'ERR_SSL_WRONG_VERSION_NUMBER' },
  });
});

test('an answer whose connection breaks inside a chunk is requested again', async () => {
  const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a';
  const { appliance, heard } = await answering(broken, { sleep: async () => undefined });
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({ code: 'connection_lost' });
  expect(heard).toHaveLength(3);
});

test('every request asks for an uncompressed answer', async () => {
  const { appliance, heard } = await answering(http('{"Sessions":[{"id":1}]}'));
  await appliance.rdp.listSessions();
  await appliance.rdp.disconnectSession({ id: 1 });
  for (const request of heard) expect(request.toLowerCase()).toContain('accept-encoding: identity');
});

const sessions = Buffer.from('{"Status":true,"Sessions":[{"id":1,"user":"bücher"}]}');

test.each([
  ['gzip', gzipSync(sessions)],
  ['X-GZIP', gzipSync(sessions)],
  ['deflate', deflateSync(sessions)],
  ['deflate', deflateRawSync(sessions)],
  ['br', brotliCompressSync(sessions)],
  ['gzip, br', brotliCompressSync(gzipSync(sessions))],
  ['identity', sessions],
  ['', gzipSync(sessions)],
])('an answer that comes as "%s" all the same is read', async (encoding, body) => {
  const { appliance } = await answering(http(body, encoding === '' ? [] : [`Content-Encoding: ${encoding}`]));
  expect(await appliance.rdp.listSessions()).toMatchObject([{ id: 1, user: 'bücher' }]);
});

test.each([400, 500])('a refusal with HTTP %d is read, too', async (status) => {
  const body = gzipSync('{"Status":false,"Error":"locked"}');
  const answer = http(body, ['Content-Encoding: gzip']).toString('latin1').replace('200 OK', `${status} No`);
  const { appliance } = await answering(Buffer.from(answer, 'latin1'));
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({ status, excerpt: 'locked' });
});

test.each([
  ['a small answer that becomes a large one', 'gzip', gzipSync(Buffer.alloc(5_000_000, 0x20))],
  ['one of that kind within another', 'gzip, gzip', gzipSync(gzipSync(Buffer.alloc(5_000_000, 0x20)))],
])('of %s no more is unpacked than is read of any', async (_, encoding, body) => {
  expect(body.length).toBeLessThan(20_000);
  const { appliance } = await answering(http(body, [`Content-Encoding: ${encoding}`]));
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({ code: 'too_large' });
});

test.each([
  ['is cut', 'gzip', gzipSync(sessions).subarray(0, 20)],
  ['is none', 'br', sessions],
  ['is of another kind', 'compress', sessions],
  ['is on top of too many', 'gzip, gzip, gzip, gzip', gzipSync(sessions)],
])('a compressed answer that %s cannot be read, and that is said', async (_, encoding, body) => {
  const { appliance } = await answering(http(body, [`Content-Encoding: ${encoding}`]));
  await expect(appliance.rdp.listSessions()).rejects.toMatchObject({
    ...{ code: 'unreadable', obstacle: 'compressed', sent: 'yes' },
  });
});
