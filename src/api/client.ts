import { z } from 'zod';
import { type ArgumentsOf, type Effect, type Endpoint, Misfit, Refusal } from './endpoint.ts';
import * as areas from './endpoints/index.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import { BadArgument, Empty, NotJson, Refused, UnexpectedReply } from './errors.ts';
import { excerptOf } from './excerpt.ts';
import { fillPath, slotNames } from './path.ts';
import type { Pace } from './permits.ts';
import { type Deadlines, openTransport, type RequestReport, sleepFor, type Transport } from './transport.ts';

export interface ApplianceSettings {
  /** The name people use for it. */
  readonly name: string;
  /** The Web API's address, such as `https://10.20.0.2:9503`. No credentials in it. */
  readonly url: string;
  /** The Web API key; goes with remote-desktop calls only (appliance-api.md §5.2). */
  readonly key?: string | undefined;
  /** Sends the key with every call, for appliances that ask for it everywhere (§5.5 leaves that open). */
  readonly keyEverywhere?: boolean | undefined;
  /** Default: 8 at once, 200 a second. */
  readonly pace?: Partial<Pace> | undefined;
  /** Default: connect 3 s, read 10 s, whole 30 s. */
  readonly deadlines?: Partial<Deadlines> | undefined;
  /** Default: 4 MiB. */
  readonly maxReplyBytes?: number | undefined;
  /** Told of every request after it ended. */
  readonly onRequest?: ((report: RequestReport) => void) | undefined;
  /** Monotonic milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** Default: real time. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
}

export interface CallOptions {
  /** Gives up on the call. Whether it happened is then told by the error's `sent`. */
  readonly signal?: AbortSignal;
}

/** An operation as it is called: its arguments, if it has any, then the options. */
export type Call<E> =
  E extends Endpoint<infer Path, infer Slots, infer Reply>
    ? keyof ArgumentsOf<Path, Slots> extends never
      ? (options?: CallOptions) => Promise<Reply>
      : (given: ArgumentsOf<Path, Slots>, options?: CallOptions) => Promise<Reply>
    : never;

type Areas = typeof areas;
/** The calls of every area, those with one of these effects. */
type Bound<Does extends Effect = Effect> = {
  readonly [Area in keyof Areas]: {
    readonly [Name in keyof Areas[Area] as Areas[Area][Name] extends { readonly effect: Does }
      ? Name
      : never]: Call<Areas[Area][Name]>;
  };
};

/** One appliance, typed from the declarations: `appliance.rdp.disconnectSession({ id: 12 })`. */
export type Appliance = Bound & {
  readonly name: string;
  /** Lets what is under way finish and ends the connections. */
  close(): Promise<void>;
};

/**
 * The same appliance in the hands of somebody who may only ask: it has the calls with effect `read`, and no others.
 * Every appliance is one.
 */
export type AskedAppliance = Bound<'read'> & Pick<Appliance, 'name'>;

/**
 * Prepares an appliance for calls; connects to nothing yet. Every call rejects with an `ApplianceFailure` and nothing
 * else.
 * @throws TypeError when the address is not an http(s) address or carries credentials, or no header can carry the key
 */
export function connectAppliance(settings: ApplianceSettings): Appliance {
  const key = keyOf(settings);
  const transport = openTransport({
    name: settings.name,
    url: addressOf(settings),
    key,
    keyEverywhere: settings.keyEverywhere ?? false,
    pace: { atOnce: 8, perSecond: 200, ...settings.pace },
    deadlines: { connect: 3_000, read: 10_000, whole: 30_000, ...settings.deadlines },
    maxReplyBytes: settings.maxReplyBytes ?? 4 * 1024 * 1024,
    onRequest: settings.onRequest,
    now: settings.now ?? (() => performance.now()),
    random: settings.random ?? Math.random,
    sleep: settings.sleep ?? sleepFor,
  });
  const secrets = key === undefined ? [] : [key];
  const bound = Object.entries(areas).map(([area, endpoints]) => [
    area,
    Object.fromEntries(
      Object.entries(endpoints).map(([name, endpoint]) => [
        name,
        bind(`${area}.${name}`, endpoint, transport, secrets),
      ]),
    ),
  ]);
  // Object.entries forgets which endpoint stands under which name; `Bound` is that same mapping, kept by the compiler.
  const calls = Object.fromEntries(bound) as Bound;
  return { ...calls, name: settings.name, close: () => transport.close() };
}

