import type { AnyChange } from '../../handlers/command.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Match } from '../../handlers/language/match.ts';
import { typedMoment } from '../../handlers/language/times/said-time.ts';
import { code, moment, say, type Text } from '../../handlers/reply.ts';
import { when } from '../../handlers/wording/when.ts';
import type { Action, JsonObject } from '../../journal/journal.ts';
import { isPutBack } from '../../journal/timed/timed-change-row.ts';
import type { Invocation } from '../base/chat.ts';
import { consentOf } from '../base/consent.ts';
import { argsOf, argsOn, changeOf, shownOf, targetsIn } from '../base/stored.ts';
import type { Parts } from '../ground/ground.ts';
import { goneOf } from '../history/left-to-undo.ts';
import { askedParts } from '../holding/holders.ts';
import { type KeptOffer, offerIn, offerToKeep } from '../showing/kept-offer.ts';
import { askedIn } from '../showing/messages.ts';
import type { ResolvedTarget } from '../target/target.ts';
import type { Fault } from '../wording/faults.ts';
import type { Execution } from './execute.ts';
import { shortest } from './temporary.ts';

const minutes = 60_000;
/** How long a change can be taken back with one click, in milliseconds. */
const lifetime = 10 * minutes;
/** Of what was planned: it runs at night, and is seen in the morning. */
const whilePlanned = 24 * 60 * minutes;
/** Of what is temporary, for as long as it may be on: the longest there is, and once more. */
const whileTemporary = 180 * 24 * 60 * minutes;

interface Done {
  readonly resolved: ResolvedTarget;
  readonly execution: Execution;
}

/**
 * Keeps the line that takes a change back, for the button on its card. Whoever may run that line may press it, once;
 * it is looked at, run and verified like any other. Several appliances with the same line share one button.
 */
export async function offerUndo(
  { journal, now }: Pick<Parts, 'journal' | 'now'>,
  action: Action,
  { undo, undoAsks }: AnyChange,
  done: readonly Done[],
): Promise<void> {
  const lines = done.flatMap(({ resolved, execution }) => {
    const line = undo?.(resolved.args, execution.fingerprint);
    return line === undefined ? [] : [{ line, appliance: resolved.appliance.name }];
  });
  // After a crash there may be some from before it.
  const kept = new Set((await journal.keptOf(action.id, 'offer')).map((one) => offerIn(one)?.line));
  const beside = askedIn(action);
  const { temporary, start } = shownOf(action) ?? {};
  // A step is taken back with its plan, which waits for people.
  const isLong = temporary !== undefined || action.step !== undefined;
  const isFor = isLong ? whileTemporary : start !== undefined ? whilePlanned : lifetime;
  const groups = Map.groupBy(lines, ({ line }) => line);
  for (const [line, on] of groups) {
    const names = on.map(({ appliance }) => appliance);
    const content: KeptOffer = {
      line: `${line} --on ${names.join(',')}`,
      undo: true,
      ...(!undoAsks && { agreed: true }),
      ...(groups.size > 1 && { where: names.join(', ') }),
      ...(beside !== undefined && { askedIn: beside }),
    };
    if (kept.has(content.line)) continue;
    await journal.keep({
      kind: 'offer',
      content: offerToKeep(content),
      channel: action.channel,
      action: action.id,
      until: now() + isFor,
    });
  }
}

/** What was said beside its word; else what takes something back is done for the reason of that. */
export function withReason<Found extends Extract<Match, { kind: 'command' | 'missing' }>>(
  found: Found,
  { reason: said, undo, redo, origin }: Pick<Invocation, 'reason' | 'undo' | 'redo' | 'origin'>,
): Found {
  const former =
    undo && !redo && found.reason === undefined && origin !== undefined
      ? consentOf(origin)?.reason
      : undefined;
  const reason = said ?? former ?? undefined;
  return reason === undefined || found.command.args.reason !== undefined ? found : { ...found, reason };
}

/**
 * What an undo takes back must be there still: what has ended, or was done again by somebody since, is theirs.
 */
