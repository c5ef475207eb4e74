import { nextAt } from '../../auth/hours.ts';
import { type Asked, lineOf } from '../../handlers/language/asked.ts';
import { wordsIn } from '../../handlers/language/line.ts';
import type { Match } from '../../handlers/language/match.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import { areNumbers, meansAll, type WatchedThing, type WatchList } from '../../handlers/watch/list.ts';
import { isSameRecurrence, type Recurrence, readScheduled, saidOn } from '../../handlers/watch/recurrence.ts';
import type { WatchRow } from '../../journal/journal.ts';
import { namedIn, targetsIn, unresolved, wantedWith } from '../authority/asked-of.ts';
import type { Invocation } from '../base/chat.ts';
import type { Parts } from '../ground/ground.ts';
import {
  keptWatch,
  placeNow,
  recurrenceIn,
  recurrenceToKeep,
  termsIn,
  watchToKeep,
} from '../target/watches.ts';
import { explain } from '../wording/faults.ts';

/** More answers a day than anybody reads, and what is due at one time still comes within minutes. */
const mostSchedules = 20;

/** What is on watch in the channel of whoever asks. */
export function watchListOf(
  parts: Pick<Parts, 'journal' | 'authority' | 'commandByPhrase' | 'fleet' | 'now'>,
  match: (line: string) => Match,
  { team, channel, person, askedIn }: Pick<Invocation, 'team' | 'channel' | 'person' | 'askedIn'>,
): WatchList {
  const { journal, authority, commandByPhrase, now } = parts;
  const { timeZone } = authority.policy();
  const all = async () => (await journal.watches(channel)).map(thingOf);

  return {
    timeZone,
    isElsewhere: askedIn?.below !== undefined || askedIn?.direct !== undefined,
    all,
    stop: (id) => journal.stopWatch(id),

    called: async (words, on) => {
      const rows = await journal.watches(channel);
      const ids = areNumbers(words) ? words.match(/\d+/g)?.map(Number) : undefined;
      if (ids !== undefined) return rows.filter(({ id }) => ids.includes(id)).map(thingOf);
      const found = rows.filter(isCalled(words, on));
      const said = found.length > 0 || on !== undefined ? undefined : saidOn(words);
      return (said === undefined ? found : rows.filter(isCalled(said.line, said.on))).map(thingOf);
    },

    schedule: async (typed, on, every) => {
      const asked = lineIn(typed, on);
      if (asked?.command.kind !== 'lookup')
        return refused(
          say`${code(typed)} is no lookup that can be run as it stands, so it was not scheduled.`,
        );
      const line = lineOf(asked);
      const why = await whyNot(asked, line);
      if (why !== undefined) return refused(why);
      const there = (await journal.watches(channel)).filter(({ kind }) => kind === 'schedule');
      const same = there.find((row) => row.subject === line && isAt(row, every));
      if (same !== undefined) return { kind: 'scheduled', thing: thingOf(same), isNew: false };
      if (there.length >= mostSchedules) {
        return refused(
          say`${mostSchedules} lines are scheduled in this channel, as many as one can have, so ${code(line)} was not scheduled. ${code('/appliance watches')} lists them; stop one first.`,
        );
      }
      const row = await journal.startWatch({
        kind: 'schedule',
        team,
        channel,
        person,
        subject: line,
        appliances: [],
        state: watchToKeep({ memory: {}, ...(await placeNow(authority, channel)) }),
        terms: recurrenceToKeep(every),
        nextAt: nextAt(every, now(), timeZone),
      });
      return { kind: 'scheduled', thing: thingOf(row), isNew: true };
    },
  };

  /** The command that a line is, with the appliances that are named beside it or in words. */
  function lineIn(line: string, on: string | undefined): (Asked & { readonly args: never }) | undefined {
    const found = match(line);
    if (found.kind === 'command') return { ...found, on: on ?? found.on };
    const said = on === undefined ? saidOn(line) : undefined;
    return said && lineIn(said.line, said.on);
  }

  /** Whether it may be asked without its owner: as it is decided each time, and each time nobody is there to ask others. */
  async function whyNot(asked: Asked & { readonly args: never }, line: string): Promise<Text | undefined> {
    const { command } = asked;
    if (command.kind === 'lookup' && command.watches !== undefined) {
      return say`${code(line)} looks again and again by itself, so it was not scheduled. ${code(`/appliance ${line}`)} sets it up.`;
    }
    const targets = targetsIn(asked, channel, parts);
    if (targets?.ok === false) return explain({ code: 'no_such_target', problem: targets.problem }).headline;
    const wanted = { ...wantedWith(asked, channel, parts), args: unresolved(command, asked.args) };
    const decision = await authority.decide({ ...wanted, person, channel, access: 'run' });
    if (!decision.allow) return explain(await authority.fault(decision.denial, channel)).headline;
    return authority.approvalFor(wanted, decision.by).kind === 'not_needed'
      ? undefined
      : say`${code(line)} needs an approval each time it runs, and a schedule also runs when nobody is there to approve it. It was not scheduled.`;
  }

  /** By its own line; or by what sets it up, whichever of the ways to say that: "rdp logins", "disk > 85%". */
  function isCalled(words: string, on: string | undefined): (row: WatchRow) => boolean {
    if (words === '' || meansAll(words)) return (row) => on === undefined || isOn(row, on);
    const plain = words.replace(/^(?:watch|watching|schedule|the) /i, '');
    const watched = match(`watch ${plain}`);
    const { line, every } = readScheduled(plain) ?? { line: plain, every: undefined };
    const asked = lineIn(line, undefined);
    const lineWanted = asked && lineOf({ ...asked, on: undefined });
    return (row) => {
      if (on !== undefined && !isOn(row, on)) return false;
      if (row.kind === 'schedule') {
        const isAsked = row.subject === line || withoutWhere(row.subject) === lineWanted;
        const isThere = asked?.on === undefined || isOn(row, asked.on);
        return isAsked && isThere && (every === undefined || isAt(row, every));
      }
      if (every !== undefined || watched.kind !== 'command' || watched.understoodAs !== undefined)
        return false;
      const { over }: { readonly over?: number } = watched.args;
      const limit = termsIn(row).over;
      return (
        row.subject === watched.command.phrase && (over === undefined || limit === null || over === limit)
      );
    };
  }

  /** A line without `--on` is asked of the channel's own. */
  function isOn({ kind, subject, appliances }: WatchRow, on: string): boolean {
    const wanted = namedIn(on, parts.fleet);
    if (wanted === undefined) return true;
    if (kind === 'watch') return appliances.some((name) => wanted.includes(name));
    const named = whereIn(subject);
    const own = authority.channel(channel)?.appliance;
    const names = named === undefined ? [own] : (namedIn(named, parts.fleet) ?? []);
    return names.some((name) => name !== undefined && wanted.includes(name));
  }

  function thingOf(row: WatchRow): WatchedThing {
    const { id, kind, subject, appliances, person: owner, nextAt: next } = row;
    const { over, quiet } = termsIn(row);
    const { now: state } = keptWatch(row).memory;
    const every: Recurrence | undefined = kind === 'schedule' ? recurrenceIn(row) : undefined;
    const command = commandByPhrase.get(subject);
    return {
      id,
      kind,
      person: owner,
      next,
      every,
      name: command?.kind === 'lookup' ? (command.watches?.name ?? subject) : subject,
      appliance: appliances[0],
      quiet: quiet ?? undefined,
      over: over ?? undefined,
      says: state?.says,
      since: state?.since,
    };
  }
}

const refused = (why: Text) => ({ kind: 'refused', why }) as const;

function isAt(row: WatchRow, every: Recurrence): boolean {
  const own = recurrenceIn(row);
  return own !== undefined && isSameRecurrence(own, every);
}

/** As `lineOf` has written it: the appliances come last. */
const whereOnEnd = / --on (\S+|"[^"]*")$/;
const withoutWhere = (line: string): string => line.replace(whereOnEnd, '');
const whereIn = (line: string): string | undefined => {
  const written = whereOnEnd.exec(line)?.[1];
  return written === undefined ? undefined : wordsIn(written)[0]?.text;
};
