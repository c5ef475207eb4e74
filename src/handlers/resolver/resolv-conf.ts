import type { ResolverConfiguration } from '../../api/index.ts';
import { enumerate, plural, say, type Text } from '../reply.ts';

/** What a resolv.conf says, in the words of its manual page. */
export interface ResolvConf {
  /** Addresses in their order. */
  readonly servers: readonly string[];
  readonly domains: readonly string[];
  /** `timeout:3` is under `timeout`; an option without a value is there with ''. */
  readonly options: ReadonlyMap<string, string>;
}

/** Reads the text of a resolv.conf; lines that it does not know are passed over, as resolvers do. */
export function readResolvConf(text: string): ResolvConf {
  const servers: string[] = [];
  const options = new Map<string, string>();
  let domains: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const [said = ''] = line.split(/[#;]/, 1);
    const [keyword, ...words] = said.split(/\s+/).filter(Boolean);
    if (keyword === 'nameserver' && words[0] !== undefined) servers.push(words[0]);
    // Of several the last one counts.
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

/** One setting beside what is in force. */
export interface Compared {
  readonly setting: string;
  readonly configured: Text;
  readonly inForce: Text;
  /** Undefined where the two cannot be compared. */
  readonly same: boolean | undefined;
}

/**
 * The configuration (appliance-api.md §2.8) beside the resolv.conf that the appliance resolves with. Which of its lines
 * come from which setting is not documented; here the words are taken as resolv.conf's own manual page means them.
 */
export function compare(configuration: ResolverConfiguration, written: ResolvConf): readonly Compared[] {
  const { servers, domains, timeout, attempts, useTcp, userRotation } = configuration;
  // The appliance's own DNS is not among the configured servers, and stands before them.
  const others = written.servers.filter((server) => !isOwn(server));
  return [
    list('DNS servers', servers, others),
    list('Search domains', domains, written.domains),
    // A resolver's own values are in force where resolv.conf says nothing.
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

/** 0 is how a field that nobody filled in comes. */
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

/** Only one way is certain: an appliance that is not to ask itself, and does. */
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