/** The messages never repeat the address or the key: what is wrong with one may be the secret in it. */
function addressOf({ name, url }: ApplianceSettings): URL {
  const address = URL.parse(url);
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new TypeError(`The address of appliance ${name} is not an http or https address.`);
  }
  if (address.username !== '' || address.password !== '') {
    throw new TypeError(`The address of appliance ${name} carries credentials; the key belongs in "key".`);
  }
  return address;
}

function keyOf({ name, key }: ApplianceSettings): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError(`The key of appliance ${name} is empty or has characters that no header can carry.`);
  }
  return key;
}

function bind(operation: string, endpoint: Endpoint, transport: Transport, secrets: readonly string[]) {
  const slots = slotNames(endpoint.path);

  async function call(given: Readonly<Record<string, unknown>>, options: CallOptions): Promise<unknown> {
    const path = pathFor(operation, endpoint, slots, given);
    const { effect, method } = endpoint;
    const text = await transport.send({ operation, effect, method, path, signal: options.signal });
    return understand(operation, endpoint, text, secrets);
  }
  return slots.length === 0
    ? (options: CallOptions = {}) => call({}, options)
    : (given: Readonly<Record<string, unknown>>, options: CallOptions = {}) => call(given, options);
}

function pathFor(
  operation: string,
  endpoint: Endpoint,
  slots: readonly string[],
  given: Readonly<Record<string, unknown>>,
): string {
  const values: Record<string, string | number> = {};
  for (const slot of slots) {
    const checked = (endpoint.slots?.[slot] ?? z.string()).safeParse(given[slot]);
    if (!checked.success) throw new BadArgument(slot, problemsOf(checked.error).problem, { operation });
    values[slot] = checked.data;
  }
  const filled = fillPath(endpoint.path, values);
  if (!filled.ok) throw new BadArgument(filled.slot, filled.problem, { operation });
  return filled.path;
}

/** From the text of an answer to the value of the call. */
function understand(
  operation: string,
  endpoint: Endpoint,
  text: string,
  secrets: readonly string[],
): unknown {
  const answer = open(text.replace(/^\uFEFF/, '').trim());
  if (answer.status === false && endpoint.falseIsAnswer !== true) throw refused();
  try {
    return endpoint.reply(answer);
  } catch (error) {
    if (error instanceof Refusal) throw refused();
    if (error instanceof Misfit) throw unexpected(error.at, error.message);
    // A reader that stumbles over something it was not made for has not understood the answer either.
    const { at, problem } =
      error instanceof z.ZodError ? problemsOf(error) : { at: '', problem: String(error) };
    throw unexpected(at, problem);
  }

  function open(json: string): Envelope {
    // An order may be carried out without a word; a question has not been answered.
    if (json === '' && endpoint.effect === 'read') throw new Empty({ operation, sent: 'yes' });
    try {
      return openEnvelope(json === '' ? undefined : JSON.parse(json));
    } catch {
      throw new NotJson(circumstances());
    }
  }

  function refused() {
    return new Refused(excerptOf(answer.error || answer.info, secrets), circumstances());
  }

  /** The place is spelt with the appliance's own keys, so it is cleaned like everything else the appliance said. */
  function unexpected(at: string, problem: string) {
    return new UnexpectedReply(excerptOf(at, secrets), problem, circumstances());
  }

  function circumstances() {
    return { operation, sent: 'yes', excerpt: excerptOf(text, secrets) } as const;
  }
}

function problemsOf(error: z.ZodError): { at: string; problem: string } {
  const [first] = error.issues;
  return { at: first?.path.map(String).join('.') ?? '', problem: first?.message ?? 'does not fit' };
}
