import type { Service } from '../endpoint.ts';
import { NotConfigured } from '../errors.ts';

/** The addresses of an appliance's services (appliance-api.md §1 addressing). */
export interface ApplianceAddresses {
  /** The Web API's address, such as `https://10.20.0.2:9503`. No credentials in it. */
  readonly url: string;
  /** The directory API's address, whose port is undocumented. Default: the Web API's. */
  readonly directoryUrl?: string | undefined;
  /** The mirror service's address, such as `http://10.20.0.2:9090`. Without it, calls to the mirror fail. */
  readonly mirrorUrl?: string | undefined;
  /** The address of the mirror service's console. Default: port 8081 of the mirror service's host, as documented. */
  readonly mirrorConsoleUrl?: string | undefined;
}

/** The port of the web console. One example of the document shows it for the Web API, all others show 9503 (§1). */
const webConsolePort = '9000';
const mirrorConsolePort = '8081';

/** Why a text cannot be a service's address; undefined if it can. */
export function problemWithAddress(url: string): 'not_http' | 'credentials' | 'query' | undefined {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) return 'not_http';
  if (address.username !== '' || address.password !== '') return 'credentials';
  return address.search !== '' || address.hash !== '' ? 'query' : undefined;
}

const wordsFor = {
  not_http: 'is not an http or https address',
  credentials: 'contains credentials; set the key in "key"',
  query: 'contains a query or a fragment, which is not supported',
} as const;

export function isWebConsole(url: string): boolean {
  return URL.parse(url)?.port === webConsolePort;
}

/**
 * The addresses of all services.
 * @throws TypeError if one is not an http(s) address, carries credentials, or is the web console's. The message
 * never repeats the address, because the error may be the secret in it.
 */
export function readAddresses(
  name: string,
  given: ApplianceAddresses,
): Readonly<Record<Service, URL | undefined>> {
  const read = (url: string, what: string): URL => {
    const problem = problemWithAddress(url);
    if (problem !== undefined) {
      throw new TypeError(`The ${what}address of appliance ${name} ${wordsFor[problem]}.`);
    }
    return new URL(url);
  };
  const web = read(given.url, '');
  if (isWebConsole(given.url)) {
    throw new TypeError(
      `The address of appliance ${name} is the web console's (port 9000); the Web API listens on 9503 by default.`,
    );
  }
  const mirror = given.mirrorUrl === undefined ? undefined : read(given.mirrorUrl, 'mirror ');
  return {
    web,
    directory: given.directoryUrl === undefined ? web : read(given.directoryUrl, 'directory '),
    mirror,
    mirrorConsole:
      given.mirrorConsoleUrl === undefined
        ? mirror && consoleBeside(mirror)
        : read(given.mirrorConsoleUrl, 'mirror console '),
  };
}

function consoleBeside(mirror: URL): URL {
  const address = new URL(mirror);
  address.port = mirrorConsolePort;
  return address;
}

export type Addresses = ReturnType<typeof readAddresses>;

/**
 * The address for an operation, and the base path before the operation's own.
 * @throws NotConfigured for a service without an address
 */
export function placeOf(
  addresses: Addresses,
  service: Service,
  operation: string,
): { readonly address: URL; readonly base: string } {
  const address = addresses[service];
  // The document gives the addresses of the Web API and of the mirror; only the mirror's may be missing.
  if (address === undefined) throw new NotConfigured('mirrorUrl', { operation });
  return { address, base: address.pathname.replace(/(?<!\/)\/+$/, '') };
}
