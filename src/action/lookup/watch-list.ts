import { nextAt } from '../../auth/hours.ts';
import type { Match } from '../../handlers/language/match.ts';
import type { Recurrence, WatchedThing, WatchList } from '../../handlers/watch/list.ts';
import type { WatchRow } from '../../journal/journal.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import { keptWatch, recurrenceIn, recurrenceToKeep, termsIn } from '../target/watches.ts';

/** What is on watch in the channel of whoever asks. */
export function watchListOf(
  {
    journal,
    authority,
    commandByPhrase,
    now,
  }: Pick<Parts, 'journal' | 'authority' | 'commandByPhrase' | 'now'>,
  match: (line: string) => Match,
  { team, channel, person }: Pick<Invocation, 'team' | 'channel' | 'person'>,
): WatchList {
  const { timeZone } = authority.policy();
  return {
    timeZone,
    all: async () => (await journal.watches(channel)).map(thingOf),
    stop: (id) => journal.stopWatch(id),
    schedule: async (line, every) => {
      const found = match(line);
      if (found.kind !== 'command' || found.command.kind !== 'lookup' || found.command.watches)
        return undefined;
      const next = nextAt(every, now(), timeZone);
      const same = (await journal.watches(channel)).filter(
        (one) => one.kind === 'schedule' && one.subject === line,
      );
      for (const { id } of same) await journal.stopWatch(id);
      await journal.startWatch({
        ...{ kind: 'schedule', team, channel, person, subject: line, appliances: [], state: {} },
        ...{ terms: recurrenceToKeep(every), nextAt: next },
      });
      return { next };
    },
  };

  function thingOf(row: WatchRow): WatchedThing {
    const { id, kind, subject, appliances, person: owner, nextAt: next } = row;
    const { over, quiet } = termsIn(row);
    const { now: state } = keptWatch(row).memory;
    const every: Recurrence | undefined = kind === 'schedule' ? recurrenceIn(row) : undefined;
    const command = commandByPhrase.get(subject);
    return {
      ...{ id, kind, person: owner, next, every },
      name: command?.kind === 'lookup' ? (command.watches?.name ?? subject) : subject,
      appliance: appliances[0],
      quiet: quiet ?? undefined,
      over: over ?? undefined,
      says: state?.says,
      since: state?.since,
    };
  }
}
