import type { ApplianceFailure, Obstacle } from '../../api/index.ts';
import { code, type Part, plural, say, strong, type Text } from '../../handlers/reply.ts';
import { saidIn } from './said.ts';
import { type Chosen, inARow, noChanges } from './sentences.ts';

/** What can be said about the appliance's state after a failure: it was only asked, or nothing was changed. */
export type Stakes = 'lookup' | 'preview';

/** An appliance did something wrong while it was only looked at. */
export const failedThere: Chosen<{
  readonly appliance: string;
  readonly failure: ApplianceFailure;
  readonly stakes: Stakes;
}> = ({ appliance, failure, stakes }) => {
  const { happened, cure } = failureInWords(appliance, failure);
  const said: readonly Part[] = saidIn(appliance, failure);
  return {
    happened,
    not:
      stakes === 'lookup'
        ? noChanges
        : say`No changes were made, because the current state couldn’t be read.`,
    todo: cure.length > 0 ? cure : say`Try again in a moment.`,
    ...(said.length > 0 && { details: said }),
  };
};

/** What an appliance did wrong and what mends it, without the consequences. */
export function applianceFailure(appliance: string, failure: ApplianceFailure): Text {
  const { happened, cure } = failureInWords(appliance, failure);
  return inARow(happened, cure);
}

interface FailureWords<Failure> {
  readonly happened: (name: Text, failure: Failure) => Text;
  /** What mends it. Where there is none, it passes: the same question may get another answer in a moment. */
  readonly cure?: (failure: Failure) => Text;
}

function failureInWords(appliance: string, failure: ApplianceFailure): { happened: Text; cure: Text } {
  const name: Text = [strong(appliance)];
  // Each failure is worded by the entry of its own code.
  const { happened, cure } = failures[failure.code] as FailureWords<ApplianceFailure>;
  const obstacle = 'obstacle' in failure ? failure.obstacle : undefined;
  if (obstacle === undefined) return { happened: happened(name, failure), cure: cure?.(failure) ?? [] };
  const { what, cure: mends } = obstacles[obstacle];
  const seen = seenAs(failure);
  return {
    happened: say`${name} ${what}${seen === undefined ? '' : ` (${seen})`}.${besides(failure)}`,
    cure: typeof mends === 'function' ? mends(failure.operation) : mends,
  };
}

/** By what an obstacle is known. */
function seenAs(failure: ApplianceFailure): string | undefined {
  if ('status' in failure) return `HTTP ${failure.status}`;
  return failure.code === 'unreachable' || failure.code === 'unreadable' ? failure.reason : undefined;
}

function besides(failure: ApplianceFailure): Text {
  if (failure.code === 'redirected') return say` It leads to ${code(failure.excerpt)}.`;
  return failure.code === 'unreadable' && failure.obstacle === 'other_protocol' ? answered(failure) : [];
}

const unconfigured = {
  mirrorUrl: { what: 'the address of the mirror service', setting: 'mirror_url' },
  shellPassword: { what: 'the shell password', setting: 'shell_password' },
} as const;

const asLarge = say`The next answer will be as large. Ask for less where the command has a limit, or use the web console.`;
const wrongAddress = say`Check that the configured address is that of the Web API.`;

