import { limiting } from '../../auth/rule.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, lineOptions } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { isUndoable } from '../../handlers/language/options.ts';
import { readTerm } from '../../handlers/language/term.ts';
import { withOptionsForAll, withoutEndForAll } from '../../handlers/plan/lines.ts';
import { elapsed, type Offer, type Part, type Reply, say } from '../../handlers/reply.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { isForOthers } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { isOfRequest } from '../requests/site-request.ts';
import { timedName } from '../showing/timed-card.ts';
import type { Fault } from '../wording/faults.ts';
import { timedOffers } from '../wording/timed.ts';
import { gathersLines, type Understood } from './asking.ts';

/** A refusal, with what whoever asked can press instead. */
export function withWayOut(
  { delivery, moves, undo }: Partial<Invocation>,
  reply: Reply,
  fault: Fault,
  {
    found,
    line,
    ends,
    forOthers,
  }: {
    readonly found: Match;
    readonly line: string;
    readonly ends: readonly Offer[];
    /** What may have been meant and others could approve. */
    readonly forOthers: readonly Understood[];
  },
): Reply {
  if (found.kind !== 'command' || found.command.kind === 'info') {
    const asking = forOthers.filter(isPublic).map((guess): Offer => {
      const meant = lineOf(guess);
      return { label: `Ask for approval: ${meant}`, line: meant, accessRequest: true, guess: true };
    });
    return asking.length === 0
      ? reply
      : { ...reply, details: [...(reply.details ?? []), { kind: 'offers', offers: asking }] };
  }
  const wanted = lineWithoutTicket(fault, line);
  const offers =
    wanted !== undefined
      ? [enterTicket(found, wanted, delivery)]
      : [
          ...(fault.code === 'denied' ? ends : []),
          // What takes something back for a time would bring it back.
          ...(moves === undefined && undo === undefined ? forATime(found, fault, line) : []),
          ...askOthers(found, fault, line, moves),
        ];
  const counts = countsFrom(found, fault, moves);
  const details = [...(reply.details ?? []), ...counts];
  return {
    ...reply,
    details: offers.length === 0 ? details : [...details, { kind: 'offers', offers }],
  };
}

/** What was typed is short enough, and refused all the same: whoever reads that must know what counts. */
function countsFrom(found: Understood, fault: Fault, moves: Invocation['moves']): readonly Part[] {
  const longest = longestOf(fault);
  const isPutOff = moves !== undefined && typeof moves.to === 'number';
  return longest > 0 && (isPutOff || isWithin(found.term, longest))
    ? [{ kind: 'text', text: say`It is on already, and the time since it began counts, too.` }]
    : [];
}

/** What somebody may not undo they may end early all the same, where it is on for a time. */
export async function endsOfUndone(
  { commandByPhrase, journal, now }: Pick<Parts, 'commandByPhrase' | 'journal' | 'now'>,
  { undo, origin }: Partial<Pick<Invocation, 'undo' | 'origin'>>,
): Promise<readonly Offer[]> {
  if (undo === undefined || origin === undefined) return [];
  const rows = (await journal.timedChangesOf(origin.id)).filter(
    (row) => isPutBack(row) && row.state === 'on',
  );
  return rows.flatMap((row) =>
    timedOffers(timedName(origin, changeOf(commandByPhrase, origin), row), row, rows.length > 1, now()).slice(
      0,
      1,
    ),
  );
}

/** The line that lacks nothing but a ticket; a plan, where one for all of it is what each of its lines lacks. */
function lineWithoutTicket(fault: Fault, line: string): string | undefined {
  if (fault.code === 'ticket_wanted') return fault.line;
  const isAll =
    fault.code === 'plan_refused' &&
    fault.lines.every((one) => one.fault.code === 'ticket_wanted' && one.fault.given === undefined);
  return isAll ? line : undefined;
}

function enterTicket(found: Understood, line: string, delivery: Invocation['delivery'] | undefined): Offer {
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

/** What somebody may do for a time alone is offered for as long as that may be; a plan for as long as each of its lines. */
function forATime(found: Understood, fault: Fault, line: string): readonly Offer[] {
  const isPlan = gathersLines(found) && found.command.gathers === 'typed';
  const times =
    fault.code === 'plan_refused'
      ? fault.lines.map((one) => (isPlan && one.canEnd && !saysEnd(one.text) ? longestOf(one.fault) : 0))
      : [isUndoable(found.command) ? longestOf(fault) : 0];
  const minutes = Math.floor(Math.min(...times) / 60_000);
  if (minutes === 0 || isWithin(found.term, minutes * 60_000)) return [];
  const term = { option: 'for', text: `${minutes}m` } as const;
  const label = `Run for ${elapsed(minutes * 60_000)}`;
  return [
    isPlan ? { label, ...asWhole({ ...found, term }, line) } : { label, line: lineOf({ ...found, term }) },
  ];
}

/** What is refused for so long is on already, and all of its time counts: the same again would be refused again. */
function isWithin(typed: Understood['term'], longest: number): boolean {
  const term = typed && readTerm(typed);
  return term?.kind === 'for' && term.milliseconds <= longest;
}

/** For how long it may be done, in milliseconds, where it is refused only because that is not so. */
function longestOf(fault: Fault): number {
  if (fault.code !== 'denied' || !('limits' in fault.denial)) return 0;
  // What has other limits, too, may be refused for one of those.
  const onTime = fault.denial.limits.filter((rule) =>
    limiting.every((name) => name === 'temporary' || rule[name] === undefined),
  );
  return Math.max(0, ...onTime.map(({ temporary }) => temporary?.longest ?? 0));
}

/** Its own end counts before that of all lines. */
const saysEnd = (text: string): boolean => /(?:^|[\s-])(?:for|until|till)\b/i.test(text);

const isPublic = ({ command }: Understood): boolean =>
  !Object.values(command.args).some(({ input }) => input === 'secret' || input === 'file');

/** What somebody may not run can be put before those who may, if there are any. Files and passwords are handed to nobody. */
function askOthers(
  found: Understood,
  fault: Fault,
  line: string,
  moves: Invocation['moves'],
): readonly Offer[] {
  if (!isPublic(found) || !isForOthers(fault)) return [];
  const offer: Offer = {
    ...{ label: 'Ask for approval', line: moves === undefined ? lineOf(found) : line, accessRequest: true },
    ...(moves && { moves }),
    ...(gathersLines(found) && found.command.gathers === 'typed' && asWhole(found, line)),
  };
  return [offer];
}

/** A plan with all of its lines, of which its own line has the first one only. */
function asWhole(found: Understood<AnyChange>, line: string): Pick<Offer, 'line' | 'asked'> {
  const typed = (found.typed.lines ?? []).join(' ');
  const text = withOptionsForAll(
    found.term === undefined ? typed : withoutEndForAll(typed),
    lineOptions(found),
  );
  return { line, asked: { phrase: found.command.phrase, typed: { lines: [text] } } };
}
