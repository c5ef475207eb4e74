import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, lineOptions } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { withOptionsForAll } from '../../handlers/plan/lines.ts';
import type { Offer, Reply } from '../../handlers/reply.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import { isForOthers } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { isOfRequest } from '../requests/site-request.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import { gathersLines, type Understood } from './asking.ts';
import { createWithRequest } from './asking-for-sites.ts';

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
      const reply = explain(fault);
      const refused = await journal.write({ ...asked, state: 'refused', outcome: outcomeOf(fault) });
      const said = { found, line: asked.line };
      const offered = await withRequest(invocation, withWayOut(invocation, reply, fault, said), fault, said);
      await whisper(invocation, offered, refused.id);
    },

    turnDown: async (invocation, action, fault, found) => {
      const reply = explain(fault);
      const state = action.state === 'asked' ? 'refused' : 'failed';
      await journal.move(action, state, { outcome: outcomeOf(fault) });
      const said = { found, line: action.line };
      const offered = await withRequest(invocation, withWayOut(invocation, reply, fault, said), fault, said);
      await whisper(invocation, offered, action.id);
    },
  };
  return refusals;
}

/** What somebody may not run can be put before those who may, if there are any. Files and passwords are handed to nobody. */
function withWayOut(
  { delivery, moves }: Invocation,
  reply: Reply,
  fault: Fault,
  { found, line }: { readonly found: Match; readonly line: string },
): Reply {
  if (fault.code === 'ticket_wanted' && found.kind === 'command') {
    // Whoever has pressed Allow on somebody's request still does that.
    const counts = isOfRequest(delivery) ? { delivery } : {};
    // The ticket that was given is none: it is asked for again.
    const form = {
      ...mannerOf(found),
      ticket: undefined,
      phrase: found.command.phrase,
      typed: found.typed,
      ...counts,
    };
    const offer: Offer = { label: 'Enter a ticket', line: fault.line, form };
    return { ...reply, details: [...(reply.details ?? []), { kind: 'offers', offers: [offer] }] };
  }
  if (found.kind !== 'command' || found.command.kind === 'info') return reply;
  if (!isForOthers(fault)) return reply;
  const isPrivate = Object.values(found.command.args).some(
    ({ input }) => input === 'secret' || input === 'file',
  );
  if (isPrivate) return reply;
  const offer: Offer = {
    ...{ label: 'Ask for approval', line: moves === undefined ? lineOf(found) : line, accessRequest: true },
    ...(moves && { moves }),
    ...(gathersLines(found) && found.command.gathers === 'typed' && asWhole(found, line)),
  };
  return { ...reply, details: [...(reply.details ?? []), { kind: 'offers', offers: [offer] }] };
}

/** A plan with all of its lines, of which its own line has the first one only. */
function asWhole(found: Understood<AnyChange>, line: string): Pick<Offer, 'line' | 'asked'> {
  const text = withOptionsForAll((found.typed.lines ?? []).join(' '), lineOptions(found));
  return { line, asked: { phrase: found.command.phrase, typed: { lines: [text] } } };
}
