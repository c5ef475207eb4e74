import { createHash } from 'node:crypto';
import type { Policy } from '../../auth/policy.ts';
import { code, enumerate, moment, person, say, strong, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { freezeOver } from '../authority/freeze-over.ts';
import { isOpenAt } from '../authority/starts.ts';
import { changeOf, shownOf } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { tellBelow } from '../showing/messages.ts';
import { concernedBy, inPerson } from '../showing/planned-over.ts';

/** More than are planned at once. */
const most = 1_000;

/**
 * A freeze that comes later, and a window that has other hours now, keep what was planned from running. Whoever planned or approved that
 * hears so now, while there is time to give it another one, and not at night: whether the policy was read again or the bot was started
 * with it, once for all replicas.
 */
export const createTellFrozen =
  (parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'outbox'>) => async (): Promise<void> => {
    const { authority, journal, outbox } = parts;
    const now = calendarOf(authority.policy());
    const before = await journal.tellOnce('calendar', JSON.stringify(now)).catch(unlessAway);
    if (before === undefined) return;
    const then = calendarIn(before.words);
    const isNew = (name: string) => then[name] !== now[name];
    if (![...Object.keys(now), ...Object.keys(then)].some(isNew)) return;
    for (const action of await journal.duePlanned(Number.MAX_SAFE_INTEGER, most)) {
      const why = await whyNotThen(action, isNew);
      if (why === undefined) continue;
      const people = await concernedBy(journal, action);
      const words = say`${why}, so it will not run. ${strong('Change the time…')} on its card moves it.`;
      const below = say`${enumerate(people.map(person))}: ${words}`;
      await outbox.send(
        ...(action.card === undefined ? [] : tellBelow(action, { headline: below })),
        ...inPerson(action, people, 'will not run', words),
      );
    }

    async function whyNotThen(action: Action, isNews: (name: string) => boolean): Promise<Text | undefined> {
      const command = changeOf(parts.commandByPhrase, action);
      const { start } = shownOf(action) ?? {};
      if (command === undefined || start === undefined) return undefined;
      const { window, at } = start;
      if (window !== undefined && isNews(`window ${window}`) && !isOpenAt(at, window, authority.policy()))
        return say`The policy now has other hours for the window ${code(window)}, or no such window`;
      const frozen = await freezeOver(parts, action, command);
      const names = frozen === undefined ? [] : [frozen.name, ...frozen.followedBy];
      if (frozen === undefined || !names.some((name) => isNews(`freeze ${name}`))) return undefined;
      const because = frozen.reason === undefined ? [] : say`: ${frozen.reason}`;
      return say`The policy now freezes changes then, until ${moment(frozen.until)} (${code(frozen.name)}${because})`;
    }
  };

/** Then it is told when the policy is read the next time. */
function unlessAway(error: unknown): undefined {
  if (!(error instanceof JournalUnavailable)) throw error;
}

/** A short name for each freeze and window as it is now, so that another one is seen to be another. */
type Names = Readonly<Record<string, string>>;

function calendarOf({ freezes = {}, windows = {}, timeZone }: Policy): Names {
  const named = [
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

function calendarIn(words: string | undefined): Names {
  try {
    return Object(JSON.parse(words ?? '{}'));
  } catch {
    // Somebody has edited it: then all is news.
    return {};
  }
}
