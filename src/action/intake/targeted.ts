import type { Appliance } from '../../api/index.ts';
import type { Arguments, Lasts } from '../../auth/request.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import { say } from '../../handlers/reply.ts';
import { digestOf } from '../../handlers/results.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import { lastsWith, plannedFor, unresolved } from '../authority/asked-of.ts';
import { keptOn } from '../authority/freeze-over.ts';
import { startIn } from '../authority/starts.ts';
import { type Terms, termsFor, type Wanted } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { isDelegated } from '../base/consent.ts';
import { requestToStore, siteRequestOf } from '../base/site-request.ts';
import { appliancesOf, appliancesToStore, argsToStore, targetsIn } from '../base/stored.ts';
import { type After, saidWhenSlow } from '../base/timeout.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { Proposed } from '../change/propose.ts';
import { lastsInAll, whoseEnd } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import type { DryRuns } from '../lookup/dry-run.ts';
import { type Lookups, type ResolutionOn, targetsAmong } from '../lookup/lookup.ts';
import { lookAtSite } from '../lookup/site-look.ts';
import {
  askingFor,
  asTheirs,
  deniedIn,
  type OnAppliances,
  secretsOf,
  type Understood,
  wantedIn,
} from '../taking/asking.ts';
import type { Refusals } from '../taking/refusals.ts';
import type { Requests } from '../taking/requests.ts';
import type { TakeUp } from '../taking/take-up.ts';
import { resolvedFrom, resolveOn } from '../target/target.ts';

export interface TargetedParts extends Parts {
  readonly confirmation: Confirmation;
  readonly lookups: Lookups;
  readonly dryRuns: DryRuns;
  readonly requests: Requests;
  readonly refusals: Refusals;
  readonly begin: TakeUp;
  readonly after: After;
}

/** What appliances are asked or told: written down, resolved, decided once more with what its words mean there, and on its way. */
export type AskAppliances = (
  invocation: Invocation,
  asked: Omit<NewAction, 'state'>,
  found: Understood<OnAppliances>,
  targets: readonly Appliance[],
) => Promise<void>;

export function createAskAppliances(parts: TargetedParts): AskAppliances {
  const { authority, journal, secretStore, whisper, begin } = parts;
  const { turnDown } = parts.refusals;

  return askOn;

  async function askOn(...[invocation, asked, found, targets]: Parameters<AskAppliances>): Promise<void> {
    const { command, args } = found;
    const isAnswered = (command.kind === 'lookup' || found.dryRun === true) && !mayWait(invocation, found);
    const written: NewAction = {
      ...asked,
      appliance: appliancesToStore(targets.map(({ name }) => name)),
      args: argsToStore(command, args),
      state: isAnswered ? 'running' : 'asked',
      // Nothing is changed by it.
      ...(found.dryRun ? { effect: 'read' } : {}),
    };
    return begin(
      invocation,
      written,
      (action) => resolveAndDecide(invocation, action, found, targets),
      digestOf([wordsOf(found), invocation.moves]),
    );
  }

  /**
   * Whether it may turn out to need somebody's consent; certain only when its arguments are known, and with them the roles
   * that allow it.
   */
  function mayWait(invocation: Invocation, found: Understood<OnAppliances>): boolean {
    const isFree =
      authority.approvalFor(wantedIn(found, invocation.channel, parts), []).kind === 'not_needed';
    return invocation.accessRequest === true || !isFree;
  }

  async function resolveAndDecide(
    invocation: Invocation,
    action: Action,
    found: Understood<OnAppliances>,
    targets: readonly Appliance[],
  ): Promise<void> {
    // What a step of a workflow asks for and the bot may run itself is found out now, as for a typed line.
    const own =
      invocation.unattended && invocation.accessRequest && invocation.forSite === undefined
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
    const inAll = await lastsInAll(
      parts,
      command,
      { term: found.term, start, moves, person: whoseEnd(invocation) },
      resolutions,
    );
    const lasts = (args: Arguments) => inAll?.lasts ?? lastsFor(args);
    // And it is done for the ticket that it was begun for.
    const ticket = found.ticket ?? (inAll && (await journal.byId(inAll.of))?.ticket);
    const ends = inAll && (await keptOn(journal, { action: inAll.of, to: moves?.to ?? 'never' }));
    const terms = await termsOf(invocation, { ...found, ticket }, resolutions, { lasts, start, ends });
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
    try {
      const seen = await seeSite(action);
      if (seen !== undefined) await goOn(invocation, seen, found, proposed);
    } finally {
      admitted.over();
    }
  }

  /** Of a site that somebody asks for: with what is found of it. Undefined where nobody has to decide, and it is over. */
  async function seeSite(action: Action): Promise<Action | undefined> {
    const request = siteRequestOf(action);
    if (request === undefined) return action;
    const look = await lookAtSite(parts, request, appliancesOf(action));
    if (look.kind !== 'open') {
      const { code, says } = look.kind === 'over' ? look : { code: 'unread', says: look.says };
      await journal.move(action, 'refused', { outcome: { code, ...inWords(says) } });
      return undefined;
    }
    // Others may have joined it meanwhile.
    for (let current: Action | undefined = action; current !== undefined; ) {
      const before = siteRequestOf(current) ?? request;
      const found = requestToStore({ ...before, findings: look.findings });
      if (await journal.changeRequest(current, found)) return { ...current, request: found };
      const next = await journal.byId(action.id);
      current = next?.state === action.state ? next : undefined;
    }
    return undefined;
  }

  /**
   * Where it could be resolved; that it could not elsewhere is told there. Whoever may not have it gets the same answer whether
   * what they named is there or not: where it could be resolved nowhere, what they typed decides.
   */
  async function termsOf(
    invocation: Invocation,
    found: Understood<OnAppliances>,
    resolutions: readonly ResolutionOn[],
    {
      lasts,
      start,
      ends,
    }: Pick<Resolved, 'lasts' | 'start'> & {
      /** When what is to stay on for longer ends so far. */
      readonly ends: number | undefined;
    },
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
    const terms = await termsFor(authority, askingFor(invocation, found, ends), asked);
    const isTheirs =
      terms.kind === 'fault'
        ? terms.fault.code !== 'denied' && !isAccessRequest
        : terms.kind === 'own' || !isDelegated(terms) || (invocation.unattended === true && !isAccessRequest);
    return hit.length === 0 && isTheirs ? { kind: 'own' } : terms;
  }

  async function goOn(
    invocation: Invocation,
    action: Action,
    found: Understood<OnAppliances>,
    proposed: Proposed,
  ): Promise<void> {
    const { command, args, dryRun } = found;
    const { resolutions, consent } = proposed;
    const secrets = secretsOf(command, args);
    if (secrets !== undefined) await secretStore.put(action.id, secrets);
    if (command.kind === 'change' && !dryRun)
      return parts.confirmation.propose(invocation, action, command, proposed);
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
}

/**
 * A line has no room for what stands in a file: two of one name are one line. Of one change the end can be moved in several ways, which
 * say the same of its command. A password is guessed from its digest, so none goes into one.
 */
const wordsOf = ({ command, typed }: Understood<OnAppliances>) =>
  Object.entries(typed)
    .filter(([slot]) => command.args[slot]?.input !== 'secret')
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'));

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
