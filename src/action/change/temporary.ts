import type { Frozen } from '../../auth/calendar/freeze.ts';
import type { Lasts } from '../../auth/request.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import { type Asked, quoted } from '../../handlers/language/asked.ts';
import {
  endOf,
  longestTerm as longest,
  readTerm,
  type Term,
  type TypedTerm,
} from '../../handlers/language/term.ts';
import { wholeDay } from '../../handlers/language/times/clock.ts';
import { type SaidTime, typedMoment } from '../../handlers/language/times/said-time.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import { startByBothClocks, startInWords } from '../../handlers/planned/words.ts';
import type { MovedEnd } from '../../handlers/reply.ts';
import { code, elapsed, type Field, say } from '../../handlers/reply.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import { leavesAnUndo } from '../../handlers/temporary/leaves-an-undo.ts';
import { endCalled, when } from '../../handlers/wording/when.ts';
import { nearestTo, unclearIn } from '../authority/starts.ts';
import type { Invocation } from '../base/chat.ts';
import { argsToStore, type Shown, type Target, type Temporary } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { beganIt, type EndMoved, type MadeOn, whyNotOnTop } from '../holding/holders.ts';
import type { ResolutionOn } from '../lookup/lookup.ts';
import type { ResolvedTarget, TargetPreview } from '../target/target.ts';
import type { Fault } from '../wording/faults.ts';

interface EndClock {
  readonly authority: Pick<Parts['authority'], 'policy'>;
  readonly now: () => number;
}

type TemporaryParts = Pick<Parts, 'authority' | 'journal' | 'now'>;

/** Shorter is over before anybody has read the card, in milliseconds. */
export const shortest = 60_000;

/** How long it is to last; or why it cannot. `term`: what was typed behind `--for` or `--until`. */
export function lastingOf(
  parts: EndClock,
  term: TypedTerm | undefined,
  start: PlannedStart | undefined,
): { readonly temporary: Temporary | undefined } | Fault {
  const read = term && readTerm(term);
  if (read === undefined) return { temporary: undefined };
  const begins = start?.at ?? parts.now();
  const { timeZone } = parts.authority.policy();
  const unclear = read.kind === 'until' && term ? unclearIn(term, read.end, begins, timeZone) : undefined;
  if (unclear !== undefined) return unclear;
  const until = untilOf(parts, read, begins);
  // In a window it may begin at any time.
  if (start !== undefined && until < start.latest + shortest && read.kind === 'until')
    return { code: 'ends_first', starts: start.latest, ends: until, now: parts.now() };
  if (until < begins + shortest) {
    const nearest = quoted(typedMoment(nearestTo(until, begins + shortest, timeZone), timeZone));
    const why = say`${code(`--${term?.option} ${term?.text}`)} is over already, at ${when(until, parts.now())}. The nearest that would work: ${code(`--until ${nearest}`)}.`;
    return { code: 'nothing_to_act_on', why };
  }
  if (until > begins + longest) {
    const why = say`${code(`--${term?.option} ${term?.text}`)} is too far ahead: a change can be temporary for 90 days at most.`;
    return { code: 'nothing_to_act_on', why };
  }
  if (read.kind === 'for') return { temporary: { lasts: read.milliseconds } };
  const called = isWhole(read.end) ? endOfDay(until, timeZone) : undefined;
  return { temporary: { until, ...(called !== undefined && { called }) } };
}

const isWhole = (said: SaidTime): boolean => said.kind === 'point' && (said.minutes ?? wholeDay) === wholeDay;

/** A day that is meant to its end is not the next one at midnight: "end of Friday". */
const endOfDay = (until: number, timeZone: string): string =>
  `end of ${new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long' }).format(until - 1)}`;

const untilOf = ({ authority, now }: EndClock, term: Term, begins: number = now()): number =>
  endOf(term, begins, authority.policy().timeZone);

/** Until when something is to last that begins at a moment. */
export const endFrom = (begins: number, { lasts, until }: Temporary = {}): number | undefined =>
  until ?? (lasts === undefined ? undefined : begins + lasts);

/** Whose end it may move. Longer time for a site is asked of those who could move anybody's. */
export const whoseEnd = ({ person, forSite }: Pick<Invocation, 'person' | 'forSite'>): string | undefined =>
  forSite?.extends === undefined ? person : undefined;

/**
 * How long it is on in all for whoever asks, from when they first made it; undefined where the very same is not on for a time for them.
 * Without a `person` it is anybody's.
 */
export async function lastsInAll(
  parts: TemporaryParts,
  command: AnyCommand,
  {
    term,
    start,
    moves,
    person,
  }: Pick<Asked, 'term'> & {
    readonly person: string | undefined;
    readonly start: PlannedStart | undefined;
    readonly moves: MovedEnd | undefined;
  },
  resolutions: readonly ResolutionOn[],
): Promise<{ readonly lasts: Lasts; readonly of: string } | undefined> {
  if (moves !== undefined) {
    const rows = await parts.journal.timedChangesOf(moves.action);
    const since = Math.min(...rows.map(({ startedAt }) => startedAt));
    // Nothing is kept on because it may not last so long by now.
    const lasts = moves.to === 'never' ? 'forGood' : moves.to === 'now' ? 0 : moves.to - since;
    return { lasts, of: moves.action };
  }
  const read = term && readTerm(term);
  if (read === undefined || command.kind !== 'change' || command.undo === undefined) return undefined;
  const begun = await beganIt(parts, command, person, madeOn(command, resolutions));
  // What is over by then is begun anew.
  if (begun === undefined || begun.ends <= (start?.at ?? 0)) return undefined;
  return { lasts: untilOf(parts, read, start?.at) - begun.since, of: begun.of };
}

