import type { Timed } from '../../handlers/command.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { longestTerm } from '../../handlers/language/term.ts';
import {
  elapsed,
  enumerate,
  type Offer,
  person,
  type Reply,
  readableText,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import { endCalled, when } from '../../handlers/wording/when.ts';
import type { Ended, TimedChangeRow } from '../../journal/journal.ts';
import { isUnverified } from '../../journal/timed/timed-change-row.ts';

/** What of a temporary change is spoken about: a mode with commands of its own, or a change that is undone at its end. */
export type TimedName = Mode | TemporaryName;

type Mode = { readonly kind: 'mode' } & Pick<Timed<never>, 'name' | 'end' | 'extend' | 'confirm'>;

interface TemporaryName {
  readonly kind: 'change';
  /** What was done: "example.com added to category Partners". */
  readonly done: Text;
  /** The action that has done it. */
  readonly action: string;
  /** The line that takes it back, as far as it is known. */
  readonly undo: string | undefined;
  /** By how long its end is put off with one click: as long again, in milliseconds. */
  readonly extend: number;
  /** What one of its ends is called: "end of Friday". */
  readonly called: { readonly at: number; readonly as: string } | undefined;
}

/** What is on, or was done. */
export const doneIn = (named: TimedName): Text => (named.kind === 'mode' ? say`${named.name}` : named.done);

/**
 * How it stands, for the card: *Emergency mode on hq is on until 14:30*. `without`: where it did not begin. `certain`: its
 * orders are known to have been carried out elsewhere.
 */
export function timedHeadline(
  named: TimedName,
  timedChanges: readonly TimedChangeRow[],
  without: readonly string[],
  certain: boolean,
  now: number,
): Text {
  const groups = [
    ...Map.groupBy(timedChanges, ({ state, endsAt }) => (state === 'on' ? endsAt : state)).values(),
  ];
  const told = [
    ...groups.map((group) =>
      named.kind === 'mode'
        ? stateInWords(group, certain, now)
        : endInWords(named, group, groups.length > 1 || without.length > 0, certain, now),
    ),
    ...(without.length === 0 ? [] : [say`on ${enumerate(without.map(strong))} it did not begin`]),
  ];
  const all = told.flatMap((one, index) => (index === 0 ? one : ['; ', ...one]));
  if (named.kind === 'mode') return say`${named.name} ${all}`;
  const isUndone = timedChanges.every(({ ended }) => ended !== undefined && isTakenBack(ended));
  if (!isUndone) return say`${named.done}, ${all}`;
  return say`Undone: ${named.done}`;
}

function stateInWords(group: readonly TimedChangeRow[], certain: boolean, now: number): Text {
  const [timedChange] = group;
  if (timedChange === undefined) return [];
  const on = say`on ${enumerate(group.map(({ appliance }) => strong(appliance)))}`;
  if (timedChange.state === 'over')
    return group.some(({ ended }) => ended !== undefined && isUnverified(ended))
      ? say`${on} was ended (accepted, not verified)`
      : say`${on} is over`;
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

/** How a change stands that is undone at its end: *until 14:30*. */
function endInWords(
  { called }: TemporaryName,
  group: readonly TimedChangeRow[],
  tellsWhere: boolean,
  certain: boolean,
  now: number,
): Text {
  const [timedChange] = group;
  if (timedChange === undefined) return [];
  const on = tellsWhere ? say` on ${enumerate(group.map(({ appliance }) => strong(appliance)))}` : [];
  if (timedChange.state === 'over') {
    return timedChange.ended?.how === 'kept'
      ? say`kept for good${on}`
      : timedChange.ended?.how === 'replaced'
        ? say`replaced by a later change${on}`
        : say`over${on}`;
  }
  const as = called?.at === timedChange.endsAt ? called.as : undefined;
  const until = endCalled(when(timedChange.endsAt, now), as);
  if (timedChange.state === 'on')
    return certain ? say`until ${until}${on}` : say`may be so${on}, and is undone at ${until}`;
  return group.some(({ tries }) => tries > 0)
    ? say`not undone so far${on}: it was until ${until}`
    : group.some(({ lastProblem }) => lastProblem !== undefined)
      ? say`undone${on} when a later temporary change is`
      : say`being undone${on}`;
}

/** What can be done about it: while it is on, and while it cannot be ended. */
export function timedOffers(
  named: TimedName,
  timedChange: TimedChangeRow,
  several: boolean,
  now: number,
): readonly Offer[] {
  const { appliance, state, endsAt } = timedChange;
  const on = `--on ${quoted(appliance)}`;
  const where = several ? ` on ${appliance}` : '';
  if (named.kind === 'change') {
    const { undo, extend } = named;
    const { end, extend: extended, keep } = movesOf(named, timedChange, now);
    const called = (label: string, offer: Offer): Offer => ({ ...offer, label: `${label}${where}` });
    const by = Math.min(extend, now + longestTerm - endsAt);
    if (state === 'on')
      return [
        called(end.label, end),
        // What is on for as long as can be is extended later.
        ...(by < shortestExtension ? [] : [called(extended(endsAt + by).label, extended(endsAt + by))]),
      ];
    const forced = undo === undefined ? [] : [{ label: `Undo now${where}`, line: `${undo} ${on}` }];
    return [...forced, called('Keep', keep)];
  }
  return [
    { label: `End now${where}`, line: `${named.end} ${on}`, loud: true },
    state === 'on'
      ? { label: `Extend${where}`, line: `${named.extend} ${on}` }
      : { label: `Confirm that it is over${where}`, line: `${named.confirm} ${on}` },
  ];
}

/** The same as each can be typed. */
export function endsOf(
  named: TimedName,
  timedChange: TimedChangeRow,
  now: number,
): {
  readonly end: Offer;
  readonly extend: (to: number | undefined) => Offer;
  readonly keep: Offer | undefined;
} {
  if (named.kind === 'mode') {
    const { appliance, endsAt } = timedChange;
    const on = `--on ${quoted(appliance)}`;
    const minutes = (to: number) => Math.max(1, Math.round((to - endsAt) / 60_000));
    return {
      end: { label: 'End now', line: `${named.end} ${on}`, loud: true },
      extend: (to) => ({
        label: 'Extend',
        line: `${named.extend}${to === undefined ? '' : ` --for ${minutes(to)}m`} ${on}`,
      }),
      keep: undefined,
    };
  }
  const { end, extend, keep } = movesOf(named, timedChange, now);
  return { end, extend: (to) => extend(to ?? timedChange.endsAt + named.extend), keep };
}

/** Each as a line that says what is asked for, and can be typed: `extend shop.example.net added to category shopping by 1 h`. */
function movesOf(
  { action, done }: TemporaryName,
  { appliance, endsAt }: TimedChangeRow,
  now: number,
): { readonly end: Offer; readonly extend: (to: number) => Offer; readonly keep: Offer } {
  const moved = (label: string, verb: string, to: 'now' | 'never' | number, behind = ''): Offer => ({
    label,
    line: `${verb} ${readableText(done)}${behind} --on ${quoted(appliance)}`,
    moves: { action, on: appliance, to },
  });
  return {
    end: { ...moved('End now', 'end', 'now'), loud: true },
    extend: (to) => {
      if (to < endsAt) return moved(`End in ${elapsed(to - now)}`, 'end', to, ` in ${elapsed(to - now)}`);
      const by = elapsed(to - endsAt);
      return moved(`Extend by ${by}`, 'extend', to, ` by ${by}`);
    },
    keep: moved('Keep', 'keep', 'never'),
  };
}

/** What people can do about an end that is near. `frozen`: until when changes are, so that it cannot be put off. */
export const stillNeeded = (people: readonly string[], frozen: number | undefined, now: number): Text =>
  frozen === undefined
    ? say`${enumerate(people.map(person))}: if it is still needed, extend it now.`
    : say`${enumerate(people.map(person))}: changes are frozen until ${when(frozen, now)}, so it can’t be extended.`;

export function reminder(
  named: TimedName,
  timedChange: TimedChangeRow,
  people: readonly string[],
  frozen: number | undefined,
  now: number,
): Reply {
  const ends = say`${elapsed(timedChange.endsAt - now + 30_000)}, at ${when(timedChange.endsAt, now)}.`;
  const needed = stillNeeded(people, frozen, now);
  const offers = timedOffers(named, timedChange, false, now).filter(
    ({ moves }) => frozen === undefined || typeof moves?.to !== 'number',
  );
  return {
    headline:
      named.kind === 'mode'
        ? say`⏳ ${named.name} on ${strong(timedChange.appliance)} ends in ${ends} It ends automatically then. ${needed}`
        : say`⏳ Ends in ${ends} ${named.done} on ${strong(timedChange.appliance)} is undone then. ${needed}`,
    details: [{ kind: 'offers', offers }],
  };
}

/** How it stands now, for a message whose buttons would promise what they cannot do any more. */
export const standsNow = (
  named: TimedName,
  timedChange: TimedChangeRow,
  now: number,
): { readonly headline: Text } => ({
  headline: say`${timedChange.state === 'over' ? '✅' : '⏳'} ${timedHeadline(named, [timedChange], [], true, now)}${named.kind === 'change' ? say`, on ${strong(timedChange.appliance)}` : ''}.`,
});

/** The same of a reminder. That it is over stands on the card above and in the report below. */
export const reminderLater = (
  named: TimedName,
  timedChange: TimedChangeRow,
  now: number,
): { readonly headline: Text } =>
  timedChange.state === 'over'
    ? { headline: say`Reminder no longer needed: ${doneIn(named)} on ${strong(timedChange.appliance)}.` }
    : standsNow(named, timedChange, now);

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
    headline:
      named.kind === 'mode'
        ? say`🚨 ${called}${strong(`${named.name} on ${timedChange.appliance} may still be on.`)} Expired at ${when(timedChange.endsAt, now)}, and it couldn’t be turned off. ${problem}${tries} Retrying at ${when(timedChange.nextTryAt, now)}, until the appliance confirms that it is off.`
        : say`⚠ ${called}${strong('This was temporary and couldn’t be undone')} on ${strong(timedChange.appliance)}: ${named.done}. It was until ${when(timedChange.endsAt, now)}. ${problem}${tries} Retrying at ${when(timedChange.nextTryAt, now)}, until it is undone.`,
    details: [{ kind: 'offers', offers: [...timedOffers(named, timedChange, false, now), ...more] }],
  };
}

/** That it was changed since, and is left to people, who are called. */
export function changedSince(
  named: TimedName,
  timedChange: TimedChangeRow,
  problem: Text,
  people: readonly string[],
  now: number,
): Reply {
  const called = people.length === 0 ? [] : say`${enumerate(people.slice(0, mostCalled).map(person))}: `;
  return {
    headline: say`⚠ ${called}${strong('This was temporary and was not undone')} on ${strong(timedChange.appliance)}: ${doneIn(named)}. It was until ${when(timedChange.endsAt, now)}. ${problem} Undoing it could overwrite what somebody else did, so you decide: its card has the buttons.`,
  };
}

/** By less it is not worth a button, in milliseconds. */
const shortestExtension = 60_000;

/** More names would be a crowd; each of them gets a direct message, too. */
const mostCalled = 10;

/** Whether what was changed for a time is as it was before. */
const isTakenBack = ({ how }: Ended): boolean => how !== 'kept' && how !== 'replaced';
