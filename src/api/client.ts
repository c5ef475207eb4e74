import { setImmediate as turn } from 'node:timers/promises';
import { currentCaller, itself, onBehalfOf } from '../caller.ts';
import { currentFence } from '../fence.ts';
import { type Bound, type CallOptions, checkGiven, checkOptions, type GivenArguments } from './call.ts';
import { type Combined, checkNames } from './combined/combined.ts';
import * as combinedAreas from './combined/index.ts';
import { type Deliver, DryRunEnd, type DryRunRequest, dryRuns } from './dry-run.ts';
import type { Effect, Endpoint } from './endpoint.ts';
import type { ApplianceVersion } from './endpoints/directory-status.ts';
import * as areas from './endpoints/index.ts';
import { ConnectionLost, isApplianceFailure, NotAvailable } from './errors.ts';
import { openGate } from './gate.ts';
import { tell } from './listener.ts';
import { type OperationName, operations } from './operations.ts';
import { withNextPages } from './reading/pages.ts';
import { understand } from './reading/understand.ts';
import { wordsOf } from './reading/words.ts';
import { type Release, readRelease, releaseName } from './release.ts';
import { type ApplianceSettings, checkSettings } from './settings.ts';
import type { UploadContent } from './upload/content.ts';
import type { UploadArguments } from './upload/file.ts';
import { type PreparedCall, prepareRequest } from './wire/request.ts';
import { masking, shownPath } from './wire/shown.ts';
import { openTransport } from './wire/transport.ts';

/** How long it is waited for which appliance it is, and how long it is not asked again where it did not tell: milliseconds. */
const identityTimeout = 3_000;
const silence = 60_000;
/** Characters of a name that are kept; no host name is longer. */
const longestName = 253;

/** Characters of an answer that takes noticeable time. */
const largeText = 500_000;

type CombinedAreas = typeof combinedAreas;

type CombinedCall<C> =
  C extends Combined<infer Given, infer Value, Effect>
    ? (given: Given, options?: CallOptions) => Promise<Value>
    : never;

/** The calls that are made of several operations, by area like the others. */
type BoundCombined<Does extends Effect = Effect> = {
  readonly [Area in keyof CombinedAreas]: {
    readonly [Name in keyof CombinedAreas[Area] as CombinedAreas[Area][Name] extends { readonly effect: Does }
      ? Name
      : never]: CombinedCall<CombinedAreas[Area][Name]>;
  };
};

interface AboutTheAppliance {
  readonly name: string;
  /**
   * Whether its release has an operation, by what `/appliance_version` says and §9 (asked once in ten minutes);
   * undefined when that cannot be told. Never rejects.
   */
  supports(operation: OperationName): Promise<boolean | undefined>;
  /** Asks for its release where that is not known, so that no call has to wait for it. Whether it is known then. Never rejects. */
  learnRelease(): Promise<boolean>;
  /** Which appliance answers, as far as it tells; undefined where it does not, which is then believed for a minute. Never rejects. */
  identity(): Promise<ApplianceIdentity | undefined>;
  /** Looks into a shell package as `directory.uploadShellPackage` does, and sends nothing. @throws BadArgument with what is wrong with it */
  checkShellPackage(file: UploadContent): Promise<void>;
}

/** What tells one appliance from another at the same address; each of them absent where it is not told. */
export interface ApplianceIdentity {
  readonly hostname?: string;
  readonly serial?: string;
  readonly release?: string;
}

interface WholeAppliance extends AboutTheAppliance {
  /**
   * The same appliance for trying out what would be sent: its calls with effect `read` are really made; every other
   * call is checked and prepared as ever, noted and not sent. Such a call gives what a bare acceptance gives, or rejects with
   * a `DryRunEnd`. To close a dry run does nothing.
   */
  dryRun(note: (request: DryRunRequest) => void): Appliance;
  /**
   * The same appliance for finding out what its release lacks: a call that it has, reads too, ends with a `DryRunEnd`, and
   * nothing is sent but the question for the release.
   */
  probe(): Appliance;
  /** Lets what is under way finish and ends the connections. */
  close(): Promise<void>;
}

/** One appliance, typed from the declarations: `appliance.rdp.disconnectSession({ id: 12 })`. */
export type Appliance = Bound & BoundCombined & WholeAppliance;

/**
 * The same appliance in the hands of somebody who may only ask: it has the calls with effect `read`, and no others.
 * Every appliance is one.
 */
export type AskedAppliance = Bound<'read'> & BoundCombined<'read'> & AboutTheAppliance;

