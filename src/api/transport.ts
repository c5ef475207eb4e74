import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Effect, Method } from './endpoint.ts';
import { type ApplianceErrorCode, type ApplianceFailure, isApplianceFailure } from './errors.ts';
import { Broken, exchange } from './exchange.ts';
import { explain, judge, wholeDeadlinePassed } from './explain.ts';
import { openPermits, type Pace } from './permits.ts';
import { maySendAgain, waitBeforeNext } from './retry.ts';

/** All in milliseconds. */
export interface Deadlines {
  /** Until a connection stands. */
  readonly connect: number;
  /** The longest silence while an answer is awaited. */
  readonly read: number;
  /** Everything: waiting in line, every attempt, the waits in between. */
  readonly whole: number;
}

/** One request that was made, for logs and the audit. A call that is sent again reports every attempt. */
export interface RequestReport {
  readonly appliance: string;
  /** Such as "rdp.disconnectSession". */
  readonly operation: string;
  readonly effect: Effect;
  readonly method: Method;
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** The HTTP status; undefined when no whole answer came. */
  readonly status?: number;
  /** What went wrong; undefined when an answer with a success status came. */
  readonly error?: ApplianceErrorCode;
}

export interface TransportSettings {
  readonly name: string;
  /** The Web API's address, with or without a path before the operations' own. */
  readonly url: URL;
  readonly key: string | undefined;
  readonly keyEverywhere: boolean;
  readonly pace: Pace;
  readonly deadlines: Deadlines;
  readonly maxReplyBytes: number;
  readonly onRequest: ((report: RequestReport) => void) | undefined;
  /** Milliseconds that only grow; for durations. */
  readonly now: () => number;
  /** 0 ≤ random < 1; for the waits between attempts. */
  readonly random: () => number;
  /** Waits so many milliseconds, or rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export interface TransportRequest {
  readonly operation: string;
  readonly effect: Effect;
  readonly method: Method;
  readonly path: string;
  readonly signal: AbortSignal | undefined;
}

export interface Transport {
  /** The text of an answer with a success status. Rejects with an `ApplianceFailure` and nothing else. */
  send(request: TransportRequest): Promise<string>;
  /** Takes nothing new, lets what is under way finish, and ends the connections. */
  close(): Promise<void>;
}

/** Waits in real time. */
export async function sleepFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  await pause(milliseconds, undefined, { signal });
}

/** The connections to one appliance, and the manners kept on them. */
export function openTransport(settings: TransportSettings): Transport {
  const { deadlines, now } = settings;
  const bounds = { ...deadlines, replyBytes: settings.maxReplyBytes };
  const secrets = settings.key === undefined ? [] : [settings.key];
  const prefix = settings.url.pathname.replace(/\/+$/, '');
  const permits = openPermits(settings.pace);
  const connection = { allowH2: false, connect: { timeout: deadlines.connect } };
  const reads = new Pool(settings.url.origin, connection);
  // A change gets a connection of its own: on a kept one that the appliance has just closed, a change that was never
  // read would look like one that may have happened. It also leaves undici no kept socket to send it on again.
  const changes = new Pool(settings.url.origin, { ...connection, pipelining: 0 });
  let closing: Promise<void> | undefined;

  /** One attempt: in line, over the wire, and its answer judged. */
  async function attempt(request: TransportRequest, number: number, lifetime: AbortSignal): Promise<string> {
    const { operation, effect, method } = request;
    const path = prefix + request.path;
    let began: number | undefined;
    let status: number | undefined;
    let failure: ApplianceFailure | undefined;
    let giveBack: (() => void) | undefined;
    try {
      giveBack = await permits.take(lifetime);
      began = now();
      const headers = headersFor(request.path, settings);
      const reply = await exchange(
        effect === 'read' ? reads : changes,
        { method, path, headers },
        bounds,
        lifetime,
      );
      status = reply.status;
      failure = judge(reply, operation, secrets);
      if (failure) throw failure;
      return reply.text;
    } catch (error) {
      failure ??= explain(error, operation, bounds, lifetime.reason);
      throw failure;
    } finally {
      giveBack?.();
      if (began !== undefined) {
        report(settings, {
          appliance: settings.name,
          operation,
          effect,
          method,
          path,
          attempt: number,
          durationMs: now() - began,
          ...(status === undefined ? {} : { status }),
          ...(failure === undefined ? {} : { error: failure.code }),
        });
      }
    }
  }

  return {
    async send(request) {
      const deadline = now() + deadlines.whole;
      const lifetime = startLifetime(deadlines.whole, request.signal);
      try {
        for (let number = 1; ; number += 1) {
          try {
            return await attempt(request, number, lifetime.signal);
          } catch (error) {
            if (!isApplianceFailure(error) || !maySendAgain(request.effect, error, number)) throw error;
            const wait = waitBeforeNext(number, settings.random());
            // Without time for another attempt, what went wrong says more than "the deadline passed".
            if (closing || now() + wait >= deadline) throw error;
            await settings.sleep(wait, lifetime.signal).catch(() => Promise.reject(error));
          }
        }
      } finally {
        lifetime.end();
      }
    },
    close() {
      closing ??= Promise.all([reads.close(), changes.close()]).then(() => undefined);
      permits.close(new Broken('ended', false, 'CLOSED'));
      return closing;
    },
  };
}

/** A signal that ends with the whole deadline or with the caller's own signal, whichever comes first. */
function startLifetime(milliseconds: number, caller: AbortSignal | undefined) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(wholeDeadlinePassed), milliseconds);
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

/** §5.2: the key opens the remote-desktop calls; whether other groups want it is not documented, so it is configured. */
function headersFor(path: string, settings: TransportSettings): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (settings.key !== undefined && (settings.keyEverywhere || path.startsWith('/rdpproxy/'))) {
    headers['x-auth-token'] = settings.key;
  }
  return headers;
}

/** A listener that throws must not turn a change that was made into one that failed. */
function report(settings: TransportSettings, state: RequestReport): void {
  try {
    settings.onRequest?.(state);
  } catch {
    // The listener's own affair.
  }
}
