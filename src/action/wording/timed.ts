import type { Timed } from '../../handlers/command.ts';
import { quoted } from '../../handlers/language/asked.ts';
import {
  clock,
  code,
  elapsed,
  enumerate,
  type Field,
  type Offer,
  type Part,
  person,
  plural,
  type Reply,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, Ended, Given, TimedChangeRow } from '../../journal/journal.ts';
import { isBreakGlass } from '../base/consent.ts';

/** What of a temporary change is spoken about. */
export type TimedName = Pick<Timed<never>, 'name' | 'end' | 'extend' | 'confirm'>;

/**
 * How it stands, for the card: *Emergency mode on hq is on until 14:30*. `without`: where it did not begin. `certain`: its
 * orders are known to have been carried out elsewhere.
 */
export function timedHeadline(
  { name }: TimedName,
  timedChanges: readonly TimedChangeRow[],
  without: readonly string[],
  certain: boolean,
  now: number,
): Text {
  const groups = [
    ...Map.groupBy(timedChanges, ({ state, endsAt }) => (state === 'on' ? endsAt : state)).values(),
  ];
  const told = [
    ...groups.map((group) => stateInWords(group, certain, now)),
    ...(without.length === 0 ? [] : [say`on ${enumerate(without.map(strong))} it did not begin`]),
  ];
  return say`${name} ${told.flatMap((one, index) => (index === 0 ? one : ['; ', ...one]))}`;
}

function stateInWords(group: readonly TimedChangeRow[], certain: boolean, now: number): Text {
  const [timedChange] = group;
  if (timedChange === undefined) return [];
  const on = say`on ${enumerate(group.map(({ appliance }) => strong(appliance)))}`;
  if (timedChange.state === 'over') return say`${on} is over`;
  const until = when(timedChange.endsAt, now);
  if (timedChange.state === 'on') {
    return certain
      ? say`${on} is on until ${until}`
      : say`${on} may be on: it ends automatically at ${until}`;
  }
  return group.some(({ tries }) => tries > 0)
    ? say`${on} couldn’t be turned off. Retrying`
    : say`${on} is being ended`;
}

/** What can be done about it: while it is on, and while it cannot be ended. */
export function timedOffers(
  named: TimedName,
  { appliance, state }: TimedChangeRow,
  several: boolean,
): readonly Offer[] {
  const on = `--on ${quoted(appliance)}`;
  const where = several ? ` on ${appliance}` : '';
  return [
    { label: `End now${where}`, line: `${named.end} ${on}`, loud: true },
    state === 'on'
      ? { label: `Extend${where}`, line: `${named.extend} ${on}` }
      : { label: `Confirm that it is over${where}`, line: `${named.confirm} ${on}` },
  ];
}

export function reminder(
  named: TimedName,
  timedChange: TimedChangeRow,
  people: readonly string[],
  now: number,
): Reply {
  return {
    headline: say`⏳ ${named.name} on ${strong(timedChange.appliance)} ends in ${elapsed(timedChange.endsAt - now + 30_000)}, at ${when(timedChange.endsAt, now)}. It ends automatically then. ${enumerate(people.map(person))}: if it is still needed, extend it now.`,
    details: [{ kind: 'offers', offers: timedOffers(named, timedChange, false) }],
  };
}

/** What becomes of a reminder when its end has come or is put off: how it stands now, and nothing to press. */
export const reminderLater = (
  named: TimedName,
  timedChange: TimedChangeRow,
  now: number,
): { readonly headline: Text } => ({
  headline: say`${timedChange.state === 'over' ? '✅' : '⏳'} ${timedHeadline(named, [timedChange], [], true, now)}.`,
});

/** That it could not be ended, why, and what follows. `people` are called. */
export function trouble(
  named: TimedName,
  timedChange: TimedChangeRow,
  problem: Text,
  people: readonly string[],
  more: readonly Offer[],
  now: number,
): Reply {
  const called = people.length === 0 ? [] : say`${enumerate(people.slice(0, mostCalled).map(person))}: `;
  const tries = timedChange.tries === 1 ? '' : ` This was try ${timedChange.tries}.`;
  return {
    headline: say`🚨 ${called}${strong(`${named.name} on ${timedChange.appliance} may still be on.`)} Expired at ${when(timedChange.endsAt, now)}, and it couldn’t be turned off. ${problem}${tries} Next try at ${when(timedChange.nextTryAt, now)} and go on until it is seen to be over.`,
    details: [{ kind: 'offers', offers: [...timedOffers(named, timedChange, false), ...more] }],
  };
}

