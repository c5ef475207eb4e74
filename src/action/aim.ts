import { type Appliance, isApplianceFailure } from '../api/index.ts';
import type { Arguments } from '../auth/request.ts';
import {
  type AnyChange,
  type AskingAppliance,
  FileFailure,
  type OnAppliance,
  type Preview,
  type Subject,
} from '../handlers/command.ts';
import type { Asked } from '../handlers/language/asked.ts';
import type { Text } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import { explain, type Fault } from './faults.ts';
import type { Parts } from './parts.ts';
import { resolve, unresolved } from './resolve.ts';
import { argsOf, type Target } from './stored.ts';

/** A command aimed at one appliance, with everything in its arguments looked up there. */
export interface Aim {
  readonly appliance: Appliance;
  readonly args: never;
}

/** Aimed and looked at, or why not. */
export type Look =
  | { readonly kind: 'ready'; readonly aim: Aim; readonly preview: Extract<Preview, { kind: 'ready' }> }
  | { readonly kind: 'fault'; readonly appliance: string; readonly fault: Fault };

/** What a command's code works with. */
export interface Contexts {
  readonly asking: (action: Situated, aim: Aim) => AskingAppliance<never>;
  readonly acting: (action: Situated, aim: Aim, progress?: (words: Text) => void) => OnAppliance<never>;
}

type Situated = Pick<Action, 'id' | 'person' | 'channel'>;

export function createContexts({
  journal,
  files,
  vault,
  authority,
  now,
}: Pick<Parts, 'journal' | 'files' | 'vault' | 'authority' | 'now'>): Contexts {
  const acting: Contexts['acting'] = (
    { id, person, channel },
    { appliance, args },
    progress = () => undefined,
  ) => ({
    // The person and the channel are those of whoever may act on the action.
    ...{ person, channel, appliance, files, progress, now: now() },
    args: { ...(args as object), ...vault.get(id) } as never,
    owed: async () => {
      const owed = await journal.owed(appliance.name);
      return Promise.all(
        owed.map(async ({ what, since, lastProblem, action }) => ({
          // Only `Applied` values are ever owed (`apply.ts`).
          what: what as never,
          since,
          problem: lastProblem,
          line: (await journal.byId(action))?.line ?? '',
        })),
      );
    },
    limits: { emergency: authority.policy().emergency.longest },
    lease: async () => {
      const lease = await journal.lease(appliance.name);
      if (lease === undefined || lease.state === 'over') return undefined;
      const { state, startedAt: since, endsAt: until, person: asker, reason } = lease;
      return { state, since, until, person: asker, reason };
    },
    extend: async (from, to) => {
      const lease = await journal.lease(appliance.name);
      const extension = { action: id, at: now(), until: to };
      return lease !== undefined && journal.extendLease(lease.id, from, extension);
    },
    confirmOver: async (reason) => {
      const lease = await journal.lease(appliance.name);
      if (lease?.state !== 'ending') return false;
      const ended = await journal.endLease(lease.id, { how: 'confirmed', person, says: reason });
      return ended !== undefined;
    },
  });
  return { acting, asking: acting };
}

/** Looks up what was typed on one appliance, and suggests what somebody may have. A failure to do so is an answer too. */
export async function aimAt(
  asked: Asked,
  args: never,
  appliance: Appliance,
  stakes: Extract<Fault, { code: 'appliance' }>['stakes'],
  may: Parameters<typeof resolve>[3],
): Promise<
  | { readonly ok: true; readonly aim: Aim }
  | { readonly ok: false; readonly fault: Fault; readonly known: Arguments }
> {
  try {
    const found = await resolve(asked, args, appliance, may);
    return found.ok ? { ok: true, aim: { appliance, args: found.args } } : found;
  } catch (error) {
    const known = unresolved(asked.command, args);
    return { ok: false, fault: faultOf(error, appliance.name, stakes), known };
  }
}

/** Takes the preview. */
export async function look(command: AnyChange, aim: Aim, context: AskingAppliance<never>): Promise<Look> {
  const fault = (found: Fault): Look => ({ kind: 'fault', appliance: aim.appliance.name, fault: found });
  try {
    const preview = await command.preview(context);
    return preview.kind === 'ready'
      ? { kind: 'ready', aim, preview }
      : fault({
          code: 'nothing_to_act_on',
          why: preview.why,
          ...(preview.offers && { offers: preview.offers }),
        });
  } catch (error) {
    return fault(faultOf(error, aim.appliance.name, 'preview'));
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

/** What was agreed to on one appliance, aimed again without looking names up anew. */
export const aimOf = (target: Target, appliance: Appliance): Aim => ({ appliance, args: argsOf(target) });

/** Whether what is there now is what the person was shown, on every appliance. */
export function isSame(then: readonly Target[], now: readonly Target[]): boolean {
  return (
    then.length === now.length &&
    then.every((target, index) => {
      const other = now[index];
      return (
        other !== undefined &&
        other.appliance === target.appliance &&
        isSameSubject(target.subject, other.subject)
      );
    })
  );
}

function isSameSubject(then: Subject, now: Subject): boolean {
  const keys = new Set([...Object.keys(then), ...Object.keys(now)]);
  return [...keys].every((key) => then[key] === now[key]);
}

/** The words of a fault, for a line in a table. */
export const reasonOf = (fault: Fault): Text => explain(fault).headline;

/** Why there is nothing to act on: the reason of the one appliance, or of each of several. */
export function faultIn(looks: readonly Look[]): Fault {
  const faults = looks.flatMap((one) => (one.kind === 'fault' ? [one] : []));
  const [only] = faults;
  if (only === undefined) throw new Error('There is something to act on');
  return faults.length === 1 ? only.fault : { code: 'on_no_appliance', faults };
}
