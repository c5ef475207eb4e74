import type { Members } from '../../auth/members.ts';
import type { RequestBook } from '../../handlers/ask/request-book.ts';
import { inWords } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import type { WaitsForPerson } from '../../handlers/conversation/standing.ts';
import { type Asked, quoted } from '../../handlers/language/asked.ts';
import { type Acted, type InfoReply, type Reply, say } from '../../handlers/reply.ts';
import type { TemporaryThing } from '../../handlers/temporary/list.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action, TimedChangeRow } from '../../journal/journal.ts';
import { namedIn, tellingOf } from '../authority/asked-of.ts';
import { rightsIn } from '../authority/rights.ts';
import type { Invocation } from '../base/chat.ts';
import { changeOf, lineNow, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { createHistory } from '../history/history.ts';
import { standingOf } from '../history/standing.ts';
import { isWhole, undoneBy } from '../holding/holders.ts';
import { answerCard } from '../showing/messages.ts';
import { sourceOf } from '../showing/pages.ts';
import { timedName } from '../showing/timed-card.ts';
import { offerOf } from '../wording/misread/not-understood.ts';
import { doneIn, endsOf, timedOffers } from '../wording/timed.ts';
import type { Lookups } from './lookup.ts';
import { planBookOf } from './plan-list.ts';
import { calendarOf, plannedIn } from './planned-list.ts';
import { watchListOf } from './watch-list.ts';

/** A command that is answered from the bot's own knowledge. */
export type AnyInfo = Extract<AnyCommand, { kind: 'info' }>;

/** What was asked of it; the arguments are those of its own declaration, hence `never`. */
interface AskedInfo extends Pick<Asked, 'on' | 'dryRun'> {
  readonly args: never;
}

/** Answers from the bot's own knowledge. */
export interface Infos {
  /** What to say to this person in this channel, and of which appliances it tells something. */
  readonly replyTo: (
    asker: InfoAsker,
    command: AnyInfo,
    asked: AskedInfo,
  ) => Promise<{ readonly reply: InfoReply; readonly told: readonly string[] }>;
  /** Says it after others have agreed, in the place of the card that asked them: there, or to the asker alone. */
  readonly tell: (asker: Invocation, running: Action, command: AnyInfo, asked: AskedInfo) => Promise<void>;
}

type InfoAsker = Pick<Invocation, 'team' | 'channel' | 'person' | 'askedIn'>;

export interface InfoParts extends Parts {
  readonly members: Pick<Members, 'called'>;
  readonly commands: readonly AnyCommand[];
  readonly lookups: Lookups;
  readonly historyOf: ReturnType<typeof createHistory>;
  /** Whether this person may cancel something planned. */
  readonly mayCancel: (person: string, action: Action) => Promise<boolean>;
  /** Gives something planned another time. */
  readonly moveTo: (asker: InfoAsker, token: string, said: string) => Promise<Acted>;
  /** Why it cannot get that one. */
  readonly barTo: (asker: InfoAsker, token: string, said: string) => Promise<Reply | undefined>;
  /** What this person may ask for there, and decide. */
  readonly requestBook: (asker: InfoAsker) => RequestBook;
  /** What waits for this person's clicks. */
  readonly waitsFor: (asker: InfoAsker) => Promise<WaitsForPerson>;
}

export function createInfos(parts: InfoParts): Infos {
  const { commands, match, authority, journal, outbox, whisper, lookups, now } = parts;

  const replyTo: Infos['replyTo'] = async (asker, command, { args, on, dryRun = false }) => {
    const { person, channel } = asker;
    const guide = await authority.guide(commands, person, channel);
    const allowed = new Set(guide.commands.flatMap((one) => (one.allowed ? [one.command] : [])));
    const rights = rightsIn(channel, match, parts, (one) => allowed.has(one));
    const decide = await authority.decideEach({ person, channel, command, access: 'run' });
    const named = namedIn(on, parts.fleet);
    const told = new Set<string>();
    const rulesFor = (appliances: readonly string[], by: readonly string[]) => {
      const approval = authority.approvalFor({ command, args, appliances, lasts: 'forGood' }, by);
      return approval.kind === 'needed'
        ? approval.rules
        : approval.kind === 'not_needed'
          ? []
          : [approval.rule];
    };
    // What is about others than those named, too, is told to whoever may be told of each, with no further approval.
    const history = parts.historyOf(channel, (appliances) => {
      if (named === undefined || appliances.every((one) => named.includes(one))) return true;
      const decision = decide({ args, appliances, lasts: 'forGood' });
      if (!decision.allow) return false;
      const met = rulesFor(named, decision.by);
      if (!rulesFor(appliances, decision.by).every((rule) => met.includes(rule))) return false;
      for (const appliance of appliances) told.add(appliance);
      return true;
    });
    const mayCancel = (action: Action) => parts.mayCancel(person, action);
    const standing = standingOf({ ...parts, mayCancel }, asker);
    const watches = watchListOf(parts, match, asker);
    const situation = { now: now(), person, channel };
    const temporary = () => temporaryIn(parts, channel);
    const planned = () =>
      plannedIn(parts, channel, asker.askedIn?.direct, {
        moveTo: (...moved) => parts.moveTo(asker, ...moved),
        barTo: (...moved) => parts.barTo(asker, ...moved),
        mayCancel,
      });
    const calendar = () => calendarOf(parts);
    const requests = parts.requestBook(asker);
    const plans = planBookOf(parts, asker);
    const waits = () => parts.waitsFor(asker);
    const called = async (name: string) =>
      (await parts.members.called(name).catch(() => [])).map(({ id }) => id);
    const about = {
      called,
      guide,
      rights,
      history,
      standing,
      watches,
      temporary,
      planned,
      plans,
      calendar,
      requests,
      thread: asker.askedIn?.below,
      otherwise: (line: string) =>
        match
          .otherwise(line, command)
          .filter((one) => allowed.has(one.command))
          .map(offerOf),
      waits,
    };
    const reply = await command.answer({ args, on, dryRun, ...about, ...situation });
    return { reply, told: [...told] };
  };

  return {
    replyTo,
    tell: async (asker, running, command, asked) => {
      const answered = await replyTo(asker, command, asked);
      const { told } = answered;
      const { next } = answered.reply;
      const reply: Reply = next !== undefined && 'act' in next ? await next.act() : answered.reply;
      const source = sourceOf(running, tellingOf(targetsIn(running), told));
      if (command.posted) return lookups.post(asker, running, reply, source);
      const headline = say`Answered privately to the person who asked.`;
      const outcome = { code: 'answered', ...inWords(reply.headline) };
      const messages = [answerCard(running, 'done', headline)];
      await journal.move(running, 'done', { outcome, messages });
      await whisper(asker, reply, running.id, source);
      await outbox.deliver(messages);
    },
  };
}

/** What is on for a time in a channel, what ends first before the others. */
async function temporaryIn(
  { journal, commandByPhrase, match, now }: Pick<Parts, 'journal' | 'commandByPhrase' | 'match' | 'now'>,
  channel: string,
): Promise<readonly TemporaryThing[]> {
  const live = (await journal.timedChanges()).filter((row) => row.channel === channel);
  const things = live.map(async (row): Promise<readonly TemporaryThing[]> => {
    const action = await journal.byId(row.action);
    if (action === undefined || row.state === 'over') return [];
    const named = timedName(action, changeOf(commandByPhrase, action), row);
    const { appliance, state, endsAt: until, person, reason } = row;
    const plan = action.step === undefined ? undefined : action.plan;
    const { card } = (plan === undefined ? undefined : await journal.byId(plan)) ?? action;
    return [
      {
        what: doneIn(named),
        appliance,
        state,
        until,
        person,
        reason,
        offers: timedOffers(named, row, false, now()),
        plan: plan && referenceOf(plan),
        action: action.id,
        reference: referenceOf(action.id),
        card,
        line: lineNow(action),
        list: listIn(match, row),
        ...endsOf(named, row, now()),
      },
    ];
  });
  return (await Promise.all(things)).flat().toSorted((one, other) => one.until - other.until);
}

/** Its sites are not all named by its line: it may have come from a file. */
function listIn(match: Parts['match'], row: TimedChangeRow): TemporaryThing['list'] {
  const undone = undoneBy(match, row);
  if (undone === undefined || isWhole(undone.parts)) return undefined;
  const { parts, without } = undone;
  const back = (some: readonly string[]) => without(parts.filter((part) => !some.includes(part)));
  return { parts, back: (some) => `${back(some)} --on ${quoted(row.appliance)}` };
}
