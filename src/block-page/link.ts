import type { TrustedProxies } from './address.ts';
import { createTokens, type Tokens } from './page-tokens.ts';
import { html } from './pages/document.ts';

/** Where the page is served, and the secrets of its tokens. */
export interface BlockPageSettings {
  /** The public address, such as `https://ask.example.com`, which browsers send as the host. */
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  /** The current one first. */
  readonly secrets: readonly string[];
  readonly trustedProxies: TrustedProxies;
}

/** The first part of a link's token. */
const version = '1';

/** The token in the link of an appliance's block page. */
export const linkToken = (tokens: Tokens, appliance: string): string =>
  tokens.sign('link', `${version} ${appliance}`);

/** The appliance of a link; undefined if the bot did not sign it. */
export function applianceOf(tokens: Tokens, link: string): string | undefined {
  const [first, appliance] = tokens.read('link', link)?.split(' ') ?? [];
  return first === version ? appliance : undefined;
}

/** The variables that a block page fills in; by default those of Squid and its derivatives. */
interface TemplateVariables {
  readonly user: string;
  /** The blocked host, or its whole URL. */
  readonly site: string;
}

const squid: TemplateVariables = { user: '%a', site: '%H' };

/** The link for an appliance's block page. It is the same for everybody except for the variables. */
export function blockPageLink(
  { url, secrets }: Pick<BlockPageSettings, 'url' | 'secrets'>,
  appliance: string,
  { user, site }: TemplateVariables = squid,
): string {
  // The site comes last, because some block pages do not encode it.
  return `${url.origin}/ask?link=${linkToken(createTokens(secrets), appliance)}&user=${user}&url=${site}`;
}

/** The HTML for the template of the block page. */
export const blockPageTemplate = (link: string): string =>
  html`<p>Do you need this website for your work?
<a href="${link}" target="_blank" rel="noopener">Ask for access</a></p>`.markup.replaceAll('&#38;', '&amp;');
