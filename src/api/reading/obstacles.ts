import type { Service } from '../endpoint.ts';
import type { LoginObstacle, Obstacle, ReadingObstacle } from '../failure.ts';
import { type Envelope, isRecord } from './envelope.ts';

/**
 * Words with which appliances refuse every call. They arrive with HTTP 200 and `status: false` like any no, and
 * say nothing about the content. The list grows; other words are an ordinary refusal.
 */
const sayings: readonly (readonly [RegExp, Obstacle])[] = [
  [/\byour (?:ip )?address\b.*\bnot (?:allowed|permitted|authori[sz]ed)\b/i, 'address'],
  [/^authentication failed\b/i, 'key_refused'],
  [/\bplease (?:log|sign) ?in\b|^(?:you are )?not (?:logged|signed) in\b/i, 'login'],
  [/^proxy in emergency mode\b/i, 'global_emergency'],
  [/^the directory in emergency mode\b/i, 'emergency'],
  [/^(?:[\w-]+ ){1,4}service (?:is )?(?:disabled|not enabled|not installed|stopped)\b/i, 'service_off'],
  [
    /^(?:the )?(?:[\w-]+ )?(?:feature|authentication) (?:is )?(?:not enabled|not installed|disabled)\b/i,
    'feature_off',
  ],
  [/^process crashed\b/i, 'crashed'],
  [/^fatal error while checking security access/i, 'access_check'],
  [/^corrupted cache file\b/i, 'index_corrupted'],
  [/^(?:the )?shell (?:execution )?(?:feature )?is (?:off|disabled|not enabled)\b/i, 'shell_off'],
  [
    /^(?:no (?:shell )?password is|(?:the )?shell password is not) (?:set|defined)\b/i,
    'shell_password_unset',
  ],
  [/^(?:wrong|bad|invalid) (?:shell )?password\b/i, 'shell_password_wrong'],
  [/\bHTTP request (?:was sent )?to an? (?:HTTPS|TLS|SSL)\b/i, 'tls_wanted'],
  [/^unable to understand\b.*\b(?:command|order)\b/i, 'unknown_call'],
];

/** The directory API requires a valid licence (appliance-api.md §5.3). */
const noLicence =
  /\blicen[cs]e (?:has |is )?(?:expired|invalid|missing|not valid)\b|\bno (?:valid )?(?:enterprise )?licen[cs]e\b|\bnot licen[cs]ed\b/i;

export const isForWantOfLicence = (reason: string): boolean => noLicence.test(reason);

/** In characters: a refusal is a sentence. */
const longest = 300;

/** The reason in these words why the appliance does not serve the call. */
export function obstacleIn(words: string): Obstacle | undefined {
  if (words === '' || words.length > longest) return undefined;
  return sayings.find(([says]) => says.test(words))?.[1];
}

/** The reason in an answer. Words beside a yes are no refusal. */
export function obstacleOf({ status, info, error, body }: Envelope): Obstacle | undefined {
  if (status === true) return undefined;
  const alone = typeof body === 'string' ? body.trim() : '';
  return obstacleIn(error) ?? obstacleIn(info) ?? obstacleIn(alone) ?? obstacleIn(messageOf(body));
}

/** Codes of OpenSSL, Node and the connector (`wire/way.ts`) for a failed connection. */
const onTheWay: readonly (readonly [RegExp, Obstacle])[] = [
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_early'],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'certificate_name'],
  [
    /^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|^(?:CERT_UNTRUSTED|INVALID_CA)$/,
    'certificate_authority',
  ],
  [/^CERT_NOT_PINNED$/, 'certificate_pin'],
  [/_ALERT_(?:CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE)$/, 'client_certificate_missing'],
  [/_ALERT_(?:INTERNAL_ERROR|PROTOCOL_VERSION|INSUFFICIENT_SECURITY|UNRECOGNIZED_NAME)$/, 'tls_refused'],
  [/_ALERT_/, 'client_certificate_refused'],
  [/^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|RECORD_TOO_SMALL)$/, 'tls_unknown'],
  [/^PROXY_407$/, 'proxy_login'],
  [/^PROXY_\d/, 'proxy_refused'],
  [/^PROXY_/, 'proxy_away'],
];

/** The obstacle for the code of a failed connection; undefined if waiting may help. */
export const obstacleOnTheWay = (reason: string): Obstacle | undefined =>
  onTheWay.find(([is]) => is.test(reason))?.[1];

/** The service at an address without HTTP, by the parser's error and position. */
export function obstacleInReading(reason: string, came: string): ReadingObstacle {
  // A TLS alert, in any version.
  if (came.startsWith('\u0015\u0003')) return 'tls_wanted';
  if (/^(?:SSH-\d|RFB \d|\+OK|\* OK|220[ -]|AMQP)/.test(came)) return 'other_protocol';
  return reason === 'UND_ERR_HEADERS_OVERFLOW' ? 'long_headers' : 'malformed_http';
}

/** Only the console of the mirror service has a login for the bot. */
export const loginAt = (service: Service): LoginObstacle =>
  service === 'mirrorConsole' ? 'login' : 'login_page';

/** The obstacle's name at this service. */
export const obstacleAt = (service: Service, obstacle: Obstacle | undefined): Obstacle | undefined =>
  obstacle === 'login' ? loginAt(service) : obstacle;

/** `{"error": "Unauthorized", "message": "Session expired. Please login again."}` */
function messageOf(body: unknown): string {
  const message = isRecord(body) ? body.message : undefined;
  return typeof message === 'string' ? message.trim() : '';
}
