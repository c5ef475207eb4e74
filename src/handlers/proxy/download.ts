import type { AskedAppliance, Report } from '../../api/index.ts';
import type { Argument } from '../argument.ts';
import { isUp, valueUnder } from '../status/report.ts';
import { settle } from '../wording/answer.ts';
import { amountUnder } from '../wording/reported.ts';

/** A proxy as people write it: `proxy.example.com:3128`, `[2001:db8::1]:3128`. */
export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

/** Splits at the last colon, because IPv6 addresses contain several. The call checks the host. */
export const hostAndPort: Argument<HostAndPort> = {
  what: 'a proxy with its port',
  example: 'proxy.example.com:3128',
  read: (word) => {
    const value = split(word.replace(/^https?:\/\//i, '').replace(/\/$/, ''));
    return value === undefined
      ? {
          ok: false,
          problem: { code: 'malformed', wanted: 'a host and a port, such as proxy.example.com:3128' },
        }
      : { ok: true, value };
  },
};

const hosts = /^(?:[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])$/i;

function split(word: string): HostAndPort | undefined {
  const [, host = '', digits = ''] = /^(.+):([0-9]{1,5})$/.exec(word) ?? [];
  const port = Number(digits);
  return hosts.test(host) && !host.includes('..') && port >= 1 && port <= 65_535 ? { host, port } : undefined;
}

export const written = ({ host, port }: HostAndPort): string => `${host}:${port}`;

/**
 * The proxy for the appliance's downloads (appliance-api.md §4.12 shows no shape): `none`, or its address;
 * `some` if the appliance does not say which; undefined without information.
 */
export async function readDownloadProxy(appliance: AskedAppliance): Promise<DownloadProxy | undefined> {
  const answer = await settle(appliance.directory.downloadProxy());
  if (answer.answered) return downloadProxyIn(answer.value);
  // Appliances that cannot report a proxy in use fail with these words (field notes).
  if (/\bunable to understand order \[None\]/i.test(answer.failure.words)) return 'some';
  throw answer.failure;
}

export type DownloadProxy = HostAndPort | 'none' | 'some';

export function downloadProxyIn({ fields }: Report): DownloadProxy | undefined {
  const enabled = isUp(valueUnder(fields, 'enabled', 'enable', 'active', 'useproxy', 'proxyenabled'));
  if (enabled === false) return 'none';
  const host = valueUnder(
    fields,
    'host',
    'hostname',
    'server',
    'address',
    'proxyhost',
    'proxyserver',
    'proxy',
  );
  const port = amountUnder(fields, 'port', ['port', 'proxyport', 'serverport']);
  if (host === undefined && enabled === true) return 'some';
  if (host === undefined) return enabled === undefined && Object.keys(fields).length > 0 ? 'none' : undefined;
  return port === undefined ? split(host) : { host, port };
}
