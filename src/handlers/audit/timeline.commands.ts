import { somebody } from '../argument.ts';
import { info } from '../declare.ts';
import { isDay, lastMomentOf, momentOf } from '../language/since.ts';
import { clock, moment, person, plural, say, strong, tableOf } from '../reply.ts';
import { happened, threadOf } from './entries.ts';
import type { HistoryEntry } from './history.ts';
import { behind, roomFor, withheldIn } from './left-out.ts';
import { byIn, most, since, untilIn } from './span.ts';

const usual = 4 * 60 * 60_000;
/** Within this time, the time of day is unambiguous. */
const halfDay = 12 * 60 * 60_000;

/** Whether something was or may have been changed. */
const isMade = ({ isChange, state }: HistoryEntry): boolean =>
  isChange && (state === 'done' || state === 'failed' || state === 'unknown');

export const timeline = info({
  anywhere: false,
  posted: true,
  tellsOfAppliances: true,
  phrase: 'timeline [day] [--by] [--since] [--until]',
  says: `
    what happened / what happened since <since> / what happened by <by> / what happened last night /
    what changed / recent changes / did anybody change something / summary of the incident / what was done /
    chronology for the postmortem / what did i miss / sequence of what happened / what has happened today /
    anything unusual today / what happened this morning / what has been done since <since> /
    overview of the last hours / what went on last night / show the history of the incident /
    handover from the night shift / catch me up / events of the last hour / sequence of events /
    what was changed since <since> / any errors since 1h / what happened since 1h / what went on since 12h /
    anything unusual since 12h / last changes in this channel / last changes / what was changed here /
    newest changes / what has changed lately
  `,
  args: { day: { ...since, what: 'a day', example: 'yesterday' }, by: somebody, since, until: since },
  summary: 'Show a timeline of this channel (last 4 hours by default)',
  example: 'timeline --since 2h',
  answer: async ({ args, on, history, now }) => {
    const { timeZone } = history;
    const sinceSaid = args.since ?? args.day;
    const untilSaid = args.until ?? (args.day !== undefined && isDay(args.day) ? args.day : undefined);
    const begins = sinceSaid && momentOf(sinceSaid, now, timeZone);
    const until = untilSaid && lastMomentOf(untilSaid, now, timeZone, begins);
    const from = begins ?? (until ?? now) - usual;
    // A period until now needs no end.
    const wanted = {
      by: args.by,
      since: from,
      until: until !== undefined && until < now ? until : undefined,
      on,
    };
    const between = [...say` since ${moment(from)}`, ...untilIn(wanted)];
    const { entries, count, withheld } = await history.here(wanted, most);
    const told = entries.filter(({ isOfAppliance }) => isOfAppliance).toReversed();
    const left = entries.length - told.length;
    const without = left === 0 ? '' : `; ${plural(left, 'question')} to Appliance Bot not counted`;
    if (told.length === 0)
      return {
        headline: say`Nothing happened${byIn(wanted)} in this channel${between}${without}`,
        details: withheldIn(withheld),
      };
    const at = now - from < halfDay ? clock : moment;
    return {
      headline: say`Timeline of this channel${byIn(wanted)}${between}: ${strong(plural(count - left, 'action'))}, ${changesAmong(told)}${without}`,
      details: [
        ...roomFor(entries, count, wanted),
        ...withheldIn(withheld),
        ...tableOf(
          told,
          {
            When: (entry) => at(entry.asked),
            Who: (entry) => person(entry.person),
            Result: happened,
            Thread: threadOf,
          },
          behind(told, count - left, wanted),
        ),
      ],
    };
  },
});

function changesAmong(told: readonly HistoryEntry[]): string {
  const made = told.filter(isMade).length;
  if (made === 0) return 'no changes';
  if (made < told.length) return `including ${plural(made, 'change')}`;
  return made === 1 ? 'a change' : 'all of them changes';
}
