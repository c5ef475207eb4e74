import { domain } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import * as conversation from '../../handlers/conversation/conversation.commands.ts';
import type { LastChange, Standing } from '../../handlers/conversation/standing.ts';
import { plan } from '../../handlers/plan/plan.commands.ts';
import { byRun } from '../../journal/actions/order.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { isOnItsWay } from '../../journal/actions/states.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import { appliancesOf, lineNow, shownOf } from '../base/stored.ts';
import { type UndoOffer, undosOf } from '../showing/kept-offer.ts';
import { goneOf, isTakenBack } from './left-to-undo.ts';

/** As long ago as people still mean with "that", in milliseconds; and no more than they could. */
export const recently = 12 * 60 * 60_000;
const most = 200;
/** So many of their own changes are looked at for one that can be taken back. */
const mostOwn = 20;

interface StandingParts {
  readonly journal: Pick<
    Journal,
    'recentIn' | 'waitingOf' | 'plannedIn' | 'keptOf' | 'byId' | 'under' | 'changesIn' | 'timedChangesOf'
  >;
  readonly now: () => number;
  /** Whether what is planned may be canceled by whoever asks. */
  readonly mayCancel: (action: Action) => Promise<boolean>;
  /** What an undo of an action leaves to others. `line`: as its button has it. */
}

/**
 * What one person has done and left open in one channel. Nothing of anybody else's is meant there; in the thread of a card it is that
 * card, and whether it is theirs to take back is decided as for its button.
 */
export function standingOf(
  { journal, now, mayCancel }: StandingParts,
  { channel, person, askedIn }: Pick<Invocation, 'channel' | 'person' | 'askedIn'>,
): Standing {
  const place = { channel, direct: askedIn?.direct, thread: askedIn?.below };
  const lately = async () => (await journal.recentIn(channel, now() - recently, most)).filter(isNoClick);
  const thread = async () => subjectsIn(journal, place);
  /** In a thread what was asked there; elsewhere, or where there is nothing, what was asked in the channel lately. */
  const recent = async () => {
    const { card, asked } = await thread();
    const there = [...asked, ...(card === undefined ? [] : [card])];
    return there.length > 0 ? there : lately();
  };
  const isOwn = (action: Action) => action.person === person;
  const isThere = ({ card, thread: below }: Action) =>
    place.thread !== undefined && (card === place.thread || below === place.thread);

  /** The oldest of these changes, newest first, that nobody has taken back; an undo leaves it alone. */
  const oldestInForce = async (changes: readonly Action[]): Promise<Action | undefined> => {
    const undoing = new Set<string>();
    for (const one of changes.toReversed()) {
      if (undoing.has(one.id)) continue;
      if (!(await isTakenBack({ journal }, one))) return one;
      for (const { became } of await undosOf(journal, one.id))
        if (became !== undefined) undoing.add(became.id);
    }
    return undefined;
  };

  return {
    waiting: async () => {
      const { card: about } = await thread();
      const isTheirs = about !== undefined && (isOwn(about) || (await mayCancel(about)));
      const planned = (await journal.plannedIn([channel], most)).filter(
        (action) => isOwn(action) || (isTheirs && action.id === about.id),
      );
      const open = [...(await journal.waitingOf(channel, person)), ...planned];
      const there = open.filter(isThere);
      const isPlannedHere = (id: string) => about?.id === id && planned.some((one) => one.id === id);
      return (there.length > 0 ? there : open).flatMap((action) => {
        const { id, token, createdAt, card, runAt, state } = action;
        if (token === undefined) return [];
        // What waits for another time does not run at the one that it had.
        const runsAt = state === 'planned' ? runAt : undefined;
        const isMeant = isPlannedHere(id);
        return [{ line: lineNow(action), asked: createdAt, card, token, runsAt, isMeant }];
      });
    },
    lastLine: async () => {
      const { card, asked } = await thread();
      const there = [card, ...asked.filter(isOwn)].find(isRepeatable);
      const last = there ?? (await lately()).filter(isOwn).find(isRepeatable);
      return (
        last && { line: last.line, whole: wholePlan(last), isLookup: last.effect === 'read', by: last.person }
      );
    },
    nextPage: async () => {
      const typed = (await recent()).filter(
        (one) => (isOwn(one) || isThere(one)) && one.phrase !== undefined,
      );
      const turned = typed.findIndex(({ phrase }) => phrase !== conversation.more.phrase);
      const answer = typed[turned];
      const [result] = answer === undefined ? [] : await journal.keptOf(answer.id, 'result');
      return answer && { line: answer.line, ...(result && { result: result.token, page: turned + 1 }) };
    },
    lastChange: async () => {
      const { card, asked } = await thread();
      const isCard = card !== undefined && hasGoneOut(card);
      const below = changesIn(asked);
      const isBelow = below.some(isOwn);
      // In a thread that is about no change of theirs, one of elsewhere is only offered.
      const isMeant = place.thread === undefined || isCard || isBelow;
      const changes = isCard ? [...below, card] : isBelow ? below : changesIn(await lately());
      const own = (isCard ? [card] : changes.filter(isOwn)).slice(0, mostOwn);
      const undos = new Map(
        await Promise.all(own.map(async ({ id }) => [id, await undosOf(journal, id)] as const)),
      );
      // What took something back is not what is meant by "undo".
      const undoing = new Set([...undos.values()].flat().flatMap(({ became }) => became?.id ?? []));
      const meant = own.filter(({ id }) => !undoing.has(id));
      const rows = await Promise.all(meant.map(({ id }) => journal.timedChangesOf(id)));
      // What is on for a time can be ended, also where nothing was sent for it.
      const isOnFor = rows.map((some) => some.some(({ state }) => state !== 'over'));
      // The newest has no Undo yet while it is on its way, and whoever types undo does not mean the one before it.
      const newest = meant[0];
      const last =
        newest !== undefined && isOnItsWay(newest)
          ? newest
          : (meant.find(({ id }, at) => isOnFor[at] || undos.get(id)?.some(isOpen)) ?? newest);
      if (last === undefined) return undefined;
      const after = await oldestInForce(
        changes.slice(0, changes.indexOf(last)).filter(
          // What has moved its own end is named by the question whether to undo it.
          (one) => !undoing.has(one.id) && shownOf(one)?.temporary?.extends !== last.id,
        ),
      );
      const gone = await goneOf({ journal }, last);
      const isGone = appliancesOf(last).every((name) => gone?.on.includes(name));
      return {
        ...changeIn(last, undos.get(last.id) ?? [], after),
        isOwn: isOwn(last),
        isMeant,
        isOnItsWay: isOnItsWay(last),
        gone: isGone ? gone?.why : undefined,
      };
    },
  };
}

