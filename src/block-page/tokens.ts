import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token is good for; one of another kind is none. */
type Purpose =
  /** The link in the template of an appliance's block page. */
  | 'link'
  /** A form that was shown, to be sent once. */
  | 'form'
  /** The page of one request. */
  | 'request';

/** Signs what goes out into pages and comes back. */
export interface Tokens {
  readonly sign: (purpose: Purpose, content: string) => string;
  /** What was signed, by the present secret or the one before; undefined where it was not. */
  readonly read: (purpose: Purpose, token: string) => string | undefined;
}

/** No token of ours is longer. */
const longest = 300;

/** The first secret signs; tokens of the others stay good, so that a secret can be replaced while links of it are about. */
export function createTokens(secrets: readonly string[]): Tokens {
  const [present = ''] = secrets;
  return {
    sign: (purpose, content) => {
      const body = Buffer.from(content).toString('base64url');
      return `${body}.${signatureOf(present, purpose, body)}`;
    },
    read: (purpose, token) => {
      if (token.length > longest) return undefined;
      const [body = '', signature = '', ...more] = token.split('.');
      if (more.length > 0) return undefined;
      const isOurs = secrets.some((secret) => isSame(signatureOf(secret, purpose, body), signature));
      return isOurs ? Buffer.from(body, 'base64url').toString() : undefined;
    },
  };
}

/** 144 bits: 24 letters without a spare bit, so a token is spelled in one way only. */
function signatureOf(secret: string, purpose: Purpose, body: string): string {
  const whole = createHmac('sha256', secret).update(`appliance-bot block page\n${purpose}\n${body}`).digest();
  return whole.subarray(0, 18).toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
