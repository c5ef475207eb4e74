import { distance } from 'fastest-levenshtein';
import type { Dispatcher } from 'undici';
import type { Method } from './endpoint.ts';
import { type Methods, type OperationName, problemWithMethod } from './operations.ts';
import { shortestSecret } from './reading/understand-answer.ts';
import { parseReleaseName, type Release } from './release.ts';
import { isShellPassword } from './upload/shell-script.ts';
import { type ApplianceAddresses, readAddresses } from './wire/addresses.ts';
import type { RequestPace } from './wire/permits.ts';
import type { RetryReport } from './wire/retry.ts';
import { type Deadlines, sleepFor, type TransportSettings } from './wire/transport.ts';
import { type ApplianceProxy, type ApplianceTls, readWay } from './wire/way.ts';
import type { RequestReport } from './wire/wire-request.ts';

export interface ApplianceSettings extends ApplianceAddresses {
  readonly name: string;
  /** The Web API key; goes with remote-desktop calls only (appliance-api.md §5.2). */
  readonly key?: string | undefined;
  /**
   * Sends the key with every call to the Web API's machine, for appliances that require it (§5.5 leaves that
   * open).
   */
  readonly keyEverywhere?: boolean | undefined;
  /** The login at the console of the mirror service, if it requires one. Both, or neither. */
  readonly mirrorConsoleUser?: string | undefined;
  readonly mirrorConsolePassword?: string | undefined;
  /** TLS of https connections. Default: Node's own, with its authorities. */
  readonly tls?: ApplianceTls | undefined;
  /** The proxy for all addresses. Default: none. */
  readonly proxy?: ApplianceProxy | undefined;
  /** HTTP methods that this appliance requires, if they differ from the declarations. */
  readonly methods?: Methods | undefined;
  /**
   * The release, such as "4.50 SP4 hotfix 20250525-12", for an appliance that does not report it completely.
   * Default: the text of `/appliance_version`.
   */
  readonly release?: string | undefined;
  /** The password that lets shell packages run (§4.12); written into every uploaded package. */
  readonly shellPassword?: string | undefined;
  /** Default: 8 at once, 200 a second. */
  readonly pace?: Partial<RequestPace> | undefined;
  /**
   * Waits until a connection may be opened, and resolves to its release function; for several appliances in a
   * process that may open few files. Default: no wait.
   */
  readonly takePlace?: (() => Promise<() => void>) | undefined;
  /** Default: connect 3 s, read 10 s, whole 30 s, long 15 min. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Default: 4 MiB, and 64 MiB for complete lists. */
  readonly maxReplyBytes?: number | undefined;
  /**
   * Sends the requests instead of the client's own connections, and so of `tls` and `proxy`: an `Agent`,
   * `ProxyAgent` or `MockAgent` of undici 8. It stays yours: `close` leaves it open. Give it `pipelining: 0`,
   * so that no change goes out on a connection that the appliance has just closed.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Called after every request. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Called before a request is sent again; only safe ones are. */
  readonly onRetry?: ((report: RetryReport) => void) | undefined;
  /** Called with the answer to every order. */
  readonly onReply?: ((reply: OrderReply) => void) | undefined;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: real time. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface OrderReply {
  readonly appliance: string;
  /** Such as "rdp.disconnectSession". */
  readonly operation: OperationName;
  /** The full text for people, in lines; '' if empty. Without secrets; hostile text. */
  readonly words: string;
}

export interface CheckedSettings extends TransportSettings {
  readonly methods: ReadonlyMap<string, Method>;
  readonly release: Release | undefined;
  readonly shellPassword: string | undefined;
  readonly onReply: ((reply: OrderReply) => void) | undefined;
}

/** The kind of each setting. The content of texts and objects is checked when it is read. */
const kinds = {
  name: 'string',
  url: 'string',
  directoryUrl: 'string',
  mirrorUrl: 'string',
  mirrorConsoleUrl: 'string',
  key: 'string',
  keyEverywhere: 'boolean',
  mirrorConsoleUser: 'string',
  mirrorConsolePassword: 'string',
  tls: 'object',
  proxy: 'object',
  methods: 'object',
  release: 'string',
  shellPassword: 'string',
  pace: 'object',
  takePlace: 'function',
  deadlines: 'object',
  maxReplyBytes: 'number',
  dispatcher: 'object',
  onRequest: 'function',
  onRetry: 'function',
  onReply: 'function',
  now: 'function',
  random: 'function',
  sleep: 'function',
} as const satisfies Readonly<Record<keyof ApplianceSettings, string>>;

/** Names of settings in other clients. */
const elsewhere: Readonly<Record<string, keyof ApplianceSettings>> = {
  baseUrl: 'url',
  baseURL: 'url',
  host: 'url',
  address: 'url',
  apiKey: 'key',
  token: 'key',
  fetch: 'dispatcher',
  agent: 'dispatcher',
  timeout: 'deadlines',
  ca: 'tls',
  cert: 'tls',
};

/** @throws TypeError with the kind of a value, and never the value, which may be a secret */
function expectKinds(settings: ApplianceSettings): void {
  if (typeof settings !== 'object' || settings === null) {
    throw new TypeError('An appliance is made of its settings: { name, url }.');
  }
  expectKnown(Object.keys(kinds), settings, 'An appliance', elsewhere);
  const { name } = settings;
  if (typeof name !== 'string' || name === '') throw new TypeError('An appliance needs a name.');
  for (const [setting, kind] of Object.entries(kinds)) {
    const value: unknown = settings[setting as keyof ApplianceSettings];
    if (value === undefined || (typeof value === kind && value !== null)) continue;
    if (setting === 'url') continue;
    const article = kind === 'object' ? 'an' : 'a';
    throw new TypeError(`Appliance ${name}: ${setting} must be ${article} ${kind}.`);
  }
}

/** A misspelled name would silently mean no key or no deadline. */
function expectKnown(
  names: readonly string[],
  given: object,
  what: string,
  synonyms: Readonly<Record<string, string>> = {},
): void {
  const slip = Object.keys(given).find((name) => !names.includes(name));
  if (slip === undefined) return;
  const [nearest = ''] = names.toSorted((one, other) => distance(one, slip) - distance(other, slip));
  const meant = Object.hasOwn(synonyms, slip) ? synonyms[slip] : nearest;
  throw new TypeError(`${what} has no setting ${slip}. Did you mean ${meant}?`);
}

/** @throws TypeError for an invalid one. The messages never repeat a secret. */
export function checkSettings(settings: ApplianceSettings): CheckedSettings {
  expectKinds(settings);
  const { name, shellPassword, dispatcher } = settings;
  if (dispatcher !== undefined && (settings.tls !== undefined || settings.proxy !== undefined)) {
    throw new TypeError(`Appliance ${name} has a dispatcher: its connections know nothing of tls and proxy.`);
  }
  const ways = { tls: ['ca', 'pins', 'certificate', 'key'], proxy: ['url', 'user', 'password'] } satisfies {
    readonly tls: readonly (keyof ApplianceTls)[];
    readonly proxy: readonly (keyof ApplianceProxy)[];
  };
  expectKnown(ways.tls, settings.tls ?? {}, `Appliance ${name}: tls`);
  expectKnown(ways.proxy, settings.proxy ?? {}, `Appliance ${name}: proxy`);
  const usual = settings.maxReplyBytes ?? 4 * 1024 * 1024;
  if (!(usual > 0)) throw new TypeError(`Appliance ${name}: maxReplyBytes must be a number greater than 0.`);
  if (shellPassword !== undefined && !isShellPassword(shellPassword)) {
    throw new TypeError(
      `The shell password of appliance ${name} contains a quote, backslash, $ or space, which is not safe in a script.`,
    );
  }
  return {
    name,
    addresses: readAddresses(name, settings),
    key: keyOf(settings),
    keyEverywhere: settings.keyEverywhere ?? false,
    consoleLogin: loginOf(settings),
    way: readWay(name, settings.tls, settings.proxy),
    pace: numbersOf(name, 'pace', { atOnce: 8, perSecond: 200 }, settings.pace, 1_000_000),
    deadlines: numbersOf(
      name,
      'deadlines',
      { connect: 3_000, read: 10_000, whole: 30_000, long: 900_000 },
      settings.deadlines,
      longestTimer,
    ),
    maxReplyBytes: { usual, large: usual * 16 },
    dispatcher,
    onRequest: settings.onRequest,
    onRetry: settings.onRetry,
    onReply: settings.onReply,
    takePlace: settings.takePlace,
    now: settings.now ?? (() => performance.now()),
    random: settings.random ?? Math.random,
    sleep: settings.sleep ?? sleepFor,
    methods: methodsOf(settings),
    release: releaseOf(settings),
    shellPassword,
  };
}

/** Node's timers fire at once beyond this, in milliseconds: 24 days. */
const longestTimer = 2 ** 31 - 1;

/** The defaults, overridden by the given numbers; each above 0. */
function numbersOf<Numbers extends RequestPace | Deadlines>(
  name: string,
  what: string,
  usual: Numbers,
  given: Partial<Numbers> | undefined,
  most: number,
): Numbers {
  expectKnown(Object.keys(usual), given ?? {}, `Appliance ${name}: ${what}`);
  const told = Object.entries(given ?? {}).filter(([, value]) => value !== undefined);
  for (const [key, value] of told) {
    if (typeof value === 'number' && value > 0 && value <= most) continue;
    throw new TypeError(
      `Appliance ${name}: ${what}.${key} must be a number greater than 0, at most ${most}.`,
    );
  }
  return { ...usual, ...Object.fromEntries(told) };
}

function keyOf({ name, key }: ApplianceSettings): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(
      `The key of appliance ${name} is empty or contains characters that are not allowed in an HTTP header.`,
    );
  }
  if (key !== undefined && key.length < shortestSecret) {
    throw new TypeError(
      `The key of appliance ${name} is shorter than ${shortestSecret} characters, too short to be hidden safely in what the appliance says.`,
    );
  }
  return key;
}

function loginOf({ name, mirrorConsoleUser: user, mirrorConsolePassword: password }: ApplianceSettings) {
  if ((user === undefined) !== (password === undefined)) {
    throw new TypeError(
      `Appliance ${name}: mirrorConsoleUser and mirrorConsolePassword must be set together.`,
    );
  }
  return user === undefined || password === undefined ? undefined : { user, password };
}

function releaseOf({ name, release }: ApplianceSettings): Release | undefined {
  const read = release === undefined ? undefined : parseReleaseName(release);
  if (release !== undefined && read === undefined) {
    throw new TypeError(
      `The release of appliance ${name} must be written like "4.50 SP4" or "4.50 SP4 hotfix 20250525-12".`,
    );
  }
  return read;
}

function methodsOf({ name, methods = {} }: ApplianceSettings): ReadonlyMap<string, Method> {
  for (const operation of Object.keys(methods)) {
    const problem = problemWithMethod(operation, methods);
    if (problem !== undefined) throw new TypeError(`Appliance ${name}: methods.${operation} ${problem}.`);
  }
  return new Map(Object.entries(methods));
}
