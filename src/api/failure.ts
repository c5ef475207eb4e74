/** Common properties of all failures of a call (`errors.ts`). */

/**
 * How far the request got: 'no' means it certainly never left this machine; 'maybe' it may have been received;
 * 'yes' the appliance answered.
 */
export type Sent = 'no' | 'maybe' | 'yes';

export interface Circumstances {
  readonly operation: string;
  readonly sent: Sent;
  /** The appliance's answer: one clean line, at most 200 characters, '' if there is none. Still hostile text. */
  readonly excerpt?: string;
  /** The full text in lines; '' or absent if the excerpt is complete. */
  readonly words?: string;
  readonly cause?: unknown;
}

export abstract class ApplianceError extends Error {
  abstract readonly code: string;
  readonly operation: string;
  readonly sent: Sent;
  readonly excerpt: string;
  readonly words: string;

  constructor(what: string, circumstances: Circumstances) {
    super(`${circumstances.operation}: ${what}`, { cause: circumstances.cause });
    this.name = new.target.name;
    this.operation = circumstances.operation;
    this.sent = circumstances.sent;
    this.excerpt = circumstances.excerpt ?? '';
    this.words = circumstances.words ?? '';
  }

  /** False only if the appliance certainly did not carry out the order. If true, verify by reading. */
  get mayHaveHappened(): boolean {
    return this.sent !== 'no';
  }
}

/**
 * Why an appliance does not serve a call, independent of its content; each has its own remedy. `address`: the
 * bot's is not allowed. Of the key: none is configured, none was sent, or it was wrong. `emergency` was enabled
 * by people, `global_emergency` by the appliance itself. `login`: the mirror console requires a session;
 * `login_refused`: it refused the bot's login; `login_page`: a service without a login for the bot redirects to
 * one. `mirror_address`: as `address`, for the mirror service with its own list. `unknown_call`: its engine or
 * release lacks the call. `index_corrupted`: the index of engine versions. `method`: it requires another HTTP
 * method. `in_between`: a proxy or gateway on the way answered instead. `certificate_…`: its certificate is
 * rejected; `client_certificate_…`: it rejects or requires the bot's. `proxy_…`: the proxy in between opens no
 * tunnel. `tls_wanted`: it speaks TLS, and is called without; `tls_unknown`: the reverse; `tls_refused`: it
 * rejects the bot's TLS. `other_protocol`: it is another service than the Web API. `malformed_http`,
 * `long_headers`: unreadable HTTP; `compressed`: undecodable content.
 */
export type Obstacle =
  | 'certificate_expired'
  | 'certificate_early'
  | 'certificate_name'
  | 'certificate_authority'
  | 'certificate_pin'
  | 'client_certificate_missing'
  | 'client_certificate_refused'
  | 'proxy_login'
  | 'proxy_refused'
  | 'proxy_away'
  | 'tls_wanted'
  | 'tls_unknown'
  | 'tls_refused'
  | 'other_protocol'
  | 'malformed_http'
  | 'long_headers'
  | 'compressed'
  | 'address'
  | 'key_missing'
  | 'key_not_sent'
  | 'key_refused'
  | 'login'
  | 'login_refused'
  | 'login_page'
  | 'mirror_address'
  | 'service_off'
  | 'feature_off'
  | 'emergency'
  | 'global_emergency'
  | 'crashed'
  | 'access_check'
  | 'unknown_call'
  | 'index_corrupted'
  | 'shell_off'
  | 'shell_password_unset'
  | 'shell_password_wrong'
  | 'method'
  | 'in_between';

export type ReadingObstacle = Obstacle &
  ('tls_wanted' | 'other_protocol' | 'malformed_http' | 'long_headers' | 'compressed');

export type LoginObstacle = 'login' | 'login_page';
