import type { Appliance } from '../../api/index.ts';
import type { Arguments, Lasts } from '../../auth/request.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import { say } from '../../handlers/reply.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { lastsWith, plannedFor, unresolved } from '../authority/asked-of.ts';
import { startIn } from '../authority/starts.ts';
import { type Terms, termsFor, type Wanted } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { isDelegated } from '../base/consent.ts';
import { inAction } from '../base/request-log.ts';
import { appliancesToStore, argsToStore, targetsIn } from '../base/stored.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Proposed } from '../change/propose.ts';
import { lastsInAll } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import type { DryRuns } from '../lookup/dry-run.ts';
import { type Lookups, type ResolutionOn, targetsAmong } from '../lookup/lookup.ts';
import { resolvedFrom, resolveOn } from '../target/target.ts';
import { explain, outcomeOf } from '../wording/faults.ts';
import { journalFault } from '../wording/journal-trouble.ts';
import {
  askingFor,
  asTheirs,
  deniedIn,
  type OnAppliances,
  secretsOf,
  type Understood,
  wantedIn,
} from './asking.ts';
import type { Refusals } from './refusals.ts';
import type { Requests } from './requests.ts';

/** Whoever types the same line again within so many milliseconds has not seen that it is under way (slack-facts.md §1). */
const doubleTypedWithin = 60_000;

export interface TargetedParts extends Parts {
  readonly confirmation: Confirmation;
  readonly lookups: Lookups;
  readonly dryRuns: DryRuns;
  readonly requests: Requests;
  readonly refusals: Refusals;
  readonly wasTaken: WasTaken;
  readonly after: After;
}

/** Whatever happens to this process, the button or the form that a line came from is not given back any more. */
type WasTaken = (invocation: Invocation, action?: Action) => Promise<void>;

/** What appliances are asked or told: written down, resolved, decided once more with what its words mean there, and on its way. */
export type AskAppliances = (
  invocation: Invocation,
  asked: Omit<NewAction, 'state'>,
  found: Understood<OnAppliances>,
  targets: readonly Appliance[],
) => Promise<void>;

