import type { Appliance } from '../api/index.ts';
import type { Arguments } from '../auth/request.ts';
import { versionOf } from '../auth/version.ts';
import type { AnyCommand } from '../handlers/command.ts';
import { type Asked, lineOf, reasonIn, withoutReason } from '../handlers/language/asked.ts';
import { cleanLine } from '../handlers/language/line.ts';
import type { Match } from '../handlers/language/match.ts';
import { readAsked } from '../handlers/language/reading.ts';
import { type Offer, plainText, type Reply, say } from '../handlers/reply.ts';
import type { Action, NewAction } from '../journal/journal.ts';
import { JournalUnavailable } from '../journal/unavailable.ts';
import { aimAt } from './aim.ts';
import { type Asking, type Consent, lends, petitionTo, type Terms, termsFor } from './approval/consent.ts';
import { askedOf, targetsIn, targetsOfInfo, tellingOf, wantedWith } from './authority/asked-of.ts';
import type { AskedFor } from './authority/authority.ts';
import type { Invocation } from './chat.ts';
import type { Confirmation } from './confirm.ts';
import { explain, type Fault } from './faults.ts';
import type { Forms } from './forms/forms.ts';
import type { Info, Infos } from './info.ts';
import type { Guard } from './limits/guard.ts';
import type { Requests } from './limits/requests.ts';
import { type Aimed, type Lookups, targetsAmong } from './lookup.ts';
import type { Parts } from './parts.ts';
import { type After, saidWhenSlow } from './patience.ts';
import type { Rehearsal } from './rehearse.ts';
import { sourceOf } from './results/pages.ts';
import { appliancesToStore, argsToStore } from './stored.ts';
import { within } from './trail.ts';

/** The first half of the way of an action: a typed line is matched, decided, and answered or put before the person. */
export interface Flow {
  readonly ask: (invocation: Invocation) => Promise<void>;
}

export interface FlowParts extends Parts {
  readonly match: (line: string) => Match;
  readonly confirmation: Confirmation;
  readonly lookups: Lookups;
  readonly rehearsal: Rehearsal;
  readonly forms: Forms;
  readonly infos: Infos;
  readonly guard: Guard;
  readonly requests: Requests;
  readonly after: After;
}

/** Whoever types the same line again within so many milliseconds has not seen that it is under way (slack-facts.md §1). */
const impatience = 60_000;

type Understood = Extract<Match, { kind: 'command' }>;

