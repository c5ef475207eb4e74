import { createHash } from 'node:crypto';
import type { Policy } from '../../auth/policy.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import { enumerate, person, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { keptBack, ticketRules } from '../ground/kept-back.ts';
import { concernedBy, inPerson } from '../showing/mentioned.ts';
import { tellBelow } from '../showing/messages.ts';

/** More than are planned at once. */
const most = 1_000;

/**
 * A freeze that comes later, a window that has other hours now, and a ticket that is wanted by now keep what was planned from running.
 * Whoever planned or approved that hears so now, while there is time, and not at night; and hears when nothing keeps it any more. Whether
 * the policy was read again or the bot was started with it, once for all replicas.
 */
export const createTellFrozen =
  (parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'outbox'>) => async (): Promise<void> => {
    const { authority, journal, outbox } = parts;
    const now = calendarOf(authority.policy());
    const before = await journal.tellOnce('calendar', JSON.stringify(now)).catch(unlessAway);
    if (before === undefined) return;
    const then = toldIn<Names>(before.words, {});
    const isNew = (name: string) => then[name] !== now[name];
    if (![...Object.keys(now), ...Object.keys(then)].some(isNew)) return;
    const planned = await journal.duePlanned(Number.MAX_SAFE_INTEGER, most);
    const kept = await Promise.all(planned.map((action) => keptBack(parts, action)));
    const held = planned.filter((_, index) => kept[index] !== undefined).map(timeOf);
    const former = toldIn<readonly string[]>(
      (await journal.tellOnce('held', JSON.stringify(held.toSorted())))?.words,
      [],
    );
    for (const [index, action] of planned.entries()) {
      const why = kept[index];
      if (why === undefined) {
        if (former.includes(timeOf(action))) await tell(action, 'will run after all', runsAgain(action));
      } else if (why.by.some(isNew)) await tell(action, 'will not run', say`${why.says} ${why.instead}`);
    }

    async function tell(action: Action, how: string, words: Text): Promise<void> {
      const people = await concernedBy(journal, action);
      const below = say`${enumerate(people.map(person))}: ${words}`;
      await outbox.send(
        ...(action.card === undefined ? [] : tellBelow(action, { headline: below })),
        ...inPerson(action, people, how, words),
      );
    }
  };

/** What was told of it counts for that time. */
const timeOf = ({ id, runAt }: Action): string => `${id} ${runAt}`;

const runsAgain = (action: Action): Text => {
  const { start } = shownOf(action) ?? {};
  return say`The policy keeps this from running no more: it runs as planned${start === undefined ? [] : say`, ${startInWords(start)}`}.`;
};

/** Then it is told when the policy is read the next time. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof JournalUnavailable)) throw error;
}

/** A short name for each freeze and window as it is now, so that another one is seen to be another. */
type Names = Readonly<Record<string, string>>;

function calendarOf({ freezes = {}, windows = {}, tickets, timeZone }: Policy): Names {
  const named = [
    ...(tickets === undefined ? [] : [[ticketRules, tickets] as const]),
    ...Object.entries(freezes).map(([name, one]) => [`freeze ${name}`, one] as const),
    ...Object.entries(windows).map(([name, one]) => [`window ${name}`, one] as const),
  ];
  const digest = (one: unknown) =>
    createHash('sha256')
      .update(JSON.stringify([one, timeZone]))
      .digest('base64url')
      .slice(0, 12);
  return Object.fromEntries(
    named.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, one]) => [name, digest(one)]),
  );
}

function toldIn<Kept extends object>(words: string | undefined, otherwise: Kept): Kept {
  try {
    return words === undefined ? otherwise : Object(JSON.parse(words));
  } catch {
    // Somebody has edited it: then all is news.
    return otherwise;
  }
}
