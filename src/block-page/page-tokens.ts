import { createHmac, timingSafeEqual } from 'node:crypto';

/** The purpose of a token; for another purpose it is invalid. */
type Purpose =
  | 'link'
  /** A form that can be sent once. */
  | 'form'
  | 'request';

/** Signs texts in pages that come back. */
export interface Tokens {
  readonly sign: (purpose: Purpose, content: string) => string;
  /** The text, if the current or an earlier secret signed it; otherwise undefined. */
  readonly read: (purpose: Purpose, token: string) => string | undefined;
}

/** No valid token is longer. */
const longest = 300;

/**
 * The first secret signs. Tokens of the others stay valid, so that a secret can be replaced while its links are
 * in use.
 */
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

/** 144 bits: 24 letters without a spare bit, so a token has only one spelling. */
function signatureOf(secret: string, purpose: Purpose, body: string): string {
  const whole = createHmac('sha256', secret).update(`appliance-bot block page\n${purpose}\n${body}`).digest();
  return whole.subarray(0, 18).toString('base64url');
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