export function createFlow(parts: FlowParts): Flow {
  const { match, authority, appliances, journal, whisper, vault } = parts;

  const flow: Flow = {
    ask: async (invocation) => {
      // Behind a button stands a line of our own, exactly as it is meant.
      const line = invocation.offer === undefined ? cleanLine(invocation.line) : invocation.line;
      const found = invocation.asked === undefined ? match(line) : readAsked(invocation.asked);
      if (found.kind !== 'command' && found.kind !== 'missing') return notUnderstood(invocation, line, found);
      const { command } = found;
      const { team, channel, person, delivery } = invocation;
      const { phrase, effect } = command;
      const policy = versionOf(authority.policy());
      const written = { team, channel, person, line, delivery, phrase, effect, policy };
      const wanted = { ...wantedIn(found, channel), access: accessOf(found) };
      const decision = await authority.decide({ person, channel, ...wanted });
      const asked = { ...written, allowedBy: decision.allow ? decision.by : [] };
      const isPetition = found.kind === 'command' && invocation.petition === true;
      if (!decision.allow && !(isPetition && petitionTo(decision.denial).length > 0)) {
        const meant = { ...asked, appliance: namedIn(found, channel) };
        return refuse(invocation, meant, await authority.fault(decision.denial, channel), found);
      }
      if (found.kind === 'missing') {
        const opened = await parts.guard.unless(person, 'form', () => parts.forms.open(invocation, found));
        return opened ? undefined : notUnderstood(invocation, line, found);
      }
      const guarded = { invocation, command, dryRun: found.dryRun === true, written: asked };
      if (command.kind === 'info') {
        return parts.guard.understood(guarded, () => inform(invocation, asked, command, found));
      }
      const targets = targetsFor(found, channel);
      if ('code' in targets) return refuse(invocation, asked, targets, found);
      return parts.guard.understood(guarded, () => takeAndAim(invocation, asked, found, targets));
    },
  };

  return {
    ask: async (invocation) => {
      try {
        await flow.ask(invocation);
      } finally {
        await wasTaken(invocation);
      }
    },
  };

  async function takeAndAim(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    found: Understood,
    targets: readonly Appliance[],
  ): Promise<void> {
    const { offer, person } = invocation;
    if (offer !== undefined && (await journal.take(offer, person)) === undefined) {
      const taken = await journal.kept(offer);
      const about = { line: asked.line, phrase: asked.phrase, action: taken?.action };
      return parts.witness.decline({ ...invocation, button: 'offer' }, about, { code: 'offer_gone', taken });
    }
    return aim(invocation, asked, found, targets, mayWait(invocation, found));
  }

  /** Whatever happens to this process, the button or the form that it came from is not given back any more. */
  async function wasTaken({ offer, form }: Invocation, action?: Action): Promise<void> {
    const token = offer ?? form;
    if (token !== undefined) await journal.wasTaken(token, action?.id);
  }

  /** What it asks for, as far as that is known before an appliance is asked what its words mean. */
  function wantedIn(found: Extract<Match, { kind: 'command' | 'missing' }>, channel: string): AskedFor {
    const isKnown = found.command.kind === 'info' && found.kind === 'command';
    return { ...wantedWith(found, channel, parts), ...(isKnown && { args: found.args }) };
  }

  /**
   * Whether it may turn out to need somebody's consent; certain only when its arguments are known, and with them the roles
   * that allow it.
   */
  function mayWait(invocation: Invocation, found: Understood): boolean {
    const isFree = authority.approvalFor(wantedIn(found, invocation.channel), []).kind === 'not_needed';
    return invocation.petition === true || !isFree;
  }

  /** On which appliances it would have run, as far as that is known. */
  function namedIn(found: Match, channel: string): string | undefined {
    if (found.kind !== 'command' || found.command.kind === 'info') return undefined;
    const named = askedOf(found, channel, parts);
    return typeof named === 'string' ? undefined : appliancesToStore(named);
  }

  /** On which appliances; the configuration is checked at the start, so those of a channel exist. */
  function targetsFor(asked: Asked, channel: string): readonly Appliance[] | Fault {
    const targets = targetsIn(asked, channel, parts);
    if (targets === undefined) throw new Error(`Channel ${channel} has no policy`);
    if (!targets.ok) return { code: 'no_such_target', problem: targets.problem };
    return targets.names.map((name) => {
      const appliance = appliances.get(name);
      if (appliance === undefined) throw new Error(`${name} is not connected`);
      return appliance;
    });
  }

  async function aim(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    found: Understood,
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
      impatience,
    );
    const { isNew, action } = await written.catch(async (error: unknown) => {
      // What it is taken for has not begun.
      if (invocation.offer !== undefined) await journal.release(invocation.offer, invocation.person);
      throw error;
    });
    await wasTaken(invocation, isNew ? action : undefined);
    if (!isNew) {
      if (invocation.offer !== undefined) await journal.release(invocation.offer, invocation.person);
      return whisper(invocation, explain({ code: 'already_running', action }));
    }
    try {
      if (command.kind === 'info') throw new Error('An info command is aimed at nothing');
      await within(parts, [action.id], () => aimed(invocation, action, found, targets));
    } catch (error) {
      // Nothing that has not been moved on by now was sent.
      const outcome =
        error instanceof JournalUnavailable
          ? { code: 'journal_unavailable', says: 'The journal’s database did not answer.' }
          : { code: 'internal', says: 'A mistake in the bot.' };
      await journal.move(action, 'failed', { outcome });
      await vault.forget(action.id);
      throw error;
    } finally {
      if (invocation.offer !== undefined) await giveBack(invocation.offer, action);
    }
  }

  async function aimed(
    invocation: Invocation,
    action: Action,
    found: Understood,
    targets: readonly Appliance[],
  ): Promise<void> {
    const stakes = found.command.kind === 'lookup' ? 'lookup' : 'preview';
    const { person, channel } = invocation;
    const { command } = found;
    const decide = await authority.decideEach({ person, channel, command, access: 'suggest' });
    const aims = await inView(
      invocation,
      Promise.all(
        targets.map(async (appliance) => {
          const may = (args: Arguments) => decide({ args, appliances: [appliance.name] }).allow;
          return { appliance, aimed: await aimAt(found, found.args, appliance, stakes, may) };
        }),
      ),
    );
    const terms = await termsOf(invocation, found, aims);
    if (terms.kind === 'fault') return turnDown(invocation, action, meantBy(aims) ?? terms.fault, found);
    if (terms.kind === 'consent' && action.state === 'running') {
      // It was free when it was written down: the hour or the policy has changed since.
      return turnDown(invocation, action, { code: 'approval_changed' }, found);
    }
    const admitted = await parts.requests.admit(action, terms.kind === 'consent' ? terms.consent : undefined);
    if (admitted.fault !== undefined) return turnDown(invocation, action, admitted.fault, found);
    await goOn(invocation, action, found, aims, admitted.consent).finally(admitted.over);
  }

  /**
   * Where it could be aimed; that it could not elsewhere is told there. Whoever may not have it gets the same answer whether
   * what they named is there or not: where it could be aimed nowhere, what they typed decides.
   */
  async function termsOf(invocation: Invocation, found: Understood, aims: readonly Aimed[]): Promise<Terms> {
    const { command } = found;
    const isPetition = invocation.petition === true;
    const hit = aims.filter(({ aimed }) => aimed.ok);
    const asked = (hit.length === 0 || isPetition ? aims : hit).map(
      ({ appliance, aimed }): AskedFor => ({
        command,
        args: aimed.ok ? aimed.aim.args : aimed.known,
        appliances: [appliance.name],
      }),
    );
    const terms = await termsFor(authority, askingFor(invocation, found), asked);
    const isTheirs =
      terms.kind === 'fault'
        ? terms.fault.code !== 'denied' && !isPetition
        : terms.kind === 'own' || !lends(terms.consent);
    return hit.length === 0 && isTheirs ? { kind: 'own' } : terms;
  }

  function askingFor({ person, channel, petition }: Invocation, found: Understood): Asking {
    return {
      ...{ person, channel, access: accessOf(found) },
      reason: reasonIn(found),
      line: lineOf(withoutReason(found)),
      petition: petition === true,
    };
  }

  async function goOn(
    invocation: Invocation,
    action: Action,
    { command, args, dryRun }: Understood,
    aims: readonly Aimed[],
    consent: Consent | undefined,
  ): Promise<void> {
    if (command.kind === 'info') return;
    const secrets = secretsOf(command, args);
    if (secrets !== undefined) await vault.put(action.id, secrets);
    if (command.kind === 'change' && !dryRun) {
      return parts.confirmation.propose(invocation, action, command, aims, consent);
    }
    if (consent !== undefined) {
      const { targets, left } = targetsAmong(command, aims);
      return parts.confirmation.request(invocation, action, command, targets, left, consent);
    }
    const running = action.state === 'running' ? action : await journal.move(action, 'running');
    if (running === undefined) return;
    return command.kind === 'lookup'
      ? parts.lookups.answer(invocation, running, command, aims)
      : parts.rehearsal.show(invocation, running, command, aims);
  }

  /** What is named is looked up on the appliance, which may be slow. */
  function inView<Aims>(to: Invocation, aiming: Promise<Aims>): Promise<Aims> {
    const words = say`I am still looking for what you named. Nothing was done so far.`;
    return saidWhenSlow(parts.after, () => whisper(to, { headline: words }), aiming);
  }

  /** What certainly did not happen can be pressed again: an undo on an appliance that was out of reach, say. */
  async function giveBack(offer: string, { id, person }: Action): Promise<void> {
    const ended = await journal.byId(id);
    if (ended?.state === 'refused' || ended?.state === 'failed') await journal.release(offer, person);
  }

  async function inform(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    command: Info,
    found: Understood,
  ): Promise<void> {
    const { channel } = invocation;
    const wanted = wantedIn(found, channel);
    const terms = await termsFor(authority, askingFor(invocation, found), [wanted]);
    if (terms.kind === 'fault') return refuse(invocation, asked, terms.fault, found);
    const args = argsToStore(command, found.args);
    const subject = { on: found.on ?? null };
    const targets = targetsOfInfo(wanted.appliances).map((appliance) => ({ appliance, args, subject }));
    if (terms.kind === 'consent') {
      const action = await journal.write({ ...asked, args, state: 'asked' });
      const admitted = await parts.requests.admit(action, terms.consent);
      if (admitted.fault !== undefined) return turnDown(invocation, action, admitted.fault, found);
      const { consent = terms.consent } = admitted;
      const asking = parts.confirmation.request(invocation, action, command, targets, [], consent);
      return asking.finally(admitted.over);
    }
    const { reply, told } = await parts.infos.replyTo(invocation, command, found);
    const source = sourceOf(asked, tellingOf(targets, told));
    if (command.posted) {
      const running = await journal.write({ ...asked, state: 'running' });
      return parts.lookups.post(invocation, running, reply, source);
    }
    const outcome = { code: 'answered', says: plainText(reply.headline) };
    const done = await journal.write({ ...asked, state: 'done', outcome });
    return whisper(invocation, reply, done.id, source);
  }

  async function notUnderstood(
    invocation: Invocation,
    line: string,
    found: Exclude<Match, { kind: 'command' }>,
  ): Promise<void> {
    const { team, channel, person, delivery } = invocation;
    const fault: Fault =
      authority.channel(channel) === undefined
        ? await authority.fault({ code: 'channel_not_served', elsewhere: [] }, channel)
        : { code: 'not_understood', line, match: found, may: await authority.suggests(person, channel) };
    // A line with a password in it is kept nowhere.
    const kept = found.kind === 'secret' ? '(not kept: it carried a password)' : line;
    return refuse(invocation, { team, channel, person, line: kept, delivery }, fault, found);
  }

  async function refuse(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    fault: Fault,
    found: Match,
  ): Promise<void> {
    const reply = explain(fault);
    const refused = await journal.write({ ...asked, state: 'refused', outcome: outcomeOf(fault, reply) });
    await whisper(invocation, withWayOut(reply, fault, found), refused.id);
  }

  /** Refused when it was known what its words mean on the appliance. */
  async function turnDown(invocation: Invocation, action: Action, fault: Fault, found: Match): Promise<void> {
    const reply = explain(fault);
    const state = action.state === 'asked' ? 'refused' : 'failed';
    await journal.move(action, state, { outcome: outcomeOf(fault, reply) });
    await whisper(invocation, withWayOut(reply, fault, found), action.id);
  }
}

