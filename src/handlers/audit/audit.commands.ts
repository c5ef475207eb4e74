import { flag, somebody, text, word } from '../argument.ts';
import { info } from '../declare.ts';
import { isDay, lastMomentOf, momentOf, readSince, sinceWanted } from '../language/since.ts';
import { ticketWanted } from '../language/ticket.ts';
import type { SaidTime } from '../language/times/said-time.ts';
import { planNamed } from '../plan/named.ts';
import {
  channel,
  clock,
  code,
  enumerate,
  moment,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
  tableOf,
  ticketLink,
} from '../reply.ts';
import { when } from '../wording/when.ts';
import { ofPlan, typed } from './action-part.ts';
import { endedIn, happened, onWhat, threadOf } from './entries.ts';
import type { History, HistoryEntries, HistoryEntry, HistoryFilter, HistoryPlace } from './history.ts';
import { behind, roomFor, withheldIn } from './left-out.ts';
import { unclearReply } from './unclear.ts';

/** More of them have no room in an answer. */
const most = 500;

const since = {
  what: 'a time',
  example: '7d',
  words: 4,
  read: (typed: string) => {
    const value = readSince(typed);
    return value === undefined
      ? ({ ok: false, problem: { code: 'malformed', wanted: sinceWanted } } as const)
      : ({ ok: true, value } as const);
  },
};

/** What changes were done for. */
const ticket = word('a ticket', 'CHG-123', {
  // Its name, or the address that opens it.
  test: /^#?[A-Za-z0-9][\w.#/:@+?&=%~{}-]*$/,
  wanted: ticketWanted,
});

const filters = {
  by: somebody,
  command: text('the first words of a command', 'rdp disconnect', 100),
  since,
  until: since,
  ticket,
  plan: planNamed,
  denied: flag('Only requests denied'),
  'not-understood': flag('Only lines that were not understood, most frequent first'),
};

export const audit = info({
  anywhere: false,
  posted: true,
  tellsOfAppliances: true,
  phrase: 'audit [--by] [--command] [--since] [--until] [--ticket] [--plan] [--denied] [--not-understood]',
  says: `
    who did what / what did <by> do / who blocked it / audit log / audit trail / history of this channel /
    show log / who approved the emergency / what was denied / who removed the site / what has <by> done /
    who changed something / who did that / which commands were refused / who ran <command> /
    changes since yesterday / who deleted / who added / who moved / who disabled / who enabled /
    who restarted / who unblocked / who disconnected / who kicked / did somebody change /
    did someone disable / did anybody delete / has somebody restarted / who last changed /
    when was it changed / who touched the / who is to blame / show my last commands / what did i do /
    my changes / which changes were made / who used the bot / what did <by> do today /
    what did <by> change yesterday / list the actions of <by> / changes by <by> / who removed <command> /
    protocol of changes / activity of <by> / why was my command refused / show last 20 changes /
    last changes / latest changes / recent changes / who made changes /
    who made changes between <since> and now / what did <by> change / what did <by> change since <since> /
    who deleted the category <x> / who deleted <x> / who added <x> / who removed <x> / who changed <x> /
    who disabled <x> / who got refused / who was refused / refused commands / who blocked <x> /
    who unblocked <x> / what has <by> been doing / who did <command> / when was <x> changed /
    when was <x> added / when did <by> last change something / changes since <since> /
    was anything changed / who switched on emergency mode / who switched it on / who turned it on /
    who turned it off / who enabled the rule / who changed the rule / who switched off the filter /
    who did the change / who blocked <domain> / who unblocked <domain> / changes of <by> /
    everything <by> did / what was done for ticket <ticket> / changes for ticket <ticket> /
    audit <since> / audit since <since> / audit from <since> / audit log since <since> /
    everything of ticket <ticket> / history of ticket <ticket> / which changes belong to ticket <ticket>
  `,
  also: [
    'audit ticket <ticket> [--by] [--command] [--since] [--until] [--plan] [--denied] [--not-understood]',
    'audit plan <plan> [--by] [--command] [--since] [--until] [--ticket] [--denied] [--not-understood]',
  ],
  args: filters,
  summary: 'List actions in this channel, newest first',
  example: 'audit --since 7d',
  answer: (asked) => answerAbout(asked, 'here'),
});

