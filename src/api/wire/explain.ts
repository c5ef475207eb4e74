import { NotConnected } from '../../dial.ts';
import type { Service } from '../endpoint.ts';
import {
  Aborted,
  type ApplianceFailure,
  ConnectionLost,
  HttpStatus,
  type Obstacle,
  Redirected,
  TimedOut,
  TooLarge,
  Unreachable,
  Unreadable,
  UploadFailed,
  Withheld,
} from '../errors.ts';
import { type Envelope, field, openEnvelope } from '../reading/envelope.ts';
import { excerptOf, isPage } from '../reading/excerpt.ts';
import {
  isForWantOfLicence,
  loginAt,
  obstacleAt,
  obstacleIn,
  obstacleInReading,
  obstacleOf,
  obstacleOnTheWay,
} from '../reading/obstacles.ts';
import { bodyIn, wordsOf } from '../reading/understand-answer.ts';
import { BadUpload } from '../upload/content.ts';
import { Broken, type ExchangeReply } from './exchange.ts';

/** Maps failures on the wire to the error family. */

/** The abort reason of a call's signal when the whole deadline has passed. */
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

/** The use of the key in a request: not configured, configured but not sent, or sent. */
export type KeyUse = 'none' | 'kept' | 'sent';

/** The failure that an answer's HTTP status alone shows; undefined if there is none. */
export function judge(
  reply: ExchangeReply,
  operation: string,
  secrets: readonly string[],
  keyUse: KeyUse,
  service: Service,
): ApplianceFailure | undefined {
  const { status } = reply;
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) {
    const place = placeOf(reply.location);
    const about = { operation, sent: 'yes', excerpt: excerptOf(place, secrets) } as const;
    return new Redirected(status, about, leadsToLogin(place) ? loginAt(service) : undefined);
  }
  const answer = jsonOf(reply.text);
  const excerpt = excerptOf((answer && (answer.error || answer.info)) || reply.text, secrets);
  const about = { operation, sent: 'yes', excerpt, words: wordsOf(reply.text, secrets) } as const;
  const told = obstacleAt(service, answer === undefined ? obstacleIn(excerpt) : obstacleOf(answer));
  const isKey = told === undefined || told === 'key_refused';
  return new HttpStatus(
    status,
    about,
    isKey ? obstacleBy(status, reply.text, answer, keyUse, service) : told,
  );
}

/** Why the appliance does not serve the call, if known. */
export const obstacleOfFailure = (failure: ApplianceFailure): Obstacle | undefined =>
  'obstacle' in failure ? failure.obstacle : undefined;

/** The obstacle for monitoring, where a missing licence is a refusal like any other. */
export const obstacleTold = (failure: ApplianceFailure): Obstacle | 'license' | undefined =>
  failure.code === 'refused' && isForWantOfLicence(failure.reason) ? 'license' : obstacleOfFailure(failure);

export const leadsToLogin = (place: string): boolean => /log-?in|sign-?in|logon/i.test(place);

/**
 * The usual meaning of a status without informative words. The form of a refusal shows its origin: the
 * appliance answers in JSON or plain words, and a proxy or gateway in between with a page (field notes).
 */
function obstacleBy(
  status: number,
  text: string,
  answer: Envelope | undefined,
  keyUse: KeyUse,
  service: Service,
): Obstacle | undefined {
  const page = isPage(text);
  if (
    status === 407 ||
    (page && ([401, 403, 405].includes(status) || (status === 404 && ofAProxy.test(text))))
  )
    return 'in_between';
  const isMirror = service === 'mirror' || service === 'mirrorConsole';
  switch (status) {
    case 401:
    case 403:
      // The mirror service has no key: it filters by address, and its console uses sessions.
      if (isMirror && status === 401) return loginAt(service);
      if (!isPlain(text) && !hasEnvelope(answer)) return undefined;
      if (isMirror) return 'mirror_address';
      return keyUse === 'sent' ? 'key_refused' : keyUse === 'kept' ? 'key_not_sent' : 'key_missing';
    case 404:
      // An engine without the call answers with a page.
      return isMirror || !page ? undefined : 'unknown_call';
    case 405:
      return isMirror ? undefined : 'method';
    default:
      return undefined;
  }
}

/** Only the name of the status, as the engine writes it (field notes). */
const isPlain = (text: string): boolean =>
  /^(?:40[13] )?(?:forbidden|unauthori[sz]ed)\.?$/i.test(text.trim());

const hasEnvelope = (answer: Envelope | undefined): boolean =>
  answer !== undefined && ['status', 'info', 'error'].some((key) => field(answer.body, key) !== undefined);

/** Words that identify a proxy's page. */
const ofAProxy =
  /\b(?:squid|varnish|haproxy|zscaler|blue ?coat|forti(?:gate|guard|net)|cloudflare|web gateway|proxy (?:server|error)|ERR_[A-Z_]{5,40})\b/i;

/** A redirect's target, without credentials or query. */
function placeOf(location: string): string {
  const place = URL.parse(location, 'http://same-address');
  return place === null ? '' : `${place.host === 'same-address' ? '' : place.origin}${place.pathname}`;
}

/** A fatal error may still carry the usual envelope (§7.1, §7.2), whose reason reads better than its JSON. */
function jsonOf(text: string): Envelope | undefined {
  try {
    return openEnvelope(bodyIn(text));
  } catch {
    return undefined;
  }
}

/**
 * Turns the cause of a failed attempt into one of the error family.
 * @param endedBy the abort reason of the call's signal, if that stopped it
 * @param secrets texts that must not be repeated
 */
export function explain(
  error: unknown,
  operation: string,
  bounds: Bounds,
  endedBy: unknown,
  secrets: readonly string[],
): ApplianceFailure {
  const broken = error instanceof Broken ? error : undefined;
  const sent = broken?.left ? 'maybe' : 'no';
  const about = { operation, sent, cause: broken ? undefined : error } as const;
  switch (broken?.kind) {
    case 'connect': {
      // The tried addresses; any other cause is the reason itself.
      const cause = [broken.cause, Object(broken.cause).cause].find((one) => one instanceof NotConnected);
      return new Unreachable(broken.reason, { ...about, cause }, obstacleOnTheWay(broken.reason));
    }
    case 'lost':
      return new ConnectionLost(broken.reason, about);
    case 'unreadable':
      return new Unreadable(broken.reason, obstacleInReading(broken.reason, broken.came), {
        ...about,
        excerpt: excerptOf(broken.came, secrets),
      });
    case 'undecodable':
      return new Unreadable(broken.reason, 'compressed', { ...about, sent: 'yes' });
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
  return `the file couldn’t be read to the end${code}`;
}
