import type { Obstacle } from '../../api/index.ts';
import { code, say, type Text } from '../../handlers/reply.ts';

/** What keeps an appliance from serving a call, and the cure, as sentences. `name` is the appliance's, `seen` by what it is known. */
export function obstacleTo(name: Text, obstacle: Obstacle, operation: string, seen?: string): Text {
  const { what, cure } = obstacles[obstacle];
  const sentence = typeof cure === 'function' ? cure(operation) : cure;
  return say`${name} ${what}${seen === undefined ? '' : ` (${seen})`}. ${sentence}`;
}

/** What engines below 1.189 do not have (appliance-api.md §9 rule 3). */
const ofUpdates = /^directory\.(?:listEngineVersions|refreshEngineVersions|updateEngine)$/;

/** The setting that tells where this operation is asked. */
function addressOf(operation: string): string {
  if (operation.startsWith('mirror.')) return 'mirror_url';
  return operation.startsWith('directory.') ? 'directory_url' : 'url';
}

const networks = 'check the allowed networks of its Web API';

const obstacles: Readonly<
  Record<Obstacle, { readonly what: string; readonly cure: Text | ((operation: string) => Text) }>
> = {
  certificate_expired: {
    what: 'can’t be reached safely, because its certificate has expired',
    cure: say`Renew it on the appliance. If it is right as it is, pin it with ${code('tls.pins')} in the bot’s configuration.`,
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
    what: 'wants a certificate from the bot',
    cure: say`Set ${code('tls.certificate')} and ${code('tls.key')} in the bot’s configuration.`,
  },
  client_certificate_refused: {
    what: 'doesn’t accept the bot’s certificate',
    cure: say`Check who issued the one of ${code('tls.certificate')}, whether it has expired, and which authorities the appliance accepts.`,
  },
  tls_wanted: {
    what: 'wants TLS, and the bot calls it without',
    cure: (operation) =>
      say`Begin ${code(addressOf(operation))} in the bot’s configuration with ${code('https://')}.`,
  },
  tls_unknown: {
    what: 'can’t be reached with TLS, because what answers at its address doesn’t speak it',
    cure: (operation) =>
      say`Check the port of ${code(addressOf(operation))} in the bot’s configuration. If the appliance really has no TLS there, begin it with ${code('http://')}.`,
  },
  tls_refused: {
    what: 'refuses the bot’s TLS connection',
    cure: say`Check that it offers TLS 1.2 or 1.3, and that its address is the one in its certificate.`,
  },
  other_protocol: {
    what: 'can’t be asked, because another service than its Web API answers at its address',
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
    cure: say`The bot asks for answers without compression: turn it off on the appliance, or at the proxy in between.`,
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
    what: 'refuses the call, with which its Web API key was not sent',
    cure: say`Set ${code('key_everywhere: true')} for it in the bot’s configuration. If that doesn’t help, ${networks}.`,
  },
  key_refused: {
    what: 'doesn’t accept the bot’s Web API key',
    cure: say`Compare ${code('key')} in the bot’s configuration with the key on the appliance, and ${networks}.`,
  },
  login: {
    what: 'wants a login at its mirror console',
    cure: say`Set ${code('mirror_console_user')} and ${code('mirror_console_password')} in the bot’s configuration.`,
  },
  login_refused: {
    what: 'refuses the bot’s login at its mirror console',
    cure: say`Compare ${code('mirror_console_user')} and ${code('mirror_console_password')} in the bot’s configuration with those of the console. The bot tries them again after 15 minutes, or when it is restarted, so that the account isn’t locked.`,
  },
  login_page: {
    what: 'wants a login, and the bot has none for it',
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
    what: 'says that a process of its own crashed over this call',
    cure: say`Restart the service in the web console of the appliance, and look into its syslog.`,
  },
  access_check: {
    what: 'could not check whether the bot may do this',
    cure: say`Look into the syslog of the appliance.`,
  },
  unknown_call: {
    what: 'doesn’t know this call',
    cure: (operation) =>
      ofUpdates.test(operation)
        ? say`Its engine is most likely older than 1.189, so it can’t be updated from here. Update it on the appliance itself.`
        : say`Its engine is most likely too old (${code('engine versions')}), or what the call names is gone.`,
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
    what: 'did not answer itself: a proxy or a gateway on the way turned the call away',
    cure: say`Ask who runs it to let the bot’s calls through, or set ${code('proxy.url')} in the bot’s configuration to a way around it.`,
  },
  method: {
    what: 'wants another HTTP method for this call',
    cure: (operation) =>
      say`Set that of ${code(operation)} under ${code('methods')} in the bot’s configuration.`,
  },
};