export async function takingBack(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  found: Found,
  origin: Action,
): Promise<Found | Fault> {
  const gone = await goneOf(parts, origin);
  const on = (found.on?.split(',') ?? []).filter((name) => !gone?.on.includes(name));
  if (gone !== undefined && on.length === 0) {
    const why = say`Nothing is left to undo of ${code(origin.line)} (${moment(origin.changedAt)}). ${gone.why}`;
    return { code: 'nothing_to_act_on', why };
  }
  const own = await stillOwn(parts, gone === undefined ? found : { ...found, on: on.join(',') }, origin);
  return 'code' in own ? own : withFormerEnd(parts, own, origin);
}

/** Of what is on for a time, what its row takes back by now: somebody may have done some of it again since, which is theirs. */
export async function stillOwn(
  { journal, match }: Pick<Parts, 'journal' | 'match'>,
  found: Found,
  origin: Action,
): Promise<Found | Fault> {
  const on = found.on?.split(',') ?? [];
  const rows = (await journal.timedChangesOf(origin.id)).filter(
    (row) => isPutBack(row) && row.state !== 'over' && on.includes(row.appliance),
  );
  const lineOn = (appliance: string) =>
    rows.find((row) => row.appliance === appliance)?.undoLine ?? lineOf({ ...found, on: undefined });
  const groups = [...Map.groupBy(on, lineOn)];
  const [first, ...others] = groups;
  if (first === undefined) return found;
  if (others.length > 0) {
    const lines = groups.map(([line, names]) => `${line} --on ${names.join(',')}`);
    const why = say`Others have done some of it again since, and not the same on each appliance.`;
    return {
      code: 'nothing_to_act_on',
      why,
      offers: lines.map((line) => ({ label: line, line, guess: true })),
    };
  }
  const read = match(first[0]);
  return read.kind === 'command' && read.command === found.command
    ? { ...found, typed: read.typed, args: read.args }
    : found;
}

type Found = Extract<Match, { kind: 'command' }>;

/**
 * What an undo brings back was on for a time, and its end comes back with it. Where its time is over, or only some of what comes
 * back had an end, people are asked: nothing that was temporary stays for good unseen.
 */
export async function withFormerEnd(
  parts: Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'match' | 'now'>,
  found: Found,
  origin: Action,
): Promise<Found | Fault> {
  const { authority, commandByPhrase, journal, now } = parts;
  const ended = (await journal.timedChangesEndedBy(origin.id)).filter(isPutBack);
  const [first] = ended;
  if (first === undefined || found.command.kind !== 'change') return found;
  const begun = await Promise.all(ended.map(async ({ action }) => journal.byId(action)));
  const isWhole = (found.on?.split(',') ?? []).every((appliance) =>
    ended.some(
      (row, index) =>
        row.appliance === appliance &&
        row.endsAt === first.endsAt &&
        begun[index]?.phrase === found.command.phrase &&
        isPartOf(found, argsOn(begun[index], appliance)),
    ),
  );
  const ends = when(first.endsAt, now());
  const isOver = first.endsAt < now() + shortest;
  const term = { option: 'until', text: typedMoment(first.endsAt, authority.policy().timeZone) } as const;
  if (isWhole && !isOver) return { ...found, term };
  const was = begun[0] === undefined ? say`this` : doneIn(begun[0], changeOf(commandByPhrase, begun[0]));
  const why = isOver
    ? say`This would bring back a temporary change that ended at ${ends}: ${was}.`
    : say`Some of what this would bring back was temporary, until ${ends}: ${was}. The rest was not.`;
  const lines = [
    lineOf({ ...found, ...(isOver ? { term: { option: 'for', text: '1h' } } : { term }) }),
    lineOf(found),
  ];
  return {
    code: 'nothing_to_act_on',
    why,
    offers: lines.map((line) => ({ label: line, line, guess: true })),
  };
}

/** Whether what comes back is what was made with these, or some of a list of it. */
function isPartOf({ command, args }: Found, made: JsonObject): boolean {
  if (command.kind !== 'change') return false;
  const [one, all] = [askedParts(command, args), askedParts(command, made)];
  return one.same === all.same && one.parts.every((part) => all.parts.includes(part));
}

const doneIn = (action: Action, command: AnyChange | undefined): Text => {
  const [target] = targetsIn(action);
  return command === undefined || target === undefined
    ? say`${code(action.line)}`
    : command.done(argsOf(target), target.fingerprint);
};
