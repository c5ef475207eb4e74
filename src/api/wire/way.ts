import { X509Certificate } from 'node:crypto';
import { isIPv6, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls';
import { type buildConnector, Pool } from 'undici';
import { connector } from '../../dial.ts';

/** A special connection to an appliance: how its certificate is checked, and which proxy is used. */

/** TLS of a connection. All of it in PEM format. */
export interface ApplianceTls {
  /** The trusted authorities, instead of Node's own. */
  readonly ca?: string | undefined;
  /**
   * The SHA-256 fingerprints of accepted certificates, in hexadecimal digits with or without colons. Without
   * `ca`, only the fingerprint counts, with any issuer, name and validity.
   */
  readonly pins?: readonly string[] | undefined;
  /** The client certificate, and its key: both, or neither. */
  readonly certificate?: string | undefined;
  readonly key?: string | undefined;
}

/** A proxy that opens tunnels (CONNECT). */
export interface ApplianceProxy {
  /** Such as `http://proxy.example.com:3128`. No credentials in it. */
  readonly url: string;
  /** For Basic authentication: both, or neither. */
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

export interface ApplianceWay {
  readonly context: SecureContext | undefined;
  /** How a certificate is accepted: by authority, name and dates; by its fingerprint; or by both. */
  readonly knownBy: { readonly authority: boolean; readonly pins: ReadonlySet<string> | undefined };
  readonly proxy: { readonly url: URL; readonly authorization: string | undefined } | undefined;
}

/** @throws TypeError for an invalid setting. The messages never repeat a secret. */
export function readWay(
  name: string,
  tls: ApplianceTls | undefined,
  proxy: ApplianceProxy | undefined,
): ApplianceWay | undefined {
  if (tls === undefined && proxy === undefined) return undefined;
  const { ca, pins, certificate, key } = tls ?? {};
  const wrong = (what: string) => new TypeError(`Appliance ${name}: ${what}.`);
  const read = pins?.map(readFingerprint);
  if (read?.length === 0 || read?.includes(undefined))
    throw wrong('tls.pins must be SHA-256 fingerprints of 64 hexadecimal digits');
  if ((certificate === undefined) !== (key === undefined)) {
    throw wrong('tls.certificate and tls.key must be set together');
  }
  return {
    context: tls && contextOf({ ca, cert: certificate, key }, wrong),
    knownBy: {
      authority: read === undefined || ca !== undefined,
      pins: read && new Set(read.flatMap((pin) => pin ?? [])),
    },
    proxy: proxy && readProxyAddress(proxy, wrong),
  };
}

function contextOf(
  given: { ca: string | undefined; cert: string | undefined; key: string | undefined },
  wrong: (what: string) => TypeError,
): SecureContext {
  try {
    // OpenSSL reads a file without any certificate as an empty list of authorities.
    if (given.ca !== undefined) new X509Certificate(given.ca);
    return createSecureContext(given);
  } catch {
    // OpenSSL's words say little, and may quote unreadable input.
    throw wrong('tls has a certificate or a key that cannot be used, or they do not belong together');
  }
}

/** 64 lowercase digits; undefined for other text. */
export function readFingerprint(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/^sha256:/i, '')
    .replaceAll(':', '')
    .toLowerCase();
  return /^[0-9a-f]{64}$/.test(digits) ? digits : undefined;
}

function readProxyAddress({ url, user, password }: ApplianceProxy, wrong: (what: string) => TypeError) {
  const address = problemWithProxyAddress(url) === undefined ? URL.parse(url) : null;
  if (address === null)
    throw wrong('proxy.url must be an http or https address without a path or credentials');
  if ((user === undefined) !== (password === undefined)) {
    throw wrong('proxy.user and proxy.password must be set together');
  }
  const authorization =
    user === undefined ? undefined : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { url: address, authorization };
}

/** Why a text cannot be a proxy's address; undefined if it can. */
export function problemWithProxyAddress(url: string): 'not_http' | 'credentials' | 'path' | undefined {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) return 'not_http';
  if (address.username !== '' || address.password !== '') return 'credentials';
  return address.pathname === '/' && address.search + address.hash === '' ? undefined : 'path';
}

