import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority } from '../../../test/certificates.ts';
import { startConnectProxy } from '../../../test/connect-proxy.ts';
import { startTlsFront } from '../../../test/tls-front.ts';
import { type ApplianceProxy, type ApplianceTls, connectAppliance } from '../index.ts';

/** An appliance behind real TLS, and the requests that reached it. */
async function behindTls(options: TlsOptions) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    response.end('{"Status":true,"Sessions":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { received, plain, front: await startTlsFront(plain, options) };
}

/** The results of a read and of an order over this connection. */
function way(url: string, tls?: ApplianceTls, proxy?: ApplianceProxy) {
  const appliance = connectAppliance({
    ...{ name: 'lab', url, release: '4.50 SP5', tls, proxy },
    sleep: async () => undefined,
  });
  onTestFinished(() => appliance.close());
  const { rdp } = appliance;
  return {
    order: () => rdp.disconnectSession({ id: 12 }).then(() => 'done'),
    refused: async (words: object) => {
      const unreachable = { code: 'unreachable', sent: 'no', mayHaveHappened: false, ...words };
      await expect(rdp.listSessions()).rejects.toMatchObject(unreachable);
      await expect(rdp.disconnectSession({ id: 12 })).rejects.toMatchObject(unreachable);
    },
  };
}

const pinOf = (cert: string) => new X509Certificate(cert).fingerprint256;

describe('the certificate of an appliance', () => {
  test('is accepted from its own authority, and from no other', async () => {
    const [authority, other] = [createAuthority(), createAuthority()];
    const { front, received } = await behindTls(authority.certify('127.0.0.1'));
    const ca = (file: string) => ({ ca: readFileSync(file, 'utf8') });
    expect(await way(front.url, ca(authority.file)).order()).toBe('done');
    const unknown = { obstacle: 'certificate_authority' };
    await way(front.url, ca(other.file)).refused(unknown);
    await way(front.url).refused(unknown);
    expect(received).toHaveLength(1);
  });

  test('that has expired, or is for another name, is refused as such, and nothing leaves', async () => {
    const authority = createAuthority();
    const tls = { ca: readFileSync(authority.file, 'utf8') };
    const over = await behindTls(authority.certify('127.0.0.1', -1));
    await way(over.front.url, tls).refused({ obstacle: 'certificate_expired' });
    const named = await behindTls(authority.certify('appliance.example'));
    await way(named.front.url, tls).refused({ obstacle: 'certificate_name' });
    expect([...over.received, ...named.received]).toEqual([]);
  });

  test('that is pinned is accepted with any issuer, name and validity, and no other is', async () => {
    const certificate = createAuthority().certify('appliance.example', -1);
    const { front, received } = await behindTls(certificate);
    const pins = [pinOf(certificate.cert)];
    expect(await way(front.url, { pins }).order()).toBe('done');
    const inOtherWords = [`sha256:${pins[0]?.replaceAll(':', '').toLowerCase()}`];
    expect(await way(front.url, { pins: inOtherWords }).order()).toBe('done');
    await way(front.url, { pins: ['0'.repeat(64)] }).refused({ obstacle: 'certificate_pin' });
    expect(received).toHaveLength(2);
  });

  test('with an authority and a pin must match both', async () => {
    const [authority, other] = [createAuthority(), createAuthority()];
    const certificate = authority.certify('127.0.0.1');
    const { front } = await behindTls(certificate);
    const pins = [pinOf(certificate.cert)];
    const ca = readFileSync(authority.file, 'utf8');
    expect(await way(front.url, { ca, pins }).order()).toBe('done');
    await way(front.url, { ca, pins: ['0'.repeat(64)] }).refused({ obstacle: 'certificate_pin' });
    const strange = { ca: readFileSync(other.file, 'utf8'), pins };
    await way(front.url, strange).refused({ obstacle: 'certificate_authority' });
  });

  test.each(['pin', 'authority'])(
    'that changes under a running bot is refused if it is identified by its %s',
    async (by) => {
      const [authority, other] = [createAuthority(), createAuthority()];
      const first = authority.certify('127.0.0.1');
      const { front, received } = await behindTls(first);
      const tls = by === 'pin' ? { pins: [pinOf(first.cert)] } : { ca: readFileSync(authority.file, 'utf8') };
      const { order, refused } = way(front.url, tls);
      expect(await order()).toBe('done');
      front.renew(other.certify('127.0.0.1'));
      await refused({ obstacle: by === 'pin' ? 'certificate_pin' : 'certificate_authority' });
      front.renew(first);
      expect(await order()).toBe('done');
      expect(received).toHaveLength(2);
    },
  );
});

