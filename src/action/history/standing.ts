import { domain } from '../../handlers/argument.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import * as conversation from '../../handlers/conversation/conversation.commands.ts';
import type { LastChange, Standing } from '../../handlers/conversation/standing.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action, Journal } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import { type UndoOffer, undosOf } from '../showing/kept-offer.ts';

/** As long ago as people still mean with "that", in milliseconds; and no more than they could. */
const lately = 12 * 60 * 60_000;
const most = 200;
/** So many of their own changes are looked at for one that can be taken back. */
const mostOwn = 20;

export interface StandingParts {
  readonly journal: Pick<Journal, 'recentIn' | 'waitingOf' | 'keptOf' | 'byId' | 'under'>;
  readonly now: () => number;
}

/**
 * What one person has done and left open in one channel. Nothing of anybody else's is meant there; in a thread it is what the
 * thread is about, and whether it is theirs to take back is decided as for its button.
 */
export function standingOf(
  { journal, now }: StandingParts,
  { channel, person, askedIn }: Pick<Invocation, 'channel' | 'person' | 'askedIn'>,
): Standing {
  const place = { channel, direct: askedIn?.direct, thread: askedIn?.below };
  /** In a thread what it is about, whoever asked for that; elsewhere what was asked in the channel lately. */
  const below = async () =>
    place.thread === undefined ? [] : subjectsIn(journal, { ...place, thread: place.thread });
  const recent = async () => {
    const there = await below();
    return there.length > 0 ? there : journal.recentIn(channel, now() - lately, most);
  };
  const isOwn = (action: Action) =>
    action.interaction === undefined && (action.person === person || isSubject(action));
  const isSubject = ({ card, thread }: Action) =>
    place.thread !== undefined && (card === place.thread || thread === place.thread);

  return {
    waiting: async () => {
      const own = await journal.waitingOf(channel, person);
      const there = own.filter(isSubject);
      return (there.length > 0 ? there : own).flatMap(({ token, line, createdAt, card }) =>
        token === undefined ? [] : [{ line, asked: createdAt, card, token }],
      );
    },
    lastLine: async () => {
      const last = (await recent()).find(
        (action) => isOwn(action) && action.phrase !== undefined && !aboutThat.has(action.phrase),
      );
      return last && { line: last.line, isLookup: last.effect === 'read' };
    },
    nextPage: async () => {
      const typed = (await recent()).filter((action) => isOwn(action) && action.phrase !== undefined);
      const turned = typed.findIndex(({ phrase }) => phrase !== conversation.more.phrase);
      const answer = typed[turned];
      const [result] = answer === undefined ? [] : await journal.keptOf(answer.id, 'result');
      return answer && { line: answer.line, ...(result && { result: result.token, page: turned + 1 }) };
    },
    lastChange: async () => {
      const changes = (await recent()).filter(hasGoneOut);
      const own = changes.filter(isOwn).slice(0, mostOwn);
      const undos = new Map(
        await Promise.all(own.map(async ({ id }) => [id, await undosOf(journal, id)] as const)),
      );
      // What took something back is not what is meant by "undo".
      const undoing = new Set([...undos.values()].flat().flatMap(({ became }) => became?.id ?? []));
      const meant = own.filter(({ id }) => !undoing.has(id));
      const last = meant.find(({ id }) => undos.get(id)?.some(isOpen)) ?? meant[0];
      if (last === undefined) return undefined;
      const after = changes.slice(0, changes.indexOf(last)).findLast(({ id }) => !undoing.has(id));
      return changeIn(last, undos.get(last.id) ?? [], after);
    },
  };
}

/** What is told in a thread: the card that it hangs below, and what was asked in it; the newest first. */
async function subjectsIn(
  journal: Pick<Journal, 'under'>,
  { channel, direct, thread }: Pick<Action, 'channel' | 'direct'> & { readonly thread: string },
): Promise<readonly Action[]> {
  const found = await journal.under(thread, most);
  return found.filter(
    (one) => one.channel === channel && one.direct === direct && one.interaction === undefined,
  );
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
  const { below: thread, direct } = askedIn ?? {};
  if (thread === undefined) return undefined;
  const subjects = await subjectsIn(journal, { channel, direct, thread });
  const subject = subjects.findLast(({ phrase }) => phrase !== undefined && !aboutThat.has(phrase));
  if (subject === undefined) return undefined;
  const kinds = commands.get(subject.phrase ?? '')?.args ?? {};
  const [website] = Object.entries(subject.args ?? {}).flatMap(([slot, value]) =>
    kinds[slot]?.what === domain.what ? [value].flat().filter((one) => typeof one === 'string') : [],
  );
  return website === undefined ? `show ${referenceOf(subject.id)}` : `why ${website}`;
}

const isOpen = ({ takenBy }: UndoOffer): boolean => takenBy === undefined;

function changeIn(own: Action, undos: readonly UndoOffer[], after: Action | undefined): LastChange {
  const open = undos.filter(isOpen);
  const taken = open.length === 0 ? undos.find(({ takenBy }) => takenBy !== undefined) : undefined;
  return {
    line: own.line,
    at: own.changedAt,
    card: own.card,
    undo: open.map(({ token, where }) => ({ token, where })),
    taken: taken && {
      by: taken.takenBy ?? '',
      isDone: taken.became?.state === 'done',
      card: taken.became?.card,
    },
    later: after && { line: after.line, person: after.person },
  };
}

/** What speaks of other lines is not what is repeated. */
const aboutThat: ReadonlySet<string> = new Set(Object.values(conversation).map(({ phrase }) => phrase));

const hasGoneOut = ({ effect, state, interaction }: Action): boolean =>
  interaction === undefined &&
  effect !== undefined &&
  effect !== 'read' &&
  (state === 'done' || state === 'failed' || state === 'unknown');
