import {
  Aborted,
  type ApplianceFailure,
  ConnectionLost,
  HttpStatus,
  Redirected,
  TimedOut,
  TooLarge,
  Unreachable,
  UploadFailed,
  Withheld,
} from '../errors.ts';
import { openEnvelope } from '../reading/envelope.ts';
import { excerptOf } from '../reading/excerpt.ts';
import { BadUpload } from '../upload/bad-upload.ts';
import { Broken, type ExchangeReply } from './exchange.ts';

/** From what happened on the wire to the error family. */

/** The reason with which a call's signal ends when the whole deadline has passed. */
export const wholeDeadlinePassed = Symbol('the whole deadline passed');

export interface Bounds {
  /** Milliseconds. */
  readonly read: number;
  /** Milliseconds. */
  readonly send: number;
  /** Milliseconds. */
  readonly whole: number;
  /** Bytes. */
  readonly replyBytes: number;
}

/** What is wrong with an answer by its HTTP status alone; undefined when nothing is. */
export function judge(
  reply: ExchangeReply,
  operation: string,
  secrets: readonly string[],
): ApplianceFailure | undefined {
  const { status } = reply;
  if (status >= 200 && status < 300) return undefined;
  const redirected = status >= 300 && status < 400;
  const excerpt = excerptOf(redirected ? placeOf(reply.location) : saidBy(reply.text), secrets);
  const about = { operation, sent: 'yes', excerpt } as const;
  return redirected ? new Redirected(status, about) : new HttpStatus(status, about);
}

/** Where a redirect leads, without credentials or query. */
function placeOf(location: string): string {
  const place = URL.parse(location, 'http://same-address');
  return place === null ? '' : `${place.host === 'same-address' ? '' : place.origin}${place.pathname}`;
}

/** A fatal error may still carry the usual envelope (§7.1, §7.2): its reason says more than its braces. */
function saidBy(text: string): string {
  try {
    const { error, info } = openEnvelope(JSON.parse(text));
    return error || info || text;
  } catch {
    return text;
  }
}

/**
 * Makes one of the family out of whatever stopped an attempt.
 * @param endedBy the reason of the call's signal, when the signal stopped it
 */
export function explain(
  error: unknown,
  operation: string,
  bounds: Bounds,
  endedBy: unknown,
): ApplianceFailure {
  const broken = error instanceof Broken ? error : undefined;
  const sent = broken?.left ? 'maybe' : 'no';
  const about = { operation, sent, cause: broken ? undefined : error } as const;
  switch (broken?.kind) {
    case 'connect':
      return new Unreachable(broken.reason, about);
    case 'lost':
      return new ConnectionLost(broken.reason, about);
    case 'silent':
      return broken.reason === 'SEND_TIMEOUT'
        ? new TimedOut('send', bounds.send, about)
        : new TimedOut('read', bounds.read, about);
    case 'source':
      return new UploadFailed(problemWithSource(broken.cause), about);
    case 'withheld':
      return new Withheld({ operation, cause: broken.cause });
    case 'too_large':
      return new TooLarge(bounds.replyBytes, { ...about, sent: 'yes' });
    default:
      return endedBy === wholeDeadlinePassed
        ? new TimedOut('whole', bounds.whole, about)
        : new Aborted(about);
  }
}

function problemWithSource(error: unknown): string {
  if (error instanceof BadUpload) return error.message;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `the file could not be read to its end${code}`;
}
