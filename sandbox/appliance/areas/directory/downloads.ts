import { isIPv6 } from 'node:net';
import type { Order } from '../../route.ts';
import { at, done, refused } from './envelope.ts';

/** The proxy that the appliance downloads through: appliance-api.md §4.12. The shapes are not documented. */
export const downloads = [
  ...at('/configuration/proxy/enable/{host}:{port}', enable),
  ...at('/configuration/proxy/disable', ({ state: { directory } }) => {
    directory.downloadProxy = undefined;
    return done('No proxy is used for downloads');
  }),
  ...at('/configuration/proxy', ({ state }) => {
    const { host, port } = state.directory.downloadProxy ?? { host: '', port: 0 };
    return { ...done(''), enabled: host === '' ? 0 : 1, host, port };
  }),
];

function enable({ state, slots }: Order) {
  // The last colon stands before the port: an IPv6 address, in brackets, has more of them.
  const [, host = '', port = ''] = /^(.*):([^:]*)$/.exec(`${slots.get('host')}:${slots.get('port')}`) ?? [];
  const isBracketed = host.startsWith('[') && host.endsWith(']') && isIPv6(host.slice(1, -1));
  if (!isBracketed && !/^[\w-]+(\.[\w-]+)*$/.test(host)) return refused(`Not a host: ${host}`);
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    return refused(`Not a port: ${port}`);
  state.directory.downloadProxy = { host, port: Number(port) };
  return done(`Downloads go through ${host}:${port}`);
}