export const auditEverywhere = info({
  anywhere: false,
  named: true,
  tellsOfAppliances: true,
  phrase:
    'audit everywhere [--by] [--command] [--since] [--until] [--ticket] [--plan] [--denied] [--not-understood]',
  says: `
    audit of all channels / who did what in all channels / audit log everywhere /
    what did <by> do anywhere / audit across channels / what happened in other channels /
    who did something in any channel / whole audit log / what did <by> do in all channels /
    all changes of all channels / who did what on every channel / global audit
  `,
  also: [
    'audit all [--by] [--command] [--since] [--until] [--ticket] [--plan] [--denied] [--not-understood]',
    'audit everywhere ticket <ticket> [--by] [--command] [--since] [--until] [--plan] [--denied] [--not-understood]',
  ],
  args: filters,
  summary: 'List actions in all channels (visible only to you)',
  example: 'audit everywhere --denied --since 7d',
  answer: (asked) => answerAbout(asked, 'everywhere'),
});

/** What an incident is told from, unless somebody says from when. */
const usual = 4 * 60 * 60_000;
/** So long the time of the day says which moment is meant. */
const halfDay = 12 * 60 * 60_000;

/** Whether something was changed, or may have been. */
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
    // What goes on until now needs no end.
    const wanted = {
      by: args.by,
      since: from,
      until: until !== undefined && until < now ? until : undefined,
      on,
    };
    const between = [...say` since ${moment(from)}`, ...untilIn(wanted)];
    const { entries, count, withheld } = await history.here(wanted, most);
    const told = entries
      .filter(({ isOfAppliance }) => isOfAppliance)
      .toSorted((one, other) => one.asked - other.asked);
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

interface Filters {
  readonly by: string | undefined;
  readonly command: string | undefined;
  readonly since: SaidTime | undefined;
  readonly until: SaidTime | undefined;
  readonly ticket: string | undefined;
  readonly plan: string | undefined;
  readonly denied: true | undefined;
  readonly 'not-understood': true | undefined;
}

interface Asked {
  readonly args: Filters;
  readonly on: string | undefined;
  readonly history: History;
  readonly now: number;
}

async function answerAbout({ args, on, history, now }: Asked, where: HistoryPlace): Promise<Reply> {
  const wanted = wantedOf(args, on, now, history.timeZone);
  if (args['not-understood']) {
    return unclearReply(await history.notUnderstood(where, wanted, most), wanted, where);
  }
  const found = await history[where](wanted, most);
  const place = where === 'here' ? 'in this channel' : 'in all channels';
  return answerOf(found, say`${aboutOf(wanted)} ${place}`, wanted, where === 'everywhere', now);
}

function wantedOf(args: Filters, on: string | undefined, now: number, timeZone: string): HistoryFilter {
  const since = args.since && momentOf(args.since, now, timeZone);
  return {
    by: args.by,
    command: args.command,
    ticket: args.ticket,
    plan: args.plan,
    on,
    denied: args.denied,
    since,
    until: args.until && lastMomentOf(args.until, now, timeZone, since),
  };
}

/** What was looked for, in words: "by @bob with rdp on hq refused for lack of rights since 3 March". */
function aboutOf(wanted: HistoryFilter): Text {
  const { by, command: words, ticket: named, plan, on, denied, since: from } = wanted;
  return [
    ...byIn({ by }),
    ...(words === undefined ? [] : say` with ${code(words)}`),
    ...(named === undefined ? [] : say` for ${code(named)}`),
    ...(plan === undefined ? [] : say` of the plan ${code(plan)}`),
    ...(on === undefined ? [] : say` on ${strong(on)}`),
    ...(denied ? say` denied` : []),
    ...(from === undefined ? [] : say` since ${moment(from)}`),
    ...untilIn(wanted),
  ];
}

const untilIn = ({ until }: HistoryFilter): Text => (until === undefined ? [] : say` until ${moment(until)}`);

const byIn = ({ by }: HistoryFilter): Text => (by === undefined ? [] : say` by ${person(by)}`);

function answerOf(
  { entries, count, withheld }: HistoryEntries,
  about: Text,
  wanted: HistoryFilter,
  everywhere: boolean,
  now: number,
): Reply {
  if (entries.length === 0) return { headline: say`No action${about}`, details: withheldIn(withheld) };
  return {
    headline: say`${strong(plural(count, 'action'))}${about}`,
    details: [
      ...roomFor(entries, count, wanted),
      ...withheldIn(withheld),
      ...tableOf(
        entries,
        {
          When: (entry) => when(entry.asked, now),
          Who: (entry) => person(entry.person),
          Where: everywhere ? (entry) => channel(entry.channel) : undefined,
          What: (entry) => say`${typed(entry)}${onWhat(entry)}${ofPlan(entry)}`,
          Ticket: entries.some((entry) => entry.ticket !== undefined)
            ? (entry) => (entry.ticket === undefined ? [] : say`${ticketLink(entry.ticket)}`)
            : undefined,
          Result: endedIn,
          'Approved by': (entry) => enumerate(entry.approvedBy.map(person)),
          Thread: threadOf,
        },
        behind(entries, count, wanted),
      ),
    ],
  };
}