describe('an appliance that requires a client certificate', () => {
  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'by %s accepts one from its authority, and reports a missing one',
    async (maxVersion) => {
      const authority = createAuthority();
      const ca = readFileSync(authority.file, 'utf8');
      const asking = { ...authority.certify('127.0.0.1'), ca, requestCert: true, maxVersion };
      const { front, received } = await behindTls(asking);
      const { cert: certificate, key } = authority.certify('appliance-bot');
      expect(await way(front.url, { ca, certificate, key }).order()).toBe('done');
      await way(front.url, { ca }).refused({ obstacle: 'client_certificate_missing' });
      expect(received).toHaveLength(1);
    },
  );
});

describe('a proxy', () => {
  test('opens tunnels for all calls, also by http, and sees neither path nor key', async () => {
    const authority = createAuthority();
    const ca = readFileSync(authority.file, 'utf8');
    const { front, plain, received } = await behindTls(authority.certify('127.0.0.1'));
    const proxy = await startConnectProxy({ login: 'bot:s3cret:ä' });
    const through = { url: `http://127.0.0.1:${proxy.port}`, user: 'bot', password: 's3cret:ä' };
    expect(await way(front.url, { ca }, through).order()).toBe('done');
    expect(await way(plain, undefined, through).order()).toBe('done');
    expect(proxy.asked).toEqual([`127.0.0.1:${front.port}`, new URL(plain).host]);
    expect(received).toHaveLength(2);
  });

  test('does not make a wrong certificate acceptable', async () => {
    const { front, received } = await behindTls(createAuthority().certify('127.0.0.1'));
    const { port } = await startConnectProxy();
    const through = { url: `http://127.0.0.1:${port}` };
    await way(front.url, undefined, through).refused({ obstacle: 'certificate_authority' });
    await way(front.url, { pins: ['1'.repeat(64)] }, through).refused({ obstacle: 'certificate_pin' });
    expect(received).toEqual([]);
  });

  test('that requires a login, refuses, or is unreachable is reported as such, and nothing leaves', async () => {
    const { plain, received } = await behindTls(createAuthority().certify('127.0.0.1'));
    const proxy = await startConnectProxy({ login: 'bot:right' });
    const url = `http://127.0.0.1:${proxy.port}`;
    await way(plain, undefined, { url }).refused({ obstacle: 'proxy_login', reason: 'PROXY_407' });
    const wrong = { url, user: 'bot', password: 'wrong' };
    await way(plain, undefined, wrong).refused({ obstacle: 'proxy_login' });
    proxy.refuse(403);
    const right = { url, user: 'bot', password: 'right' };
    await way(plain, undefined, right).refused({ obstacle: 'proxy_refused', reason: 'PROXY_403' });
    const away = { url: 'http://127.0.0.1:1' };
    await way(plain, undefined, away).refused({ obstacle: 'proxy_away', reason: 'PROXY_ECONNREFUSED' });
    expect(received).toEqual([]);
  });
});

test.each([
  [{ tls: { pins: ['ab:cd'] } }, 'tls.pins must be SHA-256 fingerprints of 64 hexadecimal digits'],
  [{ tls: { pins: [] } }, 'tls.pins must be'],
  [{ tls: { certificate: 'x' } }, 'tls.certificate and tls.key must be set together'],
  [{ tls: { ca: 'hush' } }, 'tls has a certificate or a key that cannot be used'],
  [{ tls: { certificate: 'hush', key: 'hush' } }, 'tls has a certificate or a key that cannot be used'],
  [{ proxy: { url: 'http://bot:hush@proxy:3128' } }, 'proxy.url must be an http or https address'],
  [
    { proxy: { url: 'http://proxy:3128/', user: 'hush' } },
    'proxy.user and proxy.password must be set together',
  ],
])('%j is refused, and no secret is repeated', (settings, words) => {
  const connect = () => connectAppliance({ name: 'lab', url: 'https://10.0.0.1:9503', ...settings });
  expect(connect).toThrow(`Appliance lab: ${words}`);
  expect(connect).not.toThrow('hush');
});
