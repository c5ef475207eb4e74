import type { Appliance } from '../../api/index.ts';
import type { Members } from '../../auth/members.ts';
import { type Policy, versionOf } from '../../auth/policy.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { cleanLine, withoutManners } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { readAsked } from '../../handlers/language/reading.ts';
import { termMeant } from '../../handlers/language/term.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { isMeantAsList } from '../../handlers/lists/posted-file.ts';
import { hasDryRun, isOnlyOptions, readPlan, readSeveral } from '../../handlers/plan/lines.ts';
import { plan } from '../../handlers/plan/plan.commands.ts';
import type { MovedEnd, Reply } from '../../handlers/reply.ts';
import { ownWords } from '../../handlers/understanding/own-words.ts';
import type { Reader } from '../../handlers/understanding/reader.ts';
import type { Action } from '../../journal/journal.ts';
import { phaseOver } from '../../telemetry/events/actions.ts';
import type { Log } from '../../telemetry/log.ts';
import { askedOf, targetsIn } from '../authority/asked-of.ts';
import { isBack } from '../authority/freeze-over.ts';
import { accessOf, accessRequestTo } from '../authority/terms.ts';
import type { Invocation } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { requestToStore, siteKey } from '../base/site-request.ts';
import { appliancesToStore, targetsIn as madeOn } from '../base/stored.ts';
import type { After } from '../base/timeout.ts';
import type { Confirmation } from '../change/confirmation.ts';
import { takingBack, withReason } from '../change/undo.ts';
import type { Forms } from '../forms/forms.ts';
import { type AboutGiven, aboutEntries, aboutFiles, aboutForwarded } from '../given/attached.ts';
import { filesIn, fromFiles } from '../given/given.ts';
import type { Parts } from '../ground/ground.ts';
import { whyBelow } from '../history/standing.ts';
import type { DryRuns } from '../lookup/dry-run.ts';
import type { Infos } from '../lookup/info.ts';
import type { Lookups } from '../lookup/lookup.ts';
import { createAskPlan } from '../plan/ask.ts';
import type { Plans } from '../plan/plans.ts';
import { gathersLines, isInfo, isOnAppliances, ticketOf, wantedIn } from '../taking/asking.ts';
import { createRefusals } from '../taking/refusals.ts';
import type { Requests } from '../taking/requests.ts';
import { createTakeUp } from '../taking/take-up.ts';
import type { Fault } from '../wording/faults.ts';
import { unwrappedIn } from '../wording/unwrapped.ts';
import type { Guard } from './guard.ts';
import { createInform, type GoesOn } from './inform.ts';
import type { Things } from './known-things.ts';
import { createOffers, lineInNames, type PressOffer } from './offers.ts';
import type { Results } from './results.ts';
import { createAskAppliances } from './targeted.ts';

/** The first half of the way of an action: a typed line is matched, decided, and answered or put before the person. */
export interface Intake {
  readonly ask: (invocation: Invocation) => Promise<void>;
  /** What a line would be taken for. Nothing is run, and nothing written down. */
  readonly read: (line: string, asker: Asker) => Promise<Match>;
  /** The same with what would be answered to a line that is no command, and every button of it. Nothing is run, and nothing written down. */
  readonly readWithAnswer: (
    line: string,
    asker: Asker,
  ) => Promise<{ readonly found: Match; readonly answer?: Reply }>;
  readonly pressOffer: PressOffer;
}

type Asker = Pick<Invocation, 'person' | 'channel'>;

interface IntakeParts extends Parts {
  readonly members: Pick<Members, 'called'>;
  readonly match: Reader;
  readonly things: Things;
  readonly confirmation: Confirmation;
  readonly lookups: Lookups;
  readonly dryRuns: DryRuns;
  readonly forms: Forms;
  readonly infos: Infos;
  readonly guard: Guard;
  readonly results: Results;
  readonly requests: Requests;
  readonly plans: Plans;
  readonly after: After;
  readonly log: Log;
}