interface Subjects {
  /** The action whose card the thread hangs below. */
  readonly card: Action | undefined;
  /** What was asked in it, by anybody; the newest first. */
  readonly asked: readonly Action[];
}

/** What a thread is about; about nothing, where it is none, or hangs below a message that is no card. */
async function subjectsIn(
  journal: Pick<Journal, 'under'>,
  { channel, direct, thread }: Pick<Action, 'channel' | 'direct' | 'thread'>,
): Promise<Subjects> {
  const found = thread === undefined ? [] : await journal.under(thread, most);
  const there = found.filter((one) => one.channel === channel && one.direct === direct && isNoClick(one));
  return {
    card: there.find(({ card }) => card === thread),
    asked: there.filter(({ card }) => card !== thread),
  };
}

/**
 * What *why* means in a thread: why the website that it is about is as it is; of anything else, what became of it. Undefined where it
 * is about nothing.
 */
export async function whyBelow(
  journal: Pick<Journal, 'under'>,
  commands: ReadonlyMap<string, AnyCommand>,
  { channel, askedIn }: Pick<Invocation, 'channel' | 'askedIn'>,
): Promise<string | undefined> {
  const { card, asked } = await subjectsIn(journal, {
    channel,
    direct: askedIn?.direct,
    thread: askedIn?.below,
  });
  const subject = [card, ...asked].find(isRepeatable);
  if (subject === undefined) return undefined;
  const kinds = commands.get(subject.phrase ?? '')?.args ?? {};
  const [website] = Object.entries(subject.args ?? {}).flatMap(([slot, value]) =>
    kinds[slot]?.what === domain.what ? [value].flat().filter((one) => typeof one === 'string') : [],
  );
  return website === undefined ? `show ${referenceOf(subject.id)}` : `why ${website}`;
}

const isOpen = ({ takenBy }: UndoOffer): boolean => takenBy === undefined;

function changeIn(
  own: Action,
  undos: readonly UndoOffer[],
  after: Action | undefined,
): Omit<LastChange, 'isOwn' | 'isMeant' | 'isOnItsWay' | 'gone'> {
  const open = undos.filter(isOpen);
  const taken = open.length === 0 ? undos.find(({ takenBy }) => takenBy !== undefined) : undefined;
  return {
    line: lineNow(own),
    action: own.id,
    at: own.changedAt,
    card: own.card,
    undo: open.map(({ token, where }) => ({ token, where })),
    taken: taken && {
      by: taken.takenBy ?? '',
      isDone: taken.became?.state === 'done',
      card: taken.became?.card,
    },
    later: after && { line: lineNow(after), person: after.person },
  };
}

/** Whether a command speaks of what was asked before. */
export const saysThat = ({ phrase }: AnyCommand): boolean => aboutThat.has(phrase);

/** What speaks of other lines is not what is repeated. */
const aboutThat: ReadonlySet<string> = new Set(Object.values(conversation).map(({ phrase }) => phrase));

const isRepeatable = (action: Action | undefined): boolean =>
  action?.phrase !== undefined && !aboutThat.has(action.phrase);

const isNoClick = ({ interaction }: Action): boolean => interaction === undefined;

/** The last one that began to run comes first: one that waited for a click is newer than what was asked meanwhile. */
const changesIn = (actions: readonly Action[]): readonly Action[] =>
  actions.filter(hasGoneOut).toSorted((one, other) => byRun(other, one));

/** What only moves the end of another change is none of its own. */
const hasGoneOut = ({ effect, state, preview }: Action): boolean =>
  shownOf({ preview })?.temporary?.extends === undefined &&
  effect !== undefined &&
  effect !== 'read' &&
  (state === 'running' || state === 'done' || state === 'failed' || state === 'unknown');

/** A whole plan as people type it; its card and the audit have only its first line. Undefined for other commands. */
function wholePlan({
  phrase,
  args,
}: {
  readonly phrase?: string | undefined;
  readonly args?: unknown;
}): string | undefined {
  const { lines, options }: { lines?: unknown; options?: unknown } = Object(args);
  if (phrase !== plan.phrase || !Array.isArray(lines)) return undefined;
  return [typeof options === 'string' ? `plan ${options}` : 'plan', ...lines.map(String)].join('\n');
}
