import { setImmediate as turn } from 'node:timers/promises';
import { currentCaller, itself, onBehalfOf } from '../caller.ts';
import { currentFence } from '../fence.ts';
import { cut } from '../graphemes.ts';
import { type Bound, type CallOptions, checkGiven, checkOptions, type GivenArguments } from './call.ts';
import { type Combined, checkNames } from './combined/combined.ts';
import * as combinedAreas from './combined/index.ts';
import { type Deliver, DryRunEnd, type DryRunRequest, dryRuns } from './dry-run.ts';
import type { Effect, Endpoint } from './endpoint.ts';
import type { ApplianceVersion } from './endpoints/directory-status.ts';
import * as areas from './endpoints/index.ts';
import { ConnectionLost, isApplianceFailure, NotAvailable } from './errors.ts';
import { tell } from './listener.ts';
import { type OperationName, operations } from './operations.ts';
import { withNextPages } from './reading/extent.ts';
import { understand, wordsOf } from './reading/understand-answer.ts';
import { has, type Release, readAvailability, readRelease, releaseName } from './release.ts';
import { type ApplianceSettings, checkSettings } from './settings.ts';
import type { UploadContent } from './upload/content.ts';
import type { UploadArguments } from './upload/file.ts';
import { openTransport } from './wire/transport.ts';
import { masking, type PreparedCall, prepareRequest, shownPath } from './wire/wire-request.ts';

/** How long to wait for the appliance's identity, and how long not to ask again after a failure: milliseconds. */
const identityTimeout = 3_000;
const silence = 60_000;
/** Kept characters of a name; no host name is longer. */
const longestName = 253;

/** Characters of an answer that takes noticeable time. */
const largeText = 500_000;

type CombinedAreas = typeof combinedAreas;

type CombinedCall<C> =
  C extends Combined<infer Given, infer Value, Effect>
    ? (given: Given, options?: CallOptions) => Promise<Value>
    : never;

/** The combined calls, by area. */
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
   * Whether the release has an operation, by `/appliance_version` and §9 (asked once in ten minutes); undefined
   * if unknown. Never rejects.
   */
  supports(operation: OperationName): Promise<boolean | undefined>;
  /**
   * Reads the release if it is unknown, so that later calls need not wait. Resolves to whether it is known.
   * Never rejects.
   */
  learnRelease(): Promise<boolean>;
  /**
   * Which appliance answers, as far as it reports that. After a failure the last report counts for a minute;
   * undefined if there never was one. `anew`: asks despite an earlier failure. Never rejects.
   */
  identity(how?: { readonly anew?: boolean }): Promise<ApplianceIdentity | undefined>;
  /**
   * Checks a shell package as `directory.uploadShellPackage` does, and sends nothing. @throws BadArgument with
   * the problem
   */
  checkShellPackage(file: UploadContent): Promise<void>;
}

/** Distinguishes appliances at the same address; each field is absent if not reported. */
export interface ApplianceIdentity {
  readonly hostname?: string;
  readonly serial?: string;
  readonly release?: string;
}

interface WholeAppliance extends AboutTheAppliance {
  /**
   * The same appliance as a dry run. Calls with effect `read` are sent; all others are checked, prepared and
   * noted, but not sent. Such a call returns the reply to a bare acceptance, or rejects with a `DryRunEnd`.
   * Closing a dry run does nothing.
   */
  dryRun(note: (request: DryRunRequest) => void): Appliance;
  /**
   * The same appliance for finding operations that its release lacks. An available call, even a read, ends with
   * a `DryRunEnd`. Only the question about the release is sent.
   */
  probe(): Appliance;
  /** Waits for running requests and ends the connections. */
  close(): Promise<void>;
}

/** One appliance, typed from the declarations: `appliance.rdp.disconnectSession({ id: 12 })`. */
export type Appliance = Bound & BoundCombined & WholeAppliance;

/**
 * The appliance for callers that may only read: the calls with effect `read`, and no others. Every appliance is
 * one.
 */
export type AskedAppliance = Bound<'read'> & BoundCombined<'read'> & AboutTheAppliance;

/**
 * Prepares an appliance for calls; connects to nothing yet. Every call rejects with an `ApplianceFailure` and
 * nothing else.
 * @throws TypeError for an invalid address, key, release or method
 */