/** The certificate is not an accepted one, or the proxy opens no tunnel: nothing was sent. */
class NoWay extends Error {
  readonly code: string;

  constructor(code: string, cause?: unknown) {
    super(code, { cause });
    this.name = 'NoWay';
    this.code = code;
  }
}

/** Opens connections with these settings; undefined means the defaults. */
export function connectorFor(way: ApplianceWay | undefined, timeout: number) {
  const { context, proxy, knownBy: { authority, pins } = {} } = way ?? {};
  const secured = connector(timeout, {
    ...(context && { secureContext: context }),
    // A resumed session shows no certificate.
    ...(way && { maxCachedSessions: 0, rejectUnauthorized: authority }),
  });
  const tunnels = proxy && new Pool(proxy.url, { allowH2: false, connect: connector(timeout) });

  async function tunnelTo({ hostname, port, protocol }: buildConnector.Options): Promise<Socket> {
    const host = isIPv6(hostname) ? `[${hostname}]` : hostname;
    const path = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
    const { authorization } = proxy ?? {};
    const opened = await tunnels
      ?.connect({
        path,
        headers: { host: path, ...(authorization && { 'proxy-authorization': authorization }) },
        signal: AbortSignal.timeout(timeout),
      })
      .catch((error: unknown) => {
        throw new NoWay(`PROXY_${systemCodeOf(error)}`, error);
      });
    // undici passes a tunnel's socket as a plain stream.
    const socket = opened?.socket as Socket;
    if (opened?.statusCode === 200) return socket;
    socket.on('error', () => undefined).destroy();
    throw new NoWay(`PROXY_${opened?.statusCode}`);
  }

  const connect: buildConnector.connector = (options, callback) => {
    const whenSecured: buildConnector.Callback = (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      // The alert about the client certificate comes before the end, which undici would report instead.
      socket.once('error', () => socket.destroy());
      if (pins === undefined || !(socket instanceof TLSSocket)) return callback(null, socket);
      const seen = readFingerprint(socket.getPeerCertificate().fingerprint256 ?? '');
      if (seen !== undefined && pins.has(seen)) return callback(null, socket);
      socket.on('error', () => undefined).destroy();
      return callback(new NoWay('CERT_NOT_PINNED'), null);
    };
    if (tunnels === undefined) return secured(options, whenSecured);
    tunnelTo(options).then(
      (socket) =>
        options.protocol === 'https:'
          ? secured({ ...options, httpSocket: socket }, whenSecured)
          : callback(null, socket),
      (error: Error) => callback(error, null),
    );
    return undefined;
  };
  return { connect, close: async () => void (await tunnels?.close()) };
}

/** The certificate at an https address, valid or not; undefined without a connection. */
export async function shownCertificate(
  way: ApplianceWay | undefined,
  { hostname, host, port, protocol }: URL,
  timeout: number,
): Promise<X509Certificate | undefined> {
  const any = { context: way?.context, proxy: way?.proxy, knownBy: { authority: false, pins: undefined } };
  const { connect, close } = connectorFor(any, timeout);
  try {
    return await new Promise((resolve) => {
      connect({ hostname: hostname.replaceAll(/[[\]]/g, ''), host, port, protocol }, (...[, socket]) => {
        socket?.on('error', () => undefined);
        resolve(socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined);
        socket?.destroy();
      });
    });
  } finally {
    await close();
  }
}

function systemCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code !== 'UND_ERR_CONNECT_TIMEOUT' ? code : 'CONNECT_TIMEOUT';
}

/**
 * Alerts by which an appliance refuses a client certificate, or requires one, before it reads anything (RFC
 * 8446, §6.2).
 */
export const isRefusedByAlert = (code: string): boolean =>
  /_ALERT_(?:(?:BAD_|UNSUPPORTED_)?CERTIFICATE(?:_REVOKED|_EXPIRED|_UNKNOWN|_REQUIRED)?|UNKNOWN_CA|ACCESS_DENIED|HANDSHAKE_FAILURE)$/.test(
    code,
  );
