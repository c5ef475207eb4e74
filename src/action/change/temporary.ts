import type { Lasts } from '../../auth/request.ts';
import type { AnyChange, AnyCommand } from '../../handlers/command.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { endOf, readTerm, type Term, type TypedTerm } from '../../handlers/language/term.ts';
import type { PlannedStart } from '../../handlers/planned/words.ts';
import { startInWords } from '../../handlers/planned/words.ts';
import type { MovedEnd } from '../../handlers/reply.ts';
import { code, elapsed, type Field, say, type Text } from '../../handlers/reply.ts';
import { extending } from '../../handlers/temporary/extending.ts';
import { when } from '../../handlers/wording/when.ts';
import type { JsonObject } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import { argsToStore, type Shown, type Target, type Temporary, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import type { ResolutionOn } from '../lookup/lookup.ts';
import type { ResolvedTarget, TargetPreview } from '../target/target.ts';
import type { Fault } from '../wording/faults.ts';

/** The same change, of which only the end moves: what was asked for is on already. */
interface OnAlready {
  readonly command: AnyChange;
  readonly temporary: Temporary;
}

type TemporaryParts = Pick<Parts, 'authority' | 'journal' | 'now'>;

/** Shorter is over before anybody has read the card, in milliseconds. */
export const shortest = 60_000;

/** How long it is to last; or why it cannot. `term`: what was typed behind `--for` or `--until`. */
export function lastingOf(
  parts: TemporaryParts,
  term: TypedTerm | undefined,
  start: PlannedStart | undefined,
): { readonly temporary: Temporary | undefined } | Fault {
  const read = term && readTerm(term);
  if (read === undefined) return { temporary: undefined };
  const begins = start?.at ?? parts.now();
  const until = untilOf(parts, read, begins);
  // In a window it may begin at any time.
  if (start !== undefined && until < start.latest + shortest && read.kind === 'until')
    return { code: 'ends_first', starts: start.latest, ends: until, now: parts.now() };
  if (until < begins + shortest) {
    const why = say`${code(`--${term?.option} ${term?.text}`)} is over already, at ${when(until, parts.now())}.`;
    return { code: 'nothing_to_act_on', why };
  }
  return { temporary: read.kind === 'for' ? { lasts: read.milliseconds } : { until } };
}

const untilOf = ({ authority, now }: TemporaryParts, term: Term, begins: number = now()): number =>
  endOf(term, begins, authority.policy().timeZone);

/** There is nothing to do because it was done for a time: what is meant is another end, or none, so that it stays. */
export async function movedEnd(
  parts: TemporaryParts,
  command: AnyChange,
  term: TypedTerm | undefined,
  resolutions: readonly ResolutionOn[],
): Promise<OnAlready | undefined> {
  const begun = command.undo && (await beganIt(parts, command, resolutions));
  if (begun === undefined) return undefined;
  const read = term && readTerm(term);
  const until = read && untilOf(parts, read);
  const { of, shown } = begun;
  return {
    command: extending(command, { of, shown, until }),
    temporary: { extends: of, ...(until !== undefined && { until }) },
  };
}

/** How long it is on in all, from when it was first made; undefined where the very same is not on for a time. */
export async function lastsInAll(
  parts: TemporaryParts,
  command: AnyCommand,
  {
    term,
    start,
    moves,
  }: Pick<Asked, 'term'> & {
    readonly start: PlannedStart | undefined;
    readonly moves: MovedEnd | undefined;
  },
  resolutions: readonly ResolutionOn[],
): Promise<Lasts | undefined> {
  if (moves !== undefined) {
    const rows = await parts.journal.timedChangesOf(moves.action);
    const since = Math.min(...rows.map(({ startedAt }) => startedAt));
    return moves.to === 'never' ? 'forGood' : (moves.to === 'now' ? parts.now() : moves.to) - since;
  }
  const read = term && readTerm(term);
  if (read === undefined || start !== undefined || command.kind !== 'change' || command.undo === undefined)
    return undefined;
  const begun = await beganIt(parts, command, resolutions);
  return begun && untilOf(parts, read) - begun.since;
}

/** The same of a button that names the action. */
export function endMovedBy(
  parts: TemporaryParts,
  command: AnyChange,
  { action: of, to }: MovedEnd,
  shown: Shown['targets'][number]['fingerprint'],
): OnAlready {
  const early = to === 'now';
  const until = to === 'never' ? undefined : early ? parts.now() : to;
  return {
    command: extending(command, { of, shown, until, early }),
    temporary: { extends: of, ...(until !== undefined && { until }), ...(early && { early }) },
  };
}

interface Begun {
  readonly of: string;
  /** When, in milliseconds since the epoch. */
  readonly since: number;
  readonly shown: Shown['targets'][number]['fingerprint'];
}

/** The action that has done the very same on all of these appliances, and that is on for a time. */
async function beganIt(
  { journal }: TemporaryParts,
  command: AnyChange,
  resolutions: readonly ResolutionOn[],
): Promise<Begun | undefined> {
  const wanted = resolutions.flatMap(({ result }): ResolvedTarget[] => (result.ok ? [result.resolved] : []));
  const live = (await journal.timedChanges()).filter(isPutBack);
  for (const of of new Set(live.map(({ action }) => action))) {
    const action = await journal.byId(of);
    if (action?.phrase !== command.phrase || wanted.length === 0) continue;
    const targets = targetsIn(action);
    const isSame = wanted.every(({ appliance: { name }, args }) => {
      const target = targets.find(({ appliance }) => appliance === name);
      const isOn = live.some((row) => row.action === of && row.appliance === name);
      return isOn && target !== undefined && isSameArgs(target.args, argsToStore(command, args));
    });
    const since = Math.min(...live.flatMap((row) => (row.action === of ? [row.startedAt] : [])));
    if (isSame) return { of, since, shown: targets[0]?.fingerprint ?? {} };
  }
  return undefined;
}

const isSameArgs = (one: JsonObject, other: JsonObject): boolean =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].every(
    (key) => JSON.stringify(one[key]) === JSON.stringify(other[key]),
  );

