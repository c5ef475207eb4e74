import { limiting } from '../../auth/rule.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { lineOf, lineOptions } from '../../handlers/language/asked.ts';
import { mannerOf } from '../../handlers/language/manner.ts';
import type { Match } from '../../handlers/language/match.ts';
import { isUndoable } from '../../handlers/language/options.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { readTerm } from '../../handlers/language/term.ts';
import { wordsAmong } from '../../handlers/lists/posted-file.ts';
import { withOptionsForAll, withoutEndForAll } from '../../handlers/plan/lines.ts';
import { elapsed, type Offer, type Part, type Reply, say } from '../../handlers/reply.ts';
import type { Action, NewAction } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { accessOf, isForOthers } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { changeOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { timedName } from '../showing/timed-card.ts';
import { explain, type Fault, outcomeOf } from '../wording/faults.ts';
import type { MayRun } from '../wording/misread/not-understood.ts';
import { timedOffers } from '../wording/timed.ts';
import { gathersLines, isOnAppliances, type Understood, wantedIn } from './asking.ts';
import { createWithRequest } from './asking-for-sites.ts';

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

/** A refusal, with what whoever asked can press instead. */
function withWayOut(
  { moves, undo }: Partial<Invocation>,
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
      ? [enterTicket(found, wanted)]
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
    ? [{ kind: 'text', text: say`It is on already: the limit counts from when it began.` }]
    : [];
}

/** What somebody may not undo they may end early all the same, where it is on for a time. */
async function endsOfUndone(
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

function enterTicket(found: Understood, line: string): Offer {
  const form = {
    ...mannerOf(found),
    // The one that was given is none: it is asked for again.
    ticket: undefined,
    phrase: found.command.phrase,
    typed: found.typed,
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
    label: 'Ask for approval',
    line: moves === undefined ? lineOf(found) : line,
    accessRequest: true,
    ...(moves && { moves }),
    ...(gathersLines(found) && found.command.gathers === 'typed' && asWhole(found, line)),
  };
  return [offer];
}

/** A plan with all of its lines, of which its own line has the first one only. */
function asWhole(found: Understood<AnyChange>, line: string): Pick<Offer, 'line' | 'asked'> {
  const typed = wordsAmong(found.typed.lines).join(' ');
  const text = withOptionsForAll(
    found.term === undefined ? typed : withoutEndForAll(typed),
    lineOptions(found),
  );
  return { line, asked: { phrase: found.command.phrase, typed: { lines: [text] } } };
}
