import type { Appliance } from '../api/index.ts';
import { type Fleet, targetsOf } from '../auth/targets.ts';
import type { AnyCommand } from '../handlers/command.ts';
import type { Asked } from '../handlers/language/asked.ts';
import { cleanLine } from '../handlers/language/line.ts';
import type { Match } from '../handlers/language/match.ts';
import { readAsked } from '../handlers/language/reading.ts';
import { plainText, say } from '../handlers/reply.ts';
import type { Action, NewAction } from '../journal/journal.ts';
import { aimAt } from './aim.ts';
import type { Invocation } from './chat.ts';
import type { Confirmation } from './confirm.ts';
import { explain, type Fault } from './faults.ts';
import type { Forms } from './forms.ts';
import type { Lookups } from './lookup.ts';
import type { Parts } from './parts.ts';
import { type After, saidWhenSlow } from './patience.ts';
import type { Rehearsal } from './rehearse.ts';
import { appliancesToStore, argsToStore } from './stored.ts';

/** The first half of the way of an action: a typed line is matched, decided, and answered or put before the person. */
export interface Flow {
  readonly ask: (invocation: Invocation) => Promise<void>;
}

export interface FlowParts extends Parts {
  readonly match: (line: string) => Match;
  readonly commands: readonly AnyCommand[];
  readonly fleet: Fleet;
  readonly confirmation: Confirmation;
  readonly lookups: Lookups;
  readonly rehearsal: Rehearsal;
  readonly forms: Forms;
  readonly after: After;
}

type Understood = Extract<Match, { kind: 'command' }>;

export function createFlow(parts: FlowParts): Flow {
  const { match, commands, fleet, authority, appliances, journal, whisper, vault, now } = parts;

  return {
    ask: async (invocation) => {
      // Behind a button stands a line of our own, exactly as it is meant.
      const line = invocation.offer === undefined ? cleanLine(invocation.line) : invocation.line;
      const found = invocation.asked === undefined ? match(line) : readAsked(invocation.asked);
      if (found.kind !== 'command' && found.kind !== 'missing') return notUnderstood(invocation, line, found);
      const { command } = found;
      const { team, channel, person } = invocation;
      const asked = { team, channel, person, line, phrase: command.phrase, effect: command.effect };
      const decision = await authority.decide(command, person, channel);
      if (!decision.allow) {
        return refuse(invocation, asked, await authority.fault(decision.denial, channel));
      }
      if (found.kind === 'missing') {
        const opened = await parts.forms.open(invocation, found);
        return opened ? undefined : notUnderstood(invocation, line, found);
      }
      if (command.kind === 'info') return inform(invocation, asked, command, found.args);
      const targets = targetsFor(found, channel);
      if ('code' in targets) return refuse(invocation, asked, targets);
      if (invocation.offer !== undefined) {
        const taken = await journal.take(invocation.offer, person);
        if (taken === undefined)
          return whisper(
            invocation,
            explain({ code: 'offer_gone', taken: await journal.kept(invocation.offer) }),
          );
      }
      return aim(invocation, asked, found, targets);
    },
  };

  /** On which appliances; the configuration is checked at the start, so those of a channel exist. */
  function targetsFor({ on }: Asked, channel: string): readonly Appliance[] | Fault {
    const policy = authority.channel(channel);
    if (policy === undefined) throw new Error(`Channel ${channel} has no policy`);
    const targets = targetsOf(on, policy, fleet);
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
  ): Promise<void> {
    const { command, args } = found;
    const action = await journal.write({
      ...asked,
      appliance: appliancesToStore(targets.map(({ name }) => name)),
      args: argsToStore(command, args),
      state: command.kind === 'lookup' || found.dryRun ? 'running' : 'asked',
      // Nothing is changed by it.
      ...(found.dryRun ? { effect: 'read' } : {}),
    });
    try {
      if (command.kind === 'info') throw new Error('An info command is aimed at nothing');
      const stakes = command.kind === 'lookup' ? 'lookup' : 'preview';
      const aims = await inView(
        invocation,
        Promise.all(
          targets.map(async (appliance) => ({
            appliance,
            aimed: await aimAt(found, args, appliance, stakes),
          })),
        ),
      );
      if (command.kind === 'lookup') return await parts.lookups.answer(invocation, action, command, aims);
      const secrets = secretsOf(command, args);
      if (secrets !== undefined) vault.put(action.id, secrets);
      if (found.dryRun) return await parts.rehearsal.show(invocation, action, command, aims);
      return await parts.confirmation.propose(invocation, action, command, aims);
    } catch (error) {
      // A mistake of ours: nothing that has not been moved on by now was sent.
      await journal.move(action, 'failed', { outcome: { code: 'internal', says: 'A mistake in the bot.' } });
      vault.forget(action.id);
      throw error;
    } finally {
      if (invocation.offer !== undefined) await giveBack(invocation.offer, action);
    }
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
    command: Extract<AnyCommand, { kind: 'info' }>,
    args: never,
  ): Promise<void> {
    const { person, channel } = invocation;
    const guide = await authority.guide(commands, person, channel);
    const reply = command.answer({ args, guide, now: now(), person, channel });
    await journal.write({
      ...asked,
      state: 'done',
      outcome: { code: 'answered', says: plainText(reply.headline) },
    });
    return whisper(invocation, reply);
  }

  async function notUnderstood(
    invocation: Invocation,
    line: string,
    found: Exclude<Match, { kind: 'command' }>,
  ): Promise<void> {
    const { team, channel, person } = invocation;
    const fault: Fault =
      authority.channel(channel) === undefined
        ? await authority.fault({ code: 'channel_not_served' }, channel)
        : { code: 'not_understood', line, match: found };
    // A line with a password in it is kept nowhere.
    const kept = found.kind === 'secret' ? '(not kept: it carried a password)' : line;
    return refuse(invocation, { team, channel, person, line: kept }, fault);
  }

  async function refuse(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    fault: Fault,
  ): Promise<void> {
    const reply = explain(fault);
    const reason = fault.code === 'denied' ? fault.denial.code : fault.code;
    const refused = await journal.write({
      ...asked,
      state: 'refused',
      outcome: { code: reason, says: plainText(reply.headline) },
    });
    await whisper(invocation, reply, refused.id);
  }
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