/** What could not be undone at its end is not begun: by what is known before it runs, and with any ID that its answer would tell. */
export function onlyUndoable(
  command: AnyChange,
  { lasts, until, extends: of }: Temporary,
  look: TargetPreview,
): TargetPreview {
  if (look.kind !== 'ready' || of !== undefined || (lasts === undefined && until === undefined)) return look;
  const { resolved, preview } = look;
  if (
    command.undo?.(resolved.args, { id: 0, added: '0', fresh: '0', inside: '0', ...preview.fingerprint }) !==
    undefined
  )
    return look;
  const why = say`On ${resolved.appliance.name} this can’t be undone as it is now, so it can’t be temporary. Without ${code('--for')} it is made for good.`;
  return { kind: 'fault', appliance: resolved.appliance.name, fault: { code: 'nothing_to_act_on', why } };
}

/** Why it is not begun any more, where its end has come while it waited. */
export const lateEnd = (temporary: Temporary | undefined, now: number): Text | undefined =>
  temporary?.until !== undefined && temporary.early !== true && temporary.until < now + shortest
    ? say`It was to last until ${when(temporary.until, now)}, which is now. No changes were made. Run the command again with a later end.`
    : undefined;

/** With when it is to run. */
export function withStart(shown: Shown, start: PlannedStart | undefined): Shown {
  if (start === undefined) return shown;
  return { ...shown, start, fields: [...shown.fields, { name: 'Runs', value: startInWords(start) }] };
}

/** With its end, as people see it before they agree. */
export function withEnd(
  shown: Shown,
  temporary: Temporary | undefined,
  now: number,
  lasts: (target: Target) => Lasts,
): Shown {
  if (temporary === undefined) return shown;
  const targets = shown.targets.map((target) => {
    const asked = lasts(target);
    return typeof asked === 'number' ? { ...target, lasts: asked } : target;
  });
  return { ...shown, fields: [...shown.fields, ...endField(temporary, now)], targets, temporary };
}

function endField({ lasts, until, extends: of }: Temporary, now: number): readonly Field[] {
  if (of !== undefined) return [];
  if (lasts !== undefined)
    return [{ name: 'For', value: say`${elapsed(lasts)}, then it is undone automatically` }];
  return until === undefined
    ? []
    : [{ name: 'Until', value: say`${when(until, now)}, then it is undone automatically` }];
}
