import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blockPageLink } from '../src/block-page/link.ts';
import { documentOf, html, type Page, securityHeaders } from '../src/block-page/pages/document.ts';
import type { Environment } from '../src/config/secret.ts';
import { readDomain } from '../src/handlers/language/domain.ts';
import type { SimulatedAppliance } from './appliance/index.ts';

/** The view of somebody who browses through the proxy of the simulated appliance. */
interface BehindProxy {
  /** Such as `http://127.0.0.1:40123`; `/?site=live-betting.example` opens a website. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** One that its proxy blocks, in no category. */
export const blockedSite = 'live-betting.example';

/** The browsing user, by the proxy's name. */
const user = 'erika.schmidt';

/** Settings of a bot that takes requests from the block page. */
export interface BlockPageEnvironment extends BehindProxy {
  /** The settings of the bot of this number: each listens on a port of its own. */
  readonly environmentOf: (number: number) => Environment;
  readonly ports: readonly number[];
}

/** Gives the appliance a block page for these bots; it links to the first of them. */
export async function openBlockPage(
  appliance: Pick<SimulatedAppliance, 'url'>,
  bots: number,
): Promise<BlockPageEnvironment> {
  const ports = await Promise.all(Array.from({ length: bots }, freePort));
  const url = new URL(`http://127.0.0.1:${ports[0]}`);
  const secret = randomBytes(24).toString('base64url');
  const browsing = await browseBehind(appliance, blockPageLink({ url, secrets: [secret] }, 'hq'));
  return {
    ...browsing,
    ports,
    environmentOf: (number) => ({
      BLOCK_PAGE_PORT: String(ports[number]),
      BLOCK_PAGE_URL: url.origin,
      BLOCK_PAGE_SECRET: secret,
    }),
  };
}

/**
 * Websites through the simulated appliance: a blocked one shows the block page, whose template has this link, with the
 * variables `%a` and `%H`.
 */
async function browseBehind(appliance: Pick<SimulatedAppliance, 'url'>, link: string): Promise<BehindProxy> {
  async function pageFor(target: string): Promise<Page> {
    const site = readDomain(new URL(target, 'http://proxy').searchParams.get('site') ?? '');
    if (site === undefined) return addressBar('Browse through the simulated proxy');
    const asked = await fetch(`${appliance.url}/analyze/website/direct/${encodeURIComponent(site)}`);
    if (!/"proxy_response_code": *403\b/.test(await asked.text()))
      return addressBar(`${site} opens`, 'The proxy lets it through.');
    // As a proxy fills in a template.
    const filled = link.replace('%a', encodeURIComponent(user)).replace('%H', encodeURIComponent(site));
    return {
      title: `${site} is blocked`,
      content: html`<h1 class="bad">${site} is blocked</h1>
<p>The proxy of Northwind does not let you open this website.</p>
<p>Do you need it for your work? <a href="${filled}" target="_blank" rel="noopener">Ask for access</a></p>
<p class="small">You are ${user}. This is the block page of the simulated appliance.</p>`,
    };
  }

  const server = createServer((request, response) => {
    const send = (page: Page) =>
      response
        .writeHead(200, { ...securityHeaders, 'content-type': 'text/html; charset=utf-8' })
        .end(documentOf(page));
    pageFor(request.url ?? '/').then(send, () => send(addressBar('The appliance does not answer')));
  });
  return {
    url: `http://127.0.0.1:${await portOf(server)}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port;
}

/** One that is free at the moment. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const addressBar = (headline: string, sentence?: string): Page => ({
  title: headline,
  content: html`<h1>${headline}</h1>
${sentence === undefined ? undefined : html`<p>${sentence}</p>`}
<form method="get" action="/">
<label for="site">Website</label>
<input id="site" name="site" type="text" value="${blockedSite}" required>
<button>Open</button>
</form>`,
});
