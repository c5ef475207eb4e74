import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import type { Reply } from '../../handlers/reply.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import { isForOthers } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import type { MayRun } from '../wording/misread/not-understood.ts';
import { accessOf, isOnAppliances, type Understood, wantedIn } from './asking.ts';
import { createWithRequest } from './asking-for-sites.ts';
import { endsOfUndone, withWayOut } from './ways-out.ts';

/** What was asked for and comes to nothing: the journal has it, and whoever asked is told why and what to do. */
export interface Refusals {
  readonly notUnderstood: (invocation: Invocation, line: string, found: NotCommand) => Promise<void>;
  /** What `notUnderstood` would show, with every button. Nothing is written or told. */
  readonly answerTo: (
    invocation: Pick<Invocation, 'person' | 'channel'>,
    line: string,
    found: NotCommand,
  ) => Promise<Reply>;
  readonly refuse: (
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    fault: Fault,
    found: Match,
  ) => Promise<void>;
  /** Refused when it was known what its words mean on the appliance. */
  readonly turnDown: (invocation: Invocation, action: Action, fault: Fault, found: Match) => Promise<void>;
}

type NotCommand = Exclude<Match, { kind: 'command' }>;
/** As much of an invocation as decides what is offered. */
type Refused = Pick<Invocation, 'person' | 'channel'> & Partial<Invocation>;

export function createRefusals(parts: Parts): Refusals {
  const { authority, journal, whisper } = parts;
  const withRequest = createWithRequest(parts);
  const refusals: Refusals = {
    notUnderstood: async (invocation, line, found) => {
      const { team, channel, person, delivery } = invocation;
      const fault = await faultOf(invocation, line, found);
      // A line with a password in it is kept nowhere.
      const kept = found.kind === 'secret' ? '(not stored: the line contained a password)' : line;
      return refusals.refuse(invocation, { team, channel, person, line: kept, delivery }, fault, found);
    },

    answerTo: async (invocation, line, found) =>
      replyTo(invocation, line, await faultOf(invocation, line, found), found),

    refuse: async (invocation, asked, fault, found) => {
      const refused = await journal.write({ ...asked, state: 'refused', outcome: outcomeOf(fault) });
      await tell(invocation, refused, fault, found);
    },

    turnDown: async (invocation, action, fault, found) => {
      const state = action.state === 'asked' ? 'refused' : 'failed';
      await journal.move(action, state, { outcome: outcomeOf(fault) });
      await tell(invocation, action, fault, found);
    },
  };
  return refusals;

  async function faultOf({ person, channel }: Refused, line: string, found: NotCommand): Promise<Fault> {
    const may = await authority.suggests(person, channel);
    // What may be run anywhere is explained anywhere.
    const isKnown = 'command' in found && found.command !== undefined && may(found.command);
    return authority.channel(channel) === undefined && !isKnown
      ? authority.fault({ code: 'channel_not_served', elsewhere: [] }, channel)
      : { code: 'not_understood', line, match: found, may };
  }

  async function tell(
    invocation: Invocation,
    { id, line }: Pick<Action, 'id' | 'line'>,
    fault: Fault,
    found: Match,
  ): Promise<void> {
    const told = await replyTo(invocation, line, fault, found);
    if (invocation.refusals === undefined) await whisper(invocation, told, id);
    else invocation.refusals.push({ action: id, line, reply: told });
  }

  async function replyTo(invocation: Refused, line: string, fault: Fault, found: Match): Promise<Reply> {
    const ends = await endsOfUndone(parts, invocation);
    const forOthers = fault.code === 'not_understood' ? await askable(invocation, found, fault.may) : [];
    const reply = withWayOut(invocation, explain(fault), fault, { found, line, ends, forOthers });
    return withRequest(invocation, reply, fault, { found, line });
  }

  /** The guesses that this person may not run and others could be asked to approve. */
  async function askable(
    { person, channel }: Refused,
    found: Match,
    may: MayRun,
  ): Promise<readonly Understood[]> {
    const guesses = 'nearest' in found ? found.nearest : [];
    const each = await Promise.all(
      guesses.map(async ({ asked, isPartial }) => {
        const guess = isPartial || may(asked.command) ? undefined : readAsked(asked);
        if (guess?.kind !== 'command' || !isOnAppliances(guess)) return [];
        const wanted = { ...wantedIn(guess, channel, parts), access: accessOf(guess) };
        const decision = await authority.decide({ person, channel, ...wanted });
        if (decision.allow) return [];
        return isForOthers(await authority.fault(decision.denial, channel)) ? [guess] : [];
      }),
    );
    return each.flat();
  }
}
