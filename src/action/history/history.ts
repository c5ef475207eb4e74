import { setImmediate } from 'node:timers/promises';
import type { Fleet } from '../../auth/targets.ts';
import { ticketIn } from '../../auth/ticket.ts';
import { shortened } from '../../handlers/audit/entries.ts';
import type {
  ActionName,
  History,
  HistoryEntries,
  HistoryEntry,
  HistoryFilter,
  StepEntry,
  UnclearLine,
  UnclearLines,
} from '../../handlers/audit/history.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyCommand } from '../../handlers/command.ts';
import { nameOf } from '../../handlers/command-name.ts';
import { moment, plural, say } from '../../handlers/reply.ts';
import { byAsked } from '../../journal/actions/order.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import { type State, underWay as underWayStates } from '../../journal/actions/states.ts';
import { aboutTerm, aboutTerms } from '../../journal/audit/about.ts';
import type {
  Action,
  AuditFilter,
  AuditRecord,
  Interaction,
  Journal,
  Recorder,
} from '../../journal/journal.ts';
import { namedIn } from '../authority/asked-of.ts';
import type { Authority } from '../authority/authority.ts';
import { appliancesOf, lineNow, type PlanStep, stepsIn } from '../base/stored.ts';
import { endingOf } from './end-record.ts';
import { openUndosOf } from './left-to-undo.ts';
import { stateIn, stateOf } from './state-said.ts';

interface HistoryParts {
  readonly journal: Pick<
    Journal,
    | 'record'
    | 'isShared'
    | 'findRecords'
    | 'unrecorded'
    | 'askedNext'
    | 'byReference'
    | 'under'
    | 'byId'
    | 'keptOf'
    | 'approvalsOf'
    | 'stepsOf'
    | 'changesIn'
    | 'timedChangesOf'
    | 'undoneSince'
  >;
  readonly authority: Pick<Authority, 'policy'>;
  readonly commandByPhrase: ReadonlyMap<string, AnyCommand>;
  readonly recorder: Recorder;
  readonly fleet: Fleet;
  readonly now: () => number;
}

/** Whether what is about these appliances, all of them, may be told. */
type MayRead = (appliances: readonly string[]) => boolean;

/** Begins the key of what has no record so far. */
export const underWay = 'action ';

/**
 * So many are recorded at once. The embedded journal works in our own thread: whoever asks something meanwhile comes in
 * between, and does not wait for all of them. Elsewhere it is the trips that take time.
 */
const batch = { embedded: 8, shared: 64 } as const;

/** Of a journal from before there were records, nobody waits for all of it. */
const mostAtOnce = 2_560;

/** So many are asked below one message, at most, of which the first is meant. */
const mostUnder = 50;

/** What somebody asks for within so many milliseconds is what they meant before. */
const soon = 5 * 60_000;

/** Records what is over, so that what has ended a moment ago is in the book: at most so many. */
export async function recordAll(
  journal: Pick<Journal, 'record' | 'isShared'>,
  recorder: Recorder,
  most = mostAtOnce,
): Promise<void> {
  const size = journal.isShared ? batch.shared : batch.embedded;
  for (let recorded = 0; recorded < most; recorded += size) {
    if ((await journal.record(recorder, size)) < size) return;
    await setImmediate();
  }
}