export function createAskAppliances(parts: TargetedParts): AskAppliances {
  const { authority, journal, secretStore, whisper, wasTaken } = parts;
  const { turnDown } = parts.refusals;

  return async (invocation, asked, found, targets) => {
    const { offer, person } = invocation;
    if (offer !== undefined && (await journal.take(offer, person)) === undefined) {
      const taken = await journal.kept(offer);
      const about = { line: asked.line, phrase: asked.phrase, action: taken?.action };
      return parts.interactionLog.decline({ ...invocation, button: 'offer' }, about, {
        code: 'offer_gone',
        taken,
      });
    }
    return begin(invocation, asked, found, targets, mayWait(invocation, found));
  };

  /**
   * Whether it may turn out to need somebody's consent; certain only when its arguments are known, and with them the roles
   * that allow it.
   */
  function mayWait(invocation: Invocation, found: Understood<OnAppliances>): boolean {
    const isFree =
      authority.approvalFor(wantedIn(found, invocation.channel, parts), []).kind === 'not_needed';
    return invocation.accessRequest === true || !isFree;
  }

  async function begin(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    found: Understood<OnAppliances>,
    targets: readonly Appliance[],
    waits: boolean,
  ): Promise<void> {
    const { command, args } = found;
    const isAnswered = (command.kind === 'lookup' || found.dryRun === true) && !waits;
    const written = journal.writeOnce(
      {
        ...asked,
        appliance: appliancesToStore(targets.map(({ name }) => name)),
        args: argsToStore(command, args),
        state: isAnswered ? 'running' : 'asked',
        // Nothing is changed by it.
        ...(found.dryRun ? { effect: 'read' } : {}),
      },
      // Each run of a workflow or a schedule is one of its own.
      invocation.unattended || invocation.scheduled ? 0 : doubleTypedWithin,
    );
    const { isNew, action } = await written.catch(async (error: unknown) => {
      // What it is taken for has not begun.
      await release(invocation);
      throw error;
    });
    await wasTaken(invocation, isNew ? action : undefined);
    if (!isNew) {
      await release(invocation);
      return whisper(invocation, explain({ code: 'already_running', action }));
    }
    try {
      await inAction(parts, [action.id], () => resolveAndDecide(invocation, action, found, targets));
    } catch (error) {
      // Nothing that has not been moved on by now was sent.
      const outcome =
        error instanceof JournalUnavailable
          ? outcomeOf(journalFault(error))
          : { code: 'internal', says: 'A mistake in the bot.' };
      await journal.move(action, 'failed', { outcome });
      await secretStore.forget(action.id);
      throw error;
    } finally {
      if (invocation.offer !== undefined) await giveBack(invocation.offer, action);
    }
  }

  async function resolveAndDecide(
    invocation: Invocation,
    action: Action,
    found: Understood<OnAppliances>,
    targets: readonly Appliance[],
  ): Promise<void> {
    // What a step of a workflow asks for and the bot may run itself is found out now, as for a typed line.
    const own =
      invocation.unattended && invocation.accessRequest
        ? { ...invocation, accessRequest: undefined }
        : undefined;
    const tried = own && (await resolveFor(own, found, targets));
    if (own !== undefined && tried !== undefined && !isDenied(tried.terms))
      return decided(own, action, found, tried);
    return decided(invocation, action, found, await resolveFor(invocation, found, targets));
  }

  /** What its words mean on each appliance, and on what terms it may run. */
  async function resolveFor(
    invocation: Invocation,
    found: Understood<OnAppliances>,
    targets: readonly Appliance[],
  ): Promise<Resolved> {
    const start = startIn(found.start, parts);
    if (start !== undefined && 'code' in start) return { ...nowhere, terms: { kind: 'fault', fault: start } };
    const stakes = found.command.kind === 'lookup' ? 'lookup' : 'preview';
    const { person, channel } = invocation;
    const { command } = found;
    const decide = await authority.decideEach({ person, channel, command, access: 'suggest' });
    const lastsFor = (args: Arguments) => lastsWith(command, args, found.term, parts, start?.at);
    const isWhole = invocation.accessRequest === true;
    const { moves } = invocation;
    const kept = moves && (await journal.byId(moves.action).then((of) => of && targetsIn(of)));
    const resolutions = await inView(
      invocation,
      Promise.all(
        targets.map(async (appliance): Promise<ResolutionOn> => {
          // What it was made with is known, whatever is called so by now.
          const before = kept?.find((one) => one.appliance === appliance.name);
          if (before !== undefined)
            return { appliance, result: { ok: true, resolved: resolvedFrom(before, appliance) } };
          const decision = (args: Arguments) =>
            decide({ args, appliances: [appliance.name], lasts: lastsFor(args) });
          const may = (args: Arguments) => decision(args).allow;
          const result = await resolveOn(found, found.args, appliance, stakes, {
            may,
            isWhole,
            isExact: invocation.undo === true,
          });
          return {
            appliance,
            result: isWhole ? result : await asTheirs(authority, result, decision, channel),
          };
        }),
      ),
    );
    // Where it is on for a time already, all of its time counts.
    const inAll = await lastsInAll(parts, command, { term: found.term, start, moves }, resolutions);
    const lasts = (args: Arguments) => inAll ?? lastsFor(args);
    const terms = await termsOf(invocation, found, resolutions, { lasts, start });
    return { resolutions, lasts, terms, start, moves: moves && [moves, kept?.[0]?.fingerprint ?? {}] };
  }

  async function decided(
    invocation: Invocation,
    action: Action,
    found: Understood<OnAppliances>,
    { resolutions, terms, lasts, start, moves }: Resolved,
  ): Promise<void> {
    if (terms.kind === 'fault')
      return turnDown(invocation, action, deniedIn(resolutions) ?? terms.fault, found);
    if (terms.kind === 'consent' && action.state === 'running') {
      // It was free when it was written down: the hour or the policy has changed since.
      return turnDown(invocation, action, { code: 'approval_changed' }, found);
    }
    const consent = terms.kind === 'consent' ? terms.consent : undefined;
    const admitted = await parts.requests.admit(action, consent, invocation);
    if (admitted.fault !== undefined) return turnDown(invocation, action, admitted.fault, found);
    const proposed = { resolutions, consent: admitted.consent, term: found.term, start, lasts, moves };
    await goOn(invocation, action, found, proposed).finally(admitted.over);
  }

  /**
   * Where it could be resolved; that it could not elsewhere is told there. Whoever may not have it gets the same answer whether
   * what they named is there or not: where it could be resolved nowhere, what they typed decides.
   */
  async function termsOf(
    invocation: Invocation,
    found: Understood<OnAppliances>,
    resolutions: readonly ResolutionOn[],
    { lasts, start }: Pick<Resolved, 'lasts' | 'start'>,
  ): Promise<Terms> {
    const { command } = found;
    const isAccessRequest = invocation.accessRequest === true;
    const hit = resolutions.filter(({ result }) => result.ok);
    // What a request needs is seen by whoever asked, and must not tell what their words mean there.
    const mayBe = isAccessRequest ? unresolved(command, found.args) : undefined;
    const asked = (hit.length === 0 || isAccessRequest ? resolutions : hit).map(
      ({ appliance, result }): Wanted => {
        const args: Arguments = result.ok ? result.resolved.args : result.known;
        const planned = plannedFor(start);
        return { command, mayBe, appliances: [appliance.name], args, lasts: lasts(args), planned };
      },
    );
    const terms = await termsFor(authority, askingFor(invocation, found), asked);
    const isTheirs =
      terms.kind === 'fault'
        ? terms.fault.code !== 'denied' && !isAccessRequest
        : terms.kind === 'own' || !isDelegated(terms) || (invocation.unattended === true && !isAccessRequest);
    return hit.length === 0 && isTheirs ? { kind: 'own' } : terms;
  }

  async function goOn(
    invocation: Invocation,
    action: Action,
    { command, args, dryRun }: Understood<OnAppliances>,
    proposed: Proposed,
  ): Promise<void> {
    const { resolutions, consent } = proposed;
    const secrets = secretsOf(command, args);
    if (secrets !== undefined) await secretStore.put(action.id, secrets);
    if (command.kind === 'change' && !dryRun) {
      return parts.confirmation.propose(invocation, action, command, proposed);
    }
    if (consent !== undefined) {
      const { targets, left } = targetsAmong(command, resolutions);
      return parts.confirmation.request(invocation, action, command, targets, left, consent);
    }
    const running = action.state === 'running' ? action : await journal.move(action, 'running');
    if (running === undefined) return;
    return command.kind === 'lookup'
      ? parts.lookups.answer(invocation, running, command, resolutions)
      : parts.dryRuns.show(invocation, running, command, resolutions);
  }

  /** What is named is looked up on the appliance, which may be slow. */
  function inView<Found>(to: Invocation, finding: Promise<Found>): Promise<Found> {
    return saidWhenSlow(parts.after, () => whisper(to, { headline: stillLooking }), finding);
  }

  async function release({ offer, person }: Invocation): Promise<void> {
    if (offer !== undefined) await journal.release(offer, person);
  }

  /** What certainly did not happen can be pressed again: an undo on an appliance that was out of reach, say. */
  async function giveBack(offer: string, { id, person }: Action): Promise<void> {
    const ended = await journal.byId(id);
    if (ended?.state === 'refused' || ended?.state === 'failed') await journal.release(offer, person);
  }
}

const stillLooking = say`Still looking up what you named. No changes were made so far.`;

interface Resolved {
  readonly resolutions: readonly ResolutionOn[];
  readonly terms: Terms;
  /** How long it is to last, by what it is asked with. */
  readonly lasts: (args: Arguments) => Lasts;
  readonly start: PlannedStart | undefined;
  readonly moves: Proposed['moves'];
}

const none = { resolutions: [], start: undefined, moves: undefined };
const nowhere: Omit<Resolved, 'terms'> = { ...none, lasts: () => 'forGood' };

const isDenied = (terms: Terms): boolean => terms.kind === 'fault' && terms.fault.code === 'denied';
