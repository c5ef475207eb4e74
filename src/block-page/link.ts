import { html } from './pages/html.ts';
import type { BlockPageSettings } from './settings.ts';
import { createTokens, type Tokens } from './tokens.ts';

/** What stands first in the token of a link. */
const version = '1';

/** The token in the link of an appliance's block page. */
export const linkToken = (tokens: Tokens, appliance: string): string =>
  tokens.sign('link', `${version} ${appliance}`);

/** Whose block page a link stands in; undefined where it is none of ours. */
export function applianceOf(tokens: Tokens, link: string): string | undefined {
  const [first, appliance] = tokens.read('link', link)?.split(' ') ?? [];
  return first === version ? appliance : undefined;
}

/** What a block page puts in the place of its variables: by default those of Squid and of what is made of it. */
interface TemplateVariables {
  readonly user: string;
  /** The blocked host, or its whole URL. */
  readonly site: string;
}

const squid: TemplateVariables = { user: '%a', site: '%H' };

/** The link for the block page of an appliance. It is the same for everybody; only its variables differ from page to page. */
export function blockPageLink(
  { url, secrets }: Pick<BlockPageSettings, 'url' | 'secrets'>,
  appliance: string,
  { user, site }: TemplateVariables = squid,
): string {
  // The site comes last: not every block page encodes what it puts in.
  return `${url.origin}/ask?link=${linkToken(createTokens(secrets), appliance)}&user=${user}&url=${site}`;
}

/** What goes into the template of the block page. */
export const blockPageTemplate = (link: string): string =>
  html`<p>Do you need this website for your work?
<a href="${link}" target="_blank" rel="noopener">Ask for access</a></p>`.markup.replaceAll('&#38;', '&amp;');
