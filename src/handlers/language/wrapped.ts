import { parse } from 'tldts';

/**
 * Addresses that mail gateways, search engines, social sites and chats put in place of another one. The target
 * is read from the text; no network is asked.
 */

export type Wrapping =
  | {
      readonly kind: 'wrapped';
      readonly target: string;
      readonly by: string;
    }
  /** Only the server in the address knows the target. */
  | { readonly kind: 'sealed'; readonly by: string }
  /** The address contains whole other addresses, and nothing shows which is meant. */
  | { readonly kind: 'unknown'; readonly inside: readonly string[] };

/** A service that replaces addresses by its own. */
interface Wrapper {
  readonly by: string;
  /** Its host, or a parent domain. */
  readonly hosts: readonly string[];
  /** Its name without the suffix, for services with a domain in many countries, such as google.de. */
  readonly anywhere?: string;
  /** The path of such an address. A bare host is never one. */
  readonly path?: RegExp;
  /** Reads the target. Returns undefined if it is unreadable. Absent: this service never shows it. */
  readonly target?: (url: URL) => string | undefined;
}

/** The first of these query parameters that is present. */
const query =
  (...names: readonly string[]) =>
  ({ searchParams }: URL): string | undefined => {
    // Some services write the name in capitals.
    const parts = new Map([...searchParams].map(([name, value]) => [name.toLowerCase(), value]));
    return names.map((name) => parts.get(name)).find((value) => value !== undefined && value !== '');
  };

const inPath =
  (pattern: RegExp) =>
  ({ pathname }: URL): string | undefined =>
    pattern.exec(pathname)?.[1];