/** What somebody is shown of the journal, for one channel: what they may read of, by the appliances that it is about. */
export function createHistory({
  journal,
  authority,
  commandByPhrase,
  recorder,
  fleet,
  now,
}: HistoryParts): (channel: string, mayRead: MayRead) => History {
  return (channel, mayRead) => ({
    here: (wanted, most) => find(wanted, most, channel, mayRead),
    everywhere: (wanted, most) => find(wanted, most, undefined, mayRead),
    notUnderstood: (place, wanted, most) =>
      findUnclear(wanted, most, place === 'here' ? channel : undefined, mayRead),
    one: async (named) => {
      const action = 'reference' in named ? await journal.byReference(named.reference) : await about(named);
      if (action?.channel !== channel || !isTold(action)) return undefined;
      if (!mayRead(appliancesOf(action))) return undefined;
      const given = action.token === undefined ? [] : await journal.approvalsOf(action.id, action.token);
      return {
        entry: { ...standingEntry(action), approvedBy: given.map(({ person }) => person) },
        steps: await stepEntries(journal, action, mayRead),
        undo: await openUndosOf({ journal }, action),
        temporary: await endingOf(journal, action, now()),
      };
    },
    get timeZone() {
      return authority.policy().timeZone;
    },
  });

  /** Of a message in a thread, what the thread is about. */
  async function about({
    channel,
    messages,
  }: Exclude<ActionName, { reference: string }>): Promise<Action | undefined> {
    for (const message of messages) {
      const found = (await journal.under(message, mostUnder)).findLast((one) => one.channel === channel);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  async function find(
    wanted: HistoryFilter,
    most: number,
    channel: string | undefined,
    mayRead: MayRead,
  ): Promise<HistoryEntries> {
    await recordAll(journal, recorder);
    const filter = auditFilterOf(wanted, channel, { authority, fleet });
    const open = (await journal.unrecorded(most)).filter((action) => isOpenAndWanted(action, filter));
    const { records, count, toldSince } = await journal.findRecords(filter, most - open.length);
    // What comes to an old action later is recorded anew, and is no later for that.
    const recorded = records.map(({ seq, record, askedSeq }) => {
      const entry = entryOf(seq, record);
      return { entry, askedSeq, createdAt: entry.asked };
    });
    const standing = open.map((action) => ({ ...action, entry: standingEntry(action) }));
    const found = [...standing, ...recorded]
      .toSorted((one, other) => byAsked(other, one))
      .map(({ entry }) => entry);
    const entries = found.filter(({ appliances }) => mayRead(appliances));
    const withheld = found.length - entries.length;
    return { entries, withheld, toldSince, count: open.length + count - withheld };
  }

  async function findUnclear(
    { by, since, until }: HistoryFilter,
    most: number,
    channel: string | undefined,
    mayRead: MayRead,
  ): Promise<UnclearLines> {
    await recordAll(journal, recorder);
    const { records, count } = await journal.findRecords(
      { by, since, until, in: channel, notUnderstood: true },
      most,
    );
    const next = await journal.askedNext(
      records.map(({ record }) => record.action),
      soon,
    );
    const typed = records.map(({ record: { action, line, person, asked } }): UnclearTyping => {
      const after = next.get(action);
      const command = commandByPhrase.get(after?.phrase ?? '');
      const isTold = after !== undefined && command !== undefined && mayRead(appliancesOf(after));
      return { line, person, at: Date.parse(asked), chosen: isTold ? nameOf(command) : undefined };
    });
    return { lines: byFrequency(typed), counted: records.length, count };
  }

  /** The same as for records (`journal/audit/search-terms.ts`), for what has none so far. Nothing of it was denied. */
  function isOpenAndWanted(action: Action, filter: AuditFilter): boolean {
    const { person, channel, phrase, appliance, ticket, plan, createdAt } = action;
    const found = commandByPhrase.get(phrase ?? '');
    const name = found === undefined ? '' : nameOf(found);
    const words = filter.command?.trim().toLowerCase().split(/\s+/).join(' ');
    return (
      !filter.denied &&
      !filter.failed &&
      !filter.approved &&
      (filter.about === undefined || isAbout(action, filter.about)) &&
      (filter.until === undefined || createdAt <= filter.until) &&
      (filter.ticket === undefined || filter.ticket.toLowerCase() === ticket?.toLowerCase()) &&
      (filter.plan === undefined || (plan !== undefined && referenceOf(plan) === filter.plan)) &&
      (filter.by === undefined || filter.by === person) &&
      (filter.in === undefined || filter.in === channel) &&
      (words === undefined || `${name} `.startsWith(`${words} `)) &&
      (filter.on === undefined || appliancesOf({ appliance }).some((one) => filter.on?.includes(one)))
    );
  }

  function isAbout(action: Action, name: string): boolean {
    return aboutTerms(recorder.aboutOf?.(action) ?? []).includes(aboutTerm(name));
  }

  function isOfAppliance(phrase: string | undefined): boolean {
    const command = commandByPhrase.get(phrase ?? '');
    return command !== undefined && command.kind !== 'info';
  }

  /** As it stands in the journal, recorded or not. */
  function standingEntry(action: Action): HistoryEntry {
    const { state, effect, outcome } = action;
    const isWaiting = state === 'waiting';
    const isOver = !underWayStates.has(state);
    return {
      reference: referenceOf(action.id),
      asked: action.createdAt,
      ended: isOver ? action.changedAt : undefined,
      person: action.person,
      channel: action.channel,
      card: action.direct === undefined ? action.card : undefined,
      line: lineNow(action),
      understoodAs: action.understoodAs,
      ticket: action.ticket,
      plan:
        action.plan === undefined ? undefined : { reference: referenceOf(action.plan), step: action.step },
      appliances: appliancesOf(action),
      isOfAppliance: isOfAppliance(action.phrase),
      isChange: effect !== undefined && effect !== 'read',
      state: stateIn(action),
      outcome: isWaiting
        ? say`waits for ${action.consent === undefined ? 'confirmation' : 'approval'}`
        : action.state === 'planned' && action.runAt !== undefined
          ? say`is planned for ${moment(action.runAt)}`
          : recalled(shortened(outcome?.headline ?? outcome?.says ?? 'is under way'), outcome?.named),
      evidence: outcome?.evidence ?? [],
      approvedBy: [],
      decidedBy: undefined,
      key: `${underWay}${action.id}`,
    };
  }

  function entryOf(seq: number, record: AuditRecord): HistoryEntry {
    const { outcome, effect } = record;
    return {
      reference: referenceOf(record.action),
      asked: Date.parse(record.asked),
      ended: Date.parse(record.ended),
      person: record.person,
      channel: record.channel,
      card: record.card ?? undefined,
      line: record.preview?.line ?? record.line,
      ticket: record.ticket ?? undefined,
      understoodAs: record.understoodAs ?? undefined,
      plan: record.plan && {
        reference: referenceOf(record.plan.action),
        step: record.plan.step ?? undefined,
      },
      appliances: record.appliances,
      // What is done with an answer is no question to the appliance; earlier versions recorded none of it.
      isOfAppliance: isTold(record) && isOfAppliance(record.phrase ?? undefined),
      isChange: effect !== null && effect !== 'read',
      state: stateOf(record),
      outcome: recalled(
        shortened(`${outcome?.headline ?? outcome?.says ?? ''}${searchesIn(record)}`),
        outcome?.named,
      ),
      evidence: [],
      approvedBy: [...new Set(record.approvals.flatMap(({ person, counts }) => (counts ? [person] : [])))],
      decidedBy:
        record.decidedBy === null || record.decidedBy === record.person ? undefined : record.decidedBy,
      key: String(seq),
    };
  }
}

/** What is done with an answer is only found where all is listed; how something temporary ended is news. */
const isTold = ({ interaction }: { readonly interaction?: Interaction | null | undefined }): boolean =>
  !interaction || interaction.kind === 'timed_end';

function searchesIn({ searches = [] }: Pick<Partial<AuditRecord>, 'searches'>): string {
  const count = searches.reduce((sum, one) => sum + one.count, 0);
  return count === 0 ? '' : ` ${plural(count, 'search', 'searches')} in its lists.`;
}

/** What somebody looks for, as the records have it. A ticket is found by its address, too, which people paste. */
function auditFilterOf(
  { by, command, denied, since, until, on, ticket, plan, about, failed, approved }: HistoryFilter,
  channel: string | undefined,
  { authority, fleet }: { readonly authority: Pick<Authority, 'policy'>; readonly fleet: Fleet },
): AuditFilter {
  const named = ticket && (ticketIn(ticket, authority.policy().tickets) ?? ticket);
  return {
    by,
    command,
    denied,
    about,
    failed,
    approved,
    since,
    until,
    ticket: named,
    plan,
    on: namedIn(on, fleet),
    in: channel,
  };
}

/** The lines of a plan, and what became of each so far; none of anything else. */
async function stepEntries(
  journal: Pick<Journal, 'stepsOf'>,
  plan: Action,
  mayRead: (appliances: readonly string[]) => boolean,
): Promise<readonly StepEntry[]> {
  const steps = stepsIn(plan);
  if (steps.length === 0) return [];
  const begun = await journal.stepsOf(plan.id);
  return steps.map((step, index) => {
    const { number, line, targets } = step;
    if (!mayRead(targets.map(({ appliance }) => appliance)))
      return { number, line: '•••', result: say`You have no access to its appliance.` };
    const own = begun.findLast((one) => one.step === index + 1);
    return {
      number,
      line,
      result: resultOf(plan, step, own),
      ...(own !== undefined && { reference: referenceOf(own.id) }),
    };
  });
}

function resultOf(plan: Action, { kind, says }: PlanStep, own: Action | undefined) {
  if (own !== undefined) return say`${marks[own.state] ?? '⏳'} ${own.outcome?.says ?? 'under way'}`;
  if (kind === 'idle') return say`➖ ${says}`;
  return isOpen.has(plan.state) ? says : say`⏸ not run`;
}

const marks: Readonly<Partial<Record<State, string>>> = {
  done: '✅',
  failed: '❌',
  unknown: '❓',
  refused: '✋',
};

/** Nothing of it has begun, or what has not may still come. */
const isOpen: ReadonlySet<State> = new Set(['asked', 'waiting', 'planned', 'approved', 'running']);

/** Somebody typing a line once that was not understood. */
interface UnclearTyping {
  readonly line: string;
  readonly person: string;
  readonly at: number;
  /** The command that they ran soon after it. */
  readonly chosen: string | undefined;
}

/** The same words in other spaces and letters are the same line. The newest first; the most frequent come first. */
function byFrequency(typed: readonly UnclearTyping[]): readonly UnclearLine[] {
  const same = Map.groupBy(typed, ({ line }) => line.toLowerCase().split(/\s+/).join(' '));
  return [...same.values()]
    .map(
      (some): UnclearLine => ({
        line: some[0]?.line ?? '',
        times: some.length,
        last: Math.max(...some.map(({ at }) => at)),
        people: [...new Set(some.map(({ person }) => person))],
        chosen: [
          ...Map.groupBy(
            some.flatMap(({ chosen }) => chosen ?? []),
            (command) => command,
          ),
        ]
          .map(([command, { length }]) => ({ command, times: length }))
          .toSorted((one, other) => other.times - one.times),
      }),
    )
    .toSorted((one, other) => other.times - one.times || other.last - one.last);
}
