import { WebAPIRequestError } from '@slack/web-api';
import type { Problem } from '../problem.ts';

/** No tunnel to Slack was opened, so nothing was sent. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  /** Host and port. */
  readonly proxy: string;
  /** What the proxy answered; undefined when it did not. */
  readonly status: number | undefined;
  /** What the system calls it. undici decides by it, too. */
  readonly code: string;

  constructor(proxy: string, { status, cause }: { readonly status?: number; readonly cause?: unknown }) {
    super(`No tunnel through the proxy ${proxy}`, { cause });
    this.proxy = proxy;
    this.status = status;
    this.code = status === undefined ? codeIn(cause) : `PROXY_${status}`;
  }
}

/** The failure of the proxy that an error comes from; undefined if it comes from elsewhere. */
export const proxyFailureIn = (error: unknown): ProxyFailure | undefined =>
  causesOf(error).find((one) => one instanceof ProxyFailure);

/** What OpenSSL calls a certificate of an authority that is not known here. */
const unknownAuthority: ReadonlySet<unknown> = new Set([
  ...['SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

/** The setting that keeps Slack from being reached; undefined when none is known to. */
export function problemIn(error: unknown): Problem | undefined {
  const failure = proxyFailureIn(error);
  const codes = causesOf(error).map(codeIn);
  const distrust = codes.find((code) => unknownAuthority.has(code));
  if (distrust !== undefined) {
    const whose = failure === undefined ? 'Slack’s address' : `the proxy ${failure.proxy}`;
    return {
      key: 'NODE_EXTRA_CA_CERTS',
      wrong: `does not name the authority of the certificate of ${whose} (${distrust}). If your company inspects TLS, set it to the PEM file of your company’s certificate authority and restart the bot.`,
      example: 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/company-ca.pem',
    };
  }
  if (failure === undefined) return undefined;
  return {
    key: 'HTTPS_PROXY',
    wrong: `names the proxy ${failure.proxy}, which ${whatItDid(failure)}`,
    example: 'HTTPS_PROXY=http://user:password@proxy.example.com:3128',
  };
}

function whatItDid({ status, code }: ProxyFailure): string {
  if (status === undefined)
    return `could not be reached (${code}). Check its host and port, and that it runs.`;
  if (status === 407)
    return 'requires a user name and password, or rejected these (407). Set them in its address.';
  return `did not connect to Slack (${status}). Ask its administrator whether it allows and reaches slack.com and its subdomains on port 443.`;
}

/** It and what it comes from, outermost first. */
function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  let next = error;
  while (next instanceof Error && !causes.includes(next)) {
    causes.push(next);
    next = next instanceof WebAPIRequestError ? next.original : next.cause;
  }
  return causes;
}

function codeIn(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason given';
  // That of a timeout is a number.
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
