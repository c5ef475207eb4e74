import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Caller } from '../../caller.ts';
import type { Fence } from '../../fence.ts';
import type { Effect, Method, Service } from '../endpoint.ts';
import { type ApplianceFailure, isApplianceFailure, NotServed } from '../errors.ts';
import { tell } from '../listener.ts';
import { type Addresses, placeOf } from './addresses.ts';
import { Broken, type ExchangeReply, exchange, openConnections, placeBefore } from './exchange.ts';
import {
  explain,
  judge,
  leadsToLogin,
  obstacleOfFailure,
  obstacleTold,
  wholeDeadlinePassed,
} from './explain.ts';
import { openPermits, type RequestPace } from './permits.ts';
import { maySendAgain, type RetryReport, waitBeforeNext } from './retry.ts';
import type { ApplianceWay } from './way.ts';
import type { RequestReport } from './wire-request.ts';

/** All in milliseconds. */
export interface Deadlines {
  /** Until a connection stands. */
  readonly connect: number;
  /** The longest silence while an answer is awaited. */
  readonly read: number;
  /** Everything: waiting in line, every attempt, the waits in between. */
  readonly whole: number;
  /** The whole deadline of an order that takes minutes on the appliance, such as an installation. */
  readonly long: number;
}

export interface TransportSettings {
  readonly name: string;
  /** Each may have a base path; undefined if none is configured. */
  readonly addresses: Addresses;
  readonly key: string | undefined;
  readonly keyEverywhere: boolean;
  /** The login at the mirror console; undefined if not configured. */
  readonly consoleLogin: ConsoleLogin | undefined;
  /** Undefined for the default. */
  readonly way: ApplianceWay | undefined;
  readonly pace: RequestPace;
  readonly deadlines: Deadlines;
  /** For ordinary answers, and for known large ones. */
  readonly maxReplyBytes: { readonly usual: number; readonly large: number };
  /** The caller's own; undefined for the client's connections. */
  readonly dispatcher: Dispatcher | undefined;
  readonly onRequest: ((report: RequestReport) => void) | undefined;
  readonly onRetry: ((report: RetryReport) => void) | undefined;
  /** Waits for a place among the connections of all appliances; undefined without a limit. */
  readonly takePlace: (() => Promise<() => void>) | undefined;
  /** Monotonic milliseconds, for durations. */
  readonly now: () => number;
  /** 0 ≤ random < 1; for the waits between attempts. */
  readonly random: () => number;
  /** Waits this many milliseconds, or rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface TransportRequest {
  readonly operation: string;
  readonly service: Service;
  readonly effect: Effect;
  /** Takes minutes on the appliance. */
  readonly slow: boolean;
  /** The answer may be tens of megabytes. */
  readonly large: boolean;
  readonly method: Method;
  readonly path: string;
  /** The path without secrets, for reports. */
  readonly shownPath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Chunks can be sent only once. */
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
  /** Texts that must not be repeated, besides the key. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** Callers take turns. */
  readonly caller: Caller;
  /** The fence of an order. */
  readonly fence: Fence | undefined;
  /**
   * Reads an answer with a success status. `ofSession`: secrets of the session that must not be repeated.
   * @throws ApplianceFailure if it is no proper answer
   */
  readonly read: (text: string, ofSession: readonly string[]) => unknown;
}

interface HttpAnswer {
  readonly text: string;
  readonly value: unknown;
  /** The answer came before the whole upload was taken. */
  readonly early: boolean;
}

export interface Transport {
  /** A proper answer. Rejects with an `ApplianceFailure`, or with an error from `read`. */
  send(request: TransportRequest): Promise<HttpAnswer>;
  /** Accepts nothing new, waits for running requests, and ends the connections. */
  close(): Promise<void>;
}

export async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal });
}

