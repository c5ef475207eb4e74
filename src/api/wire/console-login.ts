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

/** So long after a login was refused none is tried, in milliseconds: consoles lock accounts at which too many fail. */
const refusedFor = 15 * 60_000;

/**
 * The login session at the console of the mirror service. It is in memory only, and shared by all calls.
 * @param now milliseconds that only grow
 */
export function openConsoleSession(now: () => number) {
  let cookie: string | undefined;
  let renewal: Promise<void> | undefined;
  let refusedUntil = Number.NEGATIVE_INFINITY;
  const refuse = () => {
    refusedUntil = now() + refusedFor;
  };
  const renewBy = async (logIn: () => Promise<ExchangeReply>) => {
    cookie = undefined;
    cookie = cookieFrom(await logIn());
    if (cookie === undefined) refuse();
  };
  return {
    /** What goes along with a call; undefined before the first login. */
    cookie: () => cookie,
    /**
     * Logs in, unless somebody has since the call that went out with `before`.
     * @throws NotServed where that is refused, now or a while ago
     */
    async renew(
      before: string | undefined,
      operation: string,
      logIn: () => Promise<ExchangeReply>,
    ): Promise<void> {
      if (cookie !== undefined && cookie !== before) return;
      if (now() >= refusedUntil) {
        renewal ??= renewBy(logIn).finally(() => {
          renewal = undefined;
        });
        await renewal;
      }
      if (cookie === undefined) throw loginRefused(operation);
    },
    /** A login was taken, and what it brought is not. */
    refused(operation: string): NotServed {
      cookie = undefined;
      refuse();
      return loginRefused(operation);
    },
  };
}

/** Whether a call was turned away for want of a session, or with one that is over. */
export const wantsLogin = (failure: ApplianceFailure): boolean => obstacleOfFailure(failure) === 'login';

/**
 * The cookie that a login brought: `session=abc; Path=/` is `session=abc`. What is emptied is none, and neither is what no
 * header can carry. Undefined where it brought none, or led back to where one logs in.
 */
function cookieFrom({ status, location, setCookies }: ExchangeReply): string | undefined {
  const pairs = setCookies
    .map((one) => one.split(';', 1)[0]?.trim() ?? '')
    .filter((pair) => /^[\x21-\x3c\x3e-\x7e]+=[\x21-\x7e]+$/.test(pair));
  return status >= 400 || pairs.length === 0 || leadsToLogin(location) ? undefined : pairs.join('; ');
}

/** Whether an answer to a login says nothing about the login: the console has no such form, or is not well. */
export const isNoAnswer = ({ status }: ExchangeReply): boolean => status === 404 || status >= 500;

const loginRefused = (operation: string): NotServed =>
  new NotServed('login_refused', '', { operation, sent: 'yes' });

/** What of a cookie nobody may see. Short values, such as a language, would hide what is none. */
export const secretsOfCookie = (cookie: string | undefined): readonly string[] =>
  (cookie ?? '')
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((value) => value.length >= 8);
