import type { AnyChange } from '../../../handlers/command.ts';
import { type Asked, lineOf } from '../../../handlers/language/asked.ts';
import type { PastSpan } from '../../../handlers/plan/span.ts';
import { code, elapsed, moment, person, plural, say, type Text } from '../../../handlers/reply.ts';
import type { Fingerprint } from '../../../handlers/results.ts';
import { referenceOf } from '../../../journal/actions/reference.ts';
import type { Action } from '../../../journal/journal.ts';
import { argsOf, changeOf, targetsIn } from '../../base/stored.ts';
import { answerIn } from '../../change/order.ts';
import type { Parts } from '../../ground/ground.ts';
import { type DoneIn, mostLines, notHere, type PlanLine, type StayingLine } from '../read.ts';
import type { UndoLine } from './left.ts';
import type { PlanLines } from './sources.ts';
import { stillOwn } from './still-own.ts';
import { createTakenBack, type TakenBack } from './taken-back.ts';

/** The lines that take back what was done in a time, the last first; what can’t be is among them, with the reason. */
export type HistoryLines = (wanted: DoneIn) => Promise<PlanLines | { readonly why: Text }>;

export function createHistoryLines(parts: Parts): HistoryLines {
  const { journal, commandByPhrase, match } = parts;
  const takenBackOf = createTakenBack(parts);

  return async (wanted) => {
    const { channel, span, by } = wanted;
    if (span.to - span.from > longest)
      return { why: say`A plan from history goes over at most ${elapsed(longest)}. Say a shorter time.` };
    const all = (await journal.changesIn(span.from, span.to)).filter(
      (action) => action.channel === channel && isDoneIn(action, span) && !gathers(action),
    );
    const own = all.filter((action) => (by === undefined || action.person === by) && isOn(action, wanted.on));
    if (own.length === 0) return { why: nothingDone(wanted, all) };
    const takenBack = await takenBackOf(channel, span.from, own);
    const newestFirst = own.toSorted(
      (one, other) =>
        other.changedAt - one.changedAt ||
        other.createdAt - one.createdAt ||
        (other.step ?? 0) - (one.step ?? 0),
    );
    const lines: PlanLine[] = [];
    const together = new Set(own.map(({ id }) => id));
    for (const action of newestFirst) {
      for (const line of await linesOf(action, takenBack, wanted.on, together))
        lines.push(line(lines.length + 1));
    }
    // What failed has changed nothing.
    if (lines.length === 0) return { why: nothingDone(wanted, []) };
    const count = lines.filter((line) => 'found' in line).length;
    if (count > mostLines)
      return {
        why: say`${plural(count, 'change')} can be undone there, and a plan takes at most ${mostLines} lines. Say a shorter time.`,
      };
    return { lines, root: undefined, notes: [{ name: 'Done', value: doneIn(wanted) }], isWhole: false };
  };

  function gathers(action: Action): boolean {
    const command = commandByPhrase.get(action.phrase ?? '');
    return command?.kind === 'change' && command.gathers !== undefined;
  }

  async function linesOf(
    action: Action,
    takenBack: TakenBack,
    on: readonly string[] | undefined,
    together: ReadonlySet<string>,
  ): Promise<readonly ((number: number) => PlanLine)[]> {
    const about = say`undoes ${code(action.line)} by ${person(action.person)}, ${moment(action.changedAt)}`;
    const stays = (says: Text) => [(number: number) => staying(number, action, says)];
    if (takenBack.isAnswer(action)) return [];
    const why = takenBack.whyNot(action);
    if (why !== undefined) return stays(why);
    const command = changeOf(commandByPhrase, action);
    const undos = command === undefined ? [] : await undosOf(action, command, takenBack, on);
    if (undos.length === 0) {
      const isMoved = command?.undo !== undefined && action.state !== 'failed';
      return action.state === 'failed' ? [] : stays(isMoved ? nothingLeft : say`It can’t be undone.`);
    }
    return Promise.all(
      undos.map(async ({ line: text, on: names }) => {
        const found = match(text);
        if (found.kind !== 'command' || found.command.kind !== 'change')
          return (number: number) => staying(number, action, say`The bot doesn’t know what undoes it.`);
        const own = await stillOwn(parts, { ...found, on: names.join(',') }, action, together);
        const problem = 'why' in own ? own.why : notHere(own.found, 1);
        if (problem !== undefined || 'why' in own)
          return (number: number) => staying(number, action, problem ?? nothingLeft);
        const { found: back, stays } = own;
        const expects = stays === undefined ? await leftBy(action, names) : {};
        const isSeen = names.every((name) => expects[name] !== undefined);
        return (number: number): PlanLine => ({
          ...{ number, takesBack: action.id, isExact: true, mayStay: true },
          about: stays === undefined ? about : say`${about}; ${stays}`,
          ...(action.ticket !== undefined && { ticket: action.ticket }),
          text: lineOf(back as Asked),
          found: { ...back, command: back.command as AnyChange },
          ...(Object.keys(expects).length > 0 && { expects }),
          ...(!isSeen && { made: action }),
        });
      }),
    );
  }

  /** The lines that take it back where it was done, by what it was run with: they outlast its button. */
  async function undosOf(
    action: Action,
    command: AnyChange,
    takenBack: TakenBack,
    on: readonly string[] | undefined,
  ): Promise<readonly UndoLine[]> {
    const events = await journal.eventsOf(action.id);
    const each = targetsIn(action).flatMap((target) => {
      const { appliance, fingerprint } = target;
      const { order, learned } = answerIn(events, appliance);
      const isSent = order.kind === 'accepted' || order.kind === 'unconfirmed';
      if (action.state !== 'done' && !isSent) return [];
      if (takenBack.isOn(action, appliance) || (on !== undefined && !on.includes(appliance))) return [];
      const line = command.undo?.(argsOf(target), { ...fingerprint, ...learned });
      return line === undefined ? [] : [{ line, appliance }];
    });
    return [...Map.groupBy(each, ({ line }) => line)].map(([line, group]) => ({
      line,
      on: group.map(({ appliance }) => appliance),
    }));
  }

  /** What it has left, where that was seen when it was made. */
  async function leftBy(action: Action, on: readonly string[]): Promise<Record<string, Fingerprint>> {
    const rows = await journal.timedChangesOf(action.id);
    const seen = rows.flatMap(({ appliance, left }) =>
      left === undefined ? [] : [[appliance, left] as const],
    );
    const all = { ...Object.fromEntries(seen), ...(action.left as Record<string, Fingerprint> | undefined) };
    return Object.fromEntries(Object.entries(all).filter(([name]) => on.includes(name)));
  }
}