/** The connections to one appliance, and the rules for using them. */
export function openTransport(settings: TransportSettings): Transport {
  const { addresses, consoleLogin, deadlines, now, takePlace } = settings;
  const permits = openPermits(settings.pace);
  // If places are few, an unused connection must not keep one.
  const connections = openConnections(deadlines.connect, takePlace === undefined, settings);
  const session = openConsoleSession(now);
  let closing: Promise<void> | undefined;

  /** One attempt: wait in line, send, and judge the answer. */
  async function attempt(
    request: TransportRequest,
    number: number,
    lifetime: AbortSignal,
    cookie?: string,
    judged: typeof judge = judge,
  ): Promise<ExchangeReply & { readonly value: unknown }> {
    const { operation, service, effect, method, body } = request;
    const { address, base } = placeOf(addresses, service, operation);
    const bounds = boundsFor(request, settings);
    const ofCookie = secretsOfCookie(cookie);
    const secrets = [...(settings.key === undefined ? [] : [settings.key]), ...request.secrets, ...ofCookie];
    const path = base + request.path;
    let began: number | undefined;
    let status: number | undefined;
    let failure: ApplianceFailure | undefined;
    let giveBack: (() => void) | undefined;
    let leave: (() => void) | undefined;
    try {
      giveBack = await permits.take(lifetime, request.caller);
      leave = takePlace && (await placeBefore(lifetime, takePlace()));
      const fence = effect === 'read' ? undefined : request.fence;
      await fence?.renew().catch((cause: unknown) => {
        throw new Broken('withheld', false, 'WITHHELD', cause);
      });
      began = now();
      const headers = {
        ...headersFor(request, address, settings),
        ...request.headers,
        ...(cookie === undefined ? {} : { cookie }),
      };
      const keyUse = settings.key === undefined ? 'none' : keyHeader in headers ? 'sent' : 'kept';
      const connection = connections.to(address.origin, effect);
      const came = await exchange(
        connection,
        { method, path, headers, body },
        bounds,
        lifetime,
        fence?.holds,
      );
      const reply = { ...came, text: asMeant(came.text) };
      status = reply.status;
      failure = judged(reply, operation, secrets, keyUse, service);
      if (failure) throw failure;
      return { ...reply, value: request.read(reply.text, ofCookie) };
    } catch (error) {
      if (isApplianceFailure(error)) failure ??= error;
      // The client's own error in reading the answer says nothing about the connection.
      else if (status !== undefined) throw error;
      failure ??= explain(error, operation, bounds, lifetime.reason, secrets);
      throw failure;
    } finally {
      leave?.();
      giveBack?.();
      if (began !== undefined) {
        const obstacle = failure && obstacleTold(failure);
        tell(settings.onRequest, {
          appliance: settings.name,
          operation,
          effect,
          method,
          path: base + request.shownPath,
          attempt: number,
          durationMs: now() - began,
          ...(status === undefined ? {} : { status }),
          ...(failure === undefined ? {} : { error: failure.code }),
          ...(failure !== undefined && isOfTheWay(failure) && { reason: failure.reason }),
          ...(obstacle === undefined ? {} : { obstacle }),
        });
      }
    }
  }

  /** Shared by all calls that wait for it, so no caller aborts it. */
  async function logIn(login: ConsoleLogin, request: TransportRequest): Promise<ExchangeReply> {
    const form = loginForm(login);
    const lifetime = startLifetime(deadlines.whole, undefined);
    try {
      const read = () => undefined;
      const asked = { ...request, ...form, shownPath: form.path, secrets: [login.password], read };
      return await attempt(asked, 1, lifetime.signal, undefined, (reply, ...about) =>
        isNoAnswer(reply) ? judge(reply, ...about) : undefined,
      );
    } finally {
      lifetime.end();
    }
  }

  return {
    async send(request) {
      const { whole } = boundsFor(request, settings);
      const deadline = now() + whole;
      const lifetime = startLifetime(whole, request.signal);
      const login = request.service === 'mirrorConsole' ? consoleLogin : undefined;
      let hasLoggedIn = false;
      try {
        for (let number = 1; ; number += 1) {
          const cookie = login && session.cookie();
          try {
            return await attempt(request, number, lifetime.signal, cookie);
          } catch (error) {
            if (login !== undefined && isApplianceFailure(error) && wantsLogin(error)) {
              if (hasLoggedIn) throw session.refused(request.operation);
              hasLoggedIn = true;
              await session.renew(cookie, request.operation, () => logIn(login, request));
              continue;
            }
            if (!isApplianceFailure(error) || !canBeSentAgain(request, error, number)) throw error;
            const wait = waitBeforeNext(number, settings.random());
            // Without time for another attempt, the actual failure says more than "the deadline passed".
            if (closing || now() + wait >= deadline) throw error;
            tell(settings.onRetry, {
              appliance: settings.name,
              operation: request.operation,
              attempt: number,
              error: error.code,
              waitMs: wait,
            });
            await settings.sleep(wait, lifetime.signal).catch(() => Promise.reject(error));
          }
        }
      } finally {
        lifetime.end();
      }
    },
    close() {
      closing ??= connections.close();
      permits.close(new Broken('ended', false, 'CLOSED'));
      return closing;
    },
  };
}

/** A failed connection has a system code or one of the HTTP parser. */
const isOfTheWay = (
  failure: ApplianceFailure,
): failure is Extract<ApplianceFailure, { code: 'unreachable' | 'connection_lost' | 'unreadable' }> =>
  failure.code === 'unreachable' || failure.code === 'connection_lost' || failure.code === 'unreadable';

/**
 * The deadlines of one request. A read can be retried without harm, so its silence is short. A change is never
 * retried, and aborting it early would only leave its result unknown, so it may be silent for the whole time. A
 * file may take any time while chunks of it are taken.
 */
