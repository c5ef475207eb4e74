import { randomUUID } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { asRedirect, asText, loginPage, Sent } from '../sent.ts';
import { field, tooNew, withoutKey } from './field.ts';
import { type Asked, couldNot, type Generation } from './generation.ts';

/** The login of the mirror console. */
export const consoleLogin = { username: 'admin', password: 'mirror-console' } as const;

/** How long a login lasts: milliseconds. */
const sessionLasts = 30 * 60_000;

/** As in the field, with everything locked that can be: the network and the key are both needed, and a login. */
export const guarded: Generation = {
  ...field,
  gate: (asked) =>
    isMirror(asked)
      ? (strangerAtMirror(asked) ?? withoutSession(asked))
      : (stranger(asked) ?? withoutKey(asked) ?? tooNew(asked)),
  nowhere: (asked, form) =>
    asked.path === '/login' && asked.method === 'POST' ? login(asked, form) : field.nowhere(asked, form),
};

/** The mirror service knows no key, only addresses. */
function isMirror({ service, path }: Asked): boolean {
  return service === 'mirror' || service === 'mirrorConsole' || path.startsWith('/api/') || path === '/login';
}

function stranger({ state, from }: Asked): Sent | undefined {
  const isAllowed = allows(state.ways.networks, from);
  if (isAllowed) return undefined;
  const info =
    isAllowed === undefined
      ? 'Fatal error while checking security accesses ( see syslog messages ).'
      : `Your IP address [${from}] is not allowed to perform this operation`;
  return field.send(couldNot(info), '');
}

function strangerAtMirror({ state, from }: Asked): Sent | undefined {
  return allows(state.ways.networks, from) ? undefined : asText(403, 'Forbidden\n');
}

/** Undefined when the list cannot be read. */
function allows(networks: readonly string[], from: string): boolean | undefined {
  const list = new BlockList();
  try {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      if (bits === undefined) list.addAddress(address, family);
      else list.addSubnet(address, Number(bits), family);
    }
  } catch {
    return undefined;
  }
  return list.check(from, isIPv6(from) ? 'ipv6' : 'ipv4');
}

function withoutSession({ path, headers, state, now }: Asked): Sent | undefined {
  if (!path.startsWith('/api/console/')) return undefined;
  const { console } = state.ways;
  const [, token = ''] = /(?:^|;\s*)session=([^;]+)/.exec(headers.cookie ?? '') ?? [];
  const until = console.sessions.get(token);
  if (until !== undefined && now < until) return undefined;
  if (console.refuses === 'login') return asRedirect('/login');
  const message = 'Session expired. Please login again.';
  return new Sent({ status: 401, reply: { error: 'Unauthorized', message } });
}

function login({ state, now }: Asked, form: URLSearchParams): Sent {
  const { username, password } = consoleLogin;
  if (form.get('username') !== username || form.get('password') !== password) return loginPage;
  const token = randomUUID();
  state.ways.console.sessions.set(token, new Date(now.getTime() + sessionLasts));
  const page = asRedirect('/');
  const headers = { ...page.headers, 'set-cookie': `session=${token}; Path=/; HttpOnly` };
  return new Sent({ ...page, headers }, page.body);
}
