import { type Appliance, type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import type { Arguments } from '../../auth/request.ts';
import { compile, namedIn } from '../../handlers/applied.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import {
  type AskingAppliance,
  FileFailure,
  type FilesFor,
  type OnAppliance,
  type PendingChange,
} from '../../handlers/context.ts';
import { endOfMode } from '../../handlers/emergency/mode.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import type { Text } from '../../handlers/reply.ts';
import type { Fingerprint, Preview } from '../../handlers/results.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import { unresolved } from '../authority/asked-of.ts';
import type { Authority } from '../authority/authority.ts';
import { wayToAllow } from '../authority/ways.ts';
import type { SecretStore } from '../base/secret-store.ts';
import { argsOf, argsOn, stepsIn, type Target, targetsIn } from '../base/stored.ts';
import { explain, type Fault } from '../wording/faults.ts';
import {
  askIdentity,
  createLastNoted,
  identityOn,
  isSameFingerprint,
  otherAppliance,
  withIdentity,
} from './identity.ts';
import { resolve, type Sight } from './resolve.ts';
import { startWatching } from './watches.ts';

/** A command on one appliance, with everything in its arguments looked up there. */
export interface ResolvedTarget {
  readonly appliance: Appliance;
  readonly args: never;
}

/** Resolved and previewed, or why not. */
export type TargetPreview =
  | {
      readonly kind: 'ready';
      readonly resolved: ResolvedTarget;
      readonly preview: Extract<Preview, { kind: 'ready' }>;
    }
  | { readonly kind: 'fault'; readonly appliance: string; readonly fault: Fault };

/** What a command's code works with. */
export interface Contexts {
  readonly asking: (action: Situated, resolved: ResolvedTarget) => AskingAppliance<never>;
  readonly acting: (
    action: Situated,
    resolved: ResolvedTarget,
    tell?: Pick<OnAppliance<never>, 'progress' | 'trouble'>,
  ) => OnAppliance<never>;
}

type Situated = Pick<Action, 'id' | 'person' | 'channel'> &
  Partial<Pick<Action, 'team' | 'phrase' | 'thread' | 'direct' | 'consent'>>;

