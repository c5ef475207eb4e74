/** What all failures between us and an appliance have in common (`errors.ts`). */

/**
 * How far the request got: 'no' it certainly never left this machine; 'maybe' it may have been received;
 * 'yes' the appliance answered it.
 */
export type Sent = 'no' | 'maybe' | 'yes';

export interface Circumstances {
  /** The operation, such as "rdp.disconnectSession". */
  readonly operation: string;
  readonly sent: Sent;
  /** What the appliance answered: one clean line, at most 200 characters, '' when there is none. Still hostile text. */
  readonly excerpt?: string;
  /** The same in full, in lines; '' or absent where the excerpt is all of it. */
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

  /** False only when the appliance certainly did not do what was asked. When true, verify by reading. */
  get mayHaveHappened(): boolean {
    return this.sent !== 'no';
  }
}

/**
 * What keeps an appliance from serving a call, whatever it was about: each has its own cure. `address`: the bot's is not
 * allowed. Of its key: none is configured, none was sent, or it did not help. `emergency` is the one that people enable, `global_emergency` that which the appliance
 * enters by itself. `login`: the mirror console wants a session; `login_refused`: it gives the bot none; `login_page`: what has no
 * login for the bot leads to one. `mirror_address`: as `address`, of the mirror service, which has a list of its own. `unknown_call`: its engine or its release does not have it.
 * `index_corrupted`: that of engine versions. `method`: it wants another HTTP method. `in_between`: a proxy or a gateway on the way answered in its place. `certificate_…`: its own is not taken;
 * `client_certificate_…`: it does not take the bot's, or wants one. `proxy_…`: the proxy in between opens no tunnel to it.
 * `tls_wanted`: it speaks TLS, and is called without; `tls_unknown`: the other way round; `tls_refused`: it takes no TLS as the bot speaks
 * it. `other_protocol`: it is another service than the Web API. `malformed_http`, `long_headers`: its HTTP cannot be read;
 * `compressed`: what it holds cannot be.
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
