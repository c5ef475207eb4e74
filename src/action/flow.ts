import { type Appliance, isApplianceFailure } from '../api/index.ts';
import type { AnyCommand, OnAppliance } from '../handlers/command.ts';
import { cleanLine } from '../handlers/line.ts';
import type { Match } from '../handlers/phrase.ts';
import { plainText, type Reply, say, strong, type Text } from '../handlers/reply.ts';
import type { Action, NewAction } from '../journal/journal.ts';
import { lookupCard } from './card.ts';
import { ChatRefused, type Invocation } from './chat.ts';
import type { Confirmation } from './confirm.ts';
import { explain, type Fault } from './faults.ts';
import type { Parts } from './parts.ts';
import { argsToStore, contextOf } from './stored.ts';

/** The first half of the way of an action: a typed line is matched, decided, and answered or put before the person. */
export interface Flow {
  readonly ask: (invocation: Invocation) => Promise<void>;
}

export interface FlowParts extends Parts {
  readonly match: (line: string) => Match;
  readonly commands: readonly AnyCommand[];
  readonly confirmation: Confirmation;
  /** Calls back after so many milliseconds, unless the returned function is called first. */
  readonly after: (milliseconds: number, callback: () => void) => () => void;
}

/** How long a lookup may take before the channel is told that it is under way, in milliseconds. */
const patience = 2_500;

type Lookup = Extract<AnyCommand, { kind: 'lookup' }>;

export function createFlow(parts: FlowParts): Flow {
  const { match, commands, authority, appliances, journal, chat, confirmation, now, after } = parts;

  return {
    ask: async (invocation) => {
      const line = cleanLine(invocation.line);
      const found = match(line);
      if (found.kind !== 'command') return notUnderstood(invocation, line, found);
      const { command, args } = found;
      const decision = await authority.decide(command, invocation.person, invocation.channel);
      const asked = {
        team: invocation.team,
        channel: invocation.channel,
        person: invocation.person,
        line,
        phrase: command.phrase,
        effect: command.effect,
        args: argsToStore(args),
      };
      if (!decision.allow) {
        return refuse(invocation, asked, await authority.fault(decision.denial, invocation.channel));
      }
      if (command.kind === 'info') {
        const guide = await authority.guide(commands, invocation.person, invocation.channel);
        const reply = command.answer({
          args,
          guide,
          now: now(),
          person: invocation.person,
          channel: invocation.channel,
        });
        await journal.write({
          ...asked,
          state: 'done',
          outcome: { code: 'answered', says: plainText(reply.headline) },
        });
        return chat.whisper(invocation, reply);
      }
      const appliance = applianceOf(invocation.channel);
      const action = await journal.write({
        ...asked,
        appliance: appliance.name,
        state: command.kind === 'lookup' ? 'running' : 'asked',
      });
      const context = contextOf(action, appliance, now());
      try {
        return command.kind === 'lookup'
          ? await lookup(invocation, action, command, context)
          : await confirmation.propose(invocation, action, command, context);
      } catch (error) {
        // A mistake of ours: nothing that has not been moved on by now was sent.
        await journal.move(action, 'failed', {
          outcome: { code: 'internal', says: 'A mistake in the bot.' },
        });
        throw error;
      }
    },
  };

  /** The configuration is checked at the start, so a channel's appliance exists. */
  function applianceOf(channel: string): Appliance {
    const appliance = appliances.get(authority.channel(channel)?.appliance ?? '');
    if (appliance === undefined) throw new Error(`Channel ${channel} has no appliance`);
    return appliance;
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
    return refuse(invocation, { team, channel, person, line }, fault);
  }

  async function refuse(
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    fault: Fault,
  ): Promise<void> {
    const reply = explain(fault);
    const reason = fault.code === 'denied' ? fault.denial.code : fault.code;
    await journal.write({
      ...asked,
      state: 'refused',
      outcome: { code: reason, says: plainText(reply.headline) },
    });
    await chat.whisper(invocation, reply);
  }

  async function lookup(
    invocation: Invocation,
    action: Action,
    command: Lookup,
    context: OnAppliance<never>,
  ): Promise<void> {
    const progress = announceWhenSlow(action, context.appliance.name);
    let reply: Reply;
    try {
      reply = await command.answer(context);
    } catch (error) {
      const underWay = await progress.settle();
      if (!isApplianceFailure(error)) throw error;
      const fault = explain({
        code: 'appliance',
        appliance: context.appliance.name,
        failure: error,
        stakes: 'lookup',
      });
      await journal.move(action, 'failed', {
        outcome: { code: error.code, says: plainText(fault.headline) },
      });
      return sayFailed(invocation, { ...action, state: 'failed', card: underWay }, fault);
    }
    await answer(invocation, { ...action, card: await progress.settle() }, reply);
  }

  /** To the person alone, or where the channel has already seen that the appliance is being asked. */
  async function sayFailed(invocation: Invocation, action: Action, fault: Reply): Promise<void> {
    try {
      if (action.card === undefined) return await chat.whisper(invocation, fault);
      await chat.show(lookupCard(action, fault.headline));
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      await chat.whisper(invocation, fault);
    }
  }

  /** Puts the answer into the channel; if the channel cannot be written to, the person still gets it. */
  async function answer(invocation: Invocation, running: Action, reply: Reply): Promise<void> {
    let card: string | undefined;
    try {
      card = await chat.show(lookupCard({ ...running, state: 'done' }, reply.headline));
      if (reply.details !== undefined && reply.details.length > 0) {
        await chat.tell({ channel: running.channel, card }, { headline: [], details: reply.details });
      }
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      const reason = explain({ code: 'cannot_post', reason: error.code });
      await chat.whisper(invocation, {
        headline: reply.headline,
        details: [...(reply.details ?? []), { kind: 'text', text: reason.headline }],
      });
    }
    // Last, because the person waits for the answer and not for the journal.
    const outcome = { code: 'answered', says: plainText(reply.headline) };
    await journal.move(running, 'done', { outcome, ...(card === undefined ? {} : { card }) });
  }

  /** After a while the channel sees that the appliance is being asked; the answer then takes that message's place. */
  function announceWhenSlow(action: Action, appliance: string) {
    let card: Promise<string | undefined> = Promise.resolve(undefined);
    const cancel = after(patience, () => {
      card = announce(action, say`Still waiting for ${strong(appliance)} to answer…`);
      // A mistake of ours in there is told where the card is awaited.
      card.catch(() => undefined);
    });
    return {
      settle: (): Promise<string | undefined> => {
        cancel();
        return card;
      },
    };
  }

  /** Noted at once, so that a restart does not leave it standing. Undefined when the channel cannot be written to. */
  async function announce(action: Action, words: Text): Promise<string | undefined> {
    try {
      const card = await chat.show(lookupCard(action, words));
      await journal.placed(action.id, card);
      return card;
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      return undefined;
    }
  }
}