export function connectAppliance(settings: ApplianceSettings): Appliance {
  const { name, key, methods, now, shellPassword, onReply, ...checked } = checkSettings(settings);
  const { addresses } = checked;
  const transport = openTransport({ ...checked, name, key, now });
  const secrets = key === undefined ? [] : [key];
  // Not searched in answers: a password that is a word or a number would hide unrelated text.
  const ours = shellPassword === undefined ? secrets : [...secrets, shellPassword];
  const withoutOurs = masking(ours);
  const { release } = checked;
  let silentUntil = Number.NEGATIVE_INFINITY;
  let lastTold: ApplianceIdentity | undefined;
  const gate = openGate(release === undefined ? askRelease : () => Promise.resolve(release), now);

  /** Everything before a request is sent; `deliver` then decides what to do with it. */
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
        operation,
        service,
        effect,
        slow,
        large,
        method,
        path,
        headers,
        body,
        signal,
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
    // This operation's reader makes this type.
    if (operation === 'directory.applianceVersion') heard(value as ApplianceVersion);
    // Reading a large answer takes time, so let other work run in between.
    if (text.length > largeText) await turn();
    // A success before the whole file was taken cannot be believed; a refusal can.
    if (early) throw new ConnectionLost('ANSWERED_EARLY', { operation, sent: 'maybe' });
    return value;
  }

  /** Any caller's answer about identity and release, such as after an upgrade, counts from then on. */
  function heard(version: ApplianceVersion): void {
    const known = readRelease(version);
    const { hostname, serial } = version;
    lastTold = {
      ...(hostname === undefined ? {} : { hostname: cut(hostname, longestName) }),
      ...(serial === undefined ? {} : { serial: cut(serial, longestName) }),
      ...(known === undefined ? {} : { release: releaseName(known) }),
    };
    if (release === undefined) gate.heard(known);
  }

  /** Sends nothing that the release lacks. The directory API reports the release itself, so it is exempt. */
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
    // Everybody waits for this answer, whoever needed it first, so it is asked on the client's own behalf.
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
    // Object.entries loses which endpoint has which name; `Bound` is that mapping.
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
    async identity({ anew = false } = {}) {
      if (!anew && now() < silentUntil) return lastTold;
      const signal = AbortSignal.timeout(identityTimeout);
      try {
        await onBehalfOf(itself, () => calls.directory.applianceVersion({ signal }));
      } catch (error) {
        if (!isApplianceFailure(error)) throw error;
        silentUntil = now() + silence;
      }
      return lastTold;
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

function withCombined(calls: Bound): Bound & BoundCombined {
  const areasWithBoth = Object.entries(combinedAreas).map(([area, declarations]) => [
    area,
    {
      // The combined areas are named like areas; a test checks this.
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
                return run(calls, asked as never, checkOptions(operation, options));
              },
            ];
          },
        ),
      ),
    },
  ]);
  // Object.fromEntries loses the names that the type keeps.
  return { ...calls, ...Object.fromEntries(areasWithBoth) } as Bound & BoundCombined;
}

/** An aborted caller does not wait for the appliance's release. Sending with an aborted signal then ends the call. */
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

/** How long a reported release counts, and how long a missing report does, in milliseconds. */
const known = 10 * 60_000;
const notKnown = 60_000;

interface Gate {
  /** The release, once it is known; undefined if it cannot be found out. */
  release(): Promise<Release | undefined>;
  /** Whether the release has the operation; undefined when that is not known. */
  supports(endpoint: Endpoint): Promise<boolean | undefined>;
  /** Stores a release that another caller's answer contained. */
  heard(told: Release | undefined): void;
}

/**
 * Decides which operations the appliance's release has (§9), asking once for many calls. Callers wait only for
 * the first answer, and for one that may turn an old *no* into a *yes*; otherwise it is asked in the
 * background.
 * @param ask reads the release; undefined if it is unreadable. May reject.
 * @param now monotonic milliseconds
 */
export function openGate(ask: () => Promise<Release | undefined>, now: () => number): Gate {
  let last: { readonly told: Release | undefined; readonly until: number } | undefined;
  let asking: Promise<Release | undefined> | undefined;

  function heard(told: Release | undefined): void {
    last = { told, until: now() + (told === undefined ? notKnown : known) };
  }

  function learn(): Promise<Release | undefined> {
    // An appliance that does not report its release may have every operation; the call itself will show.
    asking ??= ask()
      .catch(() => undefined)
      .then((told) => {
        heard(told);
        asking = undefined;
        return told;
      });
    return asking;
  }

  const isOld = () => last === undefined || now() >= last.until;

  async function release(): Promise<Release | undefined> {
    const asked = isOld() ? learn() : undefined;
    return last === undefined ? asked : last.told;
  }

  /** A cache: every call asks, with a dozen different answers. */
  const verdicts = new Map<string, boolean | undefined>();
  let judged: Release | undefined;

  function verdictOf(told: Release, availableFrom: string): boolean | undefined {
    if (judged !== told) verdicts.clear();
    judged = told;
    if (!verdicts.has(availableFrom)) {
      const verdict = has(told, readAvailability(availableFrom));
      verdicts.set(availableFrom, verdict === 'unknown' ? undefined : verdict === 'yes');
    }
    return verdicts.get(availableFrom);
  }

  return {
    release,
    heard,
    async supports({ availableFrom }) {
      if (availableFrom === undefined) return true;
      const isFormer = last !== undefined && isOld();
      const told = await release();
      const verdict = told && verdictOf(told, availableFrom);
      if (verdict !== false || !isFormer) return verdict;
      // The appliance may have been upgraded since.
      const fresh = await (asking ?? release());
      return fresh && verdictOf(fresh, availableFrom);
    },
  };
}