function boundsFor({ effect, slow, large, body }: TransportRequest, settings: TransportSettings) {
  const { connect, read, whole, long } = settings.deadlines;
  const replyBytes = large ? settings.maxReplyBytes.large : settings.maxReplyBytes.usual;
  const timeout = slow ? long : whole;
  const uploads = body !== undefined && typeof body !== 'string';
  return {
    connect,
    read: effect === 'read' && !slow ? read : timeout,
    send: whole,
    whole: uploads ? Number.POSITIVE_INFINITY : timeout,
    replyBytes,
  };
}

/** Taken chunks of a file are gone; before a connection stood, none was taken. */
function canBeSentAgain(
  { effect, body }: TransportRequest,
  failure: ApplianceFailure,
  attempt: number,
): boolean {
  return (body === undefined || typeof body === 'string') && maySendAgain(effect, failure, attempt);
}

/**
 * Repairs text that an appliance has passed to a print function as the format: every percent sign then takes
 * the following letter as a verb with a missing value (field notes). `100%!d(MISSING)one` was `100%done`;
 * before a quotation mark this breaks the JSON around it.
 */
function asMeant(text: string): string {
  if (!text.includes('%!')) return text;
  return text.replaceAll(/%!([\s\S])\(MISSING\)/gu, '%$1').replaceAll('%!(NOVERB)', '%');
}

const keyHeader = 'x-auth-token';

/**
 * §5.2: the key is required for the remote-desktop calls; whether other groups require it is undocumented, so
 * it is configurable. It belongs to the Web API's machine, and is sent to no other, nor in clear text if the
 * Web API has TLS.
 */
function headersFor(
  { path, body }: { readonly path: string; readonly body: unknown },
  address: URL,
  {
    addresses,
    key,
    keyEverywhere,
  }: {
    readonly addresses: Addresses;
    readonly key: string | undefined;
    readonly keyEverywhere: boolean;
  },
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json', 'accept-encoding': 'identity' };
  const { web } = addresses;
  const sameMachine =
    address.hostname === web?.hostname && (address.protocol === 'https:' || web.protocol === 'http:');
  if (key !== undefined && sameMachine && (keyEverywhere || path.startsWith('/rdpproxy/'))) {
    headers[keyHeader] = key;
  }
  // Some servers refuse a POST without a length, even an empty one.
  if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body));
  return headers;
}

/** A signal that aborts with the whole deadline or with the caller's own signal, whichever comes first. */
function startLifetime(
  milliseconds: number,
  caller: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const timer = Number.isFinite(milliseconds)
    ? setTimeout(() => controller.abort(wholeDeadlinePassed), milliseconds)
    : undefined;
  const onAbort = () => controller.abort();
  if (caller?.aborted) onAbort();
  else caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}

interface ConsoleLogin {
  readonly user: string;
  readonly password: string;
}

/** The form that the console's page sends to itself. */
const loginForm = ({ user, password }: ConsoleLogin) => ({
  method: 'POST' as const,
  path: '/login',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: String(new URLSearchParams({ username: user, password })),
});

/**
 * After a refused login, no other is tried for this long, in milliseconds: consoles lock accounts after too
 * many failures.
 */
const refusedFor = 15 * 60_000;

/**
 * The login session at the console of the mirror service. It exists only in memory, and all calls share it.
 * @param now monotonic milliseconds
 */
function openConsoleSession(now: () => number) {
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
    /** The cookie for a call; undefined before the first login. */
    cookie: () => cookie,
    /**
     * Logs in, unless somebody else has since the call with `before`.
     * @throws NotServed if the login is refused, now or recently
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
    /** The login was accepted, but its cookie is not. */
    refused(operation: string): NotServed {
      cookie = undefined;
      refuse();
      return loginRefused(operation);
    },
  };
}

/** Whether a call was refused for a missing or expired session. */
const wantsLogin = (failure: ApplianceFailure): boolean => obstacleOfFailure(failure) === 'login';

/**
 * The cookie of a login: `session=abc; Path=/` gives `session=abc`. Empty cookies, and those that no header can
 * carry, are dropped. Undefined if there was none, or if the answer redirects to the login.
 */
function cookieFrom({ status, location, setCookies }: ExchangeReply): string | undefined {
  const pairs = setCookies
    .map((one) => one.split(';', 1)[0]?.trim() ?? '')
    .filter((pair) => /^[\x21-\x3c\x3e-\x7e]+=[\x21-\x7e]+$/.test(pair));
  return status >= 400 || pairs.length === 0 || leadsToLogin(location) ? undefined : pairs.join('; ');
}

/** Whether an answer says nothing about the login: the console has no such form, or has an error. */
const isNoAnswer = ({ status }: ExchangeReply): boolean => status === 404 || status >= 500;

const loginRefused = (operation: string): NotServed =>
  new NotServed('login_refused', '', { operation, sent: 'yes' });

/** Secret parts of a cookie. Short values, such as a language, would hide unrelated text. */
const secretsOfCookie = (cookie: string | undefined): readonly string[] =>
  (cookie ?? '')
    .split('; ')
    .map((pair) => pair.slice(pair.indexOf('=') + 1))
    .filter((value) => value.length >= 8);