/** More names would be a crowd; each of them gets a direct message, too. */
const mostCalled = 10;

/** Everything about it, when it is over. */
export function closing(
  named: TimedName,
  timedChange: TimedChangeRow,
  ended: Ended,
  action: Action,
  approvals: readonly Given[],
  extensions: readonly PutOff[],
  others: readonly Action[],
): Reply {
  const near = (at: number) => when(at, ended.at);
  const approved = approvals.map(({ person: by, at }) => say`${person(by)} at ${near(at)}`);
  const fields: readonly Field[] = [
    { name: 'Asked by', value: say`${person(timedChange.person)}` },
    { name: 'Approved by', value: approved.length === 0 ? unapproved(action) : enumerate(approved) },
    { name: 'Reason', value: say`${timedChange.reason}` },
    {
      name: 'Time',
      value: say`from ${near(timedChange.startedAt)} to ${near(ended.at)}, ${elapsed(ended.at - timedChange.startedAt)}; planned until ${near(timedChange.endsAt)}`,
    },
    ...extensions.map(({ action: by, approvals: yes, at, until }): Field => {
      const who =
        by === undefined
          ? []
          : say`, ${extendedBy(
              by,
              yes.map(({ person: id }) => id),
            )}${reasonOf(by)}`;
      return { name: 'Extended', value: say`at ${near(at)} until ${near(until)}${who}` };
    }),
    { name: 'Ended', value: howItEnded(timedChange, ended, action) },
    {
      name: 'Verified',
      value: ended.how === 'confirmed' ? say`no: the appliance couldn’t confirm it` : say`yes. ${ended.says}`,
    },
    ...(others.length === 0
      ? [{ name: 'Meanwhile', value: say`no other changes were made there with Appliance Bot` }]
      : []),
  ];
  return {
    headline: say`${strong(`${named.name} on ${timedChange.appliance} is over.`)}`,
    details: [{ kind: 'fields', fields }, ...meanwhile(others)],
  };
}

/** By whom its end was put off. */
interface PutOff {
  readonly action: Action | undefined;
  readonly approvals: readonly Given[];
  readonly at: number;
  readonly until: number;
}

/** "asked by @bob and approved by @carol". */
export function extendedBy(action: Action, approvers: readonly string[]): Text {
  const asked = say`requested by ${person(action.person)}`;
  return approvers.length === 0 ? asked : say`${asked} and approved by ${enumerate(approvers.map(person))}`;
}

// Commands that put an end off say why.
function reasonOf({ args }: Action): Text {
  const { reason } = Object(args);
  return typeof reason === 'string' ? say`: ${reason}` : [];
}

const unapproved = ({ args, person: by }: Action): Text =>
  isBreakGlass(args) ? say`nobody: ${person(by)} used break-glass` : say`nobody: no approval was needed`;

function howItEnded(
  { tries, orders, seen }: TimedChangeRow,
  { how, at, person: by, says }: Ended,
  { state }: Action,
): Text {
  const who = by === undefined ? say`somebody` : say`${person(by)}`;
  switch (how) {
    case 'ended':
      return tries === 0
        ? say`automatically at ${clock(at)}`
        : say`automatically at ${clock(at)}, after ${plural(tries, 'try', 'tries')} that failed`;
    case 'person':
      return say`by ${who} at ${clock(at)}`;
    case 'confirmed':
      return say`confirmed manually by ${who} at ${clock(at)}: ${says}`;
    case 'found':
      if (orders > 0) return say`automatically: a check at ${clock(at)} showed that it was off`;
      return seen || state === 'done'
        ? say`outside Appliance Bot: a check at ${clock(at)} showed that it was already off`
        : say`a check at ${clock(at)} showed that it was not on; it may never have been`;
  }
}

/** Rows that are told of what else was done; the journal has the others. */
const mostOthers = 20;

function meanwhile(others: readonly Action[]): readonly Part[] {
  if (others.length === 0) return [];
  const more = others.length - mostOthers;
  return [
    { kind: 'text', text: say`${strong('Changed there meanwhile')}${more > 0 ? `, and ${more} more` : ''}:` },
    {
      kind: 'table',
      columns: ['Who', 'What', 'Result'],
      rows: others
        .slice(0, mostOthers)
        .map(({ person: by, line, state }) => [say`${person(by)}`, say`${code(line)}`, say`${state}`]),
    },
  ];
}
