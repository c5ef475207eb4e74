import { covers } from '../../auth/rule.ts';
import { applianceIn } from '../../auth/targets.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { channel as channelSpan, type Offer, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { Action, Extension, Given, TimedChangeRow } from '../../journal/journal.ts';
import { newestOf } from '../../journal/timed/timed-change-row.ts';
import { freezeNow } from '../authority/freeze-over.ts';
import { subjectOf } from '../authority/subject.ts';
import { aheadOfJournal } from '../base/ahead.ts';
import { ChatRefused, gotOut, type Said } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { appliancesOf, changeOf, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { TimedOrigin } from '../history/end-record.ts';
import { changeCard } from '../showing/card.ts';
import { threadOf } from '../showing/messages.ts';
import { timedName } from '../showing/timed-card.ts';
import { toLosers } from '../wishes/conflicts.ts';
import { changedSince, reminder, reminderLater, type TimedName, trouble } from '../wording/timed.ts';
import { closingOfPlan, createTellOfPlan, endsWith, planOf, reminderOfPlan } from './of-plan.ts';
import { messageBelow, putAwayTrouble, troubleKey } from './put-away.ts';
import { closing, extendedBy, movedTo } from './report.ts';

/** What people hear of something temporary. `of` is the action that began it. */
export interface TimedNotices {
  readonly draw: (timedChange: TimedChangeRow) => Promise<void>;
  readonly extended: (timedChange: TimedChangeRow, extension: Extension) => Promise<void>;
  /** That its end is near. Resolves to the message, if it stands in the channel. */
  readonly remind: (timedChange: TimedChangeRow, origin: TimedOrigin) => Promise<string | undefined>;
  /** That it is not undone, because somebody has changed it since. */
  readonly changed: (failed: TimedChangeRow, origin: TimedOrigin, problem: Text) => Promise<void>;
  /** That it is not undone yet, because something else ends first. */
  readonly waits: (waiting: TimedChangeRow, origin: TimedOrigin, why: Text) => Promise<void>;
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
  now,
}: Pick<
  Parts,
  'authority' | 'fleet' | 'chat' | 'commandByPhrase' | 'journal' | 'present' | 'notifications' | 'now'
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
    },

    remind: async (timedChange, origin) => {
      const { action: of } = origin;
      const ofPlan = await endsWith({ journal }, of, timedChange);
      const on = ofPlan?.rows.filter(({ state }) => state === 'on') ?? [];
      const approvers = (await approvalsOf(await cardOf(of))).map(({ person: by }) => by);
      const people = [...new Set([timedChange.person, ...approvers])];
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
        ...{ key: reminderKey(timedChange.id, timedChange.endsAt), at: newestOf(timedChange) },
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

    waits: async (waiting, origin, why) => {
      await redraw(waiting);
      await notifications.add(await cardOf(origin.action), say`Its time is over. ${why}`);
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
    return [...new Set([timedChange.person, ...approved, ...(people === 'everyone' ? [] : people)])];
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