/** The words of each failure that has no obstacle. */
const failures: {
  readonly [Code in ApplianceFailure['code']]: FailureWords<Extract<ApplianceFailure, { code: Code }>>;
} = {
  unreachable: { happened: (name, { reason }) => say`${name} is unreachable (${reason}).` },
  timeout: {
    happened: (name, { milliseconds }) => say`${name} did not answer within ${duration(milliseconds)}.`,
  },
  connection_lost: {
    happened: (name) => say`The connection to ${name} broke before the answer was complete.`,
  },
  unreadable: { happened: (name, { reason }) => say`${name} sent an answer that can’t be read (${reason}).` },
  http_status: {
    happened: (name, failure) =>
      say`${name} answered with an error (HTTP ${failure.status}).${answered(failure)}`,
  },
  redirected: {
    happened: (name, { excerpt }) =>
      say`${name} redirected the bot to ${code(excerpt)}, and the bot does not follow redirects.`,
    cure: () => wrongAddress,
  },
  not_served: { happened: (name, { reason }) => say`${name} can’t serve the call (${reason}).` },
  too_large: {
    happened: (name, { bound }) =>
      say`${name} answered with more than ${Math.round(bound / 1024 / 1024)} MB, so reading stopped there.`,
    cure: () => asLarge,
  },
  not_json: {
    happened: (name, failure) =>
      say`${name} answered with ${failure.isPage ? 'a web page instead of data' : 'something other than data'}.${answered(failure)}`,
    cure: ({ isPage }) => (isPage ? wrongAddress : []),
  },
  empty: { happened: (name) => nothingFrom(name) },
  unexpected_reply: {
    happened: (name, failure) => {
      if (/^(?:\[\]|null)$/.test(failure.excerpt)) return nothingFrom(name);
      return failure.tooMuch
        ? say`${name} answered with more data than expected, so the answer was not processed.`
        : say`${name} answered with something unexpected.${answered(failure)}`;
    },
    cure: ({ tooMuch }) => (tooMuch ? asLarge : []),
  },
  incomplete_list: { happened: (name, { problem }) => say`${name} ${problem}.` },
  refused: {
    happened: (name, { reason }) =>
      reason === '' ? say`${name} refused and gave no reason.` : say`${name} refused: ${code(reason)}.`,
  },
  defective_build: {
    happened: (name, { problem }) => say`${name} ${problem}.`,
    cure: ({ remedy }) => say`This is a known defect of its build: ${remedy}.`,
  },
  not_available: {
    happened: (name, { release, availableFrom }) =>
      say`${name} runs release ${release}, which cannot do this: it requires ${availableFrom}.`,
    cure: () =>
      say`If a hotfix is installed that the appliance does not report, state it in the bot’s configuration (${code('release')}).`,
  },
  not_configured: {
    happened: (name, { setting }) =>
      setting === 'url'
        ? say`${name} is no longer in the bot’s configuration, so it can’t be reached.`
        : say`The bot does not know ${unconfigured[setting].what} of ${name}.`,
    cure: ({ setting }) =>
      setting === 'url'
        ? say`Add it again, or make the change on the appliance itself.`
        : say`An admin of the bot can add it to the configuration (${code(unconfigured[setting].setting)}).`,
  },
  bad_argument: {
    happened: (name, { argument, problem }) =>
      say`No request was sent to ${name}: the ${argument} ${problem}.`,
    cure: () => say`Correct it, and try again.`,
  },
  upload_failed: { happened: (name, { problem }) => say`The upload to ${name} broke off: ${problem}.` },
  withheld: {
    happened: (name) =>
      say`This replica of the bot did not answer for a while, so another one may have taken this over. It sent nothing more to ${name}.`,
  },
  aborted: { happened: (name) => say`The call to ${name} was canceled, because the bot is stopping.` },
};

/** What it answered, where that is more than its HTTP status. */
const answered = (failure: ApplianceFailure): Text =>
  failure.excerpt === '' || isOnlyStatus(failure) ? [] : say` It answered ${code(failure.excerpt)}.`;

/** "502 Bad Gateway": a page that says no more than its HTTP status. */
const isOnlyStatus = (failure: ApplianceFailure): boolean =>
  failure.code === 'http_status' &&
  new RegExp(`^${failure.status}( [A-Z][A-Za-z' -]{2,40})?$`).test(failure.excerpt.trim());

const nothingFrom = (name: Text): Text =>
  say`${name} answered with nothing at all. The service behind this call is most likely stopped or starting: see ${code('services')}.`;

/** `10 seconds`, `0.6 seconds`. */
const duration = (milliseconds: number): string => plural(Math.round(milliseconds / 100) / 10, 'second');

/** What engines below 1.189 do not have (appliance-api.md §9 rule 3). */
const ofUpdates = /^directory\.(?:listEngineVersions|refreshEngineVersions|updateEngine)$/;

