import { distance } from 'fastest-levenshtein';
import type { Dispatcher } from 'undici';
import type { Method } from './endpoint.ts';
import { type Methods, problemWithMethod } from './methods.ts';
import type { OperationName } from './operations.ts';
import { shortestSecret } from './reading/echoes.ts';
import { parseReleaseName, type Release } from './release.ts';
import { isShellPassword } from './upload/shell-script.ts';
import { type ApplianceAddresses, readAddresses } from './wire/addresses.ts';
import type { RequestPace } from './wire/permits.ts';
import type { RetryReport } from './wire/retry.ts';
import type { RequestReport } from './wire/shown.ts';
import { type Deadlines, sleepFor, type TransportSettings } from './wire/transport.ts';
import { type ApplianceProxy, type ApplianceTls, readWay } from './wire/way.ts';

export interface ApplianceSettings extends ApplianceAddresses {
  /** The name people use for it. */
  readonly name: string;
  /** The Web API key; goes with remote-desktop calls only (appliance-api.md §5.2). */
  readonly key?: string | undefined;
  /** Sends the key with every call to the Web API's machine, for appliances that ask for it (§5.5 leaves that open). */
  readonly keyEverywhere?: boolean | undefined;
  /** Who logs in at the console of the mirror service, which may want that. Both, or neither. */
  readonly mirrorConsoleUser?: string | undefined;
  readonly mirrorConsolePassword?: string | undefined;
  /** How connections by https are secured. Default: as Node does it, with the authorities that it knows. */
  readonly tls?: ApplianceTls | undefined;
  /** The proxy that all its addresses are reached through. Default: none. */
  readonly proxy?: ApplianceProxy | undefined;
  /** The methods by which this appliance wants operations; those of their declarations where nothing is said. */
  readonly methods?: Methods | undefined;
  /**
   * The release, such as "4.50 SP4 hotfix 20250525-12", for an appliance that does not tell all of it.
   * Default: what `/appliance_version` says.
   */
  readonly release?: string | undefined;
  /** The password that lets shell packages run (§4.12); written into every package that is uploaded. */
  readonly shellPassword?: string | undefined;
  /** Default: 8 at once, 200 a second. */
  readonly pace?: Partial<RequestPace> | undefined;
  /**
   * Waits until a connection may be opened, and resolves to what gives the place back; for several appliances in a process
   * that may open few files. Default: nobody waits.
   */
  readonly takePlace?: (() => Promise<() => void>) | undefined;
  /** Default: connect 3 s, read 10 s, whole 30 s, long 15 min. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Default: 4 MiB, and 64 MiB for the answers that are lists of everything. */
  readonly maxReplyBytes?: number | undefined;
  /**
   * Carries the requests in the place of the client's own connections, and so of `tls` and `proxy`: an `Agent`, `ProxyAgent` or `MockAgent` of undici 8. It
   * stays yours: `close` leaves it open. Give it `pipelining: 0`, so that no change goes out on a connection that the
   * appliance has just closed.
   */
  readonly dispatcher?: Dispatcher | undefined;
  /** Told of every request after it ended. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Told before a request is sent again: always one that is safe to send again. */
  readonly onRetry?: ((report: RetryReport) => void) | undefined;
  /** Told of what it said to every order that it answered. */
  readonly onReply?: ((reply: OrderReply) => void) | undefined;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: real time. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** What an appliance said to an order, whether that is a yes or not. */
export interface OrderReply {
  readonly appliance: string;
  /** Such as "rdp.disconnectSession". */
  readonly operation: OperationName;
  /** All of it, for people, in lines; '' when it said nothing. Without secrets; hostile text. */
  readonly words: string;
}

/** Settings that can be worked with. */
export interface CheckedSettings extends TransportSettings {
  readonly methods: ReadonlyMap<string, Method>;
  readonly release: Release | undefined;
  readonly shellPassword: string | undefined;
  readonly onReply: ((reply: OrderReply) => void) | undefined;
}

/** What a setting is. The content of a text, and what an object has in it, is checked where it is read. */
const kinds = {
  ...{
    name: 'string',
    url: 'string',
    directoryUrl: 'string',
    mirrorUrl: 'string',
    mirrorConsoleUrl: 'string',
  },
  ...{
    key: 'string',
    keyEverywhere: 'boolean',
    mirrorConsoleUser: 'string',
    mirrorConsolePassword: 'string',
  },
  ...{ tls: 'object', proxy: 'object', methods: 'object', release: 'string', shellPassword: 'string' },
  ...{
    pace: 'object',
    takePlace: 'function',
    deadlines: 'object',
    maxReplyBytes: 'number',
    dispatcher: 'object',
  },
  ...{ onRequest: 'function', onRetry: 'function', onReply: 'function' },
  ...{ now: 'function', random: 'function', sleep: 'function' },
} as const satisfies Readonly<Record<keyof ApplianceSettings, string>>;

/** What other clients call it. */
const elsewhere: Readonly<Record<string, keyof ApplianceSettings>> = {
  ...{ baseUrl: 'url', baseURL: 'url', host: 'url', address: 'url' },
  ...{ apiKey: 'key', token: 'key', fetch: 'dispatcher', agent: 'dispatcher' },
  ...{ timeout: 'deadlines', ca: 'tls', cert: 'tls' },
};

/** @throws TypeError; it tells what a value is, and never the value, which may be a secret */
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

/** A slip in a name would be taken for nothing at all: no key, no deadline. */
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

/** @throws TypeError when one of them cannot be what it should be. The messages never repeat a secret. */
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

/** The usual numbers with those that were given in their place; each above 0. */
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