const wrappers: readonly Wrapper[] = [
  // https://learn.microsoft.com/defender-office-365/safe-links-about; the national clouds have domains of their own.
  {
    by: 'a Safe Links address',
    hosts: [
      'safelinks.protection.outlook.com',
      'safelinks.protection.outlook.de',
      'safelinks.protection.outlook.us',
      'safelinks.protection.office365.us',
      'safelinks.protection.partner.outlook.cn',
    ],
    target: query('url'),
  },
  // The page on which Teams checks a link, as its messages show it.
  {
    by: 'a Safe Links address',
    hosts: ['statics.teams.cdn.office.net', 'statics.teams.microsoft.com'],
    path: /safelinks/i,
    target: query('url'),
  },
  // Azure puts these links into its mail.
  { by: 'a Safe Links address', hosts: ['safelink.emails.azure.net'], target: query('destination') },
  // https://help.proofpoint.com, "URL Defense Decoder"; its published decoder reads all three versions.
  {
    by: 'a Proofpoint address',
    hosts: ['urldefense.proofpoint.com', 'urldefense.com', 'urldefense.us'],
    target: proofpoint,
  },
  // https://community.mimecast.com, "Targeted Threat Protection: URL Protect": the address may contain the
  // target's domain, but not its path.
  {
    by: 'a Mimecast address',
    hosts: ['mimecast.com', 'mimecastprotect.com'],
    path: /^\/(?:s|r)\//,
    target: query('domain'),
  },
  // https://campus.barracuda.com, "Link Protection".
  { by: 'a Barracuda address', hosts: ['linkprotect.cudasvc.com'], target: query('a') },
  // https://www.cisco.com, "Secure Email: URL rewriting": the target is the last part of the path.
  {
    by: 'a Cisco Secure Web address',
    hosts: ['secure-web.cisco.com'],
    target: inPath(/^\/[^/]+\/(h[^?#]+)/i),
  },
  // https://docs.trendmicro.com, "Time-of-Click Protection".
  {
    by: 'a Trend Micro address',
    hosts: ['trendmicro.com', 'trendmicro.eu'],
    path: /^\/wis\/clicktime\//i,
    target: query('url'),
  },
  // https://techdocs.broadcom.com, "Email Security.cloud: Click-time URL Protection".
  {
    by: 'a Symantec ClickTime address',
    hosts: ['clicktime.symantec.com', 'clicktime.cloud.postoffice.net'],
    target: query('u'),
  },
  // https://docs.sophos.com, "Central Email: Time of Click": `u` in base64, and `d`, the domain alone.
  {
    by: 'a Sophos address',
    hosts: ['protection.sophos.com'],
    target: (url) => fromBase64(query('u')(url)) ?? query('d')(url),
  },
  // https://docs.trellix.com, "Email Security: URL rewriting".
  {
    by: 'a Trellix address',
    hosts: [
      'protect.fireeye.com',
      'protect2.fireeye.com',
      'protect-us.fireeye.com',
      'protect-eu.fireeye.com',
    ],
    target: query('u'),
  },
  // https://sc1.checkpoint.com, "Harmony Email: Click-Time Protection": in clear, or with letters that are shifted.
  {
    by: 'a Check Point address',
    hosts: ['avanan.click', 'protect.checkpoint.com', 'url.checkpoint.com'],
    target: inPath(/\/___(h[tx]{2}ps?:[^_]+(?:_[^_]+)*)___/i),
  },
  // https://docs.libraesva.com, "URLSand".
  { by: 'a Libraesva address', hosts: ['urlsand.esvalabs.com'], target: query('u') },
  // https://support.zixcorp.com, "Link Protection".
  { by: 'a Zix address', hosts: ['link.edgepilot.com'], target: query('u') },
  { by: 'a Zix address', hosts: ['url.emailprotection.link'] },
  // https://support.hornetsecurity.com, "Secure Links": encrypted.
  { by: 'a Hornetsecurity address', hosts: ['atpscan.global.hornetsecurity.com'] },
  // https://docs.aws.amazon.com/ses, "Custom domains for open and click tracking".
  { by: 'an Amazon SES address', hosts: ['awstrack.me'], target: inPath(/^\/L\d\/([^/]+)/) },
  // https://mailchimp.com/developer/transactional, "Click tracking": the host stands in the path.
  {
    by: 'a Mandrill address',
    hosts: ['mandrillapp.com'],
    path: /^\/track\/click\//,
    target: inPath(/^\/track\/click\/[^/]+\/([^/]+)/),
  },
  // https://www.twilio.com/docs/sendgrid, "Click tracking": encrypted. So are those of Mailchimp and HubSpot, by their documentation.
  { by: 'a SendGrid address', hosts: ['ct.sendgrid.net'] },
  { by: 'a Mailchimp address', hosts: ['list-manage.com'], path: /^\/track\/click/ },
  { by: 'a HubSpot address', hosts: ['hubspotlinks.com'] },

  // Results of Google, of any country, as its pages link them; `adurl` in advertisements.
  {
    by: 'a Google link',
    hosts: [],
    anywhere: 'google',
    path: /^\/(?:url|imgres|aclk)\/?$/,
    target: query('q', 'url', 'imgrefurl', 'imgurl', 'adurl'),
  },
  {
    by: 'a Google link',
    hosts: [],
    anywhere: 'google',
    path: /^\/amp\/(?:s\/)?./,
    target: inPath(/^\/amp\/(?:s\/)?(.+)/),
  },
  // https://developers.google.com/amp/cache/overview
  {
    by: 'an AMP address',
    hosts: ['cdn.ampproject.org'],
    path: /^\/[acvwi]\//,
    target: inPath(/^\/(?:[acvwi]|ii)\/(?:s\/)?(.+)/),
  },
  {
    by: 'a Google advertisement',
    hosts: ['googleadservices.com', 'doubleclick.net'],
    target: query('adurl', 'ds_dest_url'),
  },
  // Results of Bing as its pages link them: `u` in base64, after `a1`. One that begins with a slash is Bing's own.
  {
    by: 'a Bing link',
    hosts: ['bing.com'],
    path: /^\/(?:ck\/a|aclk|aclick)\/?$/i,
    target: (url) => bing(query('u')(url)),
  },
  {
    by: 'a Bing link',
    hosts: ['bing.com'],
    path: /^\/(?:alink\/link|news\/apiclick\.aspx)$/i,
    target: query('url'),
  },
  // Results of DuckDuckGo without scripts, as its pages link them.
  { by: 'a DuckDuckGo link', hosts: ['duckduckgo.com'], path: /^\/l\/?$/, target: query('uddg') },
  // Results of Yahoo as its pages link them: RU= in the path.
  {
    by: 'a Yahoo link',
    hosts: ['search.yahoo.com', 'search.yahoo.co.jp'],
    path: /\/RU=/,
    target: inPath(/\/RU=([^/]+)/),
  },
  // Results of Yandex and Baidu as their pages link them.
  {
    by: 'a Yandex link',
    hosts: ['sba.yandex.net', 'sba.yandex.com'],
    path: /^\/redirect/,
    target: query('url'),
  },
  { by: 'a Yandex link', hosts: [], anywhere: 'yandex', path: /^\/clck\//, target: query('url') },
  { by: 'a Baidu link', hosts: ['baidu.com'], path: /^\/link\/?$/ },

  // https://www.facebook.com/help, "Link Shim"; the same on Meta's other sites.
  {
    by: 'a Facebook link',
    hosts: ['l.facebook.com', 'lm.facebook.com', 'l.messenger.com', 'l.workplace.com', 'l.wl.co'],
    target: query('u'),
  },
  { by: 'a Facebook link', hosts: ['facebook.com'], path: /^\/(?:flx\/warn|l\.php)/, target: query('u') },
  {
    by: 'an Instagram link',
    hosts: ['l.instagram.com', 'l.threads.net', 'l.threads.com'],
    target: query('u'),
  },
  // https://www.linkedin.com/help, "Links to other sites".
  {
    by: 'a LinkedIn link',
    hosts: ['linkedin.com'],
    path: /^\/(?:safety\/go|redir\/(?:redirect|suspicious-page|general-malware-page))\/?$/,
    target: query('url', 'urlhash'),
  },
  // Links in posts, as the pages of these sites have them.
  { by: 'a Tumblr link', hosts: ['t.umblr.com'], target: query('z') },
  { by: 'an href.li link', hosts: ['href.li'], target: ({ search }) => search.slice(1) },
  { by: 'a Reddit link', hosts: ['out.reddit.com'], target: query('url') },
  { by: 'a YouTube link', hosts: ['youtube.com'], path: /^\/redirect\/?$/, target: query('q') },
  { by: 'a Steam link', hosts: ['steamcommunity.com'], path: /^\/linkfilter/, target: query('u', 'url') },
  { by: 'a VK link', hosts: ['vk.com', 'm.vk.com'], path: /^\/away/, target: query('to') },
  { by: 'a TikTok link', hosts: ['tiktok.com'], path: /^\/link\/v2/, target: query('target') },
  { by: 'a Pinterest link', hosts: [], anywhere: 'pinterest', path: /^\/offsite/, target: query('url') },
  { by: 'a Quora link', hosts: ['quora.com'], path: /^\/_\/redirect/, target: query('url') },
  { by: 'a Medium link', hosts: ['medium.com'], path: /^\/r\/?$/, target: query('url') },
  { by: 'a SoundCloud link', hosts: ['exit.sc', 'gate.sc'], target: query('url') },
  { by: 'a Zhihu link', hosts: ['link.zhihu.com'], target: query('target') },
  {
    by: 'a Weibo link',
    hosts: ['weibo.cn', 'weibo.com'],
    path: /^\/sinaurl/,
    target: query('u', 'toasturl'),
  },
  { by: 'a Telegram link', hosts: ['t.me'], path: /^\/iv\/?$/, target: query('url') },
  // Links in messages, as Slack's own clients had them.
  { by: 'a Slack link', hosts: ['slack-redir.net'], target: query('url') },

  // Short addresses: each of these services says of itself that only it knows the target.
  {
    by: 'a short link',
    hosts: (
      't.co bit.ly bitly.com j.mp tinyurl.com tiny.cc tiny.one goo.gl g.co maps.app.goo.gl share.google ow.ly is.gd v.gd ' +
      'buff.ly rebrand.ly cutt.ly rb.gy t.ly shorturl.at shorturl.gg bl.ink lnkd.in fb.me trib.al dlvr.it ift.tt s.id qr.ae ' +
      'amzn.to a.co aka.ms msft.it apple.co adf.ly shorte.st tr.im x.co db.tt wp.me n9.cl u.to clck.ru vk.cc t.cn url.cn ' +
      'dwz.cn spoti.fi nyti.ms urlz.fr mcaf.ee hubs.ly hubs.li qrco.de t1p.de kutt.it short.gy snip.ly soo.gd bit.do ' +
      'shor.by lc.chat flip.it po.st su.pr ur1.ca yourls.org tny.im 1url.com ouo.io exe.io'
    ).split(' '),
  },
];

const wrappersByHost: ReadonlyMap<string, readonly Wrapper[]> = new Map(
  wrappers.flatMap(({ hosts }) =>
    hosts.map((host) => [host, wrappers.filter((other) => other.hosts.includes(host))] as const),
  ),
);

/** The target of such an address; undefined for an ordinary one. `text` may lack the scheme. */
export function wrappingOf(text: string): Wrapping | undefined {
  const url = urlOf(text);
  if (url === undefined || (url.pathname === '/' && url.search === '' && url.hash === '')) return undefined;
  const wrapper = wrapperOf(url);
  if (wrapper === undefined) {
    const inside = addressesIn(url);
    return inside.length === 0 ? undefined : { kind: 'unknown', inside };
  }
  const { by } = wrapper;
  const target = wrapper.target?.(url);
  if (target === undefined) return { kind: 'sealed', by };
  const read = decoded(target);
  // A search result may lead to the engine's own page.
  return read.startsWith('/') && !read.startsWith('//') ? undefined : { kind: 'wrapped', target: read, by };
}

function urlOf(text: string): URL | undefined {
  // A bare host contains no address. This check is cheap and runs for each word of a line.
  if (!/[/?]/.test(text)) return undefined;
  const plain = text.replaceAll('&amp;', '&');
  return URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(plain) ? plain : `https://${plain}`) ?? undefined;
}

function wrapperOf({ hostname, pathname }: URL): Wrapper | undefined {
  const labels = hostname.replace(/\.$/, '').split('.');
  // The host first, then each domain above it.
  const named = labels.flatMap((_, at) => wrappersByHost.get(labels.slice(at).join('.')) ?? []);
  // Private suffixes do not count: google.blogspot.com is not Google's.
  const { domainWithoutSuffix } = parse(hostname);
  const national = wrappers.filter(
    ({ anywhere }) => anywhere !== undefined && anywhere === domainWithoutSuffix,
  );
  return [...named, ...national].find(({ path }) => path === undefined || path.test(pathname));
}

/** Whole addresses in the query, the path and the fragment. */
function addressesIn({ search, searchParams, pathname, hash }: URL): readonly string[] {
  const texts = [...searchParams.values(), search.slice(1), pathname.slice(1), hash.slice(1)].map(decoded);
  return [
    ...new Set(
      texts.flatMap((text) => (fromBase64(text) ?? text).match(/h[tx]{2}ps?:\/{1,2}[^\s"'<>&]+/i)?.[0] ?? []),
    ),
  ].map((address) => address.replace(/^(\w+:)\/(?!\/)/, '$1//'));
}

/** Each wrapping encodes the address once more. */
function decoded(text: string): string {
  let read = text;
  for (let round = 0; round < 3; round += 1) {
    // A server follows the text that has its scheme in clear.
    if (/^\w+:\/\//.test(read)) return read;
    try {
      const next = decodeURIComponent(read);
      if (next === read) return read;
      read = next;
    } catch {
      return read;
    }
  }
  return read;
}

/** Undefined unless the text is an address in base64, of either alphabet. */
function fromBase64(text: string | undefined): string | undefined {
  if (text === undefined || !/^aHR0c[\w+/=-]+$/.test(text)) return undefined;
  return Buffer.from(text, 'base64url').toString('utf8');
}

function bing(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const text = given.replace(/^a1/, '');
  return (
    fromBase64(text) ?? (/^L[\w-]+$/.test(text) ? Buffer.from(text, 'base64url').toString('utf8') : given)
  );
}

/** v1: encoded as usual. v2: `-` stands for `%`, `_` for a slash. v3: in clear, but for the characters that follow in base64. */
function proofpoint(url: URL): string | undefined {
  const { pathname, href } = url;
  if (pathname.startsWith('/v1/')) return query('u')(url);
  if (pathname.startsWith('/v2/')) return query('u')(url)?.replaceAll('-', '%').replaceAll('_', '/');
  const [, written, replaced = ''] = /\/v3\/__(.+?)__(?:;([\w-]*)|$)/.exec(href) ?? [];
  if (written === undefined) return undefined;
  const characters = [...Buffer.from(replaced, 'base64url').toString('utf8')];
  // `*` is the next character; `**` and a letter for the count are the next few.
  const address = written.replace(/\*(?:\*([\w-]))?/g, (_, many: string | undefined) =>
    characters.splice(0, many === undefined ? 1 : runLengths.indexOf(many) + 2).join(''),
  );
  return address.replace(/^(\w+:)\/(?!\/)/, '$1//');
}

const runLengths = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
