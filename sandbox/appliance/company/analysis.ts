/** Reasons why a website cannot be reached. */
export type Trouble =
  /** No resolver knows the name. */
  | 'unknown_name'
  /** The resolvers answer differently; the first is right. */
  | 'resolvers_disagree'
  /** No server listens at the port. */
  | 'refused'
  /** No packet comes back. */
  | 'unreachable'
  /** The site answers HTTP 403, however it is asked. */
  | 'forbidden'
  /** The connection is accepted, and then nothing comes. */
  | 'silent'
  /** Reached directly, and refused by the proxy. */
  | 'proxy_denies'
  /** Reached directly; the proxy tries, and does not get on with the site. */
  | 'proxy_fails'
  /** Reached directly; the proxy wants to know who asks. */
  | 'proxy_asks_who'
  /** Reached through the proxy and in no other way. */
  | 'only_by_proxy';

export interface AnalysisState {
  /** Addresses that the proxy asks for names. */
  readonly resolvers: string[];
  /** The local proxy; undefined: no test through it is made. */
  proxyUrl: string | undefined;
  /** By domain name, for its subdomains too. Names that end in `.invalid` are never known; all else is reached. */
  readonly troubles: Map<string, Trouble>;
}

export function analysisOfTheCompany(_now: Date): AnalysisState {
  return {
    resolvers: ['127.0.0.1', '10.20.4.11', '10.20.4.12'],
    proxyUrl: 'http://127.0.0.1:3128',
    troubles: new Map([
      ['misspelt-supplier.example', 'unknown_name'],
      ['just-moved.example', 'resolvers_disagree'],
      ['closed-port.example', 'refused'],
      ['switched-off.example', 'unreachable'],
      ['members-only.example', 'forbidden'],
      ['overloaded.example', 'silent'],
      ['live-betting.example', 'proxy_denies'],
      // Looks like one of the addresses that the security team had reported, and is in no category yet.
      ['paypa1-refund.example', 'proxy_denies'],
      // By a setting that the API does not report: no category and no ACL record matches it.
      ['odd-auction.example', 'proxy_denies'],
      ['own-certificate.example', 'proxy_fails'],
      ['members-of-staff.example', 'proxy_asks_who'],
      ['head-office.example', 'only_by_proxy'],
      // In a category of which nothing says that it is blocked.
      ['bwin.com', 'proxy_denies'],
    ]),
  };
}
