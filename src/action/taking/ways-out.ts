import { limiting } from '../../auth/rule.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, lineOptions } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { isUndoable } from '../../handlers/language/options.ts';
import { withOptionsForAll } from '../../handlers/plan/lines.ts';
import { elapsed, type Offer, type Reply } from '../../handlers/reply.ts';
import { isForOthers } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { isOfRequest } from '../requests/site-request.ts';
import type { Fault } from '../wording/faults.ts';
import { gathersLines, type Understood } from './asking.ts';

/** A refusal, with what whoever asked can press instead. */
export function withWayOut(
  { delivery, moves }: Invocation,
  reply: Reply,
  fault: Fault,
  { found, line }: { readonly found: Match; readonly line: string },
): Reply {
  if (found.kind !== 'command' || found.command.kind === 'info') return reply;
  const offers =
    fault.code === 'ticket_wanted'
      ? [enterTicket(found, fault.line, delivery)]
      : [...(moves === undefined ? forATime(found, fault) : []), ...askOthers(found, fault, line, moves)];
  return offers.length === 0
    ? reply
    : { ...reply, details: [...(reply.details ?? []), { kind: 'offers', offers }] };
}

function enterTicket(found: Understood, line: string, delivery: Invocation['delivery']): Offer {
  const form = {
    ...mannerOf(found),
    // The one that was given is none: it is asked for again.
    ticket: undefined,
    phrase: found.command.phrase,
    typed: found.typed,
    // Whoever has pressed Allow on somebody's request still does that.
    ...(isOfRequest(delivery) && { delivery }),
  };
  return { label: 'Enter a ticket', line, form };
}

/** What somebody may do for a time alone is offered for as long as that may be. */
function forATime(found: Understood, fault: Fault): readonly Offer[] {
  if (fault.code !== 'denied' || !('limits' in fault.denial) || !isUndoable(found.command)) return [];
  // What has other limits, too, may be refused for one of those.
  const onTime = fault.denial.limits.filter((rule) =>
    limiting.every((name) => name === 'temporary' || rule[name] === undefined),
  );
  const longest = onTime.map(({ temporary }) => temporary?.longest ?? 0);
  const minutes = Math.floor(Math.max(0, ...longest) / 60_000);
  if (minutes === 0) return [];
  const line = lineOf({ ...found, term: { option: 'for', text: `${minutes}m` } });
  return [{ label: `Run for ${elapsed(minutes * 60_000)}`, line }];
}

/** What somebody may not run can be put before those who may, if there are any. Files and passwords are handed to nobody. */
function askOthers(
  found: Understood,
  fault: Fault,
  line: string,
  moves: Invocation['moves'],
): readonly Offer[] {
  const isPrivate = Object.values(found.command.args).some(
    ({ input }) => input === 'secret' || input === 'file',
  );
  if (isPrivate || !isForOthers(fault)) return [];
  const offer: Offer = {
    ...{ label: 'Ask for approval', line: moves === undefined ? lineOf(found) : line, accessRequest: true },
    ...(moves && { moves }),
    ...(gathersLines(found) && found.command.gathers === 'typed' && asWhole(found, line)),
  };
  return [offer];
}

/** A plan with all of its lines, of which its own line has the first one only. */
function asWhole(found: Understood<AnyChange>, line: string): Pick<Offer, 'line' | 'asked'> {
  const text = withOptionsForAll((found.typed.lines ?? []).join(' '), lineOptions(found));
  return { line, asked: { phrase: found.command.phrase, typed: { lines: [text] } } };
}