/** All of it is read at once. In milliseconds. */
const longest = 31 * 24 * 60 * 60_000;

/** It came to its end in that time. */
const isDoneIn = ({ changedAt, interaction, effect }: Action, { from, to }: PastSpan): boolean =>
  interaction === undefined && effect !== 'read' && changedAt >= from && changedAt < to;

const isOn = (action: Action, on: readonly string[] | undefined): boolean =>
  on === undefined || targetsIn(action).some(({ appliance }) => on.includes(appliance));

const nothingLeft = say`Nothing of it is left to undo.`;

function staying(
  number: number,
  { line, phrase, person: by, changedAt, id }: Action,
  says: Text,
): StayingLine {
  return {
    ...{ number, line, phrase: phrase ?? '', kind: 'idle', says, details: [], targets: [] },
    ...{ isUndoable: false, stays: true },
    about: say`${code(referenceOf(id))} by ${person(by)}, ${moment(changedAt)}`,
  };
}

const doneIn = ({ by, span }: DoneIn): Text =>
  say`${by === undefined ? 'by anybody' : say`by ${person(by)}`}, from ${moment(span.from)} to ${moment(span.to)}`;

/** What others did then is told: it may have been one of them. */
function nothingDone({ by, span, on }: DoneIn, all: readonly Action[]): Text {
  const where = on === undefined ? 'in this channel' : `on ${on.join(', ')} in this channel`;
  const others = [...new Set(all.map((action) => action.person))].filter((one) => one !== by);
  const hint =
    by === undefined || others.length === 0
      ? []
      : say` ${plural(all.length, 'change')} then by ${others.map((one) => person(one))}.`;
  return say`Nothing was changed ${where}${by === undefined ? [] : say` by ${person(by)}`} between ${moment(span.from)} and ${moment(span.to)}.${hint}`;
}
