import { isIP } from 'node:net';
import { request } from 'undici';
import type { Policy } from '../../src/auth/policy.ts';
import { type BlockPageSettings, blockPageLink } from '../../src/block-page/link.ts';
import { openAgent } from '../../src/dial.ts';
import { type Finding, note, right, wrong } from './finding.ts';

/** Opens the links that stand in block pages, as browsers do, from this machine. */
export async function blockPage(settings: BlockPageSettings, policy: Policy): Promise<readonly Finding[]> {
  const { selfService } = policy;
  if (selfService === undefined)
    return [
      wrong(
        'The policy file has no self_service, so nobody can request websites. Add it, or remove BLOCK_PAGE_PORT.',
      ),
    ];
  const links = await Promise.all(selfService.appliances.map((name) => linkOf(settings, name)));
  return [...whereItListens(settings), ...links];
}

/** In milliseconds. */
const timeout = 5_000;

async function linkOf(settings: BlockPageSettings, appliance: string): Promise<Finding> {
  const { url } = settings;
  // Straight there, whatever this process uses otherwise (NODE_USE_ENV_PROXY): the proxy's clients reach it without the proxy, too.
  const dispatcher = openAgent(timeout);
  const link = blockPageLink(settings, appliance, { user: '', site: 'example.com' });
  try {
    const { statusCode, body } = await request(link, { dispatcher, signal: AbortSignal.timeout(timeout) });
    const isForm = statusCode === 200 && (await body.text()).includes('<form method="post" action="/ask">');
    if (isForm) return right(`${appliance}: the link of its block page opens the form at ${url.origin}.`);
    return wrong(`${appliance}: ${url.origin} answers with ${statusCode}. ${cureOf(statusCode)}`);
  } catch (error) {
    const { code = 'no answer' } = Object(error);
    return note(
      `${appliance}: nothing answers at ${url.origin} (${code}). If the bot runs, check BLOCK_PAGE_URL, BLOCK_PAGE_HOST, the reverse proxy and the firewall.`,
    );
  }
}

function cureOf(status: number): string {
  switch (status) {
    case 403:
      return 'The bot there doesn’t accept this link. Give it the same BLOCK_PAGE_SECRET and policy, and restart it.';
    case 421:
      return 'The bot there expects another host name. Set BLOCK_PAGE_URL to the address that browsers use, and let a reverse proxy forward the Host header.';
    default:
      return 'The answer is not the bot’s form. Check BLOCK_PAGE_URL, and the address that a reverse proxy forwards to.';
  }
}

/** On its own machine alone, browsers reach it only by a reverse proxy. */
function whereItListens({ host, url }: BlockPageSettings): readonly Finding[] {
  const isOwn = (name: string) =>
    name === 'localhost' ||
    name === '[::1]' ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'));
  return isOwn(host) && !isOwn(url.hostname)
    ? [
        note(
          `BLOCK_PAGE_HOST is ${host}: only a reverse proxy on this machine can reach the port. Without one, use an address of this machine.`,
        ),
      ]
    : [];
}
