import type { ResolverConfiguration } from '../../api/index.ts';
import { enumerate, plural, say, type Text } from '../reply.ts';

/** The settings in a resolv.conf, named as in its manual page. */
export interface ResolvConf {
  /** In order. */
  readonly servers: readonly string[];
  readonly domains: readonly string[];
  /** `timeout:3` is stored under `timeout`; an option without a value has ''. */
  readonly options: ReadonlyMap<string, string>;
}

/** Skips unknown lines, as resolvers do. */
export function readResolvConf(text: string): ResolvConf {
  const servers: string[] = [];
  const options = new Map<string, string>();
  let domains: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [said = ''] = line.split(/[#;]/, 1);
    const [keyword, ...words] = said.split(/\s+/).filter(Boolean);
    if (keyword === 'nameserver' && words[0] !== undefined) servers.push(words[0]);
    // The last one counts.
    if (keyword === 'search' || keyword === 'domain') domains = words;
    if (keyword === 'options') {
      for (const word of words) {
        const [name = '', value = ''] = word.split(':', 2);
        options.set(name, value);
      }
    }
  }
  return { servers, domains, options };
}

/** A setting and its value in force. */
export interface Compared {
  readonly setting: string;
  readonly configured: Text;
  readonly inForce: Text;
  /** Undefined if they cannot be compared. */
  readonly same: boolean | undefined;
}

/**
 * Compares the configuration (appliance-api.md §2.8) with the appliance's resolv.conf. The relation of settings
 * to lines is undocumented; this follows the manual page of resolv.conf.
 */
export function compare(configuration: ResolverConfiguration, written: ResolvConf): readonly Compared[] {
  const { servers, domains, timeout, attempts, useTcp, userRotation } = configuration;
  // The appliance's own DNS is no configured server, and comes first.
  const others = written.servers.filter((server) => !isOwn(server));
  return [
    list('DNS servers', servers, others),
    list('Search domains', domains, written.domains),
    // Resolvers use their own defaults for options that resolv.conf leaves out.
    amount('Timeout', 'second', timeout, written.options.get('timeout') ?? '5'),
    amount('Attempts', 'attempt', attempts, written.options.get('attempts') ?? '2'),
    yesOrNo('Over TCP', useTcp, written.options.has('use-vc')),
    yesOrNo('Rotation', userRotation, written.options.has('rotate')),
    ownDns(configuration, others.length < written.servers.length),
  ];
}

export const differing = (compared: readonly Compared[]): readonly Compared[] =>
  compared.filter(({ same }) => same === false);

function list(setting: string, configured: readonly string[], inForce: readonly string[]): Compared {
  const same =
    configured.length === inForce.length &&
    configured.every((one, at) => one.toLowerCase() === inForce[at]?.toLowerCase());
  return { setting, configured: listed(configured), inForce: listed(inForce), same };
}

const listed = (words: readonly string[]): Text => (words.length === 0 ? say`none` : [words.join(', ')]);

/** An empty field arrives as 0. */
function amount(setting: string, unit: string, configured: number | undefined, inForce: string): Compared {
  const known = configured !== undefined && configured > 0;
  return {
    setting,
    configured: known ? say`${plural(configured, unit)}` : say`not set`,
    inForce: /^\d+$/.test(inForce) ? say`${plural(Number(inForce), unit)}` : say`${inForce}`,
    same: known ? configured === Number(inForce) : undefined,
  };
}

const yesOrNo = (setting: string, configured: boolean | undefined, inForce: boolean): Compared => ({
  setting,
  configured: configured === undefined ? say`not set` : word(configured),
  inForce: word(inForce),
  same: configured === undefined ? undefined : configured === inForce,
});

/** Only one case is certain: an appliance that should not ask itself, and does. */
function ownDns(
  { dontUseLocalDns, doNotUseLocalDnsCache }: ResolverConfiguration,
  inForce: boolean,
): Compared {
  const unwanted = [
    ...(dontUseLocalDns ? [say`its DNS`] : []),
    ...(doNotUseLocalDnsCache ? [say`its DNS cache`] : []),
  ];
  return {
    setting: 'Own DNS',
    configured: unwanted.length === 0 ? say`allowed` : say`without ${enumerate(unwanted)}`,
    inForce: word(inForce),
    same: dontUseLocalDns ? !inForce : inForce || undefined,
  };
}

const word = (yes: boolean): Text => (yes ? say`yes` : say`no`);
const isOwn = (address: string): boolean => /^127\.|^::1$/.test(address);
