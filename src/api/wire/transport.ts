import { setTimeout as pause } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import type { Caller } from '../../caller.ts';
import type { Fence } from '../../fence.ts';
import type { Effect, Method, Service } from '../endpoint.ts';
import { type ApplianceFailure, isApplianceFailure } from '../errors.ts';
import { tell } from '../listener.ts';
import { asMeant } from '../reading/printed.ts';
import { type Addresses, placeOf } from './addresses.ts';
import { openConnections, placeBefore } from './connections.ts';
import {
  type ConsoleLogin,
  isNoAnswer,
  loginForm,
  openConsoleSession,
  secretsOfCookie,
  wantsLogin,
} from './console-login.ts';
import { Broken, type ExchangeReply, exchange } from './exchange.ts';
import { explain, judge, obstacleTold } from './explain.ts';
import { headersFor, keyHeader } from './headers.ts';
import { startLifetime } from './lifetime.ts';
import { openPermits, type RequestPace } from './permits.ts';
import { maySendAgain, type RetryReport, waitBeforeNext } from './retry.ts';
import type { RequestReport } from './shown.ts';
import type { ApplianceWay } from './way.ts';

/** All in milliseconds. */
export interface Deadlines {
  /** Until a connection stands. */
  readonly connect: number;
  /** The longest silence while an answer is awaited. */
  readonly read: number;
  /** Everything: waiting in line, every attempt, the waits in between. */
  readonly whole: number;
  /** The same for an order that takes minutes on the appliance's side, such as an installation. */
  readonly long: number;
}

export interface TransportSettings {
  readonly name: string;
  /** Each with or without a path before the operations' own; undefined where none is configured. */
  readonly addresses: Addresses;
  readonly key: string | undefined;
  readonly keyEverywhere: boolean;
  /** Who logs in at the mirror console; undefined where nobody is configured. */
  readonly consoleLogin: ConsoleLogin | undefined;
  /** Undefined where it is the usual one. */
  readonly way: ApplianceWay | undefined;
  readonly pace: RequestPace;
  readonly deadlines: Deadlines;
  /** Of an ordinary answer, and of one that is known to be large. */
  readonly maxReplyBytes: { readonly usual: number; readonly large: number };
  /** Of the caller; undefined where the connections are our own. */
  readonly dispatcher: Dispatcher | undefined;
  readonly onRequest: ((report: RequestReport) => void) | undefined;
  readonly onRetry: ((report: RetryReport) => void) | undefined;
  /** Waits for a place among the connections of all appliances; undefined where there are enough. */
  readonly takePlace: (() => Promise<() => void>) | undefined;
  /** Milliseconds that only grow; for durations. */
  readonly now: () => number;
  /** 0 ≤ random < 1; for the waits between attempts. */
  readonly random: () => number;
  /** Waits so many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface TransportRequest {
  readonly operation: string;
  readonly service: Service;
  readonly effect: Effect;
  /** Takes minutes on the appliance's side. */
  readonly slow: boolean;
  /** Its answer may have tens of megabytes. */
  readonly large: boolean;
  readonly method: Method;
  /** With the query. */
  readonly path: string;
  /** The same without secrets, as it is reported. */
  readonly shownPath: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Pieces can be sent once and never again. */
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
  /** Texts that must not be quoted back, beside the key. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** On whose behalf: they take turns. */
  readonly caller: Caller;
  /** What an order leaves within. */
  readonly fence: Fence | undefined;
  /**
   * Makes of an answer with a success status what was asked for. `ofSession`: what of the session must not be quoted back.
   * @throws ApplianceFailure where it is none
   */
  readonly read: (text: string, ofSession: readonly string[]) => unknown;
}

interface HttpAnswer {
  readonly text: string;
  readonly value: unknown;
  /** It was there before all of an upload had been taken. */
  readonly early: boolean;
}

export interface Transport {
  /** An answer with what was asked for. Rejects with an `ApplianceFailure`, or with what `read` throws. */
  send(request: TransportRequest): Promise<HttpAnswer>;
  /** Takes nothing new, lets what is under way finish, and ends the connections. */
  close(): Promise<void>;
}

/** Waits in real time. */
export async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal });
}

/** The connections to one appliance, and the manners kept on them. */
export function openTransport(settings: TransportSettings): Transport {
  const { addresses, consoleLogin, deadlines, now, takePlace } = settings;
  const permits = openPermits(settings.pace);
  // Where places are few, a connection that nobody uses must not keep one.
  const connections = openConnections(deadlines.connect, takePlace === undefined, settings);
  const session = openConsoleSession(now);
  let closing: Promise<void> | undefined;

  /** One attempt: in line, over the wire, and its answer judged. */
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
      // A mistake of ours in reading the answer says nothing of the way to it.
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

  /** For all calls that wait for it, so no caller ends it. */
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
            // Without time for another attempt, what went wrong says more than "the deadline passed".
            if (closing || now() + wait >= deadline) throw error;
            tell(settings.onRetry, {
              ...{ appliance: settings.name, operation: request.operation },
              ...{ attempt: number, error: error.code, waitMs: wait },
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

/** What broke on the way has a code of the system or of the HTTP parser. */
const isOfTheWay = (
  failure: ApplianceFailure,
): failure is Extract<ApplianceFailure, { code: 'unreachable' | 'connection_lost' | 'unreadable' }> =>
  failure.code === 'unreachable' || failure.code === 'connection_lost' || failure.code === 'unreadable';

/**
 * The deadlines of one request. A question that stays without an answer for a while can be asked again without harm, so
 * its silence is short. A change is never sent again, and to give it up early would only make its outcome unknown: it may be silent
 * until the whole time is over. A file goes on as long as pieces of it are taken.
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

/** The pieces of a file are gone once they were taken; before a connection stood, none was. */
function canBeSentAgain(
  { effect, body }: TransportRequest,
  failure: ApplianceFailure,
  attempt: number,
): boolean {
  return (body === undefined || typeof body === 'string') && maySendAgain(effect, failure, attempt);
}
