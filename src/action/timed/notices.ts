import { covers } from '../../auth/rule.ts';
import { applianceIn } from '../../auth/targets.ts';
import type { AnyChange } from '../../handlers/command.ts';
import {
  channel as channelSpan,
  clock,
  code,
  elapsed,
  enumerate,
  type Field,
  type Offer,
  type Part,
  person,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { reasonGivenIn } from '../../handlers/temporary/said-end.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, Extension, Given, TimedChangeRow, ToSend } from '../../journal/journal.ts';
import { isUnverified, newestOf } from '../../journal/timed/timed-change-row.ts';
import { subjectOf } from '../authority/authority.ts';
import { freezeNow } from '../authority/freeze-over.ts';
import { type Chat, ChatRefused, gotOut, type Said } from '../base/chat.ts';
import { consentOf, isBreakGlass } from '../base/consent.ts';
import { aheadOfJournal } from '../base/generations.ts';
import { type SiteRequest, siteRequestOf, slackAskers } from '../base/site-request.ts';
import { appliancesOf, changeOf, lineNow, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { howItEnded, type TimedOrigin } from '../history/end-record.ts';
import { toLosers } from '../holding/holders.ts';
import { changeCard } from '../showing/card.ts';
import { threadOf } from '../showing/messages.ts';
import { allowedForAskers, overForAskers, tellAskers } from '../showing/site-askers.ts';
import { siteInWords } from '../showing/site-request.ts';
import { timedName } from '../showing/timed-card.ts';
import {
  changedSince,
  reminder,
  reminderLater,
  standsNow,
  type TimedName,
  trouble,
} from '../wording/timed.ts';
import { closingOfPlan, createTellOfPlan, endsWith, planOf, reminderOfPlan } from './of-plan.ts';

/** What people hear of something temporary. `of` is the action that began it. */
interface TimedNotices {
  readonly draw: (timedChange: TimedChangeRow) => Promise<void>;
  readonly extended: (timedChange: TimedChangeRow, extension: Extension) => Promise<void>;
  /** That its end is near. Resolves to the message, if it stands in the channel. */
  readonly remind: (timedChange: TimedChangeRow, origin: TimedOrigin) => Promise<string | undefined>;
  /** That it is not undone, because somebody has changed it since. */
  readonly changed: (failed: TimedChangeRow, origin: TimedOrigin, problem: Text) => Promise<void>;
  /** That it could not be ended, and why. */
  readonly trouble: (failed: TimedChangeRow, origin: TimedOrigin, problem: Text, more: More) => Promise<void>;
  /** Its last word. False when nobody could be told, neither there nor in person. */
  readonly report: (
    over: TimedChangeRow,
    ended: NonNullable<TimedChangeRow['ended']>,
    origin: TimedOrigin,
  ) => Promise<boolean>;
}

interface More {
  /** What may help. */
  readonly offers: readonly Offer[];
  /** The next try is an hour away, so that everybody is called with every one. */
  readonly hourly: boolean;
}

export function createTimedNotices({
  authority,
  fleet,
  chat,
  commandByPhrase,
  journal,
  present,
  notifications,
  outbox,
  now,
}: Pick<
  Parts,
  | 'authority'
  | 'fleet'
  | 'chat'
  | 'commandByPhrase'
  | 'journal'
  | 'present'
  | 'notifications'
  | 'outbox'
  | 'now'
>): TimedNotices {
  /**
   * Who has heard in person of what cannot be ended, `<timed change> <person>`. In memory: after a crash they hear it once more,
   * and of what Slack did not take they hear with the next try.
   */
  const called = new Set<string>();
  const tellOfPlan = createTellOfPlan(
    (plan, reply, how) => tell(plan, reply, { ...how, at: now() }),
    (people, reply, row) => notify(people, inPerson(reply, row)),
  );
  const namedOf = ({ action, command }: TimedOrigin, row: TimedChangeRow) => timedName(action, command, row);

  return {
    draw: async (timedChange) => void (await redraw(timedChange)),

    extended: async (timedChange, extension) => {
      const action = await journal.byId(extension.action);
      const origin = await redraw(timedChange);
      // That it was ended early is told when it is over.
      if (action === undefined || origin === undefined || extension.until <= extension.at) return;
      const approved = (await approvalsOf(action)).map(({ person: by }) => by);
      await notifications.add(
        await cardOf(origin),
        say`${movedTo(extension, now())}, ${extendedBy(action, approved)}.`,
      );
      const own = siteRequestOf(action);
      const asked = own === undefined ? [] : slackAskers(own);
      const by = say`Approved by ${enumerate(approved.map(person))}.`;
      const messages = [
        ...(own === undefined ? [] : tellAskers(action, allowedForAskers(own, extension.until, by, now()))),
        ...(await toSiteAskers(
          timedChange,
          origin,
          ({ site }) =>
            say`The time for ${siteInWords(site)} has changed: it is allowed until ${when(extension.until, now())} now.`,
          asked,
        )),
      ];
      if (messages.length > 0) await outbox.send(...messages);
    },

    remind: async (timedChange, origin) => {
      const { action: of } = origin;
      const ofPlan = await endsWith({ journal }, of, timedChange);
      const on = ofPlan?.rows.filter(({ state }) => state === 'on') ?? [];
      const approvers = (await approvalsOf(await cardOf(of))).map(({ person: by }) => by);
      const people = [...new Set([...ownerOf(timedChange, of), ...approvers])];
      const { command } = origin;
      const frozen = command && (await freezeNow(authority, command, of, targetsIn(of)))?.until;
      if (ofPlan !== undefined && on.length > 1) {
        // The first of them tells it for all.
        if (on[0]?.id === timedChange.id)
          await tellOfPlan(ofPlan, reminderOfPlan(ofPlan, people, frozen, now()), 'end', people);
        return undefined;
      }
      const reply = reminder(namedOf(origin, timedChange), timedChange, people, frozen, now());
      // Where the channel does not take it, nobody would know that it is about to end.
      const message = await tell(of, reply, {
        loudly: true,
        key: reminderKey(timedChange.id, timedChange.endsAt),
        at: newestOf(timedChange),
      });
      if (message === undefined) await notify(people, inPerson(reply, timedChange));
      return message;
    },

    changed: async (failed, origin, problem) => {
      const { action, command } = origin;
      const people = await concerned(failed, action, command);
      const reply = changedSince(namedOf(origin, failed), failed, problem, people, now());
      await redraw(failed);
      const key = `lease-${failed.id}-changed-${failed.tries}`;
      const message = await tell(action, reply, { loudly: true, key, at: newestOf(failed) });
      if (message === undefined) await notify(people, inPerson(reply, failed));
    },

    trouble: async (failed, origin, problem, { offers, hourly }) => {
      const { action, command } = origin;
      const people = await concerned(failed, action, command);
      const reply = trouble(namedOf(origin, failed), failed, problem, people, offers, now());
      const uncalled = people.filter((one) => !called.has(`${failed.id} ${one}`));
      // In person and in the channel when it begins, and then with every hour.
      const isLoud = hourly || uncalled.length > 0;
      await redraw(failed);
      const key = troubleKey(failed, failed.tries);
      const message = await tell(action, reply, { loudly: isLoud, key, at: newestOf(failed) });
      const toCall = hourly || message === undefined ? people : uncalled;
      for (const one of await notify(toCall, inPerson(reply, failed))) called.add(`${failed.id} ${one}`);
      const askers = await toSiteAskers(
        failed,
        action,
        ({ site }) =>
          say`The time for ${siteInWords(site)} is over, but it could not be ended so far on ${strong(failed.appliance)}. Appliance Bot keeps trying; until then it may still open.`,
      );
      if (askers.length > 0 && !called.has(`${failed.id} askers`)) await outbox.send(...askers);
      called.add(`${failed.id} askers`);
    },

    report: async (timedChange, ended, origin) => {
      const { action, command } = origin;
      const ofPlan = await endsWith({ journal }, action, timedChange);
      if (ofPlan !== undefined) {
        // The last of them tells it for all.
        await redraw(timedChange);
        await putAwayTrouble({ chat, now }, ofPlan.plan, namedOf(origin, timedChange), timedChange);
        if (ofPlan.rows.some(({ state }) => state !== 'over')) return true;
        return tellOfPlan(ofPlan, closingOfPlan(ofPlan, now()), 'over', [timedChange.person]);
      }
      const rows = await journal.timedChangesOf(action.id);
      const askers = rows.every(({ state }) => state === 'over')
        ? await toSiteAskers(timedChange, action, await overForSite(timedChange, ended))
        : [];
      if (askers.length > 0) await outbox.send(...askers);
      const found = await reportOf(namedOf(origin, timedChange), timedChange, ended, action);
      const reply = { ...found, headline: await toLosers(journal, timedChange, found.headline) };
      await redraw(timedChange);
      const said = await present(reply, { channel: action.channel });
      const isWritten = await write(timedChange, action, reply, said);
      await putAwayTrouble({ chat, now }, await cardOf(action), namedOf(origin, timedChange), timedChange);
      const people = await concerned(timedChange, action, command);
      // What could not be said where it belongs is said to each of them.
      if (!isWritten) return (await notify(people, said)).length > 0;
      if (timedChange.tries > 0) await notify(people, { headline: reply.headline });
      return true;
    },
  };

  /** Who asked for the site, and for a longer time since. They need no role in the channel, and hear it in words of their own. */
  async function toSiteAskers(
    timedChange: TimedChangeRow,
    action: Action,
    words: (request: SiteRequest) => Text,
    but: readonly string[] = [],
  ): Promise<readonly ToSend[]> {
    const later = await Promise.all(timedChange.extensions.map((one) => journal.byId(one.action)));
    const told = new Set(but);
    return [action, ...later].flatMap((one) => {
      const request = one && siteRequestOf(one);
      if (one === undefined || request === undefined) return [];
      const messages = tellAskers(one, words(request), [...told]);
      for (const asker of slackAskers(request)) told.add(asker);
      return messages;
    });
  }

  async function overForSite(
    { extensions, endsAt }: TimedChangeRow,
    { how, person: by, at }: NonNullable<TimedChangeRow['ended']>,
  ): Promise<(request: SiteRequest) => Text> {
    if (how === 'kept' || how === 'replaced')
      return ({ site }) => say`✅ ${siteInWords(site)} now stays allowed, with no end.`;
    const early = how === 'ended' ? extensions.find((one) => one.until <= one.at) : undefined;
    const who = how === 'person' ? by : early && (await journal.byId(early.action))?.person;
    const isEarly = early !== undefined || at < endsAt;
    return (request) =>
      overForAskers(
        request,
        who === undefined
          ? say`the time it was allowed for is over since ${when(at, now())}`
          : say`${person(who)} ended it${isEarly ? ' early' : ''} at ${when(at, now())}`,
      );
  }

  /** Puts the report into the thread, as a message that a repetition only writes again. */
  async function write(
    timedChange: TimedChangeRow,
    action: Action,
    reply: Reply,
    said: Said,
  ): Promise<boolean> {
    let { report: message } = timedChange;
    const noted = { key: `lease-${timedChange.id}-report`, at: newestOf(timedChange) };
    if (message === undefined) {
      const announcement = { headline: say`${reply.headline} The report follows.` };
      // An alarm that was raised in the channel is called off there.
      message = await tell(action, announcement, { loudly: timedChange.tries > 0, ...noted });
      if (message !== undefined) await journal.placedReport(timedChange.id, message);
    }
    if (message === undefined) return false;
    try {
      await chat.edit(messageBelow(await cardOf(action), message), said, noted);
      return true;
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      // It stands there already, by a journal that knew more of it.
      return error.code === aheadOfJournal;
    }
  }

  async function reportOf(
    named: TimedName,
    timedChange: TimedChangeRow,
    ended: NonNullable<TimedChangeRow['ended']>,
    action: Action,
  ): Promise<Reply> {
    const extensions = await Promise.all(
      timedChange.extensions.map(async ({ action: id, at, until, from }) => {
        const by = await journal.byId(id);
        return { at, until, from, action: by, approvals: by === undefined ? [] : await approvalsOf(by) };
      }),
    );
    const own = new Set([timedChange.action, ...timedChange.extensions.map(({ action: id }) => id)]);
    const others = (await journal.changesIn(timedChange.startedAt, ended.at)).filter(
      (one) =>
        !own.has(one.id) && appliancesOf(one).includes(timedChange.appliance) && !isAboutIt(one, named),
    );
    const approvals = await approvalsOf(action);
    const onCard = await fieldsOnCard(action);
    return closing(named, timedChange, ended, action, approvals, extensions, others, onCard);
  }

  /** The names of what stands on its card, below which it is reported. */
  async function fieldsOnCard(action: Action): Promise<readonly string[]> {
    const card = await cardOf(action);
    const given = await approvalsOf(card);
    const { parts } = changeCard(card, changeOf(commandByPhrase, card), { given });
    return parts.flatMap((part) => (part.kind === 'fields' ? part.fields.map(({ name }) => name) : []));
  }

  async function redraw(timedChange: TimedChangeRow): Promise<Action | undefined> {
    const action = await journal.byId(timedChange.action);
    if (action === undefined) return undefined;
    await notifications.draw(await cardOf(action));
    const { reminder: before, state, endsAt } = timedChange;
    // What it reminded of has come or is put off: its buttons would promise what they cannot do any more.
    if (before !== undefined && (state !== 'on' || endsAt !== before.endsAt)) {
      const origin = { action, command: changeOf(commandByPhrase, action) };
      const reply = reminderLater(namedOf(origin, timedChange), timedChange, now());
      const noted = { key: reminderKey(timedChange.id, before.endsAt), at: newestOf(timedChange) };
      const message = messageBelow(await cardOf(action), before.message);
      await gotOut(chat.edit(message, reply, noted));
    }
    return action;
  }

  /** What is told of a step stands below the card of its plan. */
  async function cardOf(action: Action): Promise<Action> {
    return (await planOf({ journal }, action)) ?? action;
  }

  async function approvalsOf({ id, token, consent }: Action): Promise<readonly Given[]> {
    return consent === undefined || token === undefined ? [] : journal.approvalsOf(id, token);
  }

  /** Whoever asked for it, whoever approved it, and everybody who could have. */
  async function concerned(
    timedChange: TimedChangeRow,
    action: Action,
    command: AnyChange | undefined,
  ): Promise<readonly string[]> {
    const consented = consentOf(action)?.needs.flatMap(({ by }) => by) ?? [];
    const subject = command && subjectOf(command, 'any', applianceIn(fleet, timedChange.appliance), 'any');
    const rule =
      subject &&
      authority.policy().approvals.find(({ commands }) => commands.some((one) => covers(one, subject)));
    const roles = [...new Set([...consented, ...(rule?.by ?? ['approver'])])];
    const people = await authority.people(roles, timedChange.channel);
    const approved = (await approvalsOf(action)).map(({ person: by }) => by);
    return [
      ...new Set([...ownerOf(timedChange, action), ...approved, ...(people === 'everyone' ? [] : people)]),
    ];
  }

  /**
   * In the thread of its card, and loudly in the channel, too. Resolves to the message, which may stand there from before
   * a crash; undefined when it could not be said there.
   */
  async function tell(
    action: Action,
    reply: Reply,
    { loudly, key, at }: { readonly loudly: boolean; readonly key: string; readonly at: number },
  ): Promise<string | undefined> {
    const below = threadOf(await cardOf(action));
    if (below === undefined) return undefined;
    const found = await chat.find(below, key, action.createdAt);
    if (found.kind === 'stands') return found.ts;
    const thread = { ...below, ...(loudly && { broadcast: true as const }) };
    const told = chat.reply(thread, await present(reply, { channel: action.channel }), key, at);
    return (await gotOut(told)) ? told : undefined;
  }

  /** Resolves to those who could be told. */
  async function notify(people: readonly string[], said: Said): Promise<readonly string[]> {
    const told = await Promise.all(people.map(async (one) => ((await chat.notify(one, said)) ? [one] : [])));
    return told.flat();
  }
}

const reminderKey = (id: number, endsAt: number): string => `lease-${id}-end-${endsAt}`;

/** Buttons belong to the channel. */
const inPerson = ({ headline }: Reply, timedChange: TimedChangeRow): Said => ({
  headline: say`${headline} It was asked for in ${channelSpan(timedChange.channel)}.`,
});

/** What ended it, confirmed its end or moved it is told as that. */
function isAboutIt(action: Action, named: TimedName): boolean {
  if (named.kind === 'change') return shownOf(action)?.temporary?.extends === named.action;
  const { phrase = '', state } = action;
  return state === 'done' && (phrase === named.end || phrase.startsWith(`${named.confirm} `));
}

/** A site is on because somebody asked for it who may not be in the channel: they hear of it otherwise. */
const ownerOf = ({ person: owner }: TimedChangeRow, { request }: Action): readonly string[] =>
  request === undefined ? [owner] : [];
/** The key of a call for help, which says that one try to end a temporary change has failed. */
const troubleKey = ({ id }: TimedChangeRow, tries: number): string => `lease-${id}-failure-${tries}`;

/** A message in the thread of its card. */
function messageBelow(action: Action, ts: string): Parameters<Chat['edit']>[0] {
  const { channel, card } = threadOf(action) ?? { channel: action.channel, card: undefined };
  return { channel, ts, thread: card };
}

/** How many are looked for: each is a call, and who presses one that is older is told that it is over. */
const mostTries = 20;

/**
 * Takes the buttons off the calls for help when the temporary change is over, and says there how it stands. Does not fail when Slack
 * refuses. `card`: the action in whose thread the calls stand.
 */
async function putAwayTrouble(
  { chat, now }: Pick<Parts, 'chat' | 'now'>,
  card: Action,
  named: TimedName,
  row: TimedChangeRow,
): Promise<void> {
  const below = threadOf(card);
  if (below === undefined) return;
  // The first has called everybody, and may stand in the channel, too.
  const first = Math.max(1, row.tries - mostTries);
  const tries = Array.from({ length: row.tries - first + 1 }, (_, index) =>
    index === 0 ? 1 : first + index,
  );
  for (const one of row.tries === 0 ? [] : tries) {
    const key = troubleKey(row, one);
    const found = await chat.find(below, key, row.startedAt);
    if (found.kind !== 'stands') continue;
    const noted = { key, at: newestOf(row) };
    // It still says which try had failed.
    const { headline } = standsNow(named, row, now());
    const said = { headline: say`${headline} Try ${one} to end it had failed.` };
    await gotOut(chat.edit(messageBelow(card, found.ts), said, noted));
  }
}

/** Everything about it, when it is over, but for what its card says. `onCard`: the fields there. */
function closing(
  named: TimedName,
  timedChange: TimedChangeRow,
  ended: Ended,
  action: Action,
  approvals: readonly Given[],
  extensions: readonly PutOff[],
  others: readonly Action[],
  onCard: readonly string[],
): Reply {
  const near = (at: number) => when(at, ended.at);
  const approved = approvals.map(({ person: by, at }) => say`${person(by)} at ${near(at)}`);
  const cut = extensions.find(({ at, until }) => until <= at);
  const early = ended.how === 'ended' ? cut?.action : undefined;
  const fields: readonly Field[] = [
    // The card names whoever ran it.
    ...(timedChange.person === action.person
      ? []
      : [{ name: 'Asked by', value: askedBy(timedChange, action) }]),
    ...(approved.length === 0 && named.kind === 'change'
      ? []
      : [{ name: 'Approved by', value: approved.length === 0 ? unapproved(action) : enumerate(approved) }]),
    ...(timedChange.reason === '' ? [] : [{ name: 'Reason', value: say`${timedChange.reason}` }]),
    {
      name: 'Time',
      value: say`from ${near(timedChange.startedAt)} to ${near(ended.at)}, ${elapsed(ended.at - timedChange.startedAt)}; planned until ${near(cut?.from ?? timedChange.endsAt)}`,
    },
    ...extensions
      .filter(({ at, until }) => until > at)
      .map(({ action: by, approvals: yes, at, until, from }): Field => {
        const who =
          by === undefined
            ? []
            : say`, ${extendedBy(
                by,
                yes.map(({ person: id }) => id),
              )}${reasonOf(by)}`;
        const isShorter = from !== undefined && until < from;
        return {
          name: isShorter ? 'Shortened' : 'Extended',
          value: say`at ${near(at)} ${isShorter ? 'to end at' : 'until'} ${near(until)}${who}`,
        };
      }),
    {
      name: 'Ended',
      value:
        early === undefined
          ? howItEnded(timedChange, ended, action, clock)
          : say`by ${person(early.person)} at ${clock(ended.at)}${reasonOf(early)}`,
    },
    {
      name: 'Verified',
      value: ended.how === 'confirmed' ? say`no: the appliance couldn’t confirm it` : verified(ended),
    },
    ...(others.length === 0
      ? [{ name: 'Meanwhile', value: say`no other changes were made there with Appliance Bot` }]
      : []),
  ];
  const news = fields.filter(({ name }) => !onCard.includes(name));
  return {
    headline:
      named.kind === 'mode'
        ? say`${strong(`${named.name} on ${timedChange.appliance} ${isUnverified(ended) ? 'was ended, not verified' : 'is over'}.`)}`
        : say`${strong(overInWords(ended))} ${named.done}, on ${strong(timedChange.appliance)}.`,
    details: [{ kind: 'fields', fields: news }, ...meanwhile(others)],
  };
}

/** Whose wish it was, also where somebody else has undone what had taken it away. */
const askedBy = ({ person: by }: TimedChangeRow, { person: other }: Action): Text =>
  say`${person(by)}; brought back by ${person(other)}`;

/** What became of a change that was temporary. */
const overInWords = ({ how }: Ended): string =>
  how === 'kept' ? 'Kept for good:' : how === 'replaced' ? 'No longer temporary:' : 'Ended and undone:';

const verified = (ended: Ended): Text => {
  const { how, says } = ended;
  if (isUnverified(ended)) return say`no. ${says}`;
  return how === 'kept' || how === 'replaced' ? say`${says}` : say`yes. ${says}`;
};

/** By whom its end was put off. */
interface PutOff {
  readonly action: Action | undefined;
  readonly approvals: readonly Given[];
  readonly at: number;
  readonly until: number;
  readonly from?: number | undefined;
}

/** What has become of its end. */
const movedTo = ({ from, until }: Pick<PutOff, 'from' | 'until'>, now: number): Text =>
  from !== undefined && until < from
    ? say`Shortened to end at ${when(until, now)}`
    : say`Extended until ${when(until, now)}`;

/** "asked by @bob and approved by @carol". */
function extendedBy(action: Action, approvers: readonly string[]): Text {
  const asked = say`requested by ${person(action.person)}`;
  return approvers.length === 0 ? asked : say`${asked} and approved by ${enumerate(approvers.map(person))}`;
}

/** Why it was moved: commands that put an end off say so, and a line that was typed may. */
function reasonOf({ args, line }: Action): Text {
  const { reason } = Object(args);
  const why = typeof reason === 'string' ? reason : reasonGivenIn(line);
  return why === '' ? [] : say`: ${why}`;
}

const unapproved = ({ args, person: by }: Action): Text =>
  isBreakGlass(args) ? say`nobody: ${person(by)} used break-glass` : say`nobody: no approval was needed`;

/** Rows that are told of what else was done; the journal has the others. */
const mostOthers = 20;

function meanwhile(others: readonly Action[]): readonly Part[] {
  if (others.length === 0) return [];
  const more = others.length - mostOthers;
  return [
    { kind: 'text', text: say`${strong('Changed there meanwhile')}${more > 0 ? `, and ${more} more` : ''}:` },
    {
      kind: 'table',
      columns: ['Who', 'What', 'Result'],
      rows: others
        .slice(0, mostOthers)
        .map((one) => [say`${person(one.person)}`, say`${code(lineNow(one))}`, say`${one.state}`]),
    },
  ];
}
