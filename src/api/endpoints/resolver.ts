import { area } from '../endpoint.ts';
import { Misfit } from '../reading/bounds.ts';
import { under, whole } from '../reading/reply-reader.ts';
import {
  amount,
  answered,
  component,
  flag,
  mapped,
  optional,
  record,
  type Shape,
  text,
  type Unread,
} from '../reading/shape.ts';

/** The configuration of the resolver (appliance-api.md §2.8). */
export interface ResolverConfiguration extends Unread {
  /** Resolver addresses in order, without empty ones. */
  readonly servers: readonly string[];
  /** Search domains in order, without empty ones. */
  readonly domains: readonly string[];
  readonly useTcp?: boolean;
  /** Seconds. */
  readonly timeout?: number;
  readonly attempts?: number;
  /** `user_rotation` on the wire; undocumented. */
  readonly userRotation?: boolean;
  readonly dontUseLocalDns?: boolean;
  readonly doNotUseLocalDnsCache?: boolean;
}

const configuration = mapped(
  component(
    'ResolverConfiguration',
    'The resolver as it is configured (§2.8).',
    answered(
      record({
        useTcp: optional('use_tcp', flag, 'Whether it asks by TCP.'),
        timeout: optional('timeout', amount('seconds'), 'How long it waits for an answer: seconds.'),
        attempts: optional('attempts', amount('things'), 'How often it asks.'),
        userRotation: optional('user_rotation', flag, 'Not explained in the document of the appliance.'),
        dontUseLocalDns: optional('dont_use_local_dns', flag, 'Whether the local DNS server is left out.'),
        doNotUseLocalDnsCache: optional(
          'do_not_use_local_dns_cache',
          flag,
          'Whether the cache of the local DNS server is left out.',
        ),
        domain1: optional('domains_1', text, 'The first search domain; may be empty.'),
        domain2: optional('domains_2', text, 'The second search domain; may be empty.'),
        domain3: optional('domains_3', text, 'The third search domain; may be empty.'),
        dns1: optional('dns_1', text, 'The address of the first resolver; may be empty.'),
        dns2: optional('dns_2', text, 'The address of the second resolver; may be empty.'),
        dns3: optional('dns_3', text, 'The address of the third resolver; may be empty.'),
        dns4: optional('dns_4', text, 'The address of the fourth resolver; may be empty.'),
      }),
    ),
  ),
  ({ domain1, domain2, domain3, dns1, dns2, dns3, dns4, ...others }): ResolverConfiguration => ({
    servers: filled([dns1, dns2, dns3, dns4]),
    domains: filled([domain1, domain2, domain3]),
    ...others,
  }),
);

function filled(texts: readonly (string | undefined)[]): string[] {
  return texts.flatMap((one = '') => (one.trim() === '' ? [] : [one.trim()]));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 text in base64. */
const encodedText: Shape<string> = {
  read(value) {
    const encoded = text.read(value).replaceAll(/\s/g, '');
    const bytes = Buffer.from(encoded, 'base64');
    // Node decodes any text; only a round trip shows that it was base64.
    if (bytes.toString('base64') !== encoded) throw new Misfit('', 'is not base64');
    try {
      return utf8.decode(bytes);
    } catch {
      throw new Misfit('', 'is not text in UTF-8');
    }
  },
  wire: { type: 'string', contentEncoding: 'base64', contentMediaType: 'text/plain' },
};

const endpoint = area({ section: '§4.11', availableFrom: '4.50 SP1, or 4.50 hotfix 20240112-15' });

export const resolver = {
  resolvConf: endpoint('GET /system/network/resolvconf', {
    summary: 'The text of resolv.conf.',
    effect: 'read',
    reply: under('Data', encodedText, 'The text of resolv.conf, in base64.'),
  }),

  configuration: endpoint('GET /system/network/resolvconfig', {
    summary: 'The resolver as it is configured.',
    effect: 'read',
    reply: whole(configuration),
  }),

  /** Destructive: it overwrites the active resolv.conf, and no operation restores the old text. */
  apply: endpoint('GET /system/network/resolvapply', {
    summary: 'Writes the configuration to resolv.conf.',
    effect: 'destructive',
  }),
};
