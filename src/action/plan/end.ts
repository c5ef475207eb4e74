import { namedIn } from '../../handlers/audit/recalled.ts';
import { linesOf } from '../../handlers/plan/line-numbers.ts';
import { enumerate, person, plainText, plural, say, strong, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import { referenceOf } from '../../journal/actions/reference.ts';
import type { Action } from '../../journal/journal.ts';
import type { Listener } from '../base/chat.ts';
import { failedInPart, type PlanStep, stepsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { type KeptOffer, offerToKeep } from '../showing/kept-offer.ts';
import { askedIn } from '../showing/messages.ts';
import { lasting } from '../showing/plans/plan-ends.ts';
import { haveRoom } from '../showing/plans/plan-lines.ts';
import { undoLinesOf } from './back/left.ts';
import { endInWords, endTable, isBack, type LineEnd, notesOf } from './words.ts';

/** How long a plan can be taken back, or gone on with, by one click. */
const lifetime = 7 * 24 * 60 * 60_000;

/** Tells how a plan has ended: all done, or where it has stopped, what was done until then, and what can be done now. */
export async function concludePlan(
  parts: Pick<Parts, 'journal' | 'notifications' | 'now'>,
  asker: Listener,
  plan: Action,
  ends: readonly (LineEnd | undefined)[],
): Promise<void> {
  const { notifications } = parts;
  const steps = stepsIn(plan);
  const last = ends.at(-1);
  const isStopped = last !== undefined && last.kind !== 'done' && last.kind !== 'idle';
  const state = !isStopped ? 'done' : last.kind === 'unknown' ? 'unknown' : 'failed';
  const bare = isStopped ? stoppedAt(steps, ends) : doneWith(steps, ends, plan.plan !== undefined);
  const headline = await untilWhen(parts, plan, ends, bare);
  const why = last?.kind === 'stopped' ? (last.by === undefined ? last.why : undefined) : endInWords(last);
  const whole = isStopped && why !== undefined ? say`${headline} ${why}` : headline;
  const notes = notesOf(plan);
  // The card tells what became of each line, where it has room for that.
  const isOnCard = haveRoom(
    steps,
    ends.flatMap((end) => (end !== undefined && 'action' in end ? [end.action] : [])),
  );
  const again = isBack(steps);
  await offer(parts, plan, {
    back: !again && (await hasWayBack(parts, ends)),
    // A line that was not begun is the first of those that are left; so is one that has taken nothing back.
    on: isStopped && (again || ends.length - (last.kind === 'stopped' ? 1 : 0) < steps.length),
    again,
    isStopped,
  });
  await notifications.transitionAndNotify(
    plan,
    state,
    {
      outcome: {
        code: isStopped ? 'plan_stopped' : 'plan_done',
        says: plainText(whole),
        // Until when it lasts is told by what is on then.
        headline: plainText(bare),
        ...namedIn(bare),
        ...(isOnCard && !isStopped && notes.length === 0 && { evidence: [] }),
      },
    },
    {
      headline: bare,
      threadReply: {
        headline: whole,
        details: [
          ...(isOnCard ? [] : [endTable(steps, ends)]),
          ...(notes.length === 0 ? [] : [{ kind: 'fields', fields: notes } as const]),
        ],
      },
      asker,
    },
  );
}

function doneWith(steps: readonly PlanStep[], ends: readonly (LineEnd | undefined)[], isRest: boolean): Text {
  const done = ends.filter((end) => end?.kind === 'done').length;
  const idle = ends.length - done;
  const skipped = idle === 0 ? '' : `, ${idle} skipped`;
  if (isBack(steps)) return say`Rolled back: ${strong(plural(done, 'line'))} undone${skipped}`;
  if (isRest) return say`Plan done: ${strong(linesOf(steps.map(({ number }) => number)))}${skipped}`;
  return say`Plan done: ${strong(idle === 0 ? plural(steps.length, 'line') : `${done} of ${plural(steps.length, 'line')}`)}${skipped}${notEverywhere(steps, ends)}`;
}

/** On which appliances lines that were done had nothing to do: `, line 1 not on branch-2`. */
function notEverywhere(steps: readonly PlanStep[], ends: readonly (LineEnd | undefined)[]): string {
  const each = steps.flatMap(({ number, left = [] }, index) =>
    ends[index]?.kind === 'done' ? left.map(({ name }) => ({ number, name })) : [],
  );
  return [...Map.groupBy(each, ({ name }) => name)]
    .map(([name, some]) => `, ${linesOf(some.map(({ number }) => number))} not on ${name}`)
    .join('');
}

function stoppedAt(steps: readonly PlanStep[], ends: readonly (LineEnd | undefined)[]): Text {
  const at = steps[ends.length - 1]?.number ?? 0;
  const end = ends.at(-1);
  const last = end?.kind;
  const isInPart = end !== undefined && 'action' in end && failedInPart(end.action);
  const done = ends.filter((end) => end?.kind === 'done').length;
  const rest = steps.slice(ends.length).map(({ number }) => number);
  const how =
    last === 'unknown'
      ? 'its outcome is unknown'
      : last !== 'failed'
        ? 'it was not run'
        : isInPart
          ? 'it was done only in part'
          : 'it failed';
  const name = isBack(steps) ? 'Rollback' : 'Plan';
  const before = done === 0 ? 'Nothing was done before' : `${plural(done, 'line')} done`;
  const left = rest.length === 0 ? '' : `, ${linesOf(rest)} not run`;
  if (end?.kind === 'stopped' && end.by !== undefined)
    return say`${name} stopped by ${person(end.by)} before ${strong(`line ${at}`)}. ${before}, ${linesOf([at, ...rest])} not run.`;
  return say`${name} stopped at ${strong(`line ${at}`)}: ${how}. ${before}${left}.`;
}

/** How it ended, and until when what it has made temporary lasts: those that end together in one. */
async function untilWhen(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  plan: Action,
  ends: readonly (LineEnd | undefined)[],
  bare: Text,
): Promise<Text> {
  const rows = (await journal.timedChangesOfPlan(plan.id)).filter(({ state }) => state !== 'over');
  const steps = stepsIn(plan);
  const each = [...Map.groupBy(rows, ({ endsAt }) => endsAt)].map(([endsAt, group]) => ({
    until: when(endsAt, now()),
    of: ends.flatMap((end, index) =>
      end !== undefined && 'action' in end && group.some(({ action }) => action === end.action.id)
        ? [steps[index]?.number ?? 0]
        : [],
    ),
  }));
  const [only, ...others] = each;
  if (only === undefined) return bare;
  const isAll = others.length === 0 && only.of.length === ends.filter((end) => end?.kind === 'done').length;
  return isAll
    ? lasting(bare, say`until ${only.until}`, 'all')
    : lasting(bare, enumerate(each.map(({ of, until }) => say`${linesOf(of)} until ${until}`)), 'lines');
}

/** Whether something that was done can be taken back: of a line that failed, too, what happened on some of its appliances. */
async function hasWayBack(
  parts: Pick<Parts, 'journal'>,
  ends: readonly (LineEnd | undefined)[],
): Promise<boolean> {
  for (const end of ends) {
    if (end !== undefined && 'action' in end && (await undoLinesOf(parts, end.action)).length > 0)
      return true;
  }
  return false;
}

async function offer(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  plan: Action,
  {
    back,
    on,
    again,
    isStopped,
  }: {
    readonly back: boolean;
    readonly on: boolean;
    readonly again: boolean;
    readonly isStopped: boolean;
  },
): Promise<void> {
  const root = referenceOf(plan.plan ?? plan.id);
  const offers: readonly KeptOffer[] = [
    ...(back
      ? [
          {
            line: `plan rollback ${root}`,
            undo: true,
            agreed: true,
            ...(isStopped && { label: 'Roll back' }),
          } as const,
        ]
      : []),
    ...(on
      ? [
          {
            line: `plan continue ${referenceOf(plan.id)}`,
            agreed: true,
            label: again ? 'Try again' : 'Go on',
          } as const,
        ]
      : []),
    ...(isStopped && (back || on)
      ? [{ line: `plan leave ${referenceOf(plan.id)}`, label: 'Leave it so' } as const]
      : []),
  ];
  // After a crash there may be some from before it.
  const kept = await journal.keptOf(plan.id, 'offer');
  const beside = askedIn(plan);
  for (const one of offers) {
    const content = offerToKeep({ ...one, ...(beside && { askedIn: beside }) });
    if (kept.some((other) => JSON.stringify(other.content) === JSON.stringify(content))) continue;
    await journal.keep({
      kind: 'offer',
      content,
      channel: plan.channel,
      action: plan.id,
      until: now() + lifetime,
    });
  }
}