/** The same of what names the action, and what becomes of its end: sooner, later, never; or why it cannot. */
export async function endMovedBy(
  { journal, now }: TemporaryParts,
  command: AnyChange,
  { action: of, on, to }: MovedEnd,
  shown: Shown['targets'][number]['fingerprint'],
): Promise<EndMoved | Fault> {
  const early = to === 'now';
  const until = to === 'never' ? undefined : early ? now() : to;
  const row = (await journal.timedChangesOf(of)).find(({ appliance }) => appliance === on);
  const shortens = !early && until !== undefined && row !== undefined && until < row.endsAt;
  if (until !== undefined && until > now() + longest) {
    const why = say`${when(until, now())} is too far ahead: a change can be temporary for 90 days at most.`;
    return { code: 'nothing_to_act_on', why };
  }
  if (shortens && until < now() + shortest) {
    const why = say`${when(until, now())} is over already. ${code('end …')} ends it now.`;
    return { code: 'nothing_to_act_on', why };
  }
  return {
    command: extending(command, { of, shown, until, early, shortens }),
    temporary: {
      extends: of,
      ...(until !== undefined && { until }),
      ...(early && { early }),
      ...(shortens && { shortens }),
    },
  };
}

/** As it is kept of an action. */
export const madeOn = (command: AnyChange, resolutions: readonly ResolutionOn[]): readonly MadeOn[] =>
  resolutions
    .flatMap(({ result }): ResolvedTarget[] => (result.ok ? [result.resolved] : []))
    .map(({ appliance: { name: appliance }, args }) => ({ appliance, args: argsToStore(command, args) }));

/**
 * What could not be undone at its end is not begun, by what is known before it runs, and with any ID that its answer would tell; nor what
 * lies on top of what is on for a time already.
 */
export async function asTemporary(
  parts: Pick<Parts, 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  command: AnyChange,
  { lasts, until, extends: of }: Temporary,
  look: TargetPreview,
): Promise<TargetPreview> {
  if (look.kind !== 'ready' || of !== undefined || (lasts === undefined && until === undefined)) return look;
  const { resolved, preview } = look;
  if (leavesAnUndo(command, resolved.args as never, preview.fingerprint)) {
    const fault = await whyNotOnTop(parts, command, look);
    return fault === undefined ? look : { kind: 'fault', appliance: resolved.appliance.name, fault };
  }
  const why = say`On ${resolved.appliance.name} this can’t be undone as it is now, so it can’t be temporary. Without ${code('--for')} it is made for good.`;
  return { kind: 'fault', appliance: resolved.appliance.name, fault: { code: 'nothing_to_act_on', why } };
}

/** What is there now is gone when it is to run, and nobody can see now what it would hit then. */
export const endsBefore = (ends: number, start: PlannedStart, now: number): Fault => ({
  code: 'nothing_to_act_on',
  why: say`This is done already, but temporarily: it is undone at ${when(ends, now)}, before ${startInWords(start)}. Its effect at that time can’t be shown now, so it can’t be planned. To keep it or to extend it, type the same without ${code(start.window === undefined ? '--at' : '--window')}.`,
});

/** Why it is not begun any more, where its end has come while it waited. */
export const lateEnd = (temporary: Temporary | undefined, now: number): Fault | undefined =>
  temporary?.until !== undefined && temporary.early !== true && temporary.until < now + shortest
    ? { code: 'ended', until: temporary.until, now }
    : undefined;

/** With when it is to run, and how long it lasts from then: by that roles and approvals are asked. */
export function withStart(shown: Shown, start: PlannedStart | undefined): Shown {
  if (start === undefined) return shown;
  const { steps } = shown;
  return {
    ...lastingFrom(start, shown),
    start,
    ...(steps && { steps: steps.map((step) => lastingFrom(start, step)) }),
    fields: [...shown.fields, { name: 'Runs', value: startByBothClocks(start) }],
  };
}

/** What ends at a moment lasts the longer, the sooner it begins; what is on already has begun before. */
function lastingFrom<One extends Pick<Shown, 'targets' | 'temporary'>>({ at }: PlannedStart, one: One): One {
  const { until, extends: of } = one.temporary ?? {};
  if (until === undefined || of !== undefined) return one;
  return { ...one, targets: one.targets.map((target) => ({ ...target, lasts: until - at })) };
}

/** With its end, as people see it before they agree. */
export function withEnd(
  shown: Shown,
  temporary: Temporary | undefined,
  now: number,
  lasts: (target: Target) => Lasts,
  freezeAtEnd?: Pick<Frozen, 'name'>,
): Shown {
  if (temporary === undefined) return shown;
  const targets = shown.targets.map((target) => {
    const asked = lasts(target);
    return typeof asked === 'number' ? { ...target, lasts: asked } : target;
  });
  return {
    ...shown,
    fields: [...shown.fields, ...endField(temporary, now, freezeAtEnd)],
    targets,
    temporary,
  };
}

function endField(
  { lasts, until, called, extends: of }: Temporary,
  now: number,
  frozen: Pick<Frozen, 'name'> | undefined,
): readonly Field[] {
  const also = frozen === undefined ? [] : say`, although ${code(frozen.name)} freezes changes by then`;
  if (of !== undefined)
    return frozen === undefined ? [] : [{ name: 'Then', value: say`it is undone automatically${also}` }];
  if (lasts !== undefined)
    return [{ name: 'For', value: say`${elapsed(lasts)}, then it is undone automatically${also}` }];
  return until === undefined
    ? []
    : [
        {
          name: 'Until',
          value: say`${endCalled(when(until, now), called)}, then it is undone automatically${also}`,
        },
      ];
}
