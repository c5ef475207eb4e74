import { STATUS_CODES } from 'node:http';
import type { Trouble } from '../../company/analysis.ts';

/** How the tests of a website end. */
export type Ending = Trouble | 'reached';

/** A request that was answered, or was not and then has code 0 and no headers. */
interface Answered {
  /** HTTP status. */
  readonly code: number;
  /** Empty when it was a success. */
  readonly error: string;
  /** `Name: value`. */
  readonly headers: readonly string[];
}

interface Connections {
  /** The error of the TCP connect; empty when it was a success. */
  readonly connected: string;
  readonly direct: Answered;
  readonly proxied: Answered;
}

/** Results of the tests of appliance-api.md §2.6 besides names, for each ending. */
export function connections(ending: Ending, now: Date): Connections {
  const site = [
    `Date: ${now.toUTCString()}`,
    'Server: nginx',
    'Content-Type: text/html; charset=utf-8',
    'Content-Length: 14213',
  ];
  const answered = (code: number): Answered => ({ code, error: errorOf(code), headers: site });
  const through = (code: number): Answered => ({
    code,
    error: errorOf(code),
    headers: [...site, 'X-Cache: MISS from proxy.northwind.example', via],
  });
  const byProxy = (code: number, name: string): Answered => ({
    code,
    error: `${errorOf(code)} (${name})`,
    headers: [`Date: ${now.toUTCString()}`, 'Content-Type: text/html', `X-Proxy-Error: ${name}`, via],
  });
  const unanswered = (error: string): Answered => ({ code: 0, error, headers: [] });

  switch (ending) {
    case 'unknown_name':
      return {
        connected: 'Name or service not known',
        direct: unanswered('Could not resolve host'),
        proxied: byProxy(503, 'ERR_DNS_FAIL'),
      };
    case 'refused':
      return {
        connected: 'Connection refused',
        direct: unanswered('Failed to connect: Connection refused'),
        proxied: byProxy(503, 'ERR_CONNECT_FAIL'),
      };
    case 'unreachable':
      return {
        connected: 'Connection timed out after 5 seconds',
        direct: unanswered('Failed to connect: Connection timed out'),
        proxied: byProxy(503, 'ERR_CONNECT_FAIL'),
      };
    case 'silent':
      return {
        connected: '',
        direct: unanswered('Operation timed out after 15 seconds with 0 bytes received'),
        proxied: byProxy(504, 'ERR_READ_TIMEOUT'),
      };
    case 'forbidden':
      return { connected: '', direct: answered(403), proxied: through(403) };
    case 'proxy_denies':
      return { connected: '', direct: answered(200), proxied: byProxy(403, 'ERR_ACCESS_DENIED') };
    case 'proxy_fails':
      return { connected: '', direct: answered(200), proxied: byProxy(503, 'ERR_SECURE_CONNECT_FAIL') };
    case 'proxy_asks_who':
      return { connected: '', direct: answered(200), proxied: byProxy(407, 'ERR_CACHE_ACCESS_DENIED') };
    case 'only_by_proxy':
      return {
        connected: 'Connection timed out after 5 seconds',
        direct: unanswered('Failed to connect: Connection timed out'),
        proxied: through(200),
      };
    case 'resolvers_disagree':
    case 'reached':
      return { connected: '', direct: answered(200), proxied: through(200) };
  }
}

const via = 'Via: 1.1 proxy.northwind.example';

function errorOf(code: number): string {
  return code < 400 ? '' : `HTTP ${code} ${STATUS_CODES[code] ?? ''}`.trim();
}
