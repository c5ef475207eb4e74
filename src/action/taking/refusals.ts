import type { Match } from '../../handlers/language/match.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import { createWithRequest } from './asking-for-sites.ts';
import { endsOfUndone, withWayOut } from './ways-out.ts';

/** What was asked for and comes to nothing: the journal has it, and whoever asked is told why and what to do. */
export interface Refusals {
  readonly notUnderstood: (
    invocation: Invocation,
    line: string,
    found: Exclude<Match, { kind: 'command' }>,
  ) => Promise<void>;
  readonly refuse: (
    invocation: Invocation,
    asked: Omit<NewAction, 'state'>,
    fault: Fault,
    found: Match,
  ) => Promise<void>;
  /** Refused when it was known what its words mean on the appliance. */
  readonly turnDown: (invocation: Invocation, action: Action, fault: Fault, found: Match) => Promise<void>;
}

export function createRefusals(parts: Parts): Refusals {
  const { authority, journal, whisper } = parts;
  const withRequest = createWithRequest(parts);
  const refusals: Refusals = {
    notUnderstood: async (invocation, line, found) => {
      const { team, channel, person, delivery } = invocation;
      const may = await authority.suggests(person, channel);
      // What may be run anywhere is explained anywhere.
      const isKnown = 'command' in found && found.command !== undefined && may(found.command);
      const fault: Fault =
        authority.channel(channel) === undefined && !isKnown
          ? await authority.fault({ code: 'channel_not_served', elsewhere: [] }, channel)
          : { code: 'not_understood', line, match: found, may };
      // A line with a password in it is kept nowhere.
      const kept = found.kind === 'secret' ? '(not stored: the line contained a password)' : line;
      return refusals.refuse(invocation, { team, channel, person, line: kept, delivery }, fault, found);
    },

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

  async function tell(
    invocation: Invocation,
    { id, line }: Pick<Action, 'id' | 'line'>,
    fault: Fault,
    found: Match,
  ): Promise<void> {
    const said = { found, line, ends: await endsOfUndone(parts, invocation) };
    const reply = withWayOut(invocation, explain(fault), fault, said);
    const told = await withRequest(invocation, reply, fault, said);
    if (invocation.refusals === undefined) await whisper(invocation, told, id);
    else invocation.refusals.push({ action: id, line, reply: told });
  }
}
