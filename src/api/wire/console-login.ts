import { type ApplianceFailure, NotServed } from '../errors.ts';
import type { ExchangeReply } from './exchange.ts';
import { leadsToLogin, obstacleOfFailure } from './explain.ts';

/** Who logs in at the console of the mirror service. */
export interface ConsoleLogin {
  readonly user: string;
  readonly password: string;
}

/** The form that the console's page sends to itself. */
export const loginForm = ({ user, password }: ConsoleLogin) => ({
  method: 'POST' as const,
  path: '/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: String(new URLSearchParams({ username: user, password })),
});

/** The login session at the console of the mirror service. It is in memory only, and shared by all calls. */
export function openConsoleSession() {
  let cookie: string | undefined;
  let renewal: Promise<void> | undefined;
  const renewBy = async (logIn: () => Promise<string>) => {
    cookie = undefined;
    cookie = await logIn();
  };
  return {
    /** What goes along with a call; undefined before the first login. */
    cookie: () => cookie,
    /** Logs in, unless somebody has since the call that went out with `before`. */
    async renew(before: string | undefined, logIn: () => Promise<string>): Promise<void> {
      if (cookie !== undefined && cookie !== before) return;
      renewal ??= renewBy(logIn).finally(() => {
        renewal = undefined;
      });
      await renewal;
    },
  };
}

/** Whether a call was turned away for want of a session, or with one that is over. */
export const wantsLogin = (failure: ApplianceFailure): boolean => obstacleOfFailure(failure) === 'login';

/**
 * The cookie that a login brought: `session=abc; Path=/` is `session=abc`. What is emptied is none, and neither is what no
 * header can carry.
 * @throws NotServed where it brought none, or led back to where one logs in
 */
export function cookieFrom({ status, location, setCookies }: ExchangeReply, operation: string): string {
  const pairs = setCookies
    .map((one) => one.split(';', 1)[0]?.trim() ?? '')
    .filter((pair) => /^[\x21-\x3c\x3e-\x7e]+=[\x21-\x7e]+$/.test(pair));
  if (status >= 400 || pairs.length === 0 || leadsToLogin(location)) throw loginRefused(operation);
  return pairs.join('; ');
}

export const loginRefused = (operation: string): NotServed =>
  new NotServed('login_refused', '', { operation, sent: 'yes' });

/** What of a cookie nobody may see. Short values, such as a language, would hide what is none. */
export const secretsOfCookie = (cookie: string | undefined): readonly string[] =>
  (cookie ?? '')
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((value) => value.length >= 8);