/**
 * Prepares an appliance for calls; connects to nothing yet. Every call rejects with an `ApplianceFailure` and nothing
 * else.
 * @throws TypeError when an address, the key, the release or a method cannot be one
 */
export function connectAppliance(settings: ApplianceSettings): Appliance {
  const { name, key, methods, now, shellPassword, onReply, ...checked } = checkSettings(settings);
  const { addresses } = checked;
  const transport = openTransport({ ...checked, name, key, now });
  const secrets = key === undefined ? [] : [key];
  // Not looked for in answers, where a password made of a word or a number would hide what is none.
  const ours = shellPassword === undefined ? secrets : [...secrets, shellPassword];
  const withoutOurs = masking(ours);
  const { release } = checked;
  let silentUntil = Number.NEGATIVE_INFINITY;
  const gate = openGate(release === undefined ? askRelease : () => Promise.resolve(release), now);

  /** Everything before a request is sent; `deliver` then decides over it. */
  async function call(
    deliver: Deliver,
    operation: OperationName,
    endpoint: Endpoint,
    given: Readonly<Record<string, unknown>>,
    { signal }: CallOptions,
  ): Promise<unknown> {
    const { body } = endpoint;
    const method = methods.get(operation) ?? endpoint.method;
    if (body?.encoding !== 'multipart') {
      const request = prepareRequest(operation, endpoint, method, given);
      await unlessAborted(pass(operation, endpoint), signal);
      return deliver({ operation, endpoint, ...request, signal });
    }
    const { file, onProgress, ...others } = given as UploadArguments & Readonly<Record<string, unknown>>;
    const request = prepareRequest(operation, endpoint, method, others);
    await unlessAborted(pass(operation, endpoint), signal);
    // Loaded with the first upload: few processes ever make one.
    const { openFile } = await import('./upload/file.ts');
    const upload = await openFile(operation, body, { file, onProgress }, shellPassword, signal);
    try {
      return await deliver({ operation, endpoint, ...request, ...upload, signal });
    } finally {
      await upload.close();
    }
  }

  async function send(prepared: PreparedCall): Promise<unknown> {
    const value = await sendOnce(prepared);
    if (prepared.endpoint.effect !== 'read') return value;
    return withNextPages(value, prepared.path, (path) => sendOnce({ ...prepared, path }));
  }

  async function sendOnce(prepared: PreparedCall): Promise<unknown> {
    const { operation, endpoint, method, path, headers, body, asked, secrets: own, signal } = prepared;
    const { effect, service, slow, large } = endpoint;
    const hidden = [...secrets, ...own];
    const hide = own.length === 0 ? withoutOurs : masking([...ours, ...own]);
    let words: string | undefined;
    let text: string;
    let early: boolean;
    let value: unknown;
    try {
      ({ text, early, value } = await transport.send({
        ...{ operation, service, effect, slow, large, method, path, headers, body, signal },
        shownPath: shownPath(prepared, hide),
        secrets: hidden,
        caller: currentCaller(),
        fence: currentFence(),
        read: (answer, ofSession) => {
          const never = [...hidden, ...ofSession];
          if (effect !== 'read') words = wordsOf(answer, never);
          return understand(operation, endpoint, answer, asked, never);
        },
      }));
    } catch (error) {
      if (isApplianceFailure(error) && error.sent === 'yes') words ??= error.words;
      throw error;
    } finally {
      if (effect !== 'read' && words !== undefined) tell(onReply, { appliance: name, operation, words });
    }
    // Known by its operation: this is what its reader makes.
    if (operation === 'directory.applianceVersion') heard(value as ApplianceVersion);
    // To read a large answer and to word it take their time, and others have their turn in between.
    if (text.length > largeText) await turn();
    // A success for a file of which a part has not been taken is none that can be believed; a refusal is.
    if (early) throw new ConnectionLost('ANSWERED_EARLY', { operation, sent: 'maybe' });
    return value;
  }

  /** Somebody reads the release, such as after an upgrade: it counts from then on. */
  function heard(version: ApplianceVersion): void {
    if (release === undefined) gate.heard(readRelease(version));
  }

  /** What the release lacks is not sent. The directory API tells the release itself: its answer is the proof. */
  async function pass(operation: OperationName, endpoint: Endpoint): Promise<void> {
    if (endpoint.service === 'directory' || endpoint.availableFrom === undefined) return;
    if ((await gate.supports(endpoint)) !== false) return;
    const release = await gate.release();
    throw new NotAvailable(release === undefined ? '' : releaseName(release), endpoint.availableFrom, {
      operation,
    });
  }

  async function askRelease(): Promise<Release | undefined> {
    const signal = AbortSignal.timeout(5_000);
    // Everybody waits for the answer, whoever was the first to need it.
    return onBehalfOf(itself, async () => readRelease(await calls.directory.applianceVersion({ signal })));
  }

  function callsBy(deliver: Deliver): Bound {
    const bound = Object.entries(areas).map(([area, endpoints]) => [
      area,
      Object.fromEntries(
        Object.entries(endpoints).map(([own, endpoint]) => {
          const operation = `${area}.${own}` as OperationName;
          return [
            own,
            bind(operation, endpoint, (given, options) => call(deliver, operation, endpoint, given, options)),
          ];
        }),
      ),
    ]);
    // Object.entries forgets which endpoint stands under which name; `Bound` is that same mapping, kept by the compiler.
    return Object.fromEntries(bound) as Bound;
  }

  const calls = callsBy(send);
  const appliance: Appliance = {
    ...withCombined(calls),
    name,
    async supports(operation) {
      const endpoint = operations.get(operation);
      return endpoint === undefined ? false : gate.supports(endpoint);
    },
    async learnRelease() {
      return (await gate.release()) !== undefined;
    },
    async identity() {
      if (now() < silentUntil) return undefined;
      const signal = AbortSignal.timeout(identityTimeout);
      try {
        const said = await onBehalfOf(itself, async () => calls.directory.applianceVersion({ signal }));
        const { hostname, serial } = said;
        const known = readRelease(said);
        return {
          ...(hostname === undefined ? {} : { hostname: hostname.slice(0, longestName) }),
          ...(serial === undefined ? {} : { serial: serial.slice(0, longestName) }),
          ...(known === undefined ? {} : { release: releaseName(known) }),
        };
      } catch (error) {
        if (!isApplianceFailure(error)) throw error;
        silentUntil = now() + silence;
        return undefined;
      }
    },
    async checkShellPackage(file) {
      const operation: OperationName = 'directory.uploadShellPackage';
      const { openFile } = await import('./upload/file.ts');
      const body = { field: '', kind: 'shell package' } as const;
      const opened = await openFile(operation, body, { file }, shellPassword);
      await opened.close();
    },
    dryRun: (note) => ({
      ...appliance,
      ...withCombined(callsBy(dryRuns({ send, note, addresses, secrets: ours }))),
      // The connections are not its own.
      close: async () => undefined,
    }),
    probe: () => ({
      ...appliance,
      ...withCombined(callsBy(({ operation }) => Promise.reject(new DryRunEnd(operation)))),
      close: async () => undefined,
    }),
    close: () => transport.close(),
  };
  return appliance;
}

