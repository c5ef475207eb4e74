import type { Order } from '../../route.ts';
import { asPage, nothing } from '../../sent.ts';
import { dateText } from '../../times.ts';
import { couldNot, type Layer, type Layers, over, type Reply, said } from '../generation.ts';

/** The directory engine. The obstacles hold the effects of Global Emergency. */
export const directory: Layers = {
  ...over(
    ['- /ntlm_connect', '- /proxy/ntlm/connect'],
    said(() => ({})),
  ),
  ...over(
    [
      ...['- /kerberos_connect', '- /proxy/kerberos/connect'],
      ...['- /kerberos_disconnect', '- /proxy/kerberos/disconnect'],
    ],
    // False, also when it is done.
    said(({ now }, { info }) =>
      couldNot(
        [
          'Kerberos connection: operation completed',
          `${dateText(now)} Reading /etc/krb5.conf`,
          `${dateText(now)} ${info}`,
          `${dateText(now)} Restarting the authentication daemons`,
        ].join('\n'),
      ),
    ),
  ),
  ...over(['- /emergency_enable', '- /proxy/auth/emergency/enable'], (order, documented) =>
    // Without a directory there is nothing to let go of.
    order.state.directory.connection === undefined ? asPage(500) : documented(order),
  ),
  ...over(['- /emergency_remove', '- /proxy/general/emergency/remove'], (order, documented) => {
    const { globalEmergency } = order.state.directory;
    const reply = documented(order);
    const isOver = globalEmergency && !order.state.directory.globalEmergency;
    if (isOver) keepSetting(order);
    return isOver ? nothing : reply;
  }),
  '- /emergency_disable': (order, documented) => {
    const { emergency } = order.state.directory;
    const reply = documented(order);
    if (emergency && !order.state.directory.emergency) keepSetting(order);
    return reply;
  },
  '- /status': status,
  '- /proxy/auth/status': (order, documented) => {
    const isLinked = isUnnamed(order) ? order.state.directory.connection !== undefined : documented(order);
    // With an expired licence it is refused as documented.
    if (typeof isLinked !== 'boolean') return isLinked;
    const info = isLinked ? 'The proxy is linked to an authentication method' : whyNot(order);
    return { status: isLinked, info };
  },
  '- /proxy/auth/reconfigure': rebuilt('the authentication'),
  '- /proxy/general/reconfigure': rebuilt('the proxy'),
  '- /proxy/general/reset': rebuilt('the proxy from the web console'),

  '- /configuration/proxy/enable/{host}:{port}': said(downloadProxy),
  // The order fails in the middle; the proxy stays in use.
  '- /configuration/proxy/disable': (order, documented) =>
    order.state.directory.licence === 'valid' ? asPage(500) : documented(order),
  '- /configuration/proxy': said((order) =>
    order.state.directory.downloadProxy === undefined
      ? downloadProxy(order)
      : couldNot('unable to understand order [None]'),
  ),

  '- /appliance_version': said(version),
  '- /autoupdate/refresh': (order, documented) => {
    order.state.directory.engine.isCacheCorrupted = false;
    return running(order, documented(order));
  },
  '- /autoupdate/index': withCache((order, documented) => running(order, documented(order))),
  '- /autoupdate/update/{key}': withCache(
    said(({ state }) => ({
      status: true,
      info: `Success updated new version ${state.directory.engine.version}`,
    })),
  ),
};

/** With Kerberos a connection that works has no `status` at all; without one the host and the counters are absent. */
function status(order: Order, documented: (order: Order) => unknown) {
  const { connection, licence, emergency } = order.state.directory;
  // As the area answers it.
  const reply = documented(order) as Reply;
  if (licence !== 'valid') return reply;
  if ((emergency && !isUnnamed(order)) || connection === undefined) return couldNot(whyNot(order));
  const { status: _, info, ...counters } = reply;
  const tested = {
    hostname: 'dc1.corp.example',
    tested_url: 'http://www.example.com',
    tested_proxy: '127.0.0.1:3128',
    test_credentials_result: connection.broken === undefined ? 'Success with 200 (OK)' : 'Failed with 0 ()',
    // Each may be absent: so is one that counts nothing.
    ...Object.fromEntries(Object.entries(counters).filter(([, value]) => value !== '0')),
  };
  if (connection.broken !== undefined) {
    const log = [`${dateText(order.now)} Testing dc1.corp.example:389`, info, 'Failed with 0 ()'];
    return { status: false, info: log.join('\n'), ...tested };
  }
  return connection.kind === 'kerberos'
    ? { info: 'The directory (Kerberos) Connection seems OK', ...tested }
    : { status: true, info: 'The directory (NTLM) Connection seems OK', ...tested };
}

/** A setting that an ended emergency leaves behind. */
function keepSetting({ state: { directory } }: Order): void {
  if (directory.namesEmergency === 'until_ended') directory.namesEmergency = 'never';
}

/** With that setting it is as if there were none: everybody passes, and so does the log-in that is tried. */
const isUnnamed = ({ state: { directory } }: Order): boolean =>
  directory.licence === 'valid' && directory.emergency && directory.namesEmergency === 'never';

/** In the words of the field. Global Emergency never comes so far. */
function whyNot({ state }: Order): string {
  const { emergency, connection, disconnectedFrom } = state.directory;
  if (emergency) return 'The directory in Emergency mode!';
  if (connection?.broken !== undefined) return connection.broken;
  return disconnectedFrom === 'ntlm' ? 'NTLM Authentication Disabled!' : 'The directory feature is disabled!';
}

/** Answers with a log of the work. */
function rebuilt(what: string): Layer {
  return said(({ now }, { info }) => ({
    status: true,
    info: `Success reconfiguring ${what}`,
    traces: [`${dateText(now)} Checking settings`, `${dateText(now)} ${info}`, ''].join('\n'),
  }));
}

/** The settings, without a word. */
function downloadProxy({ state }: Order) {
  const { host = '', port = 3128 } = state.directory.downloadProxy ?? {};
  return {
    status: true,
    use_proxy: host === '' ? 'False' : 'True',
    proxy_name: host,
    proxy_port: String(port),
  };
}

/** The hotfix is text, or the number 0 where there is none. */
function version({ state }: Order, { latest_upgrade }: Reply) {
  const { major, servicePack, hotfix } = state.directory.version;
  return {
    status: true,
    major,
    version: `Appliance version ${major}.000000${servicePack && ` Service Pack ${servicePack}`}`,
    service_pack: servicePack,
    hotfix: hotfix === '' ? 0 : hotfix.replace(/\D/g, ''),
    latest_upgrade,
  };
}

/** The index, and the engine that runs. */
function running({ state }: Order, reply: unknown) {
  return { ...(reply as Reply), current_version: state.directory.engine.version };
}

function withCache(layer: Layer): Layer {
  return (order, documented) =>
    order.state.directory.engine.isCacheCorrupted
      ? couldNot('Corrupted cache file, try /refresh instead')
      : layer(order, documented);
}