/** What somebody may have meant among what they may have, where what they typed is nowhere. */
function meantBy(aims: readonly Aimed[]): Fault | undefined {
  const faults = aims.flatMap(({ aimed }) => (aimed.ok ? [] : [aimed.fault]));
  return faults.length < aims.length
    ? undefined
    : faults.find((fault) => 'choices' in fault && fault.choices.length > 0);
}

const outcomeOf = (fault: Fault, reply: Reply) => ({
  code: fault.code === 'denied' ? fault.denial.code : fault.code,
  says: plainText(reply.headline),
});

const accessOf = ({ dryRun }: Asked): 'run' | 'dryRun' => (dryRun ? 'dryRun' : 'run');

/** What somebody may not run can be put before those who may, if there are any. Files and passwords are handed to nobody. */
function withWayOut(reply: Reply, fault: Fault, found: Match): Reply {
  if (fault.code !== 'denied' || found.kind !== 'command' || found.command.kind === 'info') return reply;
  if (fault.capable.every(({ people }) => people.length === 0)) return reply;
  const isPrivate = Object.values(found.command.args).some(
    ({ input }) => input === 'secret' || input === 'file',
  );
  if (isPrivate || petitionTo(fault.denial).length === 0) return reply;
  const offer: Offer = { label: 'Ask for approval', line: lineOf(found), petition: true };
  return { ...reply, details: [...(reply.details ?? []), { kind: 'offers', offers: [offer] }] };
}

function secretsOf(
  command: AnyCommand,
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> | undefined {
  const secrets = Object.entries(args).flatMap(([name, value]): [string, string][] =>
    command.args[name]?.input === 'secret' && typeof value === 'string' ? [[name, value]] : [],
  );
  return secrets.length === 0 ? undefined : Object.fromEntries(secrets);
}