/** Every area's operations, and beside them what is made of several. */
function withCombined(calls: Bound): Bound & BoundCombined {
  const areasWithBoth = Object.entries(combinedAreas).map(([area, declarations]) => [
    area,
    {
      // The combined areas are named like areas; a test holds it.
      ...calls[area as keyof Bound],
      ...Object.fromEntries(
        Object.entries(declarations).map(
          ([name, { run, takes }]: [string, Combined<never, unknown, Effect>]) => {
            const operation = `${area}.${name}`;
            return [
              name,
              async (given?: unknown, options?: CallOptions) => {
                const asked = checkGiven(operation, given);
                checkNames(operation, takes, asked);
                // Its values are checked by the operations that it is made of.
                return run(calls, asked as never, checkOptions(operation, options));
              },
            ];
          },
        ),
      ),
    },
  ]);
  // As above: Object.fromEntries forgets the names that the type keeps.
  return { ...calls, ...Object.fromEntries(areasWithBoth) } as Bound & BoundCombined;
}

/** A caller who gives up does not wait for the appliance's release. Sending with an aborted signal then ends the call. */
async function unlessAborted(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return done;
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    await Promise.race([aborted.promise, done]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

type BoundCall = (given: GivenArguments, options: CallOptions) => Promise<unknown>;

/** A call without arguments takes its options first. */
function bind(operation: string, endpoint: Endpoint, call: BoundCall) {
  const { slots, query, body } = endpoint;
  const takesNothing = body === undefined && Object.keys({ ...slots, ...query }).length === 0;
  return takesNothing
    ? async (options?: CallOptions) => call({}, checkOptions(operation, options))
    : async (given?: GivenArguments, options?: CallOptions) =>
        call(checkGiven(operation, given), checkOptions(operation, options));
}