/** The setting that tells where this operation is asked. */
function addressOf(operation: string): string {
  if (operation.startsWith('mirror.')) return 'mirror_url';
  return operation.startsWith('directory.') ? 'directory_url' : 'url';
}

const networks = 'check the allowed networks of its Web API';

/** What keeps an appliance from serving a call, behind its name, and the cure. */
const obstacles: Readonly<
  Record<Obstacle, { readonly what: string; readonly cure: Text | ((operation: string) => Text) }>
> = {
  certificate_expired: {
    what: 'can’t be reached safely, because its certificate has expired',
    cure: say`Renew it on the appliance. If you trust it as it is, pin it with ${code('tls.pins')} in the bot’s configuration.`,
  },
  certificate_early: {
    what: 'can’t be reached safely, because its certificate is not valid yet',
    cure: say`Check the clocks of the appliance and of the bot’s machine.`,
  },
  certificate_name: {
    what: 'can’t be reached safely, because its certificate is for another name than its address',
    cure: (operation) =>
      say`Set ${code(addressOf(operation))} in the bot’s configuration to a name in the certificate, or pin the certificate with ${code('tls.pins')}.`,
  },
  certificate_authority: {
    what: 'can’t be reached safely, because the bot doesn’t know who issued its certificate',
    cure: say`Set ${code('tls.ca')} in the bot’s configuration to the file of its authority, or pin the certificate with ${code('tls.pins')}.`,
  },
  certificate_pin: {
    what: 'shows another certificate than the one that is pinned',
    cure: say`If it was renewed, add its fingerprint to ${code('tls.pins')} in the bot’s configuration. If nobody renewed it, find out who answers at this address.`,
  },
  client_certificate_missing: {
    what: 'requires a certificate from the bot',
    cure: say`Set ${code('tls.certificate')} and ${code('tls.key')} in the bot’s configuration.`,
  },
  client_certificate_refused: {
    what: 'doesn’t accept the bot’s certificate',
    cure: say`Check who issued the one of ${code('tls.certificate')}, whether it has expired, and which authorities the appliance accepts.`,
  },
  tls_wanted: {
    what: 'requires TLS, and the bot calls it without',
    cure: (operation) =>
      say`Begin ${code(addressOf(operation))} in the bot’s configuration with ${code('https://')}.`,
  },
  tls_unknown: {
    what: 'can’t be reached with TLS, because the service at its address doesn’t speak it',
    cure: (operation) =>
      say`Check the port of ${code(addressOf(operation))} in the bot’s configuration. If the appliance really has no TLS there, begin it with ${code('http://')}.`,
  },
  tls_refused: {
    what: 'refuses the bot’s TLS connection',
    cure: say`Check that it offers TLS 1.2 or 1.3, and that its address is the one in its certificate.`,
  },
  other_protocol: {
    what: 'can’t be reached, because another service than its Web API answers at its address',
    cure: (operation) => say`Check the port of ${code(addressOf(operation))} in the bot’s configuration.`,
  },
  malformed_http: {
    what: 'sent an answer that is not valid HTTP',
    cure: (operation) =>
      say`Check the port of ${code(addressOf(operation))} in the bot’s configuration, and any proxy in between. The log of the bot says what is wrong (${code('appliance_request')}).`,
  },
  long_headers: {
    what: 'sent more than 16 KB of HTTP headers, so reading stopped there',
    cure: say`Find out whether the appliance or a proxy in between adds them.`,
  },
  compressed: {
    what: 'sent an answer that is compressed and can’t be unpacked',
    cure: say`Turn compression off on the appliance, or at the proxy in between. The bot asks for answers without it.`,
  },
  proxy_login: {
    what: 'can’t be reached, because its proxy requires a login, or rejected the one it got',
    cure: say`Set ${code('proxy.user')} and ${code('proxy.password')} in the bot’s configuration.`,
  },
  proxy_refused: {
    what: 'can’t be reached, because its proxy opens no connection to it',
    cure: say`Ask the administrator of the proxy whether it allows and reaches the address of the appliance.`,
  },
  proxy_away: {
    what: 'can’t be reached, because its proxy doesn’t answer',
    cure: say`Check ${code('proxy.url')} in the bot’s configuration, and whether the proxy runs.`,
  },
  address: {
    what: 'doesn’t allow the bot’s address',
    cure: say`Add it to the allowed networks of its Web API.`,
  },
  key_missing: {
    what: 'refuses the bot, which has no Web API key for it',
    cure: say`Set ${code('key')} in the bot’s configuration, and ${networks}.`,
  },
  key_not_sent: {
    what: 'refuses the call, because the bot did not send the Web API key with it',
    cure: say`Set ${code('key_everywhere: true')} for it in the bot’s configuration. If that doesn’t help, ${networks}.`,
  },
  key_refused: {
    what: 'doesn’t accept the bot’s Web API key',
    cure: say`Compare ${code('key')} in the bot’s configuration with the key on the appliance, and ${networks}.`,
  },
  login: {
    what: 'requires a login at its mirror console',
    cure: say`Set ${code('mirror_console_user')} and ${code('mirror_console_password')} in the bot’s configuration.`,
  },
  login_refused: {
    what: 'refuses the bot’s login at its mirror console',
    cure: say`Compare ${code('mirror_console_user')} and ${code('mirror_console_password')} in the bot’s configuration with those of the console. The bot tries them again after 15 minutes, or when it is restarted, so that the account isn’t locked.`,
  },
  login_page: {
    what: 'requires a login, and the bot has none for it',
    cure: (operation) =>
      say`Let the bot’s address through without a login, or set ${code(addressOf(operation))} in the bot’s configuration to the address of the API itself.`,
  },
  mirror_address: {
    what: 'doesn’t let the bot’s address use its mirror service',
    cure: say`Add it to the addresses that the mirror service allows.`,
  },
  service_off: {
    what: 'has turned off a service that this needs',
    cure: say`Enable it in the web console of the appliance.`,
  },
  feature_off: {
    what: 'has turned off the feature that this needs',
    cure: say`Enable it in the web console of the appliance.`,
  },
  emergency: {
    what: 'is in emergency mode and doesn’t answer this',
    cure: say`End it with ${code('emergency disable')} first.`,
  },
  global_emergency: {
    what: 'is in Global Emergency and doesn’t answer this',
    cure: say`Leave it with ${code('emergency remove')} first.`,
  },
  crashed: {
    what: 'reports that one of its processes crashed during this call',
    cure: say`Restart the service in the web console of the appliance, and check its syslog.`,
  },
  access_check: {
    what: 'could not check whether the bot may do this',
    cure: say`Check the syslog of the appliance.`,
  },
  unknown_call: {
    what: 'doesn’t know this call',
    cure: (operation) =>
      ofUpdates.test(operation)
        ? say`Its engine is most likely older than 1.189, so it can’t be updated from here. Update it on the appliance itself.`
        : say`Its engine is most likely too old (${code('engine versions')}), or the object that the call names no longer exists.`,
  },
  index_corrupted: {
    what: 'can’t read its index of engine versions',
    cure: say`Download it again with ${code('engine refresh')}.`,
  },
  shell_off: {
    what: 'has turned off shell packages',
    cure: say`Turn them on with the local command of the appliance.`,
  },
  shell_password_unset: {
    what: 'has no shell password',
    cure: say`Set one with the local command of the appliance.`,
  },
  shell_password_wrong: {
    what: 'doesn’t accept the shell password',
    cure: say`Compare ${code('shell_password')} in the bot’s configuration with the one on the appliance.`,
  },
  in_between: {
    what: 'did not answer, because a proxy or a gateway on the way rejected the call',
    cure: say`Ask its administrator to let the bot’s calls through, or set ${code('proxy.url')} in the bot’s configuration to a way around it.`,
  },
  method: {
    what: 'requires another HTTP method for this call',
    cure: (operation) =>
      say`Set the method of ${code(operation)} under ${code('methods')} in the bot’s configuration.`,
  },
};
