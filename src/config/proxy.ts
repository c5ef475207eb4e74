import { getCACertificates } from 'node:tls';
import type { ProxySettings } from '../bot/network.ts';
import type { Problem } from '../problem.ts';
import type { Environment } from './secret.ts';

/** Reads HTTPS_PROXY and NO_PROXY, in lower case, too, which comes first, as everywhere. */
export function readProxy(environment: Environment, problems: Problem[]): ProxySettings | undefined {
  const key = environment.https_proxy ? 'https_proxy' : 'HTTPS_PROXY';
  const given = environment[key];
  if (!given) return undefined;
  const url = URL.parse(given);
  if (url === null || !isProxyAddress(url)) {
    problems.push({
      key,
      // Not a character of it is repeated: there may be a password in it, or part of one that has broken it.
      wrong:
        'is not the address of an HTTP proxy. Begin it with http:// or https://, and end it with the port. In its user name and password, write @, :, /, ?, # and % as %40, %3A, %2F, %3F, %23 and %25.',
      example: `${key}=http://user:password@proxy.example.com:3128`,
    });
    return undefined;
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return {
    url: url.href,
    address: `${url.hostname}:${port}`,
    except: environment.no_proxy || environment.NO_PROXY || '',
  };
}

/** One that was broken by a password can still be an address, of another host: the rest of it is its path. */
function isProxyAddress({ protocol, username, password, pathname, search, hash }: URL): boolean {
  return (
    /^https?:$/.test(protocol) && pathname === '/' && search + hash === '' && isDecodable(username + password)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Node reads NODE_EXTRA_CA_CERTS itself, once, when the process starts; of a file that it cannot use it says little. */
export function checkAuthorities({ NODE_EXTRA_CA_CERTS: file }: Environment, problems: Problem[]): void {
  if (!file || getCACertificates('extra').length > 0) return;
  problems.push({
    key: 'NODE_EXTRA_CA_CERTS',
    wrong: `points to ${file}, from which Node read no certificate when the process started. Check that the file exists, that the bot can read it, and that it contains certificates in PEM format.`,
    example: 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/company-ca.pem',
  });
}