export function createIntake(parts: IntakeParts): Intake {
  const { match, things, authority, appliances, journal, log } = parts;
  const refusals = createRefusals(parts);
  const { notUnderstood, refuse } = refusals;
  const inform = createInform({ ...parts, refusals, goOn });
  const begin = createTakeUp({ ...parts, wasTaken });
  const askAppliances = createAskAppliances({ ...parts, refusals, begin });
  const askPlan = createAskPlan({ ...parts, refusals, begin, read: readLine });

  const pressOffer = createOffers(parts, ask);
  return {
    ask,
    read: async (line, asker) => {
      const lines = linesOfPlan(line);
      return lines === undefined ? readLine(cleanLine(line), asker) : asPlan(lines);
    },
    readWithAnswer: async (typed, asker) => {
      const line = cleanLine(typed);
      const found = await readLine(line, asker);
      return found.kind === 'command'
        ? { found }
        : { found, answer: await refusals.answerTo(asker, line, found) };
    },
    pressOffer,
  };

  async function ask(invocation: Invocation): Promise<void> {
    try {
      await take(invocation);
    } finally {
      await wasTaken(invocation);
    }
  }

  async function goOn(invocation: Invocation, next: GoesOn): Promise<void> {
    if ('line' in next) {
      const { line, moves, asks } = next;
      // It is known by what was typed: its command says nothing of its end.
      const how = asks ? { guess: true as const } : { agreed: true as const };
      return take({ ...invocation, ...(moves ? { moves, ...how } : { line }) });
    }
    const { team, channel, person, delivery, trigger, replyTo, thread, askedIn, inPerson } = invocation;
    const { reason, unattended } = invocation;
    const from = { team, channel, person, delivery, trigger, replyTo, thread, askedIn, inPerson };
    await pressOffer({ ...from, reason, unattended, button: 'offer', token: next.offer });
  }

  async function take(invocation: Invocation): Promise<void> {
    const began = performance.now();
    // Behind a button stands a line of our own, exactly as it is meant.
    const line = invocation.offer === undefined ? await meant(invocation) : invocation.line;
    const about = fileAsked(invocation, line);
    if (about !== undefined) return takeFiles(invocation, about, began);
    const isTyped = invocation.offer === undefined && invocation.asked === undefined;
    const lines = isTyped ? linesOfPlan(invocation.line) : readPlan(invocation.line);
    const listed =
      lines === undefined ? (listAsked(invocation) ?? forwardedAsked(invocation, line)) : undefined;
    if (listed?.pasted !== undefined) return takeFiles(invocation, listed, began);
    if (listed !== undefined) {
      const { asked, isGuess } = listed;
      return takeFound(
        { ...invocation, ...(isGuess && { guess: true }) },
        lineOf(asked),
        readAsked(asked),
        began,
      );
    }
    const found =
      invocation.moves !== undefined
        ? await readMoved(parts, invocation.moves, line)
        : invocation.asked !== undefined
          ? readAsked(invocation.asked)
          : lines !== undefined
            ? asPlan(lines)
            : invocation.offer !== undefined
              ? match(line)
              : await readLine(line === '' ? 'help' : line, invocation);
    return takeFound(invocation, line, found, began);
  }

  /** What is asked with files in the place of some of its words: by a form or a shortcut, or in the message that they came with. */
  function fileAsked({ asked, files = [], offer, moves }: Invocation, line: string): AboutGiven | undefined {
    if (asked !== undefined) return filesIn(asked).length === 0 ? undefined : { asked, isGuess: false };
    if (files.length === 0 || offer !== undefined || moves !== undefined) return undefined;
    const options = readPlan(line);
    if (options !== undefined && isOnlyOptions(options)) {
      const lists = files.filter(isMeantAsList);
      const meant = lists.length === 0 ? files : lists;
      if (meant.length > 0)
        return { asked: { command: plan, typed: { lines: [options, ...meant] } }, isGuess: false };
    }
    return aboutFiles(line, files, (one) => match.plainly(one) ?? match(one));
  }

  /** What is asked with what stands in the lines below in the place of some of its words. */
  function listAsked({ asked, offer, moves, line }: Invocation): AboutGiven | undefined {
    if (asked !== undefined || offer !== undefined || moves !== undefined) return undefined;
    return aboutEntries(line, (one) => match.plainly(one) ?? match(one));
  }

  /** What is asked about the messages that were forwarded with it. */
  function forwardedAsked(
    { asked, offer, moves, forwarded = [] }: Invocation,
    line: string,
  ): AboutGiven | undefined {
    if (asked !== undefined || offer !== undefined || moves !== undefined) return undefined;
    return aboutForwarded(line, forwarded, (one) => match.plainly(one) ?? match(one));
  }

  async function takeFiles(invocation: Invocation, about: AboutGiven, began: number): Promise<void> {
    const given = await fromFiles(parts, invocation, about);
    if (given.kind === 'found') return takeFound(given.invocation, given.line, given.found, began);
    const { team, channel, person, delivery } = invocation;
    const { line, fault, found } = given;
    return refuse(invocation, { team, channel, person, line, delivery }, fault, found);
  }

  /** `began`: when it was begun to be understood. */
  async function takeFound(from: Invocation, line: string, read: Match, began: number): Promise<void> {
    if (read.kind !== 'command' && read.kind !== 'missing') return notUnderstood(from, line, read);
    const unwrapped = unwrappedIn(read);
    const { origin } = from;
    // Its click agrees to take something back, and to nothing else.
    const isRedo = origin !== undefined && !(await isBack(journal, origin.id));
    const invocation: Invocation = {
      ...from,
      ...(isRedo && { redo: true, agreed: undefined }),
      ...(unwrapped.length > 0 && { sources: [...(from.sources ?? []), ...unwrapped] }),
    };
    const former =
      read.kind === 'command' && origin !== undefined ? await takingBack(parts, read, origin) : read;
    const said = 'code' in former ? read : withReason(former, invocation);
    const found = { ...said, term: termMeant(said, parts.now(), authority.policy().timeZone) };
    const { command } = found;
    const { team, channel, person, delivery, forSite } = invocation;
    const { phrase, effect } = command;
    const policy = versionOf(authority.policy());
    const understoodAs = found.kind === 'command' ? found.understoodAs : undefined;
    const named =
      found.kind === 'command' && origin !== undefined
        ? lineInNames(found, origin, parts.commandByPhrase)
        : line;
    const { below: thread, direct } = invocation.askedIn ?? {};
    const written = {
      team,
      channel,
      person,
      line: named,
      understoodAs,
      delivery,
      phrase,
      effect,
      policy,
      thread,
      direct,
      ...(forSite && { request: requestToStore(forSite), only: siteKey(channel, forSite.site) }),
    };
    const wanted = { ...wantedIn(found, channel, parts), access: accessOf(found) };
    const decision = await authority.decide({ person, channel, ...wanted });
    log.tell(phaseOver, {
      phase: 'understanding',
      durationMs: Number((performance.now() - began).toFixed(1)),
    });
    const asked = {
      ...written,
      undoes: invocation.origin?.id,
      allowedBy: decision.allow ? decision.by : [],
    };
    const isAccessRequest = found.kind === 'command' && invocation.accessRequest === true;
    const isAskable =
      isAccessRequest &&
      (forSite !== undefined || (!decision.allow && accessRequestTo(decision.denial).length > 0));
    if (!decision.allow && !isAskable) {
      const meant = { ...asked, appliance: namedIn(found, channel) };
      const denied = await authority.fault(decision.denial, channel);
      // What carries a password is kept nowhere, and only its lines tell.
      return found.kind === 'command' && gathersLines(found) && found.command.gathers === 'typed'
        ? askPlan(invocation, meant, found, denied)
        : refuse(invocation, meant, denied, found);
    }
    if ('code' in former) return refuse(invocation, asked, former, found);
    if (found.kind === 'missing') {
      const opened = await parts.guard.unless(person, 'form', () => parts.forms.open(invocation, found));
      return opened ? undefined : notUnderstood(invocation, line, found);
    }
    const guarded = { invocation, command, dryRun: found.dryRun === true, written: asked };
    if (isInfo(found)) {
      return parts.guard.understood(guarded, () => inform(invocation, asked, found));
    }
    if (gathersLines(found)) {
      return parts.guard.understood(guarded, () => askPlan(invocation, asked, found));
    }
    if (isOnAppliances(found)) {
      const ticketed = await ticketOf(found, invocation, parts);
      if ('code' in ticketed) return refuse(invocation, asked, ticketed, found);
      const { ticket } = ticketed;
      const targets = targetsFor(found, channel);
      if ('code' in targets) return refuse(invocation, asked, targets, found);
      return parts.guard.understood(guarded, () =>
        askAppliances(invocation, { ...asked, ticket }, { ...found, ticket }, targets),
      );
    }
  }

  /** The lines of what was typed as a plan, with that word or without it. */
  function linesOfPlan(typed: string): string | undefined {
    return readPlan(typed) ?? readSeveral(typed, match);
  }

  /** In a thread, "why" is about what the thread is about. */
  async function meant(invocation: Invocation): Promise<string> {
    const line = cleanLine(invocation.line);
    if (withoutManners(line).toLowerCase() !== 'why') return line;
    return (await whyBelow(journal, parts.commandByPhrase, invocation)) ?? line;
  }

  /** Names are looked at only for what is no command by its own words. */
  async function readLine(line: string, { person, channel }: Asker): Promise<Match> {
    const own = await wordsFor(person, channel);
    const plain = match.plainly(line, own);
    if (plain !== undefined) return plain;
    const isServed = authority.channel(channel) !== undefined;
    const known = isServed
      ? await things.known(channel, await authority.suggests(person, channel))
      : undefined;
    return match(line, known, own);
  }

  /** A team's own words mean something to its own people only: to others they would tell what the team does. */
  async function wordsFor(person: string, channel: string): Promise<ReturnType<typeof ownWordsOf>> {
    const policy = authority.policy();
    const isAny = Object.keys(policy.words ?? {}).length > 0;
    const who = isAny ? await authority.identify(person, channel) : undefined;
    return who?.kind === 'other_organisation' ? ownWords({}) : ownWordsOf(policy);
  }

  async function wasTaken({ offer, form }: Invocation, action?: Action): Promise<void> {
    const token = offer ?? form;
    if (token !== undefined) await journal.wasTaken(token, action?.id);
  }

  /** On which appliances it would have run, as far as that is known. */
  function namedIn(found: Match, channel: string): string | undefined {
    if (found.kind !== 'command' || isInfo(found)) return undefined;
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
}

/** Of which only the options were typed: its form asks for the lines, below them. */
const asPlan = (lines: string): Match =>
  isOnlyOptions(lines) && !hasDryRun(lines)
    ? { kind: 'missing', command: plan, typed: { lines: [`${lines}\n`] }, argument: 'lines' }
    : readAsked({ command: plan, typed: { lines: [lines] } });

const byPolicy = new WeakMap<Policy, ReturnType<typeof ownWords>>();

/** Put together once for each policy that is in force. */
function ownWordsOf(policy: Policy): ReturnType<typeof ownWords> {
  const read = byPolicy.get(policy) ?? ownWords(policy.words ?? {});
  byPolicy.set(policy, read);
  return read;
}

/** What an action has made temporary, as it was made: whatever its words mean by now. */
async function readMoved(
  {
    journal,
    commandByPhrase,
    match,
    authority,
    now,
  }: Pick<Parts, 'journal' | 'commandByPhrase' | 'match' | 'authority' | 'now'>,
  { action: id, on, to }: MovedEnd,
  line: string,
): Promise<Match> {
  const action = await journal.byId(id);
  const command = commandByPhrase.get(action?.phrase ?? '');
  const [target] = action === undefined ? [] : madeOn(action);
  if (action === undefined || command?.kind !== 'change' || target === undefined) return match(line);
  const typed = match(action.understoodAs ?? action.line);
  const args = Object.entries(target.args).filter(([name]) => command.args[name]?.input !== 'secret');
  const at = to === 'now' ? now() : to;
  return {
    kind: 'command',
    command,
    on,
    typed: typed.kind === 'command' ? typed.typed : {},
    args: Object.fromEntries(args) as never,
    reason: consentOf(action)?.reason ?? undefined,
    ...(at !== 'never' && {
      term: { option: 'until', text: typedMoment(at, authority.policy().timeZone) },
    }),
  };
}
