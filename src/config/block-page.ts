import { readProxies } from '../block-page/address.ts';
import type { BlockPageSettings } from '../block-page/link.ts';
import type { Problem } from '../problem.ts';
import type { Environment } from './secret.ts';

/** The settings of the block page. Undefined if it is off or invalid. */
export function readBlockPage(environment: Environment, problems: Problem[]): BlockPageSettings | undefined {
  if (!environment.BLOCK_PAGE_PORT) return undefined;
  const before = problems.length;
  const port = Number(environment.BLOCK_PAGE_PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    problems.push({
      key: 'BLOCK_PAGE_PORT',
      wrong: 'is not a port number. Use 1 to 65535.',
      example: 'BLOCK_PAGE_PORT=8080',
    });
  }
  const links = readLinkSettings(environment, problems);
  const trustedProxies = readProxies(environment.BLOCK_PAGE_TRUSTED_PROXIES ?? '');
  if (trustedProxies === undefined) {
    problems.push({
      key: 'BLOCK_PAGE_TRUSTED_PROXIES',
      wrong: 'is not a list of addresses and networks.',
      example: 'BLOCK_PAGE_TRUSTED_PROXIES=10.20.0.5,10.30.0.0/24',
    });
  }
  if (problems.length > before || links === undefined || trustedProxies === undefined) return undefined;
  return { ...links, port, host: environment.BLOCK_PAGE_HOST || '127.0.0.1', trustedProxies };
}

/** The settings for a link: its tool needs no more. */
export function readLinkSettings(
  environment: Environment,
  problems: Problem[],
): Pick<BlockPageSettings, 'url' | 'secrets'> | undefined {
  const before = problems.length;
  const given = environment.BLOCK_PAGE_URL ?? '';
  const url = URL.parse(given);
  // Every link in the pages would have to include its path.
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.origin}/` !== url.href) {
    problems.push({
      key: 'BLOCK_PAGE_URL',
      wrong: `${given === '' ? 'is not set.' : 'is not an address of scheme, host and port only.'} Use the address at which browsers reach the port.`,
      example: 'BLOCK_PAGE_URL=https://ask.example.com',
    });
  }
  const { BLOCK_PAGE_SECRET: secret = '', BLOCK_PAGE_PREVIOUS_SECRET: previous = '' } = environment;
  for (const [key, value] of [
    ['BLOCK_PAGE_SECRET', secret],
    ['BLOCK_PAGE_PREVIOUS_SECRET', previous],
  ] as const) {
    if (value.length >= shortestSecret || (key !== 'BLOCK_PAGE_SECRET' && value === '')) continue;
    problems.push({
      key,
      wrong: `${value === '' ? 'is not set.' : 'is too short.'} Use ${shortestSecret} random characters or more, such as those of: openssl rand -hex 32`,
      example: `${key}=…`,
    });
  }
  if (problems.length > before || url === null) return undefined;
  return { url, secrets: [secret, ...(previous === '' ? [] : [previous])] };
}

/** In characters. */
const shortestSecret = 32;
