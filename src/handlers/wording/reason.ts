import type { ApplianceFailure, Obstacle } from '../../api/index.ts';

const obstacles: Readonly<Record<Obstacle, string>> = {
  certificate_expired: 'its certificate has expired',
  certificate_early: 'its certificate is not valid yet',
  certificate_name: 'its certificate is for another name',
  certificate_authority: 'its certificate is from an unknown authority',
  certificate_pin: 'its certificate is not the pinned one',
  client_certificate_missing: 'requires a certificate from the bot',
  client_certificate_refused: 'the bot’s certificate is not accepted',
  tls_wanted: 'requires TLS',
  tls_unknown: 'no TLS at its address',
  tls_refused: 'refuses the TLS connection',
  other_protocol: 'another service answers at its address',
  malformed_http: 'its answer is not valid HTTP',
  long_headers: 'too many HTTP headers',
  compressed: 'its answer can’t be unpacked',
  proxy_login: 'its proxy requires a login',
  proxy_refused: 'its proxy opens no connection',
  proxy_away: 'its proxy doesn’t answer',
  address: 'the bot’s address is not allowed',
  key_missing: 'no Web API key is configured',
  key_not_sent: 'requires its key with every call',
  in_between: 'a proxy or gateway in between rejected the call',
  key_refused: 'the Web API key is not accepted',
  login: 'requires a login at its mirror console',
  login_refused: 'the login at its mirror console is refused',
  login_page: 'requires a login',
  mirror_address: 'the bot’s address is not allowed at its mirror service',
  service_off: 'a service is turned off',
  feature_off: 'the feature is turned off',
  emergency: 'in emergency mode',
  global_emergency: 'in Global Emergency',
  crashed: 'a process crashed',
  access_check: 'it could not check access',
  unknown_call: 'it doesn’t know this call',
  index_corrupted: 'its index of engine versions is corrupted',
  shell_off: 'shell packages are turned off',
  shell_password_unset: 'it has no shell password',
  shell_password_wrong: 'the shell password is not accepted',
  method: 'requires another HTTP method',
};

/** A failure in a few words, for a row: "could not be asked: …". */
export function reasonOf(failure: ApplianceFailure): string {
  switch (failure.code) {
    case 'unreachable':
      return failure.obstacle === undefined
        ? `no connection (${failure.reason})`
        : obstacles[failure.obstacle];
    case 'timeout':
      return 'no answer in time';
    case 'connection_lost':
    case 'upload_failed':
    case 'aborted':
      return 'the connection broke';
    case 'withheld':
      return 'not sent';
    case 'http_status':
    case 'redirected':
      return failure.obstacle === undefined ? `HTTP ${failure.status}` : obstacles[failure.obstacle];
    case 'not_served':
    case 'unreadable':
      return obstacles[failure.obstacle];
    case 'refused':
      return failure.reason === '' ? 'refused' : `refused, ${failure.reason}`;
    case 'not_available':
      return `release ${failure.release} cannot do this`;
    case 'not_configured':
      return 'the bot lacks a setting for it';
    case 'incomplete_list':
      return `it ${failure.problem}`;
    case 'defective_build':
      return `this build ${failure.problem}`;
    case 'bad_argument':
      return `it ${failure.problem}`;
    case 'too_large':
    case 'not_json':
    case 'empty':
    case 'unexpected_reply':
      return 'the answer was not understood';
  }
}