interface ContextParts {
  readonly journal: Journal;
  readonly filesFor: FilesFor;
  readonly secretStore: SecretStore;
  readonly authority: Authority;
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const hour = 60 * 60_000;

/** What was changed on an appliance and is not live yet. */
export async function pendingOn(
  journal: Pick<Journal, 'pendingApplies' | 'byId'>,
  appliance: string,
): Promise<readonly PendingChange[]> {
  const pending = await journal.pendingApplies(appliance);
  return Promise.all(
    pending.map(async ({ what, since, lastProblem, action: id }) => {
      const action = await journal.byId(id);
      // Only `Applied` values are ever pending (`apply.ts`).
      const named = namedIn(what as never, argsOn(action, appliance));
      return { ...named, since, problem: lastProblem, line: action?.line ?? '' };
    }),
  );
}

export function createContexts(parts: ContextParts): Contexts {
  const { journal, filesFor, secretStore, authority, commandByPhrase, now } = parts;
  const isUpgrade = (phrase: string) => {
    const command = commandByPhrase.get(phrase);
    return command?.kind === 'change' && command.upgrades === true;
  };
  const upgrades = () => [...commandByPhrase.keys()].filter(isUpgrade);
  const lastNoted = createLastNoted({ journal, now });
  const acting: Contexts['acting'] = (
    { id, team = '', person, channel, phrase = '', thread, direct, consent },
    { appliance, args },
    tell = { progress: () => undefined, trouble: () => undefined },
  ) => ({
    // The person and the channel are those of whoever may act on the action.
    person,
    channel,
    appliance,
    files: filesFor(person),
    ...tell,
    now: now(),
    args: { ...(args as object), ...secretStore.get(id) } as never,
    giveWay: async () => undefined,
    pendingChanges: () => pendingOn(journal, appliance.name),
    otherOrders: async () => {
      const all = await journal.changesIn(now() - hour, now());
      return all.flatMap((other) => {
        const { state, phrase = '', line, person: by, changedAt: since } = other;
        // Of a plan its steps are the orders.
        if (other.id === id || stepsIn(other).length > 0) return [];
        if (state !== 'running' && state !== 'unknown') return [];
        const isHere = targetsIn(other).some((target) => target.appliance === appliance.name);
        return isHere ? [{ state, isUpgrade: isUpgrade(phrase), line, person: by, since }] : [];
      });
    },
    identity: (agreed) => askIdentity({ journal, upgrades, now, lastNoted }, appliance, agreed),
    wayToAllow: (site) => wayToAllow(parts, { person, channel }, [site], appliance.name),
    limits: { emergency: authority.policy().emergency.longest },
    timedChange: async (of = endOfMode) => {
      const timedChange = await journal.timedChange(appliance.name, of);
      if (timedChange === undefined || timedChange.state === 'over') return undefined;
      const { state, seen, startedAt: since, endsAt: until, person: asker, reason } = timedChange;
      const last = timedChange.extensions.at(-1);
      const movedBy = last && (await journal.byId(last.action))?.person;
      return { state, seen, since, until, person: asker, reason, movedBy };
    },
    extend: async (from, to, of = endOfMode) => {
      const timedChange = await journal.timedChange(appliance.name, of);
      const extension = { action: id, at: now(), until: to };
      return timedChange !== undefined && journal.extendTimedChange(timedChange.id, from, extension);
    },
    keep: async (of) => {
      const timedChange = await journal.timedChange(appliance.name, of);
      const kept = { how: 'kept', person, says: 'It was kept for good.' } as const;
      return timedChange !== undefined && (await journal.endTimedChange(timedChange.id, kept)) !== undefined;
    },
    watch: async (first, terms) => {
      const wanted = {
        team,
        channel,
        person,
        subject: phrase,
        appliance: appliance.name,
        isApproved: consent !== undefined,
        mayChange: async () => {
          const may = await authority.suggests(person, channel);
          return [...commandByPhrase.values()].some((command) => command.kind === 'change' && may(command));
        },
      };
      const isElsewhere = thread !== undefined || direct !== undefined;
      return { ...(await startWatching({ journal, authority, now }, wanted, first, terms)), isElsewhere };
    },
    confirmOver: async (reason) => {
      const timedChange = await journal.timedChange(appliance.name, endOfMode);
      if (timedChange?.state !== 'ending') return false;
      const ended = await journal.endTimedChange(timedChange.id, { how: 'confirmed', person, says: reason });
      return ended !== undefined;
    },
  });
  return { acting, asking: acting };
}

/** Looks up what was typed on one appliance. A failure to do so is an answer too. */
export async function resolveOn(
  asked: Asked,
  args: never,
  appliance: Appliance,
  stakes: Extract<Fault, { code: 'appliance' }>['stakes'],
  sight: Sight,
): Promise<
  | { readonly ok: true; readonly resolved: ResolvedTarget }
  | { readonly ok: false; readonly fault: Fault; readonly known: Arguments }
> {
  try {
    const found = await resolve(asked, args, appliance, sight);
    return found.ok ? { ok: true, resolved: { appliance, args: found.args } } : found;
  } catch (error) {
    const known = unresolved(asked.command, args);
    return { ok: false, fault: faultOf(error, appliance.name, stakes), known };
  }
}

/** Takes the preview, of the appliance that was `agreed` to before, where there was one. */
export async function previewOn(
  command: AnyChange,
  resolved: ResolvedTarget,
  context: AskingAppliance<never>,
  agreed?: string,
): Promise<TargetPreview> {
  const fault = (found: Fault): TargetPreview => ({
    kind: 'fault',
    appliance: resolved.appliance.name,
    fault: found,
  });
  try {
    const [preview, identity] = await Promise.all([
      command.preview(context),
      // What sends nothing to it may not even be able to ask it.
      command.sendsNothing ? undefined : context.identity(agreed),
    ]);
    if (preview.kind !== 'ready') {
      const { why, offers } = preview;
      return fault({ code: 'nothing_to_act_on', why, ...(offers && { offers }) });
    }
    const { appliance } = resolved;
    const failure = await lackedBy(command, context, appliance, preview.fingerprint);
    const fingerprint = withIdentity(preview.fingerprint, identity);
    return failure === undefined
      ? { kind: 'ready', resolved, preview: { ...preview, fingerprint } }
      : fault({ code: 'appliance', appliance: appliance.name, failure, stakes: 'preview' });
  } catch (error) {
    return fault(faultOf(error, resolved.appliance.name, 'preview'));
  }
}

/** An appliance's failure, or a file's, as a fault; a mistake of ours stays one. */
export function faultOf(
  error: unknown,
  appliance: string,
  stakes: Extract<Fault, { code: 'appliance' }>['stakes'],
): Fault {
  if (isApplianceFailure(error)) return { code: 'appliance', appliance, failure: error, stakes };
  if (error instanceof FileFailure) return { code: 'file', why: error.message };
  throw error;
}

/** What was agreed to on one appliance, resolved again without looking names up anew. */
export const resolvedFrom = (target: Target, appliance: Appliance): ResolvedTarget => ({
  appliance,
  args: argsOf(target),
});

/** Whether what is there now is what the person was shown, on every appliance. */
export function isSame(then: readonly Target[], now: readonly Target[]): boolean {
  return (
    then.length === now.length &&
    then.every((target, index) => {
      const other = now[index];
      return (
        other !== undefined &&
        other.appliance === target.appliance &&
        isSameFingerprint(target.fingerprint, other.fingerprint)
      );
    })
  );
}

/** Whether another appliance answers than the one that something was changed on: nothing that is seen there tells of that. */
export async function otherAt(
  contexts: Contexts,
  appliance: Appliance,
  action: Action,
): Promise<Text | undefined> {
  const agreed = identityOn(action, appliance.name);
  if (agreed === undefined) return undefined;
  const context = contexts.asking(action, { appliance, args: {} as never });
  return otherAppliance(appliance.name, agreed, await context.identity(agreed));
}

/** The words of a fault, for a line in a table. */
export const reasonOf = (fault: Fault): Text => explain(fault).headline;

/** Whether it is so already, or there is nothing of which it could be. */
export const isNothing = (look: TargetPreview): boolean =>
  look.kind === 'fault' && look.fault.code === 'nothing_to_act_on';

/** Why there is nothing to act on: the reason of the one appliance, or of each of several. */
export function faultIn(looks: readonly TargetPreview[]): Fault {
  const faults = looks.flatMap((one) => (one.kind === 'fault' ? [one] : []));
  const [only] = faults;
  if (only === undefined) throw new Error('There is something to act on');
  return faults.length === 1 ? only.fault : { code: 'on_no_appliance', faults };
}

/**
 * Whether the appliance's release lacks what a change would order, found out before anybody is asked: the change, and the
 * compile that it requires, come as far as their first call, of which only the release is looked at. Nothing is sent for it
 * but the question for the release. What a change would call after that is not known here.
 */
async function lackedBy(
  command: AnyChange,
  context: AskingAppliance<never>,
  appliance: Appliance,
  fingerprint: Fingerprint,
): Promise<ApplianceFailure | undefined> {
  const probe = appliance.probe();
  const noFile = () => Promise.reject(new FileFailure('not_found', 'It is not opened to look.'));
  const acting = {
    ...context,
    appliance: probe,
    files: { open: noFile, digest: noFile },
    progress: () => undefined,
    trouble: () => undefined,
    giveWay: async () => undefined,
    extend: async () => true,
    keep: async () => true,
    confirmOver: async () => true,
  };
  const trials: readonly (() => Promise<unknown>)[] = [
    async () => command.run(acting, fingerprint),
    ...(command.requires?.(context.args) ?? []).map((what) => () => compile(probe, what)),
  ];
  for (const trial of trials) {
    const ended = await trial().catch((error: unknown) => error);
    // Every other end says nothing about the release, and shows when it is really called.
    if (isApplianceFailure(ended) && ended.code === 'not_available') return ended;
  }
  return undefined;
}
