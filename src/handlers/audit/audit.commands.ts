import { flag, somebody, text, word } from '../argument.ts';
import { info } from '../declare.ts';
import { lastMomentOf, momentOf } from '../language/since.ts';
import { ticketWanted } from '../language/ticket.ts';
import type { SaidTime } from '../language/times/said-time.ts';
import { planNamed } from '../plan/named.ts';
import {
  channel,
  code,
  enumerate,
  moment,
  paragraph,
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
import { endedIn, ofPlan, onWhat, threadOf, typed } from './entries.ts';
import type {
  History,
  HistoryEntries,
  HistoryFilter,
  HistoryPlace,
  UnclearLine,
  UnclearLines,
} from './history.ts';
import { behind, notTold, roomFor, withheldIn } from './left-out.ts';
import { readReference } from './reference.ts';
import { byIn, most, since, untilIn } from './span.ts';

const ticket = word('a ticket', 'CHG-123', {
  // Its name, or its address.
  test: /^#?[A-Za-z0-9][\w.#/:@+?&=%~{}-]*$/,
  wanted: ticketWanted,
});

const aboutWhat = text('a site, an object or a person', 'shop.example.net', 100);

/** The subject of a change. `show` finds actions. */
const about: typeof aboutWhat = {
  ...aboutWhat,
  read: (typed) =>
    readReference(typed) === undefined
      ? aboutWhat.read(typed)
      : { ok: false, problem: { code: 'malformed', wanted: `${aboutWhat.what}; show finds an action` } },
};

const filters = {
  by: somebody,
  command: text('the first words of a command', 'rdp disconnect', 100),
  since,
  until: since,
  ticket,
  plan: planNamed,
  about,
  denied: flag('Only requests denied'),
  failed: flag('Only what failed'),
  approved: flag('Only what somebody else approved'),
  'not-understood': flag('Only lines that were not understood, most frequent first'),
};

export const audit = info({
  anywhere: false,
  posted: true,
  tellsOfAppliances: true,
  phrase:
    'audit [--by] [--command] [--since] [--until] [--ticket] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
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
    what happened to <about> / what happened with <about> / audit <about> / history of <about> /
    who touched <about> / what was done to <about> / audit failed / what failed / what failed today /
    which commands failed / audit approved / who approved <about> / what was approved /
    everything of ticket <ticket> / history of ticket <ticket> / which changes belong to ticket <ticket>
  `,
  also: [
    'audit about <about> [--by] [--command] [--since] [--until] [--ticket] [--plan] [--denied] [--failed] [--approved] [--not-understood]',
    'audit ticket <ticket> [--by] [--command] [--since] [--until] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
    'audit plan <plan> [--by] [--command] [--since] [--until] [--ticket] [--about] [--denied] [--failed] [--approved] [--not-understood]',
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
    'audit everywhere [--by] [--command] [--since] [--until] [--ticket] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
  says: `
    audit of all channels / who did what in all channels / audit log everywhere /
    what did <by> do anywhere / audit across channels / what happened in other channels /
    who did something in any channel / whole audit log / what did <by> do in all channels /
    all changes of all channels / who did what on every channel / global audit
  `,
  also: [
    'audit all [--by] [--command] [--since] [--until] [--ticket] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
    'audit everywhere ticket <ticket> [--by] [--command] [--since] [--until] [--plan] [--about] [--denied] [--failed] [--approved] [--not-understood]',
  ],
  args: filters,
  summary: 'List actions in all channels (visible only to you)',
  example: 'audit everywhere --denied --since 7d',
  answer: (asked) => answerAbout(asked, 'everywhere'),
});

interface Filters {
  readonly by: string | undefined;
  readonly command: string | undefined;
  readonly since: SaidTime | undefined;
  readonly until: SaidTime | undefined;
  readonly ticket: string | undefined;
  readonly plan: string | undefined;
  readonly about: string | undefined;
  readonly denied: true | undefined;
  readonly failed: true | undefined;
  readonly approved: true | undefined;
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
    about: args.about,
    denied: args.denied,
    failed: args.failed,
    approved: args.approved,
    since,
    until: args.until && lastMomentOf(args.until, now, timeZone, since),
  };
}

/** The search in words: "by @bob with rdp on hq refused for lack of rights since 3 March". */
function aboutOf(wanted: HistoryFilter): Text {
  const {
    by,
    command: words,
    ticket: named,
    plan,
    on,
    about,
    denied,
    failed,
    approved,
    since: from,
  } = wanted;
  return [
    ...byIn({ by }),
    ...(words === undefined ? [] : say` with ${code(words)}`),
    ...(named === undefined ? [] : say` for ${code(named)}`),
    ...(plan === undefined ? [] : say` of the plan ${code(plan)}`),
    ...(on === undefined ? [] : say` on ${strong(on)}`),
    ...(about === undefined ? [] : say` about ${code(about)}`),
    ...(denied ? say` denied` : []),
    ...(failed ? say` that failed` : []),
    ...(approved ? say` that somebody approved` : []),
    ...(from === undefined ? [] : say` since ${moment(from)}`),
    ...untilIn(wanted),
  ];
}

function answerOf(
  { entries, count, withheld, toldSince }: HistoryEntries,
  about: Text,
  wanted: HistoryFilter,
  everywhere: boolean,
  now: number,
): Reply {
  const without = [...notTold(toldSince), ...withheldIn(withheld)];
  if (entries.length === 0) return { headline: say`No action${about}`, details: without };
  return {
    headline: say`${strong(plural(count, 'action'))}${about}`,
    details: [
      ...roomFor(entries, count, wanted),
      ...without,
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

/** Lists misunderstood lines, so that an admin sees which of the team's words are missing. */
function unclearReply(
  { lines, count, counted }: UnclearLines,
  { by, since, command, denied, on }: HistoryFilter,
  where: HistoryPlace,
): Reply {
  const about = say`${by === undefined ? [] : say` of ${person(by)}`} ${where === 'here' ? 'in this channel' : 'in all channels'}${since === undefined ? [] : say` since ${moment(since)}`}`;
  if (lines.length === 0) return { headline: say`No line${about} is recorded as not understood` };
  const isNarrowed = command !== undefined || denied === true || on !== undefined;
  const left = counted < count ? [paragraph`Counted in the newest ${counted} of ${count} lines.`] : [];
  return {
    headline: say`${strong(plural(lines.length, 'line'))}${about} ${lines.length === 1 ? 'was' : 'were'} not understood, ${plural(count, 'time')}`,
    details: [
      ...left,
      ...(isNarrowed
        ? [
            paragraph`${code('--command')}, ${code('--on')} and ${code('--denied')} do not apply to lines that were not understood.`,
          ]
        : []),
      paragraph`Add your team’s own words for commands under ${code('words')} in the policy file. Lines that contained a password are not stored.`,
      ...tableOf(lines, {
        Line: ({ line }) => say`${code(line)}`,
        Times: ({ times }) => say`${times}`,
        Last: ({ last }) => moment(last),
        Who: ({ people }) => enumerate(people.map(person)),
        'Run within five minutes': chosenIn,
      }),
    ],
  };
}

const chosenIn = ({ chosen }: UnclearLine) =>
  enumerate(
    chosen.map(({ command, times }) =>
      times === 1 ? code(command) : say`${code(command)} (${times} times)`,
    ),
  );
